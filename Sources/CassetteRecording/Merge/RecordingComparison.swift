import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Tells whether an exchange that was recorded again is the one that was kept, as far as anyone reviews it.
package enum RecordingComparison {
  /// Tells whether two exchanges differ in nothing but facts that differ each time.
  package static func isSame(_ old: Interaction, _ new: Interaction) -> Bool {
    old.url == new.url && isSameButURL(old, new)
  }

  /// Tells the same of exchanges that are known to be of one URL, whatever numbers its secrets have.
  static func isSameButURL(_ old: Interaction, _ new: Interaction) -> Bool {
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

  /// Tells whether two exchanges are of one request, asked twice.
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

  /// Order counts between fields of one name only (RFC 9110 §5.3), and their case does not.
  private static func isSame(_ old: HTTPHeaders, _ new: HTTPHeaders) -> Bool {
    isSameInOrder(old, new) || compared(old) == compared(new)
  }

  /// Tells the same of fields that come in one order, as they mostly do.
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

  /// Returns the values of fields that count, by their names in lower case.
  static func compared(_ headers: HTTPHeaders) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for field in headers {
      let name = field.name.lowercased()
      if isVolatile(name) { continue }
      // The same text in other bytes is another value.
      fields[name, default: []].append(value(of: name, field.value) + (field.isLatin1 ? "\0" : ""))
    }
    return fields
  }

  static func value(of name: String, _ value: String) -> String {
    switch name {
    case "set-cookie":
      // When it expires is said as a date: another one each time.
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

  /// Compares bodies: none and an empty one are the same, and so are the same bytes in other pieces.
  private static func isSame(
    _ old: Body?, _ oldHeaders: HTTPHeaders, _ new: Body?, _ newHeaders: HTTPHeaders
  ) -> Bool {
    do {
      guard end(of: old) == end(of: new) else { return false }
      let (oldFile, newFile) = (try old?.openLongFile(), try new?.openLongFile())
      if let oldFile, let newFile { return try BodyFile.isSame(oldFile, newFile) }
      // A body may lie on the disk in one recording, and have come by way of the memory in the other.
      let (before, after) = (try old?.bytes() ?? [], try new?.bytes() ?? [])
      if ByteSearch.isSame(before, after) || isSameJSON(before, after) { return true }
      guard let first = boundary(of: oldHeaders["Content-Type"]), let second = boundary(of: newHeaders["Content-Type"])
      else { return false }
      return without(first, before).elementsEqual(without(second, after), by: ByteSearch.isSame)
    } catch {
      // The body's file is gone: recorded anew.
      return false
    }
  }

  /// Tells whether two texts are one JSON value with its members in another order, which encoders may choose each time.
  static func isSameJSON(_ before: [UInt8], _ after: [UInt8]) -> Bool {
    // Another order has as many bytes, and a stream of several documents is no JSON.
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

  /// Tells whether a field's value differs each time although nothing has changed; its name is in lower case.
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

  /// Fields in the order they had before, as far as they were there: their order means nothing.
  static func ordered(_ headers: HTTPHeaders, like old: HTTPHeaders) -> HTTPHeaders {
    var positions: [String: Int] = [:]
    for (position, field) in old.enumerated() where positions[field.name.lowercased()] == nil {
      positions[field.name.lowercased()] = position
    }
    // A field that is new stays behind the one before it.
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
