internal import CassetteHTTP
internal import CassetteSystem

/// A parser of request heads that accepts input split at any byte.
///
/// Each connection keeps one parser while a head is incomplete. The bytes passed to `parse(_:)` always start at the
/// first byte of the head and grow from call to call, but each byte is examined only once. An error depends only on the
/// bytes before it, never on how they were split.
public struct RequestParser: Sendable {
  /// The position of the parser in the grammar (RFC 9112 §2.1).
  enum Phase: Sendable {
    case start
    case emptyLineEnd
    case method
    case target
    case version
    case requestLineEnd
    case requestLineFeed
    case fieldStart
    case fieldName
    case fieldSpace
    case fieldValue
    case fieldLineFeed
    case headLineFeed
    case complete
  }

  /// The parsed head, which is complete once `parse` has returned true.
  public internal(set) var head = RequestHead()

  let limits: ParserLimits
  var phase = Phase.start
  /// The offset of the next byte to parse.
  var position = 0
  /// The offset of the first byte of the current element: method, target, version or field name.
  var mark = 0
  /// The end of the field name in the current line.
  var nameEnd = 0
  /// The start of the field value in the current line.
  var valueStart = 0
  private var emptyLines = 0
  private var requestLineStart = 0
  var fields = FieldFacts()

  /// Creates a parser that rejects requests exceeding `limits`.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits.sane
    head.fields.reserveCapacity(16)
  }

  /// True if a byte of the request line has been received.
  ///
  /// Empty lines before it do not count.
  public var hasStarted: Bool {
    switch phase {
    case .start, .emptyLineEnd: false
    default: true
    }
  }

  /// Prepares the parser for the next head, keeping the capacity of the field table.
  public mutating func reset() {
    head.reset()
    phase = .start
    position = 0
    emptyLines = 0
    fields = FieldFacts()
  }

  /// Parses the next bytes, continuing where the last call stopped.
  ///
  /// - Parameter bytes: All bytes received from the start of this head on, including any that follow the head.
  /// - Returns: True if `head` is complete.
  /// - Throws: The syntax error, after which the connection cannot be used.
  public mutating func parse(_ bytes: Span<UInt8>) throws(ParseError) -> Bool {
    switch phase {
    case .complete:
      return true
    case .fieldStart, .fieldName, .fieldSpace, .fieldValue, .fieldLineFeed, .headLineFeed:
      return try parseFields(bytes)
    default:
      guard try skipEmptyLines(bytes), try parseRequestLine(bytes) else { return false }
      return try parseFields(bytes)
    }
  }

  /// Skips up to eight empty lines before a request, because old clients send one after a body (RFC 9112 §2.2).
  private mutating func skipEmptyLines(_ bytes: Span<UInt8>) throws(ParseError) -> Bool {
    while phase == .start || phase == .emptyLineEnd {
      guard position < bytes.count else { return false }
      let byte = bytes[position]
      if phase == .emptyLineEnd {
        guard byte == ASCII.lineFeed else { throw .bareCarriageReturn(position) }
        guard emptyLines < 8 else { throw .badRequestLine("too many empty lines before the request line", position) }
        emptyLines += 1
        phase = .start
      } else if byte == ASCII.carriageReturn {
        phase = .emptyLineEnd
      } else if byte == ASCII.lineFeed {
        throw .bareLineFeed(position)
      } else if ASCII.isToken(byte) {
        requestLineStart = position
        mark = position
        phase = .method
        return true
      } else {
        throw .badRequestLine("a request must begin with a method", position)
      }
      position += 1
    }
    return true
  }

  /// Parses `method SP request-target SP HTTP-version CRLF` (RFC 9112 §3), with exactly one space at each `SP`.
  private mutating func parseRequestLine(_ bytes: Span<UInt8>) throws(ParseError) -> Bool {
    let limit = min(requestLineStart + limits.requestLine + 2, limits.head)
    let line = bytes.extracting(0..<min(bytes.count, limit))
    var at = position
    reading: switch phase {
    case .method:
      while line.holds(at), ASCII.isToken(line[at]) { at &+= 1 }
      guard line.holds(at) else { break reading }
      guard line[at] == ASCII.space else { throw Self.badMethodEnd(line[at], at) }
      head.method = RequestHead.Slice(mark, at)
      at &+= 1
      mark = at
      phase = .target
      fallthrough
    case .target:
      at = ByteScan.endOfTarget(line, from: at)
      guard line.holds(at) else { break reading }
      guard line[at] == ASCII.space, at > mark else { throw Self.badTargetEnd(line[at], at, isEmpty: at == mark) }
      head.target = RequestHead.Slice(mark, at)
      at &+= 1
      mark = at
      phase = .version
      fallthrough
    case .version:
      if at == mark, line.count - at >= 8, ByteScan.eight(line, at: at) == Self.http11 {
        at &+= 8
      } else {
        while line.holds(at), at < mark + 8 {
          guard Self.fitsVersion(line[at], at: at - mark) else {
            throw .badRequestLine("a request line ends with HTTP/1.1 or HTTP/1.0", at, section: "RFC 9112 §2.3")
          }
          at &+= 1
        }
        guard at == mark + 8 else { break reading }
      }
      phase = .requestLineEnd
      fallthrough
    case .requestLineEnd:
      guard line.holds(at) else { break reading }
      guard line[at] == ASCII.carriageReturn else {
        throw line[at] == ASCII.lineFeed
          ? .bareLineFeed(at) : .badRequestLine("the request line does not end after the version", at)
      }
      at &+= 1
      phase = .requestLineFeed
      fallthrough
    case .requestLineFeed:
      guard line.holds(at) else { break reading }
      guard line[at] == ASCII.lineFeed else { throw .bareCarriageReturn(at) }
      at &+= 1
      try finishRequestLine(bytes)
      phase = .fieldStart
      position = at
      return true
    default:
      return true
    }
    position = at
    if bytes.count >= limit {
      throw requestLineTooLong(limit)
    }
    return false
  }

  /// Checks the version, and whether the method allows the form of the target.
  ///
  /// Both checks need the whole line.
  private mutating func finishRequestLine(_ bytes: Span<UInt8>) throws(ParseError) {
    guard bytes[mark + 5] == UInt8(ascii: "1") else {
      throw ParseError("only HTTP/1.1 and HTTP/1.0 are spoken here", "RFC 9110 §15.6.6", at: mark, status: 505)
    }
    head.version = bytes[mark + 7] == UInt8(ascii: "0") ? .http10 : .http11

    let target = head.target.range
    let isTunnel = bytes[head.method.range.lowerBound] == UInt8(ascii: "C") && methodIs("CONNECT", bytes)
    if bytes[target.lowerBound] == UInt8(ascii: "/"), !isTunnel { return }
    guard let reading = TargetGrammar.read(bytes, target, tunnel: isTunnel) else {
      throw .badRequestLine(
        isTunnel
          ? "CONNECT requires a host and a port" : "the target is neither a path nor an http URL",
        target.lowerBound, section: isTunnel ? "RFC 9112 §3.2.3" : "RFC 9112 §3.2")
    }
    if reading.form == .asterisk, !methodIs("OPTIONS", bytes) {
      throw .badRequestLine("only OPTIONS can ask about *", target.lowerBound, section: "RFC 9112 §3.2.4")
    }
    head.targetForm = reading.form
    head.host = reading.host.map { RequestHead.Slice($0.lowerBound, $0.upperBound) }
  }

  /// Compares the method with a name.
  ///
  /// Methods, unlike field names, are case-sensitive (RFC 9110 §9.1).
  private func methodIs(_ name: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let range = head.method.range
    guard range.count == name.utf8CodeUnitCount else { return false }
    return range.allSatisfy { bytes[$0] == name.utf8Start[$0 - range.lowerBound] }
  }

  /// `HTTP/1.1` as a little-endian integer.
  private static let http11: UInt64 = 0x312E_312F_5054_5448

  private static func fitsVersion(_ byte: UInt8, at index: Int) -> Bool {
    switch index {
    case 0: byte == UInt8(ascii: "H")
    case 1, 2: byte == UInt8(ascii: "T")
    case 3: byte == UInt8(ascii: "P")
    case 4: byte == UInt8(ascii: "/")
    case 6: byte == UInt8(ascii: ".")
    default: byte.isDigit
    }
  }

  @inline(never)
  private func requestLineTooLong(_ at: Int) -> ParseError {
    ParseError("the request line is longer than \(limits.requestLine) bytes", "RFC 9112 §3", at: at, status: 414)
  }

  @inline(never)
  private static func badMethodEnd(_ byte: UInt8, _ at: Int) -> ParseError {
    byte == ASCII.lineFeed || byte == ASCII.carriageReturn
      ? .badRequestLine("the request line has no target", at)
      : .badRequestLine("a method must be a token", at, section: "RFC 9112 §3.1")
  }

  @inline(never)
  private static func badTargetEnd(_ byte: UInt8, _ at: Int, isEmpty: Bool) -> ParseError {
    switch byte {
    case ASCII.space: .badRequestLine("more than one space before the target", at)
    case ASCII.lineFeed, ASCII.carriageReturn:
      .badRequestLine(isEmpty ? "the request line has no target" : "the request line has no version", at)
    case UInt8(ascii: "#"):
      .badRequestLine("the target contains a fragment, which is not sent to servers", at, section: "RFC 9112 §3.2")
    default: .badRequestLine("a control character in the target", at, section: "RFC 9112 §3.2")
    }
  }
}

extension ParseError {
  @inline(never)
  static func badRequestLine(_ message: String, _ at: Int, section: String = "RFC 9112 §3") -> ParseError {
    ParseError(message, section, at: at)
  }

  @inline(never)
  static func bareLineFeed(_ at: Int) -> ParseError {
    ParseError("a line ends with LF instead of CR LF", "RFC 9112 §2.2", at: at)
  }

  @inline(never)
  static func bareCarriageReturn(_ at: Int) -> ParseError {
    ParseError("a CR is not followed by LF", "RFC 9112 §2.2", at: at)
  }
}
