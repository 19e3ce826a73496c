internal import Cassettes
internal import HTTP

/// What is kept of one response while it arrives: its head, its content in pieces, and the gaps between them.
struct Take {
  /// How much content is kept in memory; what is longer reaches the client, and is not recorded.
  static let longest = 512 << 20

  /// A pause shorter than this is how a network happens to deliver, not how an origin speaks.
  private static let pause: UInt64 = 20_000_000
  /// The same for a document in one piece, which some servers send while they still make it.
  private static let longPause: UInt64 = 250_000_000

  private let began: UInt64
  private var firstByte: UInt64?
  private var last: UInt64
  private(set) var head: ResponseHead?
  /// The content, decoded if it was coded.
  private var pieces: [BodyChunk] = []
  /// The content as it came, if it was coded: for when it turns out not to decode.
  private var coded: [BodyChunk] = []
  private(set) var isCoded = false
  private var isStreamed = false
  private var speaks = Take.pause
  private var isEventStream = false
  /// How many bytes of content came.
  private(set) var bytes = 0
  private(set) var isTooLong = false
  var interims: [ResponseHead] = []
  var trailers = HTTPHeaders()
  var ended: UInt64

  init(began: UInt64) {
    self.began = began
    last = began
    ended = began
  }

  mutating func begin(_ head: ResponseHead, _ framing: ResponseHead.BodyFraming, isDecoded: Bool, at now: UInt64) {
    self.head = head
    isCoded = isDecoded
    firstByte = now
    last = now
    isStreamed = framing == .chunked || framing == .untilClose
    let type = head.headers["Content-Type"].flatMap { MediaType($0) }
    isEventStream = type?.type == "text" && type?.subtype == "event-stream"
    if let type, type.isJSON || type.subtype == "html" { speaks = Self.longPause }
  }

  /// Keeps content.
  ///
  /// - Parameters:
  ///   - content: The bytes, decoded where they were coded.
  ///   - coded: The same bytes as they came, where they were coded.
  ///   - now: When they came.
  mutating func append(_ content: [UInt8], coded: [UInt8]?, at now: UInt64) {
    bytes += coded?.count ?? content.count
    if isTooLong || bytes > Self.longest || content.count > Self.longest {
      isTooLong = true
      pieces = []
      self.coded = []
      return
    }
    let gap = now - min(now, last)
    last = now
    let isPiece = pieces.isEmpty || isStreamed && gap >= speaks
    let after = isStreamed && gap >= speaks ? Self.seconds(gap) : 0
    Self.append(content, after, isPiece, &pieces)
    if let coded { Self.append(coded, after, isPiece, &self.coded) }
  }

  /// The content does not decode: what is kept is what came, these bytes as the next.
  mutating func keepCoded(_ bytes: [UInt8], at now: UInt64) {
    pieces = coded
    coded = []
    isCoded = false
    if !bytes.isEmpty { append(bytes, coded: nil, at: now) }
  }

  private static func append(_ bytes: [UInt8], _ after: Double, _ isPiece: Bool, _ pieces: inout [BodyChunk]) {
    if isPiece {
      pieces.append(BodyChunk(after: after, bytes: bytes))
    } else {
      pieces[pieces.count - 1].bytes += bytes
    }
  }

  /// The response as it goes into a cassette; nil when there is none, or more of it than can be kept.
  ///
  /// - Parameter breaksOff: Whether the origin broke off before the end.
  /// - Returns: Its head and body.
  func response(breaksOff: Bool) -> RecordedResponse? {
    guard let head, !isTooLong else { return nil }
    var headers = head.headers
    if isCoded { headers.remove("Content-Encoding") }
    let reason = head.reason == head.status.standardPhrase ? nil : head.reason
    var response = RecordedResponse(status: head.status, reason: reason, headers: headers, body: body(breaksOff))
    // 100 is between the origin and whoever asked it, not a part of the answer.
    response.interim = interims.filter { $0.status.code != 100 }
      .map { InterimResponse(status: $0.status, headers: $0.headers) }
    if !breaksOff { response.trailers = trailers }
    return response
  }

  /// Whether what has come is something although its end has not: events, of a stream that may never end.
  var isWorthKeeping: Bool { isEventStream && !pieces.isEmpty }

  private func body(_ breaksOff: Bool) -> Body? {
    let heard = pieces.filter { !$0.bytes.isEmpty }
    if breaksOff { return .chunks(heard, end: .reset) }
    guard let first = heard.first else { return nil }
    if heard.count == 1, first.after == 0, !isEventStream { return .storing(first.bytes) }
    return .chunks(heard)
  }

  /// When it was recorded and how long it took.
  ///
  /// - Parameter wall: The time of the end, in nanoseconds since 1970.
  /// - Returns: Times to the millisecond.
  func facts(at wall: Int) -> RecordedFacts {
    RecordedFacts(
      at: Timestamp.format(nanoseconds: wall), firstByte: firstByte.map { Self.seconds($0 - min($0, began)) },
      total: Self.seconds(ended - min(ended, began)))
  }

  /// Seconds to the millisecond: finer is noise in a diff.
  private static func seconds(_ nanoseconds: UInt64) -> Double {
    Double((nanoseconds + 500_000) / 1_000_000) / 1_000
  }
}
