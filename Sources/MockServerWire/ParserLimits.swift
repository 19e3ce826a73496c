/// The limits on what a peer may send before it is refused.
public struct ParserLimits: Hashable, Sendable {
  /// The most bytes of a request line without its CRLF; more is answered with 414.
  public var requestLine: Int
  /// The most bytes of a head, from its first to its last CRLF; more is answered with 431.
  public var head: Int
  /// The most field lines of a head, and of a trailer section; more are answered with 431.
  public var fields: Int
  /// The most bytes of a body without its chunks; more are answered with 413.
  public var body: Int

  /// Makes limits; the defaults are 8 KB, 64 KB, 200 and 64 MB.
  public init(requestLine: Int = 8192, head: Int = 65_536, fields: Int = 200, body: Int = 64 << 20) {
    self.requestLine = requestLine
    self.head = head
    self.fields = fields
    self.body = body
  }

  /// The limits, small enough that sums of them and offsets of 32 bits cannot overflow.
  var sane: ParserLimits {
    func clamped(_ limit: Int, to most: Int) -> Int { max(0, min(limit, most)) }
    return ParserLimits(
      requestLine: clamped(requestLine, to: 1 << 30), head: clamped(head, to: 1 << 30),
      fields: clamped(fields, to: 1 << 30), body: clamped(body, to: 1 << 56))
  }
}
