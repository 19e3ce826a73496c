package import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// A store for content that is too long to be kept in memory.
package protocol LongBody: AnyObject {
  /// Starts with the head of the response and the content received so far.
  func begin(_ response: RecordedResponse)
  /// Appends received content without waiting.
  func append(_ bytes: [UInt8])
  /// Discards content that will not be recorded.
  func abandon()
  /// True if too much content is waiting to be written, so that reading from the origin must pause.
  var isFull: Bool { get }
}

/// Captures one response while it is received: its head, its content in pieces, and the pauses between pieces.
///
/// It is used for both recorders, the server and the URL session, so that they record the same cassette for an origin.
package struct ResponseCapture {
  /// The maximum length of content in memory if it cannot be stored on the disk; longer content is not recorded.
  static let longest = 512 << 20
  /// The length from which content is written to the disk while it is received.
  static let longestInMemory = BodyFile.longestWhole
  /// The maximum length of decoded content; content that decodes to more is kept encoded.
  static let longestDecoded = ContentDecoder.longest
  /// The maximum average piece length of a body recorded in pieces; longer pieces indicate accidental pauses.
  private static let piece = 64 << 10

  /// Shorter pauses are caused by the network, not by the origin.
  private static let pause: UInt64 = 20_000_000
  /// The minimum pause within a document, which some servers send while they generate it.
  private static let longPause: UInt64 = 250_000_000

  private let began: UInt64
  private var firstByte: UInt64?
  private var last: UInt64
  package private(set) var head: ResponseHead?
  /// The content, decoded if it was encoded.
  private var pieces: [BodyChunk] = []
  /// The encoded content, in case decoding fails.
  private var coded: [BodyChunk] = []
  package private(set) var isCoded = false
  /// The length of the encoded content; the flag is true if it was too long to be kept in addition to the decoded
  /// content.
  private var codedLength = 0
  private var hasDroppedCoded = false
  /// True if long content may be written to the disk.
  private var mayStore = true
  /// True if opaque bodies are kept.
  package var keepsOpaque = false
  /// True if JSON paths identify secrets, so that bodies must be kept in memory as a whole.
  package var followsPaths = false
  private var hasLooked = false
  private var isStreamed = false
  private var endsWithConnection = false
  /// The recorded end of an incomplete body.
  package var cutEnd = BodyEnd.reset
  private var speaks = ResponseCapture.pause
  private var isEventStream = false
  /// True if the client disconnected, and the response is kept as far as it was received.
  private var isCut = false
  /// The number of received bytes of content.
  package private(set) var bytes = 0
  /// The number of bytes of decoded content.
  private var length = 0
  /// The reason why the response cannot be recorded, or nil.
  package private(set) var loss: String?
  private let makeStore: (() -> any LongBody)?
  /// The store, once the content is too long.
  package private(set) var store: (any LongBody)?
  /// True if the content is in the store.
  package private(set) var isStored = false
  private var after = 0.0
  private var beginsPiece = true
  private var beginsCoded = true
  package var interims: [ResponseHead] = []
  package var trailers = HTTPHeaders()
  package var ended: UInt64

  /// Creates a capture for a request.
  ///
  /// - `began`: The time of the request, in nanoseconds of the monotonic clock.
  /// - `store`: Creates the store for content that is too long for memory; nil to keep all content in memory.
  /// - `hasCoded`: False if the caller decodes content itself and never passes encoded bytes.
  package init(began: UInt64, store: (() -> any LongBody)? = nil, hasCoded: Bool = true) {
    self.began = began
    makeStore = store
    hasDroppedCoded = !hasCoded
    last = began
    ended = began
  }

  package mutating func begin(
    _ head: ResponseHead, _ framing: ResponseHead.BodyFraming, isDecoded: Bool, at now: UInt64
  ) {
    self.head = head
    isCoded = isDecoded
    firstByte = now
    last = now
    endsWithConnection = framing == .untilClose
    isStreamed = framing == .chunked || framing == .untilClose
    let type = head.headers.mediaType
    isEventStream = type?.type == "text" && type?.subtype == "event-stream"
    if let type, type.isJSON || type.subtype == "html" { speaks = Self.longPause }
  }

  /// Records the time and length of received content.
  package mutating func note(_ count: Int, at now: UInt64) {
    bytes += count
    let gap = now - min(now, last)
    last = now
    let isPause = isStreamed && gap >= speaks
    after = isPause ? Self.seconds(gap) : 0
    beginsPiece = isPause || pieces.isEmpty
    beginsCoded = isPause || coded.isEmpty
  }

  /// Appends decoded content.
  package mutating func append(_ content: [UInt8]) {
    guard !content.isEmpty, loss == nil else { return }
    length += content.count
    if isStored { return store?.append(content) ?? () }
    Self.append(content, after, beginsPiece, &pieces)
    beginsPiece = false
    guard length > Self.longestInMemory else { return }
    if !hasLooked { look() }
    if loss != nil { return }
    if let makeStore, mayStore, !isEventStream, pieces.count < length / Self.piece {
      beginStoring(makeStore())
    } else if length > (followsPaths ? RedactionPass.longestWithPaths : Self.longest) {
      lose(followsPaths ? RedactionPass.tooLongForPaths : "its body is longer than \(Self.longest >> 20) MB")
    }
  }

  /// Checks the beginning of long content: whether it can be searched for secrets, and whether in parts.
  private mutating func look() {
    hasLooked = true
    var headers = head?.headers ?? []
    if isCoded { headers.remove("Content-Encoding") }
    let start = pieces.first?.bytes ?? []
    if !keepsOpaque, let reason = OpaqueBody.reason(start, headers, isPart: true) {
      lose("\(reason); \(OpaqueBody.remedy)")
    } else if followsPaths || JoinedText.isStream(start.prefix(64 << 10))
      || !keepsOpaque
        && (BodyCoding.unwrapping(Array(start.prefix(4096)), charset: nil) != nil
          || BodyCoding.compression(of: start) != nil || headers.contains("Content-Encoding"))
    {
      // Secrets can only be found in the whole content.
      mayStore = false
    }
  }

  /// Appends decoded content, unless it becomes too long.
  package mutating func append(decoded content: [UInt8]) {
    guard isCoded else { return }
    guard length + content.count > Self.longestDecoded else { return append(content) }
    giveUpDecoding()
  }

  /// Appends encoded content, in case decoding fails or the decoded content becomes too long.
  package mutating func append(coded bytes: [UInt8]) {
    guard !bytes.isEmpty, loss == nil else { return }
    guard isCoded else { return append(bytes) }
    codedLength += bytes.count
    guard !hasDroppedCoded else { return }
    if isStored, codedLength > Self.longestInMemory {
      hasDroppedCoded = true
      coded = []
      return
    }
    Self.append(bytes, after, beginsCoded, &coded)
  }

  /// Returns to the encoded content, because the decoded content is too long.
  private mutating func giveUpDecoding() {
    guard !hasDroppedCoded else {
      return lose("its decoded body is longer than \(Self.longestDecoded >> 20) MB")
    }
    if isStored {
      store?.abandon()
      isStored = false
    }
    mayStore = false
    takeCoded()
  }

  private mutating func takeCoded() {
    pieces = coded
    length = codedLength
    beginsPiece = beginsCoded
    coded = []
    isCoded = false
  }

  private mutating func beginStoring(_ store: any LongBody) {
    guard let response = response(breaksOff: false, body: nil) else { return }
    isStored = true
    self.store = store
    store.begin(response)
    for piece in pieces { store.append(piece.bytes) }
    pieces = []
    if codedLength > Self.longestInMemory {
      hasDroppedCoded = true
      coded = []
    }
  }

  /// Discards the content because the response will not be recorded.
  package mutating func lose(_ words: String) {
    loss = words
    if isStored { store?.abandon() }
    pieces = []
    coded = []
  }

  /// Keeps the encoded content because decoding failed.
  package mutating func keepCoded() {
    if isStored { return lose("its body does not match its Content-Encoding after \(length) bytes") }
    takeCoded()
  }

  private static func append(_ bytes: [UInt8], _ after: Double, _ isPiece: Bool, _ pieces: inout [BodyChunk]) {
    if isPiece {
      pieces.append(BodyChunk(after: after, bytes: bytes))
    } else {
      pieces[pieces.count - 1].bytes += bytes
    }
  }

  /// Returns the response to be recorded, or nil if there is none or it cannot be recorded.
  ///
  /// A body in the store is not included.
  ///
  /// - `breaksOff`: True if the origin closed the connection before the end.
  package mutating func response(breaksOff: Bool) -> RecordedResponse? {
    if breaksOff, isStored { lose("its body ended early after \(length) bytes") }
    guard loss == nil else { return nil }
    return response(breaksOff: breaksOff, body: isStored ? nil : body(breaksOff))
  }

  private func response(breaksOff: Bool, body: Body?) -> RecordedResponse? {
    guard let head else { return nil }
    var response = RecordedResponse(head, behind: interims, isDecoded: isCoded, body: body)
    if breaksOff { frame(&response) } else { response.trailers = trailers }
    return response
  }

  /// Keeps the fields that framed an incomplete body; the length is that of the encoded body.
  private func frame(_ response: inout RecordedResponse) {
    response.headers.remove("Connection")
    if endsWithConnection { response.headers.append("Connection", "close") }
  }

  /// Ends the capture when the client disconnects, keeping only complete events.
  ///
  /// Other bodies, and streams without a complete event, are discarded.
  package mutating func leave() {
    let heard = isEventStream && !isStored ? pieces.flatMap(\.bytes) : []
    var length = EventStream.wholeEvents(in: heard)
    guard length > 0 else { return lose("its client disconnected") }
    isCut = true
    for index in pieces.indices {
      let count = min(length, pieces[index].bytes.count)
      pieces[index].bytes.removeLast(pieces[index].bytes.count - count)
      length -= count
    }
  }

  private func body(_ breaksOff: Bool) -> Body? {
    let heard = pieces.filter { !$0.bytes.isEmpty }
    if breaksOff { return .chunks(heard, end: cutEnd) }
    guard let first = heard.first else { return nil }
    if heard.count == 1, first.after == 0, !isEventStream { return .storing(first.bytes) }
    return .chunks(heard)
  }

  /// Returns the time of recording and the durations.
  ///
  /// - `wall`: The time of the end, in nanoseconds since 1970.
  package func facts(at wall: Int) -> RecordedFacts {
    RecordedFacts(
      at: Timestamp.format(nanoseconds: wall), firstByte: firstByte.map { Self.seconds($0 - min($0, began)) },
      total: Self.seconds(ended - min(ended, began)), isCut: isCut)
  }

  /// Returns seconds rounded to milliseconds, because a higher precision is noise in a diff.
  package static func seconds(_ nanoseconds: UInt64) -> Double {
    Double((nanoseconds + 500_000) / 1_000_000) / 1_000
  }
}
