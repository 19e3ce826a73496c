internal import CassetteHTTP
internal import Cassettes
internal import MockServerWire

extension ParserLimits {
  /// The minimum limits during recording, because the limits of the origin are unknown.
  static let recording = ParserLimits(requestLine: 64 << 10, head: 256 << 10, fields: 1_000)

  /// Returns limits that also admit the recorded requests, in any spelling and with additional fields.
  func admitting(_ measures: RequestMeasures) -> ParserLimits {
    var limits = self
    // Each byte of a target may be percent-encoded; the rest is for method and version.
    limits.requestLine = max(requestLine, 3 * measures.target + 64)
    // Clients may send as many unrecorded fields as the default limits permit.
    if 2 * measures.fieldBytes > head { limits.head = max(head, measures.fieldBytes + ParserLimits().head) }
    if limits.requestLine > requestLine { limits.head = max(limits.head, limits.requestLine + ParserLimits().head) }
    if 2 * measures.fields > fields { limits.fields = max(fields, measures.fields + ParserLimits().fields) }
    // JSON may contain other whitespace, and a form other escapes.
    limits.body = max(body, 4 * measures.body)
    return limits
  }

  /// Returns limits that are at least as wide as others.
  func widened(to other: ParserLimits) -> ParserLimits {
    ParserLimits(
      requestLine: max(requestLine, other.requestLine), head: max(head, other.head), fields: max(fields, other.fields),
      body: max(body, other.body))
  }
}
