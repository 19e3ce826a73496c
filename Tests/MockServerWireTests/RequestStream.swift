import CassetteHTTP
import CassetteSystem
import MockServerWire

/// Parses pieces of bytes into requests until a request is refused or closes the connection.
struct RequestStream {
  private(set) var requests: [HTTPRequest] = []
  private(set) var trailers: [HTTPHeaders] = []
  private(set) var error: ParseError?
  /// True if the last request closes the connection.
  private(set) var isClosed = false

  private let limits: ParserLimits
  private var parser: RequestParser
  private var decoder: ChunkedDecoder?
  private var pending: [UInt8] = []
  private var body: [UInt8] = []

  init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
    parser = RequestParser(limits: limits)
  }

  /// Parses bytes in one piece, or split at offsets.
  init(_ bytes: some Collection<UInt8>, cutAt cuts: [Int] = [], limits: ParserLimits = ParserLimits()) {
    self.init(limits: limits)
    let bytes = Array(bytes)
    var start = 0
    for cut in cuts.sorted() + [bytes.count] where cut > start && cut <= bytes.count {
      feed(bytes[start..<cut])
      start = cut
    }
  }

  static func byteByByte(_ bytes: some Collection<UInt8>, limits: ParserLimits = ParserLimits()) -> RequestStream {
    RequestStream(bytes, cutAt: Array(0..<bytes.count), limits: limits)
  }

  /// True if a part of a request has been received.
  var isWaiting: Bool {
    !isClosed && error == nil && (parser.hasStarted || pending.contains { $0 != 0x0D && $0 != 0x0A })
  }

  mutating func feed(_ piece: some Collection<UInt8>) {
    guard error == nil, !isClosed else { return }
    pending += piece
    do throws(ParseError) {
      while try step() {}
    } catch {
      self.error = error
    }
  }

  /// Parses the next request, and returns false if its bytes are incomplete.
  private mutating func step() throws(ParseError) -> Bool {
    let pending = pending
    guard !isClosed, try parser.parse(pending.span) else { return false }
    let head = parser.head
    var end = head.length
    switch head.framing {
    case .none:
      break
    case .length(let length):
      end += length
      guard pending.count >= end else { return false }
      body = Array(pending[head.length..<end])
    case .chunked:
      // The decoder does not keep its input, so that the whole buffer is decoded and removed at once.
      var data = body
      var decoder = self.decoder ?? ChunkedDecoder(limits: limits)
      let (consumed, isComplete) = try decoder.decode(
        pending.span.extracting(head.length..<pending.count), into: &data)
      body = data
      self.pending.removeSubrange(head.length..<(head.length + consumed))
      self.decoder = decoder
      guard isComplete else { return false }
      trailers.append(decoder.trailers)
    }
    requests.append(HTTPRequest(head: head, bytes: pending.span, body: body))
    isClosed = !head.persists
    self.pending.removeFirst(end)
    body = []
    decoder = nil
    parser.reset()
    return true
  }
}
