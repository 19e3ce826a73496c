internal import HTTP

/// What to write so that a request that missed is answered.
enum Remedy {
  typealias Near = (entry: Reel.Entry, shown: Miss.Nearest)

  static func text(for request: HTTPRequest, of origin: String? = nil, near: [Near], in reel: Reel) -> String {
    // A fixture ignores the query: beside recordings of its path it would answer in place of them.
    let hasSiblings = hasRecordings(of: request, near, in: reel)
    // Nor is it of any origin.
    let file = hasSiblings || origin != nil || !reel.hasRoomForFixtures ? nil : fixture(for: request)
    let put = file.map { "put the answer into fixtures/\($0) beside the cassettes" }
    // A fixture has no keys to change.
    if let first = near.first, first.entry.isFixture, let file, let put {
      let id = first.entry.interaction.id
      return id.hasSuffix(".json") && id != file ? "copy fixtures/\(id) to fixtures/\(file)" : put
    }
    guard let recording = near.first(where: { !$0.entry.isFixture }) else {
      return put ?? "add a recording of it to \(reel.file ?? "a cassette")"
    }
    if let place = recording.entry.interaction.place, place.file.hasSuffix(".swift") {
      let stub = "add a stub of it beside the one at \(recording.shown.place)"
      return put.map { "\(stub), or \($0)" } ?? stub
    }
    if let change = ruleChange(recording) { return put.map { "\(change), or \($0)" } ?? change }
    let copy =
      "copy \"\(recording.shown.id)\" at \(recording.shown.place) and \(change(recording, to: request, of: origin))"
    return put.map { "\(copy), or \($0)" } ?? copy
  }

  /// What to do where a rule of the nearest recording is all that keeps it from answering.
  private static func ruleChange(_ near: Near) -> String? {
    let mismatches = near.shown.mismatches
    guard !mismatches.isEmpty, mismatches.allSatisfy({ $0.wanted != nil }) else { return nil }
    let states = mismatches.filter { $0.part.hasPrefix("state.") }
    guard states.count == mismatches.count else {
      return "widen the \"match\" of \"\(near.shown.id)\" at \(near.shown.place)"
    }
    let wanted = states.map { "\"\($0.part.dropFirst(6))\" to \"\($0.wanted ?? "")\"" }.joined(separator: " and ")
    return "first send what brings \(wanted), or change the \"when\" of \"\(near.shown.id)\" at \(near.shown.place)"
  }

  /// What to change in a copy of a recording; never a key to the value it has.
  private static func change(_ near: Near, to request: HTTPRequest, of origin: String?) -> String {
    let parts = near.shown.mismatches.map(\.part)
    let target = SecretNames.masked(url: (origin ?? "") + request.pathAndQuery)
    var changes: [String] = []
    if parts.contains("method") { changes.append("\"method\": \"\(request.method.rawValue)\"") }
    if parts.contains(where: { $0 == "origin" || $0 == "path" || $0.hasPrefix("query.") }),
      target != SecretNames.masked(url: near.entry.interaction.pathAndQuery)
    {
      changes.append("\"url\": \"\(target)\"")
    }
    guard changes.isEmpty else { return "set \(changes.joined(separator: " and "))" }
    if parts.contains(where: { $0.hasPrefix("body") }) { return "set the \"body\" of its request to what was sent" }
    if parts.contains(where: { $0.hasPrefix("header.") }) { return "set the \"headers\" of its request" }
    return "make its request the one that was sent"
  }

  /// Whether a recording has the request's method and path, whatever its query.
  private static func hasRecordings(of request: HTTPRequest, _ near: [Near], in reel: Reel) -> Bool {
    let isNear = near.contains { near in
      !near.entry.isFixture && !near.shown.mismatches.contains { $0.part == "method" || $0.part == "path" }
    }
    if isNear { return true }
    let method = Array(request.method.rawValue.utf8)
    let path = Array(request.pathAndQuery.utf8.prefix { $0 != UInt8(ascii: "?") })
    return reel.entries.contains { entry in
      !entry.isFixture
        && entry.interaction.withRequestLine { recordedMethod, url in
          recordedMethod.equals(method.span)
            && RecordedTarget.withPathAndQuery(url) { recorded in
              guard recorded.count >= path.count else { return false }
              return recorded.extracting(0..<path.count).equals(path.span)
                && (recorded.count == path.count || recorded[path.count] == UInt8(ascii: "?"))
            }
        }
    }
  }

  /// The file in `fixtures/` that would answer; nil when no file's name can.
  static func fixture(for request: HTTPRequest) -> String? {
    let path = String(request.pathAndQuery.prefix { $0 != "?" })
    // A name is the path as a person writes it.
    var segments = path.split(separator: "/").map { PercentEncoding.decodeText($0.utf8) }
    let isHidden = segments.contains { $0.hasPrefix(".") || Printable.escaped($0) != $0 }
    guard !isHidden else { return nil }
    if path.hasSuffix("/") { segments.append("index") }
    let method = request.method == .get ? "" : ".\(request.method.rawValue)"
    let file = "\(segments.joined(separator: "/"))\(method).json"
    let name = FixtureName(relativePath: file)
    let canonical = CanonicalTarget.spelling(of: path)
    return name.method == request.method && name.paths.contains { CanonicalTarget.spelling(of: $0) == canonical }
      ? file : nil
  }
}
