public import CassetteHTTP
internal import CassetteSystem

/// A decoder of the chunked transfer coding that accepts input split at any byte (RFC 9112 §7.1).
///
/// It rejects all ambiguous input: a bare LF, white space around a chunk size, a malformed extension.
public struct ChunkedDecoder: Sendable {
  /// The position of the parser in the grammar.
  enum Phase: Sendable {
    case sizeStart
    case size
    case beforeExtension
    case extensionNameStart
    case extensionName
    case afterExtensionName
    case extensionValueStart
    case extensionToken
    case quoted
    case quotedPair
    case afterQuoted
    case sizeLineFeed
    case data
    case dataEnd
    case dataLineFeed
    case trailers
    case complete
  }

  /// The fields of the trailer section.
  ///
  /// They are validated, and never merged into the header section (RFC 9110 §6.5.1).
  public private(set) var trailers = HTTPHeaders()

  private let limits: ParserLimits
  private var phase = Phase.sizeStart
  /// The chunk size read so far; then the number of bytes of the chunk still to be received.
  private var remaining = 0
  /// The number of data bytes in all chunks announced so far.
  private var received = 0
  /// The number of bytes in chunk-size lines that exceed the allowance for the data they announce.
  private var overhead = 0
  /// The number of bytes of the encoded body that earlier calls consumed.
  private var consumedBefore = 0
  private var trailerLine: [UInt8] = []
  private var trailerBytes = 0

  /// Creates a decoder that rejects bodies exceeding `limits`.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits.sane
  }

  /// Decodes the next bytes of the body, and keeps no reference to them.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that follow those consumed by earlier calls.
  ///   - body: The buffer to which the decoded data is appended.
  /// - Returns: The number of bytes that belong to the body (all of them, unless the body is complete), and true if the
  ///   body is complete.
  /// - Throws: The error in the encoding, after which the connection cannot be used.
  public mutating func decode(
    _ bytes: Span<UInt8>, into body: inout [UInt8]
  ) throws(ParseError) -> (consumed: Int, isComplete: Bool) {
    var at = 0
    while at < bytes.count, phase != .complete {
      switch phase {
      case .data:
        let count = min(remaining, bytes.count - at)
        // `Array` can append the bytes of a buffer, but not of a span.
        bytes.extracting(at..<(at + count)).withUnsafeBufferPointer { body.append(contentsOf: $0) }
        at += count
        remaining -= count
        if remaining == 0 { phase = .dataEnd }
      case .dataEnd:
        guard bytes[at] == ASCII.carriageReturn else { throw error("the data of a chunk is longer than its size", at) }
        at += 1
        phase = .dataLineFeed
      case .dataLineFeed:
        guard bytes[at] == ASCII.lineFeed else { throw error("the data of a chunk is longer than its size", at) }
        at += 1
        phase = .sizeStart
      case .trailers:
        try takeTrailer(bytes[at], at)
        at += 1
      default:
        try takeSizeLine(bytes[at], at)
        at += 1
      }
    }
    consumedBefore &+= at
    return (at, phase == .complete)
  }

  /// Parses one byte of `chunk-size [ chunk-ext ] CRLF`.
  private mutating func takeSizeLine(_ byte: UInt8, _ at: Int) throws(ParseError) {
    overhead += 1
    guard overhead <= 16_384 else {
      throw error("chunk extensions are longer than the data", at, section: "RFC 9112 §7.1.1")
    }
    switch phase {
    case .sizeStart:
      remaining = 0
      guard let digit = byte.hexadecimalValue else { throw error("a chunk size must be a hexadecimal number", at) }
      try takeDigit(digit, at)
      phase = .size
    case .size:
      if let digit = byte.hexadecimalValue { return try takeDigit(digit, at) }
      phase = try afterMember(byte, at)
    case .sizeLineFeed:
      guard byte == ASCII.lineFeed else { throw error("a CR is not followed by LF", at, section: "RFC 9112 §2.2") }
      guard remaining > 0 else {
        phase = .trailers
        return
      }
      received += remaining
      // A long line is acceptable before a long chunk. A thousand long lines, each before a single byte, are not.
      overhead = max(0, overhead - 16 - 2 * remaining)
      phase = .data
    default:
      phase = try takeExtension(byte, at)
    }
  }

  private mutating func takeDigit(_ digit: UInt8, _ at: Int) throws(ParseError) {
    // Both numbers are at most 2^56: see `ParserLimits.sane`.
    remaining = remaining * 16 + Int(digit)
    guard remaining <= limits.body - received else {
      throw ParseError(
        "the body is longer than \(limits.body) bytes", "RFC 9110 §15.5.14", at: consumedBefore &+ at, status: 413)
    }
  }

  /// Parses one byte of `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` (RFC 9112 §7.1.1).
  private func takeExtension(_ byte: UInt8, _ at: Int) throws(ParseError) -> Phase {
    let isBlank = ASCII.isBlank(byte)
    switch phase {
    case .beforeExtension where isBlank, .extensionNameStart where isBlank, .afterExtensionName where isBlank,
      .extensionValueStart where isBlank:
      return phase
    case .beforeExtension where byte == UInt8(ascii: ";"), .afterExtensionName where byte == UInt8(ascii: ";"):
      return .extensionNameStart
    case .extensionNameStart where ASCII.isToken(byte), .extensionName where ASCII.isToken(byte):
      return .extensionName
    case .extensionName where byte == UInt8(ascii: "="), .afterExtensionName where byte == UInt8(ascii: "="):
      return .extensionValueStart
    case .extensionName where isBlank:
      return .afterExtensionName
    case .extensionValueStart where ASCII.isToken(byte), .extensionToken where ASCII.isToken(byte):
      return .extensionToken
    case .extensionValueStart where byte == UInt8(ascii: "\""), .quotedPair where Self.isText(byte):
      return .quoted
    case .quoted where byte == UInt8(ascii: "\""):
      return .afterQuoted
    case .quoted where byte == UInt8(ascii: "\\"):
      return .quotedPair
    case .quoted where Self.isText(byte):
      return .quoted
    case .extensionName, .extensionToken, .afterQuoted:
      return try afterMember(byte, at)
    default:
      throw malformedExtension(at)
    }
  }

  /// Returns the phase that follows a size, a name, a token or a quoted string.
  ///
  /// White space must precede a semicolon.
  private func afterMember(_ byte: UInt8, _ at: Int) throws(ParseError) -> Phase {
    switch byte {
    case ASCII.carriageReturn: return .sizeLineFeed
    case UInt8(ascii: ";"): return .extensionNameStart
    case ASCII.space, ASCII.tab: return .beforeExtension
    case ASCII.lineFeed: throw error("a line ends with LF instead of CR LF", at, section: "RFC 9112 §2.2")
    default: throw phase == .size ? error("a chunk size must be a hexadecimal number", at) : malformedExtension(at)
    }
  }

  /// Returns true for a byte that a quoted string may contain: tab, space, visible or non-ASCII (RFC 9110 §5.6.4).
  private static func isText(_ byte: UInt8) -> Bool {
    byte == ASCII.tab || (byte >= 0x20 && byte != 0x7F)
  }

  /// Collects trailer lines and parses them one at a time.
  ///
  /// Trailers are rare, so speed does not matter.
  private mutating func takeTrailer(_ byte: UInt8, _ at: Int) throws(ParseError) {
    trailerBytes += 1
    guard trailerBytes <= limits.head else {
      throw ParseError(
        "the trailer section is longer than \(limits.head) bytes", "RFC 6585 §5", at: consumedBefore &+ at, status: 431)
    }
    trailerLine.append(byte)
    guard byte == ASCII.lineFeed else { return }
    defer { trailerLine.removeAll(keepingCapacity: true) }
    let line = try FieldLine.read(trailerLine.span, at: consumedBefore &+ at &+ 1 &- trailerLine.count)
    guard let line else {
      phase = .complete
      return
    }
    guard trailers.count < limits.fields else {
      throw ParseError(
        "more than \(limits.fields) trailer fields", "RFC 6585 §5", at: consumedBefore &+ at, status: 431)
    }
    let name = ByteText.string(trailerLine.span, line.name)
    for forbidden in ["Content-Length", "Transfer-Encoding", "Host"] where ASCII.equalIgnoringCase(name, forbidden) {
      throw error("\(forbidden) in a trailer section", at, section: "RFC 9110 §6.5.1")
    }
    trailers.append(HTTPHeaders.Field(trailerLine.span, name: line.name, value: line.value))
  }

  private func malformedExtension(_ at: Int) -> ParseError {
    error("a malformed chunk extension", at, section: "RFC 9112 §7.1.1")
  }

  private func error(_ message: String, _ at: Int, section: String = "RFC 9112 §7.1") -> ParseError {
    ParseError(message, section, at: consumedBefore &+ at)
  }
}
