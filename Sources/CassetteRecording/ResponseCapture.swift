package import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// A store for content that is too long to be kept in memory.
package protocol LongBody: AnyObject {
  /// Takes the head of the response and the content so far.
  func begin(_ response: RecordedResponse)
  /// Takes what came next; never waits.
  func append(_ bytes: [UInt8])
  /// Discards the content: nothing will come of it.
  func abandon()
  /// True if more waits to be written than should: the origin has to wait.
  var isFull: Bool { get }
}

/// The capture of one response while it arrives: its head, its content in pieces, and the gaps between them.
///
/// Both recorders use it, the server's and the session's, so that one origin makes one cassette.
package struct ResponseCapture {
  /// The most content that is kept in memory where it cannot go to the disk; what is longer is not recorded.
  static let longest = 512 << 20
  /// The size from which on content goes to the disk as it comes.
  static let longestInMemory = BodyFile.longestWhole
  /// The most decoded content that is kept: of what decodes to more, the coded bytes are.
  static let longestDecoded = ContentDecoder.longest
  /// The average length between pauses up to which a body is sent in pieces; longer ones only paused on their way.
  private static let piece = 64 << 10

  /// A pause shorter than this is how a network happens to deliver, not how an origin speaks.
  private static let pause: UInt64 = 20_000_000
  /// The pause that parts a document in one piece, which some servers send while they still make it.
  private static let longPause: UInt64 = 250_000_000

  private let began: UInt64
  private var firstByte: UInt64?
  private var last: UInt64
  package private(set) var head: ResponseHead?
  /// The content, decoded if it was coded.
  private var pieces: [BodyChunk] = []
  /// The content as it came, if it was coded: for when it turns out not to decode.
  private var coded: [BodyChunk] = []
  package private(set) var isCoded = false
  /// The number of bytes of coded content; the flag tells if they were too many to be kept beside the decoded.
  private var codedLength = 0
  private var hasDroppedCoded = false
  /// True if content goes to the disk when it becomes long.
  private var mayStore = true
  /// True if a body is kept that cannot be looked into.
  package var keepsOpaque = false
  /// True if paths of JSON say what is secret: then a body is read as a whole, and stays in memory.
  package var followsPaths = false
  private var hasLooked = false
  private var isStreamed = false
  private var endsWithConnection = false
  /// The recorded end of a body that was cut short.
  package var cutEnd = BodyEnd.reset
  private var speaks = ResponseCapture.pause
  private var isEventStream = false
  /// True if the client left, and the answer is kept as far as it was heard.
  private var isCut = false
  /// The number of bytes of content that came.
  package private(set) var bytes = 0
  /// The number of bytes of decoded content.
  private var length = 0
  /// The reason why nothing can be kept, if nothing can.
  package private(set) var loss: String?
  private let makeStore: (() -> any LongBody)?
  /// The store, once the content is too long.
  package private(set) var store: (any LongBody)?
  /// True if the content is on the disk.
  package private(set) var isStored = false
  private var after = 0.0
  private var beginsPiece = true
  private var beginsCoded = true
  package var interims: [ResponseHead] = []
  package var trailers = HTTPHeaders()
  package var ended: UInt64

  /// A capture of what is asked for now.
  ///
  /// - Parameters:
  ///   - began: When the request was sent, in nanoseconds of the monotonic clock.
  ///   - store: Makes the place of content that is too long for the memory; nil where there is none.
  ///   - hasCoded: False where somebody else undoes codings: then the coded bytes never come here.
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

  /// Notes that content came.
  package mutating func note(_ count: Int, at now: UInt64) {
    bytes += count
    let gap = now - min(now, last)
    last = now
    let isPause = isStreamed && gap >= speaks
    after = isPause ? Self.seconds(gap) : 0
    beginsPiece = isPause || pieces.isEmpty
    beginsCoded = isPause || coded.isEmpty
  }

  /// Keeps content, decoded where it was coded.
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

  /// Looks at the beginning of what is long: whether it can be looked into, and whether as it goes to the disk.
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
      // Parts of it would say nothing: it is looked into as a whole.
      mayStore = false
    }
  }

  /// Keeps content that was decoded, unless it stands for too much.
  package mutating func append(decoded content: [UInt8]) {
    guard isCoded else { return }
    guard length + content.count > Self.longestDecoded else { return append(content) }
    giveUpDecoding()
  }

  /// Keeps content as it came, where it was coded: it may turn out not to decode, or to stand for too much.
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

  /// Returns to the content as it came, of which a little decodes to too much.
  private mutating func giveUpDecoding() {
    guard !hasDroppedCoded else {
      return lose("decoded, its body is longer than \(Self.longestDecoded >> 20) MB")
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

  /// Discards the content because the answer will not be recorded.
  package mutating func lose(_ words: String) {
    loss = words
    if isStored { store?.abandon() }
    pieces = []
    coded = []
  }

  /// Keeps the coded content as it came: it does not decode.
  package mutating func keepCoded() {
    if isStored { return lose("it is not what its Content-Encoding says, behind \(length) bytes that are") }
    takeCoded()
  }

  private static func append(_ bytes: [UInt8], _ after: Double, _ isPiece: Bool, _ pieces: inout [BodyChunk]) {
    if isPiece {
      pieces.append(BodyChunk(after: after, bytes: bytes))
    } else {
      pieces[pieces.count - 1].bytes += bytes
    }
  }

  /// Returns the response as it goes into a cassette; nil when there is none, or it cannot be kept.
  ///
  /// A body that lies on the disk is not in it.
  ///
  /// - Parameter breaksOff: Whether the origin broke off before the end.
  /// - Returns: Its head and body.
  package mutating func response(breaksOff: Bool) -> RecordedResponse? {
    if breaksOff, isStored { lose("it broke off behind \(length) bytes") }
    guard loss == nil else { return nil }
    return response(breaksOff: breaksOff, body: isStored ? nil : body(breaksOff))
  }

  private func response(breaksOff: Bool, body: Body?) -> RecordedResponse? {
    guard let head else { return nil }
    var response = RecordedResponse(head, behind: interims, isDecoded: isCoded, body: body)
    if breaksOff { frame(&response) } else { response.trailers = trailers }
    return response
  }

  /// Keeps the fields that framed an incomplete body; a decoded body has no recorded length.
  private func frame(_ response: inout RecordedResponse) {
    response.headers.remove("Connection")
    if isCoded { response.headers.remove("Content-Length") }
    if endsWithConnection { response.headers.append("Connection", "close") }
  }

  /// Ends the capture where its client left: whole events are kept, and nothing of the one that was on its way.
  ///
  /// Other bodies, and streams without a whole event, are discarded.
  package mutating func leave() {
    let heard = isEventStream && !isStored ? pieces.flatMap(\.bytes) : []
    var length = EventStream.wholeEvents(in: heard)
    guard length > 0 else { return lose("its client left") }
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
  /// - Parameter wall: The time of the end, in nanoseconds since 1970.
  /// - Returns: Times to the millisecond.
  package func facts(at wall: Int) -> RecordedFacts {
    RecordedFacts(
      at: Timestamp.format(nanoseconds: wall), firstByte: firstByte.map { Self.seconds($0 - min($0, began)) },
      total: Self.seconds(ended - min(ended, began)), isCut: isCut)
  }

  /// Returns seconds to the millisecond: finer is noise in a diff.
  package static func seconds(_ nanoseconds: UInt64) -> Double {
    Double((nanoseconds + 500_000) / 1_000_000) / 1_000
  }
}
