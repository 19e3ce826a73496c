public import CassetteHTTP
internal import CassetteSystem

/// A parser of the responses to one request: the interim responses, then the final one.
///
/// Input may be split at any byte.
///
/// Body data is passed on as it arrives and is not kept. Heads are parsed as strictly as those of requests, except that
/// a server may omit the reason phrase and the space before it (RFC 9112 §4).
public struct ResponseParser: Sendable {
  /// A part of the response.
  ///
  /// Events occur in the order of the cases.
  public enum Event: Hashable, Sendable {
    /// An interim response, with a status of 1xx (RFC 9110 §15.2).
    case interim(ResponseHead)
    /// The head of the final response, and the framing of its body.
    case head(ResponseHead, ResponseHead.BodyFraming)
    /// Data of the body, without chunk framing.
    ///
    /// Never empty.
    case content([UInt8])
    /// The end of the body, with the fields of the trailer section.
    case end(trailers: HTTPHeaders)
  }

  private enum Phase: Sendable {
    case head
    case length(Int)
    case chunks(ChunkedDecoder)
    case untilClose
    case complete
  }

  /// The maximum number of interim responses before the final one.
  static let interimResponses = 100

  /// True if the connection can be used for another exchange after this one.
  public private(set) var persists = false

  /// True if the server has switched to another protocol, to which all bytes after the head belong.
  public private(set) var hasSwitched = false

  private let method: HTTPMethod
  private let allowsSwitching: Bool
  private let limits: ParserLimits
  private var phase = Phase.head
  /// The incomplete line at the end of the bytes received so far.
  private var line: [UInt8] = []
  private var headBytes = 0
  private var head: ResponseHead?
  private var interims = 0

  /// Creates a parser for the responses to one request.
  ///
  /// - Parameters:
  ///   - method: The method of the request, which decides whether the response has a body.
  ///   - limits: The limits on the size of a response.
  ///   - allowsSwitching: True if the request asked to switch protocols. If false (the default), status 101 is an
  ///     error.
  public init(to method: HTTPMethod, limits: ParserLimits = ParserLimits(), allowsSwitching: Bool = false) {
    self.method = method
    self.allowsSwitching = allowsSwitching
    self.limits = limits.sane
  }

  /// True if any byte of a response has been received.
  public var hasStarted: Bool {
    if case .head = phase { return headBytes > 0 || interims > 0 }
    return true
  }

  /// True if the final response has been received completely.
  public var isComplete: Bool { if case .complete = phase { true } else { false } }

  /// Parses the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that follow those consumed by earlier calls.
  ///   - events: The array to which the parsed events are appended.
  /// - Returns: The number of bytes that belong to this response: all of them, unless the response is complete.
  /// - Throws: The syntax error, after which the connection cannot be used.
  public mutating func parse(_ bytes: Span<UInt8>, into events: inout [Event]) throws(ParseError) -> Int {
    var at = 0
    while at < bytes.count {
      switch phase {
      case .head:
        try takeHead(bytes, &at, &events)
      case .length(let left):
        let count = min(left, bytes.count - at)
        events.append(.content(Self.copy(bytes, at..<(at + count))))
        at += count
        phase = .length(left - count)
        if left == count { finish([:], &events) }
      case .chunks(var decoder):
        var content: [UInt8] = []
        phase = .complete
        let (consumed, isComplete): (Int, Bool)
        do throws(ParseError) {
          (consumed, isComplete) = try decoder.decode(bytes.extracting(at..<bytes.count), into: &content)
        } catch {
          // Data before the error is delivered, whether or not the error was received in the same read.
          if !content.isEmpty { events.append(.content(content)) }
          throw Self.byOrigin(error)
        }
        at += consumed
        if !content.isEmpty { events.append(.content(content)) }
        if isComplete { finish(decoder.trailers, &events) } else { phase = .chunks(decoder) }
      case .untilClose:
        events.append(.content(Self.copy(bytes, at..<bytes.count)))
        at = bytes.count
      case .complete:
        return at
      }
    }
    return at
  }

  /// Handles the end of the connection.
  ///
  /// Throws an error if the response is incomplete (RFC 9112 §8).
  public mutating func parseEnd(into events: inout [Event]) throws(ParseError) {
    switch phase {
    case .complete: return
    case .untilClose: finish([:], &events)
    case .head, .length, .chunks:
      let what = hasStarted ? "before the response was complete" : "without a response"
      throw ParseError("the connection ended \(what)", "RFC 9112 §8", at: headBytes, status: 502)
    }
  }

  private mutating func finish(_ trailers: HTTPHeaders, _ events: inout [Event]) {
    phase = .complete
    events.append(.end(trailers: trailers))
  }

  private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    bytes.extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  // MARK: The head

  /// Consumes bytes up to the end of the head, line by line.
  private mutating func takeHead(_ bytes: Span<UInt8>, _ at: inout Int, _ events: inout [Event]) throws(ParseError) {
    while at < bytes.count {
      let lineFeed = bytes.withUnsafeBytes { ByteSearch($0).first(ASCII.lineFeed, from: at) }
      let rest = at..<(lineFeed.map { $0 + 1 } ?? bytes.count)
      at = rest.upperBound
      headBytes += rest.count
      guard headBytes <= limits.head else {
        throw Self.error("the head is longer than \(limits.head) bytes", limits.head + 1)
      }
      if lineFeed == nil || !line.isEmpty { line.append(bytes.extracting(rest)) }
      if lineFeed == nil { return }
      let isWhole = line.isEmpty ? try take(bytes.extracting(rest)) : try takeLine()
      if isWhole { return try finishHead(&events) }
    }
  }

  /// Parses a line that was received in several parts.
  private mutating func takeLine() throws(ParseError) -> Bool {
    let whole = line
    line = []
    return try take(whole.span)
  }

  /// Parses a line.
  ///
  /// Returns true if it ends the head.
  private mutating func take(_ line: Span<UInt8>) throws(ParseError) -> Bool {
    guard head != nil else {
      // RFC 9112 does not allow an empty line before a status line, but it is harmless, and some servers have sent it.
      if headBytes == 2, line.count == 2, line[0] == ASCII.carriageReturn { return false }
      head = try statusLine(line)
      return false
    }
    guard let field = try readField(line) else { return true }
    guard (head?.headers.count ?? 0) < limits.fields else {
      throw Self.error("more than \(limits.fields) header fields", headBytes)
    }
    head?.headers.append(field)
    return false
  }

  private func readField(_ line: Span<UInt8>) throws(ParseError) -> HTTPHeaders.Field? {
    do throws(ParseError) {
      guard let field = try FieldLine.read(line, at: headBytes - line.count) else { return nil }
      return HTTPHeaders.Field(line, name: field.name, value: field.value)
    } catch {
      throw Self.byOrigin(error)
    }
  }

  /// Changes the status of an error to 502: a syntax error is the upstream's fault here, not the client's (RFC 9110
  /// §15.6.3).
  private static func byOrigin(_ error: ParseError) -> ParseError {
    ParseError(error.message, error.section, at: error.offset, status: 502)
  }

  private mutating func finishHead(_ events: inout [Event]) throws(ParseError) {
    guard let head = head.take() else { return }
    if head.status == 101, allowsSwitching {
      hasSwitched = true
      events.append(.head(head, .none))
      finish([:], &events)
    } else if head.status.isInformational {
      interims += 1
      headBytes = 0
      guard head.status != 101 else {
        throw Self.error("the origin switches to a protocol that was not requested", 0, "RFC 9110 §15.2.2")
      }
      guard interims <= Self.interimResponses else { throw Self.error("too many interim responses", 0) }
      events.append(.interim(head))
    } else {
      try beginBody(of: head, &events)
    }
  }

  private mutating func beginBody(of head: ResponseHead, _ events: inout [Event]) throws(ParseError) {
    let (framing, persists) = try head.framing(to: method)
    self.persists = persists
    if case .length(let length) = framing, length > limits.body {
      throw Self.error("the body is longer than \(limits.body) bytes", 0, "RFC 9110 §8.6")
    }
    events.append(.head(head, framing))
    switch framing {
    case .none, .length(0): finish([:], &events)
    case .length(let length): phase = .length(length)
    case .chunked: phase = .chunks(ChunkedDecoder(limits: limits))
    case .untilClose: phase = .untilClose
    }
  }

  /// Parses `HTTP-version SP status-code [ SP reason-phrase ] CRLF` (RFC 9112 §4).
  private func statusLine(_ line: Span<UInt8>) throws(ParseError) -> ResponseHead {
    guard line.count >= 2, line[line.count - 2] == ASCII.carriageReturn else {
      throw Self.error("a line ends with LF instead of CR LF", headBytes - 1, "RFC 9112 §2.2")
    }
    let text = line.extracting(0..<(line.count - 2))
    guard text.count >= 9, text.withUnsafeBytes({ $0.starts(with: "HTTP/1.".utf8) }), text[7].isDigit,
      text[8] == ASCII.space
    else { throw Self.error("a response must begin with HTTP/1.1 and a status", 0) }
    var code = 0
    for at in 9..<min(12, text.count) where text[at].isDigit { code = code * 10 + Int(text[at] - 0x30) }
    guard code >= 100, text.count == 12 || text[12] == ASCII.space else {
      throw Self.error("a status must have three digits", 9)
    }
    let rest = Self.copy(text, min(13, text.count)..<text.count)
    guard rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }) else {
      throw Self.error("a control character in the reason phrase", 12)
    }
    let reason = ByteText.string(rest[...])
    var head = ResponseHead(
      version: text[7] == UInt8(ascii: "0") ? .http10 : .http11, status: HTTPStatus(code), reason: reason)
    head.headers.reserveCapacity(8)
    head.isReasonLatin1 = ByteText.isObsText(reason, of: rest.count)
    return head
  }

  private static func error(_ message: String, _ offset: Int, _ section: String = "RFC 9112 §4") -> ParseError {
    ParseError(message, section, at: offset, status: 502)
  }
}
