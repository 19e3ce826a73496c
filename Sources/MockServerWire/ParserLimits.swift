/// The limits on the size of a received message.
public struct ParserLimits: Hashable, Sendable {
  /// The maximum length of a request line in bytes, without CRLF.
  ///
  /// Longer lines are rejected with status 414.
  public var requestLine: Int
  /// The maximum length of a head in bytes, with all line terminators.
  ///
  /// Longer heads are rejected with status 431.
  public var head: Int
  /// The maximum number of field lines in a header or trailer section.
  ///
  /// More are rejected with status 431.
  public var fields: Int
  /// The maximum length of a body in bytes, without chunk framing.
  ///
  /// Longer bodies are rejected with status 413.
  public var body: Int

  /// Creates limits.
  ///
  /// The defaults are 8 KB, 64 KB, 200 field lines and 64 MB.
  public init(requestLine: Int = 8192, head: Int = 65_536, fields: Int = 200, body: Int = 64 << 20) {
    self.requestLine = requestLine
    self.head = head
    self.fields = fields
    self.body = body
  }

  /// The limits, capped so that their sums and 32-bit offsets cannot overflow.
  var sane: ParserLimits {
    func clamped(_ limit: Int, to most: Int) -> Int { max(0, min(limit, most)) }
    return ParserLimits(
      requestLine: clamped(requestLine, to: 1 << 30), head: clamped(head, to: 1 << 30),
      fields: clamped(fields, to: 1 << 30), body: clamped(body, to: 1 << 56))
  }
}
