internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The remedies for a miss: commands to run or changes to make, the simplest first.
enum Remedy {
  typealias Near = (entry: RecordingTable.Entry, shown: Miss.Nearest)

  /// Returns the remedies in this order: the command that records the request, the rule that ignores values which are
  /// new at each call, then the copy and the fixture.
  static func texts(
    for request: HTTPRequest, of origin: String? = nil, near: [Near], in table: RecordingTable, _ command: RecordCommand
  ) -> [String] {
    var texts: [String] = []
    let recorded = near.first { !$0.entry.isFixture }
    let first = table.entries.first { !$0.isFixture && !$0.isStub }
    let source = recorded?.entry ?? (table.hasOtherOrigins(than: first?.origin) ? nil : first)
    let isStubbed = recorded?.entry.isStub ?? false
    let isOfState = recorded.map { first in
      !first.shown.mismatches.isEmpty && first.shown.mismatches.allSatisfy { $0.part.hasPrefix("state.") }
    }
    if !isStubbed, isOfState != true,
      let line = command.line(
        origin: origin ?? source?.origin, file: source?.interaction.place?.file ?? table.file)
    {
      texts.append("record it: \(line)")
    }
    if case .test = command, let recorded, let option = RemedyRule.option(for: recorded) {
      texts.append("allow the difference in this test: matching: \(option)")
    }
    if let recorded, let change = RemedyRule.ignoring(recorded) { texts.append(change) }
    let isNew = recorded.map { isNewAtEachCall($0.shown.mismatches) } ?? false
    if !isNew || texts.isEmpty { texts += written(for: request, of: origin, near: near, in: table) }
    return texts
  }

  /// Returns the remedies for recordings that were consumed.
  static func texts(forConsumed entries: [RecordingTable.Entry], _ last: Miss.Nearest?, _ command: RecordCommand)
    -> [String]
  {
    let isExact = entries.last.map { $0.level == .exact && $0.interaction.repeatPolicy != .once } ?? false
    var texts: [String] = []
    if isExact, let line = command.line(origin: entries.last?.origin, file: entries.last?.interaction.place?.file) {
      texts.append("record it as often as it is requested: \(line)")
    }
    let (id, place) = (last?.id ?? "", last?.place ?? "")
    let repeats =
      isExact
      ? "set \"replay\": { \"repeat\": \"loop\" } on \"\(id)\" (\(place)), or match less strictly than \"exact\""
      : "set \"replay\": { \"repeat\": \"last\" } on \"\(id)\" (\(place))"
    return texts + ["\(repeats), or reset: \(command.reset)"]
  }

  /// Returns true if a differing value is new at each call, so that a copy of the recording would never match.
  private static func isNewAtEachCall(_ mismatches: [Mismatch]) -> Bool {
    !mismatches.isEmpty && mismatches.contains { RemedyRule.isNewAtEachCall($0) }
  }

  /// Returns the changes to files: a fixture to create, a recording to copy, or a rule to widen.
  private static func written(
    for request: HTTPRequest, of origin: String?, near: [Near], in table: RecordingTable
  ) -> [String] {
    // A fixture ignores the query: it would replace the recordings of its path.
    let hasSiblings = hasRecordings(of: request, near, in: table)
    // A fixture matches every origin.
    let file = hasSiblings || origin != nil || !table.hasRoomForFixtures ? nil : fixture(for: request)
    let put = file.map { "put the response into fixtures/\($0) next to the cassettes" }
    // A fixture is a plain file without keys to change.
    if let first = near.first, first.entry.isFixture, let file, let put {
      let id = first.entry.interaction.id
      return [id.hasSuffix(".json") && id != file ? "copy fixtures/\(id) to fixtures/\(file)" : put]
    }
    guard let recording = near.first(where: { !$0.entry.isFixture }) else {
      return [put ?? "add a recording of it to \(table.file ?? "a cassette")"]
    }
    let more = put.map { [$0] } ?? []
    if let hint = RemedyRule.foreignPattern(recording, for: request) { return [hint] + more }
    if recording.entry.isStub { return ["add a stub for it next to the one at \(recording.shown.place)"] + more }
    if let change = RemedyRule.change(recording) { return [change] + more }
    return [
      "copy \"\(recording.shown.id)\" at \(recording.shown.place) and \(change(recording, to: request, of: origin))"
    ]
      + more
  }

  /// Describes the changes to make in a copy of a recording; a key that already has the required value is omitted.
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
    if parts.contains(where: { $0.hasPrefix("body") }) { return "set the \"body\" of its request to the sent body" }
    if parts.contains(where: { $0.hasPrefix("header.") || $0 == "credentials" }) {
      return "set the \"headers\" of its request"
    }
    return "set its \"request\" to the sent request"
  }

  /// Returns true if a recording has the request's method and path, with any query.
  private static func hasRecordings(of request: HTTPRequest, _ near: [Near], in table: RecordingTable) -> Bool {
    let isNear = near.contains { near in
      !near.entry.isFixture && !near.shown.mismatches.contains { $0.part == "method" || $0.part == "path" }
    }
    if isNear { return true }
    let method = Array(request.method.rawValue.utf8)
    let path = Array(request.pathAndQuery.utf8.prefix { $0 != UInt8(ascii: "?") })
    return table.entries.contains { entry in
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

  /// Returns the name of the file in `fixtures/` that would answer; nil if no file name can.
  static func fixture(for request: HTTPRequest) -> String? {
    let path = String(request.pathAndQuery.prefix { $0 != "?" })
    // A file name contains the decoded path.
    var segments = path.split(separator: "/").map { PercentEncoding.decodeText($0.utf8) }
    let isHidden = segments.contains { $0.hasPrefix(".") || Printable.escaped($0) != $0 }
    guard !isHidden, SecretNames.masked(url: path) == path else { return nil }
    if path.hasSuffix("/") { segments.append("index") }
    let method = request.method == .get ? "" : ".\(request.method.rawValue)"
    let file = "\(segments.joined(separator: "/"))\(method).json"
    let name = FixtureName(relativePath: file)
    let canonical = CanonicalTarget.spelling(of: path)
    return name.method == request.method && name.paths.contains { CanonicalTarget.spelling(of: $0) == canonical }
      ? file : nil
  }
}
