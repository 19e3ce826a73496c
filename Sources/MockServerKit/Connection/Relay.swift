internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteRecording
internal import Cassettes
internal import MockServerWire

/// Passes a response on to a client as it arrives, and captures it for recording.
struct Relay {
  /// The content does not match its head, and a part of the response has already been sent to the client.
  struct Failure: Error {}

  /// The maximum number of bytes of rewritten text that are held back, so that their length can be sent first.
  static let longestHeld = 4 << 20

  /// How the content is sent to the client.
  private enum Delivery {
    /// There is no content.
    case none
    /// Unchanged, with the length of the origin's response.
    case measured
    case chunks
    /// Until the connection closes, for a client that does not support chunks.
    case untilClose
    /// Collected, because the head has to contain the length.
    case held(head: [UInt8], content: [UInt8])
  }

  /// The maximum number of unsent bytes before decoding pauses.
  private static let mostAtOnce = 1 << 20
  /// The maximum number of encoded bytes that are decoded at once, because they may expand a thousandfold.
  private static let codedAtOnce = 2 << 10

  private let form: AnswerForm
  private var waiting: [ResponseParser.Event] = []
  /// True if the end of the response was passed on.
  private(set) var isOver = false
  private let links: (origins: OriginRewriter, base: String)?
  private var delivery = Delivery.none
  private var decoder: ContentDecoder?
  private var rewriting: LinkStream?
  /// True if the client receives the content with rewritten links, not as it was encoded by the origin.
  private var deliversDecoded = false
  /// Encodes the rewritten content as the origin did; nil if the client receives it decoded.
  private var encoder: ContentEncoder?
  /// The response as received, until any of it has been sent to the client in another form.
  private var coded: (head: ResponseHead, bytes: [UInt8])?

  var capture: ResponseCapture
  /// The action of the client's connection after the response.
  private(set) var nextAction: NextAction

  /// Creates a relay of the response to a request sent at `began`, in nanoseconds of the monotonic clock.
  ///
  /// Links to the origins are rewritten to the base; nil keeps them. A body that is too long for the memory is written
  /// to the store.
  init(
    _ form: AnswerForm, links: (origins: OriginRewriter, base: String)?, began: UInt64,
    store: (() -> any LongBody)? = nil
  ) {
    self.form = form
    self.links = links
    capture = ResponseCapture(began: began, store: store)
    nextAction = form.persists ? .persist : .close
  }

  /// Processes an event of the parser; throws if the response can only be aborted.
  mutating func receive(_ event: ResponseParser.Event, at now: UInt64, into output: inout Output) throws(Failure) {
    waiting.append(event)
    try proceed(at: now, into: &output)
  }

  /// Processes waiting events until the client or the disk falls behind: few encoded bytes may expand to many.
  mutating func proceed(at now: UInt64, into output: inout Output) throws(Failure) {
    while !waiting.isEmpty, output.count < Self.mostAtOnce, !isHeldUp {
      if case .content(let bytes) = waiting[0], decoder != nil, bytes.count > Self.codedAtOnce {
        waiting[0] = .content(Array(bytes[Self.codedAtOnce...]))
        try take(.content(Array(bytes[..<Self.codedAtOnce])), at: now, into: &output)
      } else {
        try take(waiting.removeFirst(), at: now, into: &output)
      }
    }
  }

  /// True if events wait until the client or the disk has accepted earlier bytes.
  var holdsBack: Bool { !waiting.isEmpty }

  /// True if the disk has to accept earlier bytes first.
  var isHeldUp: Bool { capture.store?.isFull ?? false }

  private mutating func take(
    _ event: ResponseParser.Event, at now: UInt64, into output: inout Output
  ) throws(Failure) {
    switch event {
    case .interim(let head):
      capture.interims.append(head)
      // 100 (Continue) concerns only the connection to the origin: the client's request is complete (RFC 9110 §15.2).
      guard head.status.code != 100, form.allowsChunks else { return }
      output.append(head.relayed)
    case .head(let head, let framing):
      begin(head, framing, at: now, &output)
    case .content(let bytes):
      try pass(bytes, at: now, &output)
    case .end(let trailers):
      isOver = true
      capture.trailers = trailers
      capture.ended = now
      try finish(trailers, &output)
    }
  }

  /// Aborts the response to the client after the origin aborted it, and passes on the bytes received so far.
  mutating func breakOff(into output: inout Output) {
    nextAction = capture.cutEnd == .close ? .close : .reset
    // Without a length and without chunks, the client would treat the body as complete.
    if case .untilClose = delivery { nextAction = .reset }
    guard case .held(var head, let content) = delivery else { return }
    // A greater length tells the client that the body is incomplete.
    ResponseSerializer.appendField("Content-Length", String(content.count + 1), to: &head)
    output.append(head + AnswerWriter.lineEnd)
    output.append(content)
  }

  /// True if the origin's response has begun, so that an error is recorded as a part of it.
  var hasHead: Bool { capture.head != nil }

  // MARK: The head

  private mutating func begin(
    _ head: ResponseHead, _ framing: ResponseHead.BodyFraming, at now: UInt64, _ output: inout Output
  ) {
    if framing != .none { decoder = ContentDecoder(head.headers) }
    let isPlain = decoder != nil || head.headers.members(of: "Content-Encoding").isEmpty
    let type = head.headers.mediaType
    if let links, framing != .none, isPlain, let type, type.isText || type.isJSON {
      rewriting = LinkStream(links.origins, to: links.base)
      deliversDecoded = decoder != nil
      if deliversDecoded {
        encoder = ContentEncoder(head.headers.members(of: "Content-Encoding").joined(separator: ","))
      }
    }
    capture.begin(head, framing, isDecoded: decoder != nil, at: now)
    var said: Int?
    if case .length(let length) = framing { said = length }
    if framing == .none {
      delivery = .none
    } else if let said, rewriting == nil {
      delivery = said == 0 ? .none : .measured
    } else if let said, said <= Self.longestHeld {
      delivery = .held(head: [], content: [])
    } else if form.allowsChunks {
      delivery = .chunks
    } else {
      delivery = .untilClose
      nextAction = .close
    }
    if case .held = delivery {
      if deliversDecoded { coded = (head, []) }
      delivery = .held(head: headBytes(head, length: nil, withoutEnd: true), content: [])
    } else {
      let keepsLength = said != nil && rewriting == nil || framing == .none
      output.append(headBytes(head, length: keepsLength ? head.headers["Content-Length"] : nil, withoutEnd: false))
    }
  }

  /// Returns the head for the client: the origin's fields in their order, except framing and links.
  private func headBytes(_ head: ResponseHead, length: String?, withoutEnd: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    head.appendStatusLine(to: &bytes)
    let hasNamed = head.headers.contains("Connection")
    var length = length
    for field in form.page?.applied(to: head.headers) ?? head.headers {
      let name = field.name.lowercased()
      switch name {
      case "connection", "keep-alive", "proxy-connection", "upgrade", "transfer-encoding": continue
      case "content-length":
        if let said = length.take() { ResponseSerializer.appendField(field.name, said, to: &bytes) }
        continue
      case "trailer":
        guard case .chunks = delivery else { continue }
      case "content-encoding" where deliversDecoded && encoder == nil: continue
      default:
        if hasNamed, head.headers.lists(name, in: "Connection") { continue }
      }
      let rewritten = links.flatMap { $0.origins.rewrite(field, to: $0.base) }
      ResponseSerializer.appendField(rewritten ?? field, to: &bytes)
    }
    if case .chunks = delivery { ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &bytes) }
    if withoutEnd { return bytes }
    appendConnection(to: &bytes)
    return bytes
  }

  private func appendConnection(to bytes: inout [UInt8]) {
    if case .close = nextAction {
      bytes += AnswerWriter.connectionClose
    } else if form.saysKeepAlive {
      bytes += AnswerWriter.connectionKeepAlive
    }
    bytes += AnswerWriter.lineEnd
  }

  private mutating func pass(_ bytes: [UInt8], at now: UInt64, _ output: inout Output) throws(Failure) {
    capture.note(bytes.count, at: now)
    guard let decoder else {
      capture.append(bytes)
      deliver(rewriting?.next(bytes) ?? bytes, &output)
      return
    }
    coded?.bytes += bytes
    do throws(ContentDecoder.Failure) {
      try decoder.decode(bytes) { content in
        capture.append(decoded: content)
        guard let content = rewriting?.next(content), !content.isEmpty else { return }
        deliver(encoder == nil ? content : encoder?.encode(content, isLast: false) ?? [], &output)
      }
      capture.append(coded: bytes)
      // The content exceeds the limit of decoded bytes: from now on it is stored encoded.
      if !capture.isCoded, !deliversDecoded { self.decoder = nil }
    } catch {
      // Content that cannot be decoded is stored as received, and sent as received unless the client expects it
      // decoded.
      capture.append(coded: bytes)
      if capture.isCoded { capture.keepCoded() }
      self.decoder = nil
      if deliversDecoded { return try deliverCoded() }
    }
    if !deliversDecoded { deliver(bytes, &output) }
  }

  /// Switches to the response as received; throws ``Failure`` if a decoded part has already been sent.
  private mutating func deliverCoded() throws(Failure) {
    guard let coded = coded.take(), case .held = delivery else { throw Failure() }
    deliversDecoded = false
    rewriting = nil
    delivery = .held(head: headBytes(coded.head, length: nil, withoutEnd: true), content: coded.bytes)
  }

  private mutating func deliver(_ bytes: [UInt8], _ output: inout Output) {
    guard !bytes.isEmpty else { return }
    switch delivery {
    case .none: break
    case .measured, .untilClose: output.append(bytes)
    case .chunks: output.append(bytes, asChunk: true)
    case .held(let head, var content):
      delivery = .none
      if content.isEmpty { content = bytes } else { content += bytes }
      delivery = .held(head: head, content: content)
      if content.count > Self.longestHeld { release(head, content, &output) }
    }
  }

  /// Sends a held body without its length, because it exceeds the limit, as decoded content may.
  private mutating func release(_ head: [UInt8], _ content: [UInt8], _ output: inout Output) {
    delivery = form.allowsChunks ? .chunks : .untilClose
    coded = nil
    var head = head
    if form.allowsChunks {
      ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &head)
    } else {
      nextAction = .close
    }
    appendConnection(to: &head)
    output.append(head)
    deliver(content, &output)
  }

  private mutating func finish(_ trailers: HTTPHeaders, _ output: inout Output) throws(Failure) {
    if let decoder, !decoder.isComplete {
      if capture.isCoded { capture.keepCoded() }
      if deliversDecoded { try deliverCoded() }
    }
    if var rest = rewriting.take() {
      let last = rest.end()
      // Without a link, the client receives the origin's own bytes.
      if !rest.hasRewritten, coded != nil, case .held = delivery {
        try deliverCoded()
      } else {
        deliver(encoder == nil ? last : encoder?.encode(last, isLast: true) ?? [], &output)
      }
    }
    switch delivery {
    case .none, .measured, .untilClose: break
    case .chunks: output.appendLastChunk(trailers)
    case .held(var head, let content):
      ResponseSerializer.appendField("Content-Length", String(content.count), to: &head)
      appendConnection(to: &head)
      if content.count < Output.largeBody { output.reserveCapacity(head.count + content.count) }
      output.append(head)
      output.append(content)
    }
  }
}
