import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Compares exchanges, ignoring volatile details that are irrelevant in a review.
package enum RecordingComparison {
  /// True if two exchanges differ only in volatile details.
  package static func isSame(_ old: Interaction, _ new: Interaction) -> Bool {
    old.url == new.url && isSameButURL(old, new)
  }

  /// True if two exchanges differ only in volatile details and in their URLs, which may contain different alias
  /// numbers.
  package static func isSameButURL(_ old: Interaction, _ new: Interaction) -> Bool {
    guard isSameRequestButURL(old, new) else { return false }
    switch (old.outcome, new.outcome) {
    case (.response(let old), .response(let new)):
      return old.status == new.status && phrase(old) == phrase(new) && isSame(old.headers, new.headers)
        && isSame(old.trailers, new.trailers) && old.interim.map(\.status) == new.interim.map(\.status)
        && zip(old.interim, new.interim).allSatisfy { isSame($0.headers, $1.headers) }
        && isSame(old.body, old.headers, new.body, new.headers)
    case (.failure(let old), .failure(let new)): return old == new
    default: return false
    }
  }

  /// True if two exchanges have the same request.
  package static func isSameRequest(_ old: Interaction, _ new: Interaction) -> Bool {
    old.url == new.url && isSameRequestButURL(old, new)
  }

  private static func isSameRequestButURL(_ old: Interaction, _ new: Interaction) -> Bool {
    guard old.method == new.method else { return false }
    let (before, after) = (old.requestHeaders, new.requestHeaders)
    return isSame(before, after) && isSame(old.requestBody, before, new.requestBody, after)
  }

  private static func phrase(_ response: RecordedResponse) -> String? {
    response.reason == response.status.standardPhrase ? nil : response.reason
  }

  /// The order matters only among fields of the same name (RFC 9110 §5.3); the case of names is ignored.
  private static func isSame(_ old: HTTPHeaders, _ new: HTTPHeaders) -> Bool {
    isSameInOrder(old, new) || compared(old) == compared(new)
  }

  /// Compares fields in their order, which is usually equal.
  private static func isSameInOrder(_ old: HTTPHeaders, _ new: HTTPHeaders) -> Bool {
    var (before, after) = (old.makeIterator(), new.makeIterator())
    var (one, other) = (before.next(), after.next())
    while one != nil || other != nil {
      if one == other {
        (one, other) = (before.next(), after.next())
      } else if let field = one, isVolatile(field.name.lowercased()) {
        one = before.next()
      } else if let field = other, isVolatile(field.name.lowercased()) {
        other = after.next()
      } else {
        return false
      }
    }
    return true
  }

  /// Returns the values of the fields that are compared, by name in lower case.
  static func compared(_ headers: HTTPHeaders) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for field in headers {
      let name = field.name.lowercased()
      if isVolatile(name) { continue }
      // Equal text in a different encoding is a different value.
      fields[name, default: []].append(value(of: name, field.value) + (field.isLatin1 ? "\0" : ""))
    }
    return fields
  }

  static func value(of name: String, _ value: String) -> String {
    switch name {
    case "set-cookie":
      // The expiration date changes on every response.
      return value.split(separator: ";", omittingEmptySubsequences: false)
        .filter { !$0.drop { $0 == " " }.lowercased().hasPrefix("expires=") }.joined(separator: ";")
    case "content-type":
      guard let boundary = boundary(of: value) else { return value }
      return value.split(separator: boundary, omittingEmptySubsequences: false).joined(separator: "boundary")
    default: return value
    }
  }

  private static func boundary(of type: String?) -> String? {
    guard let type = type.flatMap({ MediaType($0) }), type.type == "multipart" else { return nil }
    return type.parameter("boundary").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Compares bodies; a missing body equals an empty one, and the division into pieces is ignored.
  private static func isSame(
    _ old: Body?, _ oldHeaders: HTTPHeaders, _ new: Body?, _ newHeaders: HTTPHeaders
  ) -> Bool {
    do {
      guard end(of: old) == end(of: new) else { return false }
      let (oldFile, newFile) = (try old?.openLongFile(), try new?.openLongFile())
      if let oldFile, let newFile { return try BodyFile.isSame(oldFile, newFile) }
      // A body may be in a file in one recording and in memory in the other.
      let (before, after) = (try old?.bytes() ?? [], try new?.bytes() ?? [])
      if ByteSearch.isSame(before, after) || isSameJSON(before, after) { return true }
      guard let first = boundary(of: oldHeaders["Content-Type"]), let second = boundary(of: newHeaders["Content-Type"])
      else { return false }
      return without(first, before).elementsEqual(without(second, after), by: ByteSearch.isSame)
    } catch {
      // The body's file is missing, so the bodies are considered different.
      return false
    }
  }

  /// True if two documents are the same JSON with members in a different order, which some encoders vary.
  static func isSameJSON(_ before: [UInt8], _ after: [UInt8]) -> Bool {
    // A different order has the same length, and a stream of several documents is not JSON.
    guard before.count == after.count, let first = before.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    return JSONDifference.equal(before, after)
  }

  static func without(_ boundary: String, _ body: [UInt8]) -> [[UInt8]] {
    let boundary = Array(boundary.utf8)
    var parts: [[UInt8]] = []
    var start = 0
    while let end = body.firstIndex(of: boundary, from: start) {
      parts.append(Array(body[start..<end]))
      start = end + boundary.count
    }
    return parts + [Array(body[start...])]
  }

  private static func end(of body: Body?) -> BodyEnd {
    if case .chunks(_, let end)? = body?.form { end } else { .complete }
  }

  /// True if a field's value changes on every response; its name is in lower case.
  package static func isVolatile(_ name: String) -> Bool {
    switch name {
    case "date", "age", "expires", "retry-after", "server-timing", "x-runtime", "x-response-time", "x-timer", "via",
      "x-served-by", "x-cache", "x-cache-hits", "cf-ray", "cf-cache-status", "x-amz-cf-id", "x-amz-cf-pop",
      "x-amz-id-2",
      "x-amzn-trace-id", "x-cloud-trace-context", "x-trace-id", "x-b3-traceid", "x-b3-spanid", "traceparent",
      "tracestate", "report-to", "nel", "alt-svc", "idempotency-key", "user-agent", "accept-language",
      "accept-encoding", "if-modified-since", "x-vercel-id", "fly-request-id":
      return true
    default:
      return name.hasSuffix("request-id") || name.hasSuffix("requestid") || name.hasSuffix("correlation-id")
        || name.contains("ratelimit") || name.contains("rate-limit")
    }
  }

  /// Returns fields in the order of the old fields, because the order of fields has no meaning.
  static func ordered(_ headers: HTTPHeaders, like old: HTTPHeaders) -> HTTPHeaders {
    var positions: [String: Int] = [:]
    for (position, field) in old.enumerated() where positions[field.name.lowercased()] == nil {
      positions[field.name.lowercased()] = position
    }
    // A new field stays after the field that precedes it.
    var position = -1
    var keyed: [(position: Int, index: Int, field: HTTPHeaders.Field)] = []
    for (index, field) in headers.enumerated() {
      position = positions[field.name.lowercased()] ?? position
      keyed.append((position, index, field))
    }
    keyed.sort { ($0.position, $0.index) < ($1.position, $1.index) }
    return HTTPHeaders(fields: keyed.map(\.field))
  }
}
