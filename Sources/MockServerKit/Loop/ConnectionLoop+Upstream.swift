internal import CassetteHTTP
internal import CassetteRecording
internal import Cassettes
internal import MockServerEvents
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// The connections of one loop to upstream, and the requests that wait for them.
struct UpstreamSide {
  /// The most connections of one loop; more requests wait.
  static let limit = 256
  /// The number of seconds after which a connection that is kept for the next exchange is closed.
  static let idleSeconds = 15.0

  let recorder: Recorder?
  /// The limits on an answer's head; its body is bounded by what can be kept.
  let limits = ParserLimits(requestLine: 8192, head: 256 << 10, fields: 1_000, body: 1 << 50)
  var connections: [Int32: UpstreamConnection] = [:]
  /// Connections without an exchange, the one used last at the end.
  var idle: [UpstreamConnection] = []
  /// Requests without a connection, in their order.
  var waiting: [ProxiedRequest] = []
  /// Connections after a switch of protocols; they are not included in `connections`.
  var switched: [Int32: UpstreamConnection] = [:]
  /// Connections whose requests are sent when the turn ends: the origins are woken once for all of them.
  var unsent: [UpstreamConnection] = []
  /// Answers whose last bytes wait until the exchange is written.
  var keeping: [UInt64: ProxiedRequest] = [:]

  init(_ state: ServerState) { recorder = state.recorder }
}

/// Sending requests upstream and answers back, on the client's own loop.
extension ConnectionLoop {
  /// A request is to go upstream, or its client has taken what was sent so far.
  func proceed(_ proxied: ProxiedRequest, for client: Client) {
    if proxied.client == nil {
      proxied.client = client
      client.proxied = proxied
      upstream.waiting.append(proxied)
      assignWaiting()
    } else if let connection = proxied.connection, connection.isPaused {
      resume(connection, proxied)
    }
  }

  /// Gives connections to requests that wait for one; who waits for an address keeps nobody else waiting.
  func assignWaiting() {
    guard let recorder = upstream.recorder else { return }
    var index = 0
    while index < upstream.waiting.count {
      let next = upstream.waiting[index]
      if !next.upgrades, let kept = upstream.idle.last(where: { $0.origin == next.origin }) {
        // The event that reports the end of the connection may still be waiting in this turn.
        guard kept.isAlive else {
          close(kept)
          continue
        }
        upstream.waiting.remove(at: index)
        upstream.idle.removeAll { $0 === kept }
        begin(next, on: kept)
        continue
      }
      guard upstream.connections.count < UpstreamSide.limit || giveUpIdle() else { return }
      let (group, number) = (group, number)
      switch recorder.resolvers[next.proxy?.origin ?? next.origin].addresses(orCall: {
        group.send(.resolved, to: number)
      }) {
      case nil: index += 1
      case .failure(let error):
        upstream.waiting.remove(at: index)
        // The code is `cannotFindHost` of `URLError`.
        fail(next, .badGateway("\(error)", code: next.proxy == nil ? -1003 : nil))
      case .success(let addresses):
        upstream.waiting.remove(at: index)
        next.addresses = addresses
        connect(next, after: nil)
      }
    }
  }

  /// Makes room for a connection to another origin.
  func giveUpIdle() -> Bool {
    guard let oldest = upstream.idle.first else { return false }
    close(oldest)
    return true
  }

  /// The code `cannotConnectToHost` of `URLError`.
  private static let cannotConnect = -1004

  // MARK: connections

  /// Connects to the next address; an answer that says why takes the place of the last one's failure.
  func connect(_ proxied: ProxiedRequest, after failure: String?) {
    guard let settings = upstream.recorder?.settings else { return }
    var failure = failure
    let (origin, proxy) = (proxied.origin, proxied.proxy)
    // A proxy finds the address itself: what is written is all that can be looked at here.
    if proxy != nil, let address = try? SocketAddress(host: origin.host, port: origin.port),
      let refusal = origin.refusal(of: address, isNamed: settings.isNamed(origin))
    {
      return fail(proxied, .badGateway(refusal))
    }
    while !proxied.addresses.isEmpty {
      let address = proxied.addresses.removeFirst()
      if proxy == nil, let refusal = origin.refusal(of: address, isNamed: settings.isNamed(origin)) {
        failure = failure ?? refusal
        continue
      }
      if address.reaches(state.address) {
        let who = proxy.map { "the proxy \($0.origin)" } ?? "it"
        failure = "\(who) leads to \(address), where this recorder listens itself: name the live server"
        continue
      }
      do throws(SocketError) {
        let connection = UpstreamConnection(
          try OutgoingStream(
            to: address, through: origin.isSecure || proxied.upgrades ? proxy?.tunnel(to: origin) : nil,
            secure: settings.channel(to: origin)),
          to: origin)
        connection.begin(proxied, limits: upstream.limits)
        upstream.connections[connection.descriptor] = connection
        connection.interest = .writable
        guard loop.watch(connection.descriptor, for: .writable) else {
          close(connection)
          throw SocketError.failed(call: "epoll_ctl", code: 0)
        }
        setDeadline(of: connection, settings.connectSeconds)
        return
      } catch {
        failure = "\(error)"
        if case .failed(call: "connect", _) = error, proxy == nil { proxied.failureCode = Self.cannotConnect }
      }
    }
    fail(proxied, .badGateway(failure ?? "it has no address", code: proxied.failureCode))
  }

  func begin(_ proxied: ProxiedRequest, on connection: UpstreamConnection) {
    connection.begin(proxied, limits: upstream.limits)
    // The time of an idle one may be up in this very turn.
    connection.deadline = .max
    upstream.unsent.append(connection)
  }

  func send(_ connection: UpstreamConnection) {
    setDeadline(of: connection, upstream.recorder?.settings.silenceSeconds ?? 0)
    // What cannot be sent may have been answered before: reading tells.
    if !connection.send() { connection.interest = [] }
    watch(connection)
  }

  /// Tells the loop which events to wait for on a connection.
  func watch(_ connection: UpstreamConnection) {
    guard upstream.connections[connection.descriptor] === connection, connection.stream.isOpen else { return }
    var interest: Readiness = connection.isPaused ? [] : .readable
    if !connection.hasSent { interest.insert(.writable) }
    guard interest != connection.interest else { return }
    connection.interest = interest
    loop.change(connection.descriptor, to: interest)
  }

  func setDeadline(of connection: UpstreamConnection, _ seconds: Double) {
    connection.deadline = Platform.monotonicNanoseconds() + Self.nanoseconds(seconds)
    schedule(connection.deadline)
  }

  func close(_ connection: UpstreamConnection) {
    guard upstream.connections.removeValue(forKey: connection.descriptor) != nil else { return }
    upstream.idle.removeAll { $0 === connection }
    loop.close(connection.descriptor)
  }

  /// A connection can be read, or written, or has come about.
  func ready(_ connection: UpstreamConnection, _ readiness: Readiness) {
    guard let proxied = connection.proxied else {
      // Kept for the next exchange: it has ended, or says what nobody asked.
      close(connection)
      return
    }
    guard connection.stream.isOpen else {
      switch connection.stream.proceed() {
      case .ready: send(connection)
      case .waits(let interest):
        connection.interest = interest
        loop.change(connection.descriptor, to: interest)
      case .failed(let words):
        // The code is `secureConnectionFailed` of `URLError`.
        if connection.stream.isShaking { proxied.failureCode = -1200 }
        if connection.stream.isConnecting, proxied.proxy == nil { proxied.failureCode = Self.cannotConnect }
        connection.end()
        close(connection)
        connect(proxied, after: words)
      }
      return
    }
    if readiness.contains(.writable), !connection.hasSent { send(connection) }
    if readiness.calls, !connection.isPaused { receive(connection, proxied) }
  }

  // MARK: what goes wrong

  /// Upstream broke off, or said what is no HTTP; a failure is recorded unless an answer has begun.
  func breakOff(
    _ connection: UpstreamConnection, _ proxied: ProxiedRequest, _ words: String, _ failure: RecordedFailure? = nil
  ) {
    let isStale = connection.isUsed && !connection.parser.hasStarted
    connection.end()
    close(connection)
    if isStale, !proxied.wasSentBefore, proxied.message.isIdempotent {
      sendAgain(proxied)
    } else if proxied.relay.hasHead {
      proxied.relay.breakOff(into: &proxied.held)
      keep(proxied, breaksOff: true)
      assignWaiting()
    } else {
      // What fails on a kept connection may be that connection's end, and no answer to what was asked.
      fail(proxied, failure.map { isStale ? .badGateway(words) : .noAnswer(words, $0) } ?? .badGateway(words))
      assignWaiting()
    }
  }

  /// Sends a request again on a new connection: the origin has closed the idle one, and maybe others (RFC 9112 §9.3.1).
  func sendAgain(_ proxied: ProxiedRequest) {
    proxied.wasSentBefore = true
    for other in upstream.idle where other.origin == proxied.origin { close(other) }
    upstream.waiting.insert(proxied, at: 0)
    assignWaiting()
  }

  /// Tells a client why there is no answer, which is recorded when the origin was asked and gave none.
  func fail(_ proxied: ProxiedRequest, _ failure: UpstreamFailure) {
    guard let recorder = upstream.recorder, proxied.stage == .asking else { return }
    proxied.stage = .over
    var failure = failure
    if proxied.isPassedThrough || failure.isOnTheWay && !recorder.settings.keepsFailures { failure.recorded = nil }
    recorder.noteFailure(failure, of: proxied.origin)
    if let recorded = failure.recorded {
      proxied.failure = failure
      proxied.stage = .keeping
      upstream.keeping[proxied.number] = proxied
      let (group, loop, number) = (group, number, proxied.number)
      recorder.keep(proxied.token, recorded, proxied.relay.capture) { group.send(.kept(number, $0), to: loop) }
    } else {
      answer(proxied, with: failure)
    }
  }

  /// Tells the client why there is no answer.
  func answer(_ proxied: ProxiedRequest, with failure: UpstreamFailure) {
    responder.note(proxied, status: failure.status, sent: 0, .unreachable, failure.message)
    guard let client = proxied.client else { return }
    client.proxied = nil
    proxied.client = nil
    serve(client, Platform.monotonicNanoseconds()) { parser, output in
      let nextAction = responder.write(
        failure.response(from: proxied.origin), proxied.form, &output)
      finish(client, nextAction, &parser, &output)
    }
  }

  /// The client is gone: a stream of events is kept as far as it was heard.
  func abandon(_ proxied: ProxiedRequest) {
    proxied.client?.proxied = nil
    proxied.client = nil
    guard proxied.stage == .asking else { return }
    upstream.waiting.removeAll { $0 === proxied }
    if let connection = proxied.connection {
      connection.end()
      close(connection)
    }
    proxied.relay.capture.leave()
    if proxied.relay.capture.loss == nil { keep(proxied, breaksOff: false) } else { proxied.stage = .over }
  }

  func closeUpstream() {
    for connection in upstream.connections.values { loop.close(connection.descriptor) }
    upstream.connections = [:]
    upstream.idle = []
  }
}
