internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteRecording
internal import Cassettes
internal import MockServerWire

/// Carries a response to a client as it arrives, keeping what is recorded: events come in, the client's bytes go out.
struct Relay {
  /// The origin's content is not what its head says: nothing true can be told the client any more.
  struct Failure: Error {}

  /// The most bytes of a text with rewritten links that are held back, so that its length can be said.
  static let longestHeld = 4 << 20

  /// The way content is sent to the client.
  private enum Delivery {
    /// There is none.
    case none
    /// As it came: a length was said, and still holds.
    case measured
    case chunks
    /// Until the connection ends, for a client that knows no chunks.
    case untilClose
    /// Gathered behind a head that waits for its length.
    case held(head: [UInt8], content: [UInt8])
  }

  /// The most output that waits for the client before more is made for it.
  private static let mostAtOnce = 1 << 20
  /// The most coded bytes that are decoded together: a thousand times as many may come of them.
  private static let codedAtOnce = 2 << 10

  private let form: AnswerForm
  private var waiting: [ResponseParser.Event] = []
  /// True if the response's end was passed on.
  private(set) var isOver = false
  private let links: (origins: OriginRewriter, base: String)?
  private var delivery = Delivery.none
  private var decoder: ContentDecoder?
  private var rewriting: LinkStream?
  /// True if the client gets the content decoded, as it will when it is replayed.
  private var deliversDecoded = false
  /// The answer as it came, as long as nothing of it was promised to the client in another form.
  private var coded: (head: ResponseHead, bytes: [UInt8])?

  var capture: ResponseCapture
  /// The action of the client's connection after the answer.
  private(set) var nextAction: NextAction

  /// Creates a relay of an answer that was asked for at `began`, in nanoseconds of the monotonic clock.
  ///
  /// Links of the origins lead to the base; without any they stay. What is too long for the memory goes to the store.
  init(
    _ form: AnswerForm, links: (origins: OriginRewriter, base: String)?, began: UInt64,
    store: (() -> any LongBody)? = nil
  ) {
    self.form = form
    self.links = links
    capture = ResponseCapture(began: began, store: store)
    nextAction = form.persists ? .persist : .close
  }

  /// Takes what the parser found; throws where the connection can only be broken off.
  mutating func receive(_ event: ResponseParser.Event, at now: UInt64, into output: inout Output) throws(Failure) {
    waiting.append(event)
    try proceed(at: now, into: &output)
  }

  /// Continues with what waits, until that is much for the client or for the disk: few coded bytes can stand for many.
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

  /// True if something waits until the client or the disk has taken what came before.
  var holdsBack: Bool { !waiting.isEmpty }

  /// True if the disk has to take what came before.
  var isHeldUp: Bool { capture.store?.isFull ?? false }

  private mutating func take(
    _ event: ResponseParser.Event, at now: UInt64, into output: inout Output
  ) throws(Failure) {
    switch event {
    case .interim(let head):
      capture.interims.append(head)
      // 100 is between the origin and us: the client's request was complete before (RFC 9110 §15.2).
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

  /// The origin broke off: so will the answer, after what came of it.
  mutating func breakOff(into output: inout Output) {
    nextAction = capture.cutEnd == .close ? .close : .reset
    guard case .held(var head, let content) = delivery else { return }
    // A length that is not kept tells the client that this is not all.
    ResponseSerializer.appendField("Content-Length", String(content.count + 1), to: &head)
    output.append(head + AnswerWriter.lineEnd)
    output.append(content)
  }

  /// True if the origin's answer has begun: then what goes wrong is a part of it.
  var hasHead: Bool { capture.head != nil }

  // MARK: the head

  private mutating func begin(
    _ head: ResponseHead, _ framing: ResponseHead.BodyFraming, at now: UInt64, _ output: inout Output
  ) {
    if framing != .none { decoder = ContentDecoder(head.headers) }
    let isPlain = decoder != nil || head.headers.members(of: "Content-Encoding").isEmpty
    let type = head.headers.mediaType
    if let links, framing != .none, isPlain, let type, type.isText || type.isJSON {
      rewriting = LinkStream(links.origins, to: links.base)
      deliversDecoded = decoder != nil
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

  /// The head for the client: the origin's fields in their order, framing and links aside.
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
      case "content-encoding" where deliversDecoded: continue
      case "link", "location", "content-location":
        if let links, let value = links.origins.rewrite(field.value, to: links.base) {
          ResponseSerializer.appendField(field.name, value, to: &bytes, isLatin1: field.isLatin1)
          continue
        }
      default:
        if hasNamed, head.headers.lists(name, in: "Connection") { continue }
      }
      ResponseSerializer.appendField(field, to: &bytes)
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
        if let content = rewriting?.next(content) { deliver(content, &output) }
      }
      capture.append(coded: bytes)
      // It stands for more than is kept decoded: what comes now is kept as it is, too.
      if !capture.isCoded, !deliversDecoded { self.decoder = nil }
    } catch {
      // What does not decode is kept as it came, and given as it came if nothing else was promised.
      capture.append(coded: bytes)
      if capture.isCoded { capture.keepCoded() }
      self.decoder = nil
      if deliversDecoded { return try deliverCoded() }
    }
    if !deliversDecoded { deliver(bytes, &output) }
  }

  /// Returns to the answer as it came, or throws ``Failure`` when the client was promised another one.
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

  /// Sends a body that is longer than expected, as coded content may be, without its length.
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
    if var rest = rewriting.take() { deliver(rest.end(), &output) }
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
