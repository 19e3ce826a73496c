import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteRecording
internal import Cassettes

/// Compares the shapes of two responses: status, media type, header fields, and the shape of JSON.
enum ResponseComparison {
  /// Compares two decoded responses to the same request.
  ///
  /// - `comparesBody`: False to ignore the bodies. Default: true.
  /// - `ignored`: The places whose differences are ignored. Default: none.
  static func differences(
    _ old: RecordedResponse, _ new: RecordedResponse, comparesBody: Bool = true,
    ignoring ignored: IgnoredPlaces = IgnoredPlaces()
  ) throws(CassetteError) -> [ShapeDifference] {
    // The content for another status is unrelated, so only the status is reported.
    if let difference = status(old, new) { return [difference] }
    var found = fields(old, new, ignored)
    guard comparesBody, !found.contains(where: { $0.kind == .mediaType && $0.isError }) else { return found }
    found += try body(old, new, ignored)
    return found
  }

  private static func status(_ old: RecordedResponse, _ new: RecordedResponse) -> ShapeDifference? {
    let (before, after) = (old.status, new.status)
    guard before != after else { return nil }
    let words = "was \(before.code), is \(after)"
    // A 304 only means that the client's copy is current, which concerns values (RFC 9110 §15.4.5).
    if [before.code, after.code].contains(304), before.isSuccessful || after.isSuccessful {
      return .information(.status, "status", words)
    }
    return .error(.status, "status", words + (advice(after.code).map { ": \($0)" } ?? ""))
  }

  private static func advice(_ status: Int) -> String? {
    switch status {
    case 401, 403, 407: "is a --secret missing or expired?"
    case 429: "too many requests; try --pause 1"
    case 500...599: "the origin has a server error"
    default: nil
    }
  }

  /// Returns true for a status that concerns credentials or a temporary condition of the origin, and should not be
  /// recorded.
  static func isPassing(_ status: Int) -> Bool {
    [401, 403, 407, 408, 425, 429].contains(status) || (500...599).contains(status)
  }

  private static func fields(
    _ old: RecordedResponse, _ new: RecordedResponse, _ ignored: IgnoredPlaces
  ) -> [ShapeDifference] {
    var found: [ShapeDifference] = []
    if !ignored.covers(field: "content-type") {
      let (before, after) = (type(old), type(new))
      if let before, before != after {
        found.append(.error(.mediaType, "header:Content-Type", "was \(before), is \(after ?? "gone")"))
      }
    }
    var seen: Set<String> = ["content-type"]
    for field in old.headers {
      let name = field.name.lowercased()
      guard seen.insert(name).inserted, !new.headers.contains(name), !ignored.covers(field: name),
        !RecordingComparison.isVolatile(name), name != "etag", name != "last-modified", name != "set-cookie"
      else { continue }
      // A redirect without a location is unusable.
      let difference = name == "location" ? ShapeDifference.error : ShapeDifference.information
      found.append(difference(.gone, "header:\(field.name)", "is gone"))
    }
    return found
  }

  private static func type(_ response: RecordedResponse) -> String? {
    guard let text = response.headers["Content-Type"] else { return nil }
    return MediaType(text).map { "\($0.type)/\($0.subtype)" } ?? text
  }

  private static func body(
    _ old: RecordedResponse, _ new: RecordedResponse, _ ignored: IgnoredPlaces
  ) throws(CassetteError) -> [ShapeDifference] {
    // The rest of a truncated body is unknown.
    if case .chunks(_, let end)? = old.body?.form, end != .complete { return [] }
    let (kept, after) = (try old.body?.bytes() ?? [], try new.body?.bytes() ?? [])
    // A redacted number is compared as a number.
    let before = StandIns().rendered(kept) ?? kept
    guard !before.isEmpty, !ignored.covers(path: "$") else { return [] }
    guard !after.isEmpty else { return [.error(.body, "$", "the body is missing")] }
    let isSaid = old.headers.mediaType?.isJSON ?? false
    guard let shape = JSONShape(before), isSaid || shape.isStructured else { return [] }
    guard let new = JSONShape(after) else { return [.error(.body, "$", "was JSON, is no longer JSON")] }
    var comparison = ShapeComparison(ignoring: ignored)
    comparison.compare(shape, new)
    return comparison.differences
  }
}

/// Compares the shape of a new value with the recorded one.
struct ShapeComparison {
  /// The maximum number of reported differences.
  static let limit = 100

  let ignored: IgnoredPlaces
  private(set) var differences: [ShapeDifference] = []

  init(ignoring ignored: IgnoredPlaces = IgnoredPlaces()) { self.ignored = ignored }

  /// Compares the shapes at a path and below it.
  mutating func compare(_ old: JSONShape, _ new: JSONShape, at path: String = "$") {
    guard differences.count < Self.limit, !ignored.covers(path: path) else { return }
    let added = new.kinds.subtracting(old.kinds)
    if !added.isEmpty {
      let words = "was \(old.kinds.words), is \(new.kinds.words)"
      // A recorded null does not show the type of the value.
      if old.kinds == .null { return add(.information(.type, path, words)) }
      add(.error(.type, path, words))
    }
    if old.kinds.contains(.number), !old.hasFraction, new.hasFraction {
      // Not an error, because the same server may return 10 and 10.5, and most languages parse both as one type.
      add(.information(.type, path, "was a whole number, is a fraction"))
    }
    if old.kinds.contains(.object), new.kinds.contains(.object) { compareMembers(old, new, path) }
    if let old = old.elements.first, let new = new.elements.first { compare(old, new, at: path + "[*]") }
    if let old = old.entries.first, let new = new.entries.first { compare(old, new, at: path + ".*") }
  }

  private mutating func compareMembers(_ old: JSONShape, _ new: JSONShape, _ path: String) {
    for name in old.names {
      guard let before = old.members[name] else { continue }
      let place = path + Self.step(name)
      if ignored.covers(path: place) { continue }
      let isOptional = before.count < old.objects
      guard let after = new.members[name] else {
        if !isOptional { add(.error(.gone, place, "was \(before.shape.kinds.words), is gone")) }
        continue
      }
      if !isOptional, after.count < new.objects {
        add(.error(.gone, place, "is missing in \(new.objects - after.count) of \(new.objects)"))
      }
      compare(before.shape, after.shape, at: place)
    }
    for name in new.names where old.members[name] == nil {
      let place = path + Self.step(name)
      guard let shape = new.members[name]?.shape, !ignored.covers(path: place) else { continue }
      add(.information(.new, place, "is new, \(shape.kinds.words)"))
    }
  }

  private mutating func add(_ difference: ShapeDifference) {
    if differences.count < Self.limit { differences.append(difference) }
  }

  private static func step(_ name: String) -> String { String(JSONPath([.member(name)]).description.dropFirst()) }
}

/// A difference between the shape of a response and the recorded one.
package struct ShapeDifference: Hashable, Sendable, CustomStringConvertible {
  /// The kind of difference; the raw values are used by `verify --json`.
  package enum Kind: String, Sendable {
    /// The status differs.
    case status
    /// A value has another type.
    case type
    /// A member or header field is missing, or sometimes missing.
    case gone
    /// A member or header field was added.
    case new
    /// The media type of the body differs.
    case mediaType = "media-type"
    /// The body is missing, or no longer JSON.
    case body
  }

  /// The kind of the difference.
  package var kind: Kind
  /// True if the difference breaks clients that rely on the recording; false for information.
  package var isError: Bool
  /// The place: `$.items[*].id`, `header:Link`, `status`.
  package var path: String
  /// A description of the difference: `was a string, is gone`.
  package var words: String

  /// The place and the description.
  package var description: String { "\(path): \(words)" }

  static func error(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: true, path: path, words: words)
  }

  static func information(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: false, path: path, words: words)
  }
}

/// Places whose differences are ignored.
package struct IgnoredPlaces: Hashable, Sendable {
  private var paths: [String] = []
  private var fields: Set<String> = []

  package init() {}

  /// Adds a place and everything below it.
  ///
  /// - Parameter place: A path such as `$.items[*].id`, in which `[]` means `[*]`, or a header field such as
  ///   `header:Link`.
  /// - Returns: False if the place is invalid.
  package mutating func insert(_ place: String) -> Bool {
    if place.hasPrefix("header:"), place.count > "header:".count {
      fields.insert(place.dropFirst("header:".count).lowercased())
      return true
    }
    guard let steps = try? JSONQuery(place.replacing("[]", with: "[*]")).plainSteps else { return false }
    paths.append("$" + steps.map { $0.map { JSONPath([$0]).description.dropFirst() } ?? "[*]" }.joined())
    return true
  }

  func covers(path: String) -> Bool {
    paths.contains { pattern in
      guard path.hasPrefix(pattern) else { return false }
      guard let next = path.dropFirst(pattern.count).first else { return true }
      return next == "." || next == "["
    }
  }

  func covers(field name: String) -> Bool { fields.contains(name.lowercased()) }
}
