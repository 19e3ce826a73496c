internal import CassetteHTTP
internal import CassetteSystem

/// Turns bytes, however they are split, into requests.
///
/// One is kept per connection while a head is incomplete. The bytes given always begin with the first byte of the head and grow from call
/// to call; every byte is looked at once. An error depends only on the bytes before it, never on how they were split.
public struct RequestParser: Sendable {
  /// The place of the next byte in the grammar (RFC 9112 §2.1).
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

  /// The head that was read; complete once `parse` has returned true.
  public internal(set) var head = RequestHead()

  let limits: ParserLimits
  var phase = Phase.start
  /// The next byte to look at.
  var position = 0
  /// The first byte of what is being read: method, target, version or field name.
  var mark = 0
  /// The end of the field name whose line is being read.
  var nameEnd = 0
  /// The start of the value whose line is being read.
  var valueStart = 0
  private var emptyLines = 0
  private var requestLineStart = 0
  var fields = FieldFacts()

  /// Makes a parser that refuses more than `limits` allow.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits.sane
    head.fields.reserveCapacity(16)
  }

  /// True if any byte of a request line, not only an empty line before it, has been seen.
  public var hasStarted: Bool {
    switch phase {
    case .start, .emptyLineEnd: false
    default: true
    }
  }

  /// Gets ready for the next head; the room the field table takes is kept.
  public mutating func reset() {
    head.reset()
    phase = .start
    position = 0
    emptyLines = 0
    fields = FieldFacts()
  }

  /// Parses the next bytes, from where the last call stopped.
  ///
  /// - Parameter bytes: Everything received of this head so far, and whatever follows it.
  /// - Returns: Whether `head` is complete.
  /// - Throws: What is wrong with the bytes; the connection is of no use then.
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

  /// A few empty lines may come before a request: old clients end a body with one (RFC 9112 §2.2).
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
        throw .badRequestLine("a request begins with a method", position)
      }
      position += 1
    }
    return true
  }

  /// `method SP request-target SP HTTP-version CRLF` (RFC 9112 §3), with one space where one is due.
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

  /// Checks the parts that need the whole line: the version, and the target in the light of the method.
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
          ? "CONNECT takes a host and a port" : "the target is neither a path nor the URL of an http server",
        target.lowerBound, section: isTunnel ? "RFC 9112 §3.2.3" : "RFC 9112 §3.2")
    }
    if reading.form == .asterisk, !methodIs("OPTIONS", bytes) {
      throw .badRequestLine("only OPTIONS can ask about *", target.lowerBound, section: "RFC 9112 §3.2.4")
    }
    head.targetForm = reading.form
    head.host = reading.host.map { RequestHead.Slice($0.lowerBound, $0.upperBound) }
  }

  /// Methods are case-sensitive, unlike everything else that is compared here (RFC 9110 §9.1).
  private func methodIs(_ name: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let range = head.method.range
    guard range.count == name.utf8CodeUnitCount else { return false }
    return range.allSatisfy { bytes[$0] == name.utf8Start[$0 - range.lowerBound] }
  }

  /// `HTTP/1.1`, its first byte the lowest.
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
      : .badRequestLine("a method is a token", at, section: "RFC 9112 §3.1")
  }

  @inline(never)
  private static func badTargetEnd(_ byte: UInt8, _ at: Int, isEmpty: Bool) -> ParseError {
    switch byte {
    case ASCII.space: .badRequestLine("more than one space before the target", at)
    case ASCII.lineFeed, ASCII.carriageReturn:
      .badRequestLine(isEmpty ? "the request line has no target" : "the request line has no version", at)
    case UInt8(ascii: "#"):
      .badRequestLine("a fragment is not sent to a server", at, section: "RFC 9112 §3.2")
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
    ParseError("a line ends with LF alone", "RFC 9112 §2.2", at: at)
  }

  @inline(never)
  static func bareCarriageReturn(_ at: Int) -> ParseError {
    ParseError("a CR that no LF follows", "RFC 9112 §2.2", at: at)
  }
}
