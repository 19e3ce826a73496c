internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// An event loop with its share of the clients: it reads requests, writes responses, and closes clients that take too
/// long.
///
/// All state belongs to the loop's thread, so that no locks are needed. One read buffer serves all clients.
final class ConnectionLoop: EventLoopOwner {
  static let readSize = 64 << 10
  /// The number of unsent bytes at which no further input is read from a client.
  static let unsentLimit = 1 << 20
  /// The number of bytes after which long output is left for the next turn, so that other clients are served first.
  static let mostInATurn = 1 << 20
  /// The seconds for which input is discarded after a response that left input unread.
  static let lingerSeconds = 2.0
  /// The seconds after which an idle connection may be closed to make room for a new one.
  static let evictableAfter = 2.0
  /// The minimum interval between checks of deadlines, in nanoseconds.
  static let granularity: UInt64 = 250_000_000

  let loop: any EventLoop
  let number: Int
  let group: EventLoopGroup
  /// The listeners of the server's port and of the inspector's port.
  let listeners: [Listener]
  let responder: Responder
  /// The TLS identity of the server; nil for plain HTTP.
  let security: TLSContext?
  let state: ServerState
  private let isProxy: Bool
  let idleNanoseconds: UInt64
  let headNanoseconds: UInt64
  var clients: [Client?] = []
  var streams: [TimedStream] = []
  /// The clients with unsent output whose sockets accept more, in the order in which they are served.
  private var writers: [Client] = []
  /// The number of bytes written in this turn.
  private(set) var written = 0
  /// The connections to origins, used during recording.
  private(set) lazy var upstream = UpstreamLoop(of: self)
  var matching = MatchingSide()
  // Behind pointers, because as properties of a class they would be guarded against overlapping access at every step of
  // every request. Both belong to the loop and are used by one call at a time.
  private let parser: UnsafeMutablePointer<RequestParser>
  private let output: UnsafeMutablePointer<Output>
  let buffer: UnsafeMutableRawBufferPointer
  /// The listeners whose connections this loop accepts; empty while there is no room.
  var watched: [Listener] = []
  var accepts: Bool { !watched.isEmpty }
  var nextDeadline = UInt64.max
  var stopsAt: UInt64?
  var count = 0

  init(_ loop: any EventLoop, number: Int, state: ServerState, group: EventLoopGroup, listeners: [Listener]) {
    self.loop = loop
    self.number = number
    self.group = group
    self.listeners = listeners
    self.state = state
    isProxy = state.configuration.proxy != nil
    security = state.configuration.security?.context
    responder = Responder(state, ring: state.journals[number])
    idleNanoseconds = Self.nanoseconds(state.configuration.idleTimeout / .seconds(1))
    headNanoseconds = Self.nanoseconds(state.configuration.headTimeout / .seconds(1))
    parser = .allocate(capacity: 1)
    parser.initialize(to: responder.makeParser())
    output = .allocate(capacity: 1)
    output.initialize(to: Output())
    buffer = .allocate(byteCount: Self.readSize, alignment: 16)
    startAccepting()
  }

  deinit {
    buffer.deallocate()
    parser.deinitialize(count: 1).deallocate()
    output.deinitialize(count: 1).deallocate()
  }

  static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(max(0, min(seconds, 1e9)) * 1e9) }

  // MARK: Callbacks of the event loop

  func ready(_ descriptor: Int32, _ readiness: Readiness) {
    guard Int(descriptor) < clients.count, let client = clients[Int(descriptor)] else {
      if let listener = listeners.first(where: { $0.descriptor == descriptor }) { return acceptWaiting(listener) }
      if let connection = upstream.connections[descriptor] { upstream.ready(connection, readiness) }
      if let switched = upstream.switched[descriptor] { upstream.passBytes(of: switched, readiness) }
      return
    }
    if client.stage == .choosing { return choose(client) }
    if client.stage == .switched { return upstream.passBytes(of: client, readiness) }
    if let secure = client.secure, goesOn(client, secure, readiness) { return }
    if readiness.contains(.writable), client.unsent != nil, !client.isWriter {
      client.isWriter = true
      writers.append(client)
    }
    // No further input is read before the response. The loop waits for no events until the client sends more or leaves,
    // which is rare.
    if client.proxied != nil, client.unsent == nil, readiness.calls { watch(client, []) }
    if client.interest.contains(.readable), readiness.calls {
      read(client)
    } else if readiness.contains(.ended) {
      // No input is read at the moment, and the client can no longer receive output.
      close(client)
    }
  }

  func woken() {
    for message in group[number].takeMessages() {
      switch message {
      case .adopt(let descriptor, let atInspector): adopt(descriptor, atInspector)
      case .accept: startAccepting()
      case .resolved: upstream.assignWaiting()
      case .drained(let number): upstream.drained(number)
      case .kept(let number, let outcome): upstream.settle(number, outcome)
      case .matched(let number, let plan, let response): conclude(number, plan, response)
      case .stop(let time): stop(by: time)
      }
    }
  }

  func deadlinePassed(_ now: UInt64) {
    nextDeadline = .max
    responder.tick(now)
    playDueStreams(now)
    if let stopsAt, now >= stopsAt {
      end()
      return
    }
    upstream.sweep(now)
    sweep(now)
  }

  // MARK: Reading and answering

  func read(_ client: Client) {
    switch client.secure?.receive(into: buffer) ?? Platform.receive(client.descriptor, into: buffer) {
    case .bytes(let received):
      if case .open = client.stage { serve(client, received) }
    case .ended:
      client.hasEnded = true
      guard case .open = client.stage else {
        close(client)
        return
      }
      serve(client, Platform.monotonicNanoseconds()) { client.http.receiveEnd(handler: responder, output: &$1) }
    case .wouldBlock: if client.secure != nil { waitSecurely(client) }
    case .failed: close(client)
    }
  }

  @inline(__always)
  func serve(_ client: Client, _ received: Int) {
    attend(client)
    let now = Platform.monotonicNanoseconds()
    responder.tick(now)
    if responder.hasNewLimits { renewParser() }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<received])
    client.http.receive(
      Span<UInt8>(_unsafeBytes: bytes), parser: &parser.pointee, handler: responder, output: &output.pointee)
    finish(client, &output.pointee, now)
  }

  /// Passes the properties of a connection that its requests depend on to the responder.
  @inline(__always)
  private func attend(_ client: Client) {
    if isProxy { responder.tunnel = client.tunnel }
    responder.isInspector = client.atInspector
  }

  private func renewParser() {
    parser.pointee = responder.makeParser()
    responder.hasNewLimits = false
  }

  /// Serves a client at the end of a turn with the loop's own parser and output, which no other call uses at that time.
  func serveInPlace(_ client: Client, _ now: UInt64, _ act: (inout RequestParser, inout Output) -> Void) {
    attend(client)
    if responder.hasNewLimits { renewParser() }
    act(&parser.pointee, &output.pointee)
    finish(client, &output.pointee, now)
  }

  /// Serves a client without new input: after a deadline, for the next piece of a stream, or at the end of its data.
  func serve(_ client: Client, _ now: UInt64, _ act: (inout RequestParser, inout Output) -> Void) {
    attend(client)
    var parser = responder.makeParser()
    var output = Output()
    act(&parser, &output)
    finish(client, &output, now)
  }

  /// Writes the output, and starts the next action of the connection.
  func finish(_ client: Client, _ output: inout Output, _ now: UInt64) {
    // A response ends the idle time: a partial next head gets its own deadline.
    if !output.isEmpty { client.idleSince = now }
    if client.unsent != nil {
      // Earlier responses are sent first; no input is read while too many bytes are unsent.
      client.unsent?.append(contentsOf: &output)
      settle(client, now)
      return
    }
    switch output.isEmpty ? .done : write(&output, to: client) {
    case .done: output.removeAll()
    case .broken:
      output.removeAll()
      withholdAnswer(of: client)
      close(client)
      return
    case .blocked:
      client.unsent = output
      output = Output()
    }
    settle(client, now)
  }

  /// True if turns of the loop are short.
  ///
  /// A recorder redacts and writes during turns, so a loop that yielded would leave the processor to other programs.
  var hasShortTurns: Bool { upstream.recorder == nil }

  func turnBegan() {
    written = 0
    if upstream.recorder != nil { group[number].rise() }
  }

  /// Writes to the clients whose sockets accept more, and completes the exchanges of this turn.
  func turnEnded() {
    if !writers.isEmpty { writeUnsent() }
    upstream.turnEnded()
  }

  /// Writes to the waiting clients in turn; the sockets of the remaining ones are reported again in the next turn.
  private func writeUnsent() {
    let served = writers.prefix { client in
      guard written < Self.mostInATurn else { return false }
      client.isWriter = false
      if clients[Int(client.descriptor)] === client { writeUnsent(client) }
      return true
    }
    writers.removeFirst(served.count)
  }

  /// Writes as many bytes as the client accepts, unless they are many and enough have been written in this turn.
  @inline(__always)
  private func write(_ output: inout Output, to client: Client) -> Output.Progress {
    let count = output.count
    if count >= Output.largeBody, written >= Self.mostInATurn { return .blocked }
    written += min(count, Output.mostInARow)
    return client.write(&output)
  }

  func writeUnsent(_ client: Client) {
    guard var unsent = client.unsent else { return }
    client.unsent = nil
    switch write(&unsent, to: client) {
    case .done: break
    case .broken:
      // The journal states how many bytes were not sent.
      client.unsent = unsent
      close(client)
      return
    case .blocked: client.unsent = unsent
    }
    settle(client, Platform.monotonicNanoseconds())
  }

  func settle(_ client: Client, _ now: UInt64) {
    if client.unsent != nil || client.http.nextAction.isStream {
      withholdAnswer(of: client)
    } else {
      responder.noted = nil
      if !client.unfinished.isEmpty {
        // A socket accepts bytes once more after its peer has closed it, and then reports the error.
        finishAnswers(of: client, isDisconnected: Platform.connectionError(client.descriptor) != 0)
      }
    }
    if let connection = client.switched { return upstream.watch(client, connection, now) }
    if let unsent = client.unsent {
      // If a client does not read its responses, no further requests are read beyond a limit.
      let reads = client.http.persists && unsent.count < Self.unsentLimit && !client.hasEnded
      watch(client, reads ? [.readable, .writable] : .writable)
      touch(client, now)
      return
    }
    switch client.http.nextAction {
    case .persist:
      if client.hasEnded {
        close(client)
        return
      }
      touch(client, now)
      if stopsAt != nil, client.isIdle { return close(client) }
      watch(client, .readable)
    case .close:
      if client.http.hasUnreadInput, !client.hasEnded { linger(client) } else { close(client) }
    case .reset:
      // A TLS close alert would tell the client that the response is complete.
      client.secure = nil
      Platform.resetOnClose(client.descriptor)
      close(client)
    case .silence:
      client.stage = .silent
      touch(client, now)
      watch(client, .readable)
    case .stream(let stream):
      schedule(stream, for: client)
      // Further input is not read; a closed connection is detected when the next piece is written.
      watch(client, [])
    case .switched: close(client)
    case .tunnel(let origin): open(origin, for: client)
    case .upstream(let proxied):
      client.deadline = .max
      if !client.isWatched || client.interest.contains(.writable) { watch(client, .readable) }
      upstream.proceed(proxied, for: client)
    case .matching(let match):
      client.deadline = .max
      watch(client, [])
      proceed(match, for: client)
    }
  }

  /// Sets the events to wait for; the loop is called only if they change.
  @inline(__always)
  func watch(_ client: Client, _ interest: Readiness) {
    if client.isWatched {
      guard client.interest != interest else { return }
      client.interest = interest
      loop.change(client.descriptor, to: interest)
      return
    }
    let interest = interest.isEmpty && client.http.persists ? .readable : interest
    client.interest = interest
    client.isWatched = true
    if !loop.watch(client.descriptor, for: interest) { close(client) }
  }

  func linger(_ client: Client) {
    client.stage = .lingering
    client.secure?.end()
    Platform.endWriting(client.descriptor)
    client.deadline = Platform.monotonicNanoseconds() + Self.nanoseconds(Self.lingerSeconds)
    schedule(client.deadline)
    watch(client, .readable)
  }

  func close(_ client: Client) {
    guard clients[Int(client.descriptor)] === client else { return }
    clients[Int(client.descriptor)] = nil
    abandonAnswers(of: client)
    finishAnswers(of: client, isDisconnected: true)
    client.secure?.end()
    count -= 1
    if client.isWatched { loop.close(client.descriptor) } else { Platform.close(client.descriptor) }
    group.leave(number)
    if stopsAt != nil, count == 0 { end() }
  }

  func finish(
    _ client: Client, _ nextAction: NextAction, _ parser: inout RequestParser, _ output: inout Output
  ) {
    client.http.proceed(to: nextAction)
    guard case .persist = nextAction else { return }
    client.http.resume(parser: &parser, handler: responder, output: &output)
  }

  // Matching requests, and building responses, on other threads if they may take long; the loop receives the result.

  /// Starts matching a request, or building its response, on another thread, unless this has already started.
  func proceed(_ match: PendingMatch, for client: Client) {
    guard match.waiting == nil else { return }
    let number = matching.add(match, for: client)
    client.match = match
    let (group, loop, state, request, demand) = (group, self.number, state, match.request, match.demand)
    let (known, (base, origins)) = (match.plan, match.links)
    state.matchingPool.run {
      // If the client has left while the job was queued, the request is not planned, and no recording is consumed.
      guard demand.lasts else { return }
      let plan = known ?? state.plan(for: request)
      @Sendable func send(_ plan: Plan) {
        let response = state.longResponse(of: plan, to: request, base: base, origins: origins)
        group.send(.matched(number, plan, response), to: loop)
      }
      guard let gate = state.gate(for: request, plan) else { return send(plan) }
      gate.hold { failure in send(failure.map { plan.failing($0) } ?? plan) }
    }
  }

  /// Sends the answer of the deck to its client, and parses the requests that arrived meanwhile.
  func conclude(_ number: UInt64, _ plan: Plan, _ response: PlannedResponse?) {
    guard let match = matching.remove(number), let client = match.waiting?.client else { return }
    client.match = nil
    let now = Platform.monotonicNanoseconds()
    responder.tick(now)
    serve(client, now) { parser, output in
      finish(client, responder.conclude(match, plan, response, into: &output), &parser, &output)
    }
  }

  /// Cancels all work for a client that has left.
  func abandonAnswers(of client: Client) {
    if let proxied = client.proxied { upstream.abandon(proxied) }
    upstream.endSwitched(client)
    guard let match = client.match, let (number, _) = match.waiting else { return }
    match.demand.end()
    client.match = nil
    responder.noteUnsent(match)
    _ = matching.remove(number)
  }

  // MARK: Stopping a loop: requests in flight are finished within the time limit

  func stop(by time: UInt64) {
    stopsAt = time
    responder.isStopping = true
    stopAccepting()
    for client in clients {
      guard let client, client.isIdle || [.silent, .shaking, .choosing, .switched].contains(client.stage) else {
        continue
      }
      close(client)
    }
    if count == 0 { end() } else { schedule(time) }
  }

  func end() {
    for client in clients { if let client { closeAtEnd(client) } }
    upstream.closeAll()
    loop.stop()
  }

  private func closeAtEnd(_ client: Client) {
    clients[Int(client.descriptor)] = nil
    abandonAnswers(of: client)
    finishAnswers(of: client, isDisconnected: true)
    client.secure?.end()
    if client.isWatched { loop.close(client.descriptor) } else { Platform.close(client.descriptor) }
  }

  // Terminating a client's tunnel in the proxy instead of at its origin, so that its requests can be read.

  /// Opens a tunnel for a client.
  func open(_ tunnel: UpstreamOrigin, for client: Client) {
    client.http.proceed(to: .persist)
    client.tunnel = tunnel
    client.stage = .choosing
    client.idleSince = 0
    client.deadline = Platform.monotonicNanoseconds() + headNanoseconds
    schedule(client.deadline)
    watch(client, .readable)
  }

  /// Determines from the first byte whether a client uses TLS: a handshake begins with 22 (RFC 8446 §5.1).
  func choose(_ client: Client) {
    switch Platform.peek(client.descriptor) {
    case .byte(let first):
      guard let tunnel = client.tunnel else { return close(client) }
      if first == 22 { return secure(client, tunnel) }
      client.tunnel = tunnel.spokenPlainly
      client.stage = .open
      touch(client, Platform.monotonicNanoseconds())
      read(client)
    case .none: watch(client, .readable)
    case .ended: close(client)
    }
  }

  private func secure(_ client: Client, _ tunnel: UpstreamOrigin) {
    guard let proxy = state.configuration.proxy, let authority = proxy.authority else {
      state.noteHandshake("a client requested https through this proxy: \(state.configuration.proxy?.lack ?? "")")
      return close(client)
    }
    do throws(SecurityError) {
      self.secure(client, with: try authority.certificate(for: tunnel.host))
    } catch {
      state.noteHandshake(error.description)
      close(client)
    }
  }
}
