internal import CassetteHTTP
internal import Cassettes
internal import MockServerWire

extension ParserLimits {
  /// The least limits of a recorder: it cannot know yet what an origin takes.
  static let recording = ParserLimits(requestLine: 64 << 10, head: 256 << 10, fields: 1_000)

  /// Returns limits that let in the recorded requests as well, in any spelling and with some more fields.
  func admitting(_ measures: RequestMeasures) -> ParserLimits {
    var limits = self
    // Each byte of a target may come percent-encoded; the rest is a method and a version.
    limits.requestLine = max(requestLine, 3 * measures.target + 64)
    // Clients have fields that are not recorded, as many as the default allows in all.
    if 2 * measures.fieldBytes > head { limits.head = max(head, measures.fieldBytes + ParserLimits().head) }
    if limits.requestLine > requestLine { limits.head = max(limits.head, limits.requestLine + ParserLimits().head) }
    if 2 * measures.fields > fields { limits.fields = max(fields, measures.fields + ParserLimits().fields) }
    // JSON may come with other spaces, and a form with other escapes.
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
