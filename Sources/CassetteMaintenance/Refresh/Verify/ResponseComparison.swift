import CassetteHTTP
internal import CassetteMatching
internal import CassetteRecording
package import Cassettes

/// Compares the shapes of two responses: status, media type, header fields, and the shape of JSON.
package enum ResponseComparison {
  /// Compares two decoded responses to the same request.
  ///
  /// - Parameters:
  ///   - old: The recorded response.
  ///   - new: The new response.
  ///   - comparesBody: False to ignore the bodies. Default: true.
  ///   - ignored: The places whose differences are ignored. Default: none.
  /// - Returns: Errors and information, in the order of the message.
  /// - Throws: An error if a body cannot be read.
  package static func differences(
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
  package static func isPassing(_ status: Int) -> Bool {
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
