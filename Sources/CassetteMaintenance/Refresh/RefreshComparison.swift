internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSecrets
package import Cassettes

/// A value of a response that differs from the recorded one.
package struct RefreshedValue: Hashable, Sendable {
  /// The path of the value: `$.items[0].id`, `header:Link`.
  package var path: String
  /// The recorded value in its source form; nil if there was none.
  package var old: String?
  /// The new value; nil if it was removed.
  package var new: String?

  package init(path: String, old: String?, new: String?) { (self.path, self.old, self.new) = (path, old, new) }
}

/// Classifies the differences between a recording and a new response as shape, values or noise.
package struct RefreshComparison: Sendable {
  /// Differences in shape, beginning with those that break clients.
  package private(set) var shape: [ShapeDifference]
  /// Values that differ, redacted like the cassette.
  package private(set) var values: [RefreshedValue] = []
  /// The paths of values that differ in every response; the cassette keeps its values there.
  package private(set) var noise: [String] = []

  /// Compares a recording with a new response.
  ///
  /// - Parameters:
  ///   - old: The recorded response.
  ///   - answer: The new response, as received.
  ///   - new: The response that replaces the recorded one; nil if the recording is kept.
  ///   - shape: The differences in shape.
  ///   - accepted: The places whose differences are not reported. Default: none.
  /// - Throws: An error if a body cannot be read.
  package init(
    _ old: RecordedResponse, _ answer: RecordedResponse, _ new: RecordedResponse?, shape: [ShapeDifference],
    accepting accepted: IgnoredPlaces = IgnoredPlaces()
  ) throws(CassetteError) {
    let told = shape.filter { !Self.covers(accepted, $0.path) }
    self.shape = told.filter(\.isError) + told.filter { !$0.isError }
    if let new { values = try changes(old, new, besides: shape).filter { !Self.covers(accepted, $0.path) } }
    // A secret always differs from its placeholder, which is not noise.
    var known: Set<String> = []
    if let new { known = Set(try changes(old, new, besides: []).map(\.path)) }
    noise = try changes(old, answer, besides: shape).filter { change in
      !known.contains(change.path) && SecretAlias.numbers(in: Array((change.old ?? "").utf8)).isEmpty
        && !Self.covers(accepted, change.path)
    }.map(\.path)
  }

  private func changes(
    _ old: RecordedResponse, _ new: RecordedResponse, besides shape: [ShapeDifference]
  ) throws(CassetteError) -> [RefreshedValue] {
    guard old.status == new.status else { return [] }
    var found = Self.fields(old.headers, new.headers)
    let (before, after) = (try old.body?.bytes() ?? [], try new.body?.bytes() ?? [])
    guard before != after else { return found.filter { !Self.isShape($0.path, shape) } }
    if JSONTree(before) != nil, JSONTree(after) != nil {
      found += JSONDifference.between(after, before).map {
        RefreshedValue(path: $0.path, old: $0.recorded, new: $0.sent)
      }
    } else {
      found.append(RefreshedValue(path: "body", old: "\(before.count) bytes", new: "\(after.count) bytes"))
    }
    return found.filter { !Self.isShape($0.path, shape) }
  }

  private static func fields(_ old: HTTPHeaders, _ new: HTTPHeaders) -> [RefreshedValue] {
    var seen: Set<String> = ["content-length", "transfer-encoding", "connection", "keep-alive"]
    var found: [RefreshedValue] = []
    for field in Array(old) + Array(new) where seen.insert(field.name.lowercased()).inserted {
      let (before, after) = (old.values(of: field.name), new.values(of: field.name))
      guard before != after else { continue }
      func shown(_ values: [String]) -> String? {
        values.isEmpty
          ? nil : values.map { SecretNames.masked(field: field.name, value: $0) }.joined(separator: ", ")
      }
      found.append(RefreshedValue(path: "header:\(field.name)", old: shown(before), new: shown(after)))
    }
    return found
  }

  /// Returns true if a difference in shape covers a path.
  private static func isShape(_ path: String, _ shape: [ShapeDifference]) -> Bool {
    let general = general(path)
    return shape.contains { difference in
      guard general.lowercased().hasPrefix(difference.path.lowercased()) else { return false }
      guard let next = general.dropFirst(difference.path.count).first else { return true }
      return next == "." || next == "["
    }
  }

  private static func covers(_ places: IgnoredPlaces, _ path: String) -> Bool {
    if path.hasPrefix("header:") { return places.covers(field: String(path.dropFirst("header:".count))) }
    return places.covers(path: path) || places.covers(path: general(path))
  }

  /// Returns a path without array indices: `$.items[3].id` becomes `$.items[*].id`.
  static func general(_ path: String) -> String {
    var result = ""
    var rest = path[...]
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      let digits = inside.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, inside[digits.endIndex...].first == "]" {
        result += "[*]"
        rest = inside[digits.endIndex...].dropFirst()
      } else {
        result += "["
        rest = inside
      }
    }
    return result + rest
  }
}
