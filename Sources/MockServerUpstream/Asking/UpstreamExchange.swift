internal import CassetteHTTP
internal import CassetteRecording
internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets
internal import MockServerWire

/// A request and its response on a connection that blocks the thread.
struct UpstreamExchange {
  private let message: UpstreamRequest
  private let silence: UInt64
  private let limits = ParserLimits(requestLine: 8192, head: 256 << 10, fields: 1_000, body: UpstreamCaller.longestBody)
  private var parser: ResponseParser
  private var sent = 0
  /// The head of the final response.
  private(set) var head: ResponseHead?
  private var content: [UInt8] = []
  private var trailers: HTTPHeaders = []
  private var interims: [ResponseHead] = []
  private let began: UInt64
  private var firstByte: UInt64?
  private var isStream = false

  /// Creates an exchange.
  ///
  /// - `silence`: The maximum time in nanoseconds without data from the origin.
  init(_ message: UpstreamRequest, silence: UInt64) {
    self.message = message
    self.silence = silence
    parser = ResponseParser(to: message.method, limits: limits)
    began = Platform.monotonicNanoseconds()
  }

  /// True if any byte of the response has been received.
  var hasAnswer: Bool { parser.hasStarted }

  /// True if the connection can be used for another exchange.
  var leavesConnection: Bool { parser.isComplete && parser.persists && sent == message.bytes.count && !isStream }

  /// Sends and receives until the response is complete, or turns out to be an event stream.
  mutating func run(on stream: OutgoingStream, buffer: inout [UInt8]) throws(UpstreamCaller.Failure) {
    var deadline = Platform.monotonicNanoseconds() + silence
    while !parser.isComplete, !isStream {
      let hasMoved = try send(on: stream)
      switch buffer.withUnsafeMutableBytes({ stream.receive(into: $0) }) {
      case .bytes(let count):
        try take(buffer[..<count])
      case .ended:
        var events: [ResponseParser.Event] = []
        try parse { parser throws(ParseError) in try parser.parseEnd(into: &events) }
        try take(events)
      case .failed(let code):
        throw UpstreamCaller.Failure("the connection failed: \(Platform.describe(code))")
      case .wouldBlock:
        if hasMoved { deadline = Platform.monotonicNanoseconds() + silence }
        let interest: Readiness = sent < message.bytes.count ? [.readable, .writable] : .readable
        guard stream.wait(for: interest, until: deadline) else {
          throw UpstreamCaller.Failure("it sent nothing for \(Double(silence / 1_000_000) / 1_000) s")
        }
        continue
      }
      deadline = Platform.monotonicNanoseconds() + silence
    }
  }

  private mutating func send(on stream: OutgoingStream) throws(UpstreamCaller.Failure) -> Bool {
    var hasMoved = false
    while sent < message.bytes.count {
      switch message.bytes.withUnsafeBytes({ stream.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
      case .bytes(let count):
        sent += count
        hasMoved = true
      // The origin may have responded before it stopped accepting the request, so the response is read first.
      case .wouldBlock, .ended, .failed: return hasMoved
      }
    }
    return hasMoved
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) throws(UpstreamCaller.Failure) {
    if firstByte == nil { firstByte = Platform.monotonicNanoseconds() }
    var events: [ResponseParser.Event] = []
    try parse { parser throws(ParseError) in _ = try parser.parse(bytes.span, into: &events) }
    try take(events)
  }

  private mutating func parse(
    _ use: (inout ResponseParser) throws(ParseError) -> Void
  ) throws(UpstreamCaller.Failure) {
    do throws(ParseError) {
      try use(&parser)
    } catch {
      throw UpstreamCaller.Failure(error.message)
    }
  }

  private mutating func take(_ events: [ResponseParser.Event]) throws(UpstreamCaller.Failure) {
    for event in events {
      switch event {
      case .interim(let head): interims.append(head)
      case .head(let head, let framing):
        self.head = head
        let type = head.headers.mediaType
        isStream = framing != .none && type?.type == "text" && type?.subtype == "event-stream"
      case .content(let bytes):
        guard content.count + bytes.count <= limits.body else { throw Self.tooLong }
        content += bytes
      case .end(let fields):
        trailers = fields
      }
    }
  }

  private static let tooLong = UpstreamCaller.Failure(
    "its response is longer than \(UpstreamCaller.longestBody >> 20) MB")

  /// Returns the response with its content decoded.
  func answer() throws(UpstreamCaller.Failure) -> UpstreamCaller.Answer {
    guard let head else { throw UpstreamCaller.Failure("it did not respond") }
    var content = isStream ? [] : content
    var isDecoded = false
    // A body that cannot be decoded is compared in its encoded form.
    if !content.isEmpty, let decoder = ContentDecoder(head.headers),
      let decoded = try? decoder.decode(content, limit: limits.body), decoder.isComplete
    {
      (content, isDecoded) = (decoded, true)
    }
    var response = RecordedResponse(
      head, behind: interims, isDecoded: isDecoded, body: content.isEmpty ? nil : .storing(content))
    response.trailers = trailers
    let facts = RecordedFacts(
      at: Timestamp.format(nanoseconds: Platform.wallNanoseconds()), firstByte: firstByte.map(seconds),
      total: seconds(Platform.monotonicNanoseconds()))
    return UpstreamCaller.Answer(response: response, facts: facts, isStream: isStream)
  }

  /// Returns the time since the start of the exchange in seconds.
  private func seconds(_ now: UInt64) -> Double { ResponseCapture.seconds(now - min(now, began)) }
}
