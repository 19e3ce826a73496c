internal import CassetteHTTP
internal import CassetteRecording
internal import Cassettes
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// The upstream side of one loop: connections to origins, and the requests that wait for them.
///
/// It forwards requests and passes responses back on the thread of the clients' loop.
final class UpstreamLoop {
  /// The maximum number of connections per loop; further requests wait.
  static let limit = 256
  /// The number of seconds after which an idle connection is closed.
  static let idleSeconds = 15.0

  unowned let owner: ConnectionLoop
  let recorder: Recorder?
  /// The limits on a response's head; its body is limited only by storage.
  let limits = ParserLimits(requestLine: 8192, head: 256 << 10, fields: 1_000, body: 1 << 50)
  var connections: [Int32: UpstreamConnection] = [:]
  /// The connections without an exchange, in the order of their last use.
  var idle: [UpstreamConnection] = []
  /// The requests without a connection, in order of arrival.
  var waiting: [ProxiedRequest] = []
  /// Connections after a switch of protocols; they are not included in `connections`.
  var switched: [Int32: UpstreamConnection] = [:]
  /// The connections whose requests are sent at the end of the turn, so that origins are woken once for all of them.
  var unsent: [UpstreamConnection] = []
  /// The exchanges whose last response bytes are held until the exchange is written.
  var keeping: [UInt64: ProxiedRequest] = [:]

  init(of owner: ConnectionLoop) {
    self.owner = owner
    recorder = owner.state.recorder
  }

  /// Starts forwarding a request, or resumes its response after the client has accepted the earlier bytes.
  func proceed(_ proxied: ProxiedRequest, for client: Client) {
    if proxied.client == nil {
      proxied.client = client
      client.proxied = proxied
      waiting.append(proxied)
      assignWaiting()
    } else if let connection = proxied.connection, connection.isPaused {
      resume(connection, proxied)
    }
  }

  /// Assigns connections to waiting requests; a request that waits for an address does not delay the others.
  func assignWaiting() {
    guard let recorder = recorder else { return }
    var index = 0
    while index < waiting.count {
      let next = waiting[index]
      if !next.upgrades, let kept = idle.last(where: { $0.origin == next.origin }) {
        // The event that reports the end of the connection may still be waiting in this turn.
        guard kept.isAlive else {
          close(kept)
          continue
        }
        waiting.remove(at: index)
        idle.removeAll { $0 === kept }
        begin(next, on: kept)
        continue
      }
      guard connections.count < Self.limit || giveUpIdle() else { return }
      let (group, number) = (owner.group, owner.number)
      switch recorder.resolvers[next.proxy?.origin ?? next.origin].addresses(orCall: {
        group.send(.resolved, to: number)
      }) {
      case nil: index += 1
      case .failure(let error):
        waiting.remove(at: index)
        // The code is `cannotFindHost` of `URLError`.
        fail(next, .badGateway("\(error)", code: next.proxy == nil ? -1003 : nil))
      case .success(let addresses):
        waiting.remove(at: index)
        next.addresses = addresses
        connect(next, after: nil)
      }
    }
  }

  /// Closes an idle connection to make room for another origin.
  func giveUpIdle() -> Bool {
    guard let oldest = idle.first else { return false }
    close(oldest)
    return true
  }

  /// The code `cannotConnectToHost` of `URLError`.
  private static let cannotConnect = -1004

  // MARK: Connections

  /// Connects to the next address; a refusal of an address replaces the failure of the previous attempt.
  func connect(_ proxied: ProxiedRequest, after failure: String?) {
    guard let settings = recorder?.settings else { return }
    var failure = failure
    let (origin, proxy) = (proxied.origin, proxied.proxy)
    // The proxy resolves the host name: only a literal address can be checked here.
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
      if address.reaches(owner.state.address) {
        let who = proxy.map { "the proxy \($0.origin)" } ?? "it"
        failure = "\(who) resolves to \(address), the address of this recorder: name the live server"
        continue
      }
      do throws(SocketError) {
        let connection = UpstreamConnection(
          try OutgoingStream(
            to: address, through: origin.isSecure || proxied.upgrades ? proxy?.tunnel(to: origin) : nil,
            secure: settings.channel(to: origin)),
          to: origin)
        connection.begin(proxied, limits: limits)
        connections[connection.descriptor] = connection
        connection.interest = .writable
        guard owner.loop.watch(connection.descriptor, for: .writable) else {
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
    fail(proxied, .badGateway(failure ?? "its host name has no address", code: proxied.failureCode))
  }

  func begin(_ proxied: ProxiedRequest, on connection: UpstreamConnection) {
    connection.begin(proxied, limits: limits)
    // The deadline of an idle connection may pass in this turn.
    connection.deadline = .max
    unsent.append(connection)
  }

  func send(_ connection: UpstreamConnection) {
    setDeadline(of: connection, recorder?.settings.silenceSeconds ?? 0)
    // If sending fails, the origin may have responded before: reading the socket shows it.
    if !connection.send() { connection.interest = [] }
    watch(connection)
  }

  /// Updates the events that the loop waits for on a connection.
  func watch(_ connection: UpstreamConnection) {
    guard connections[connection.descriptor] === connection, connection.stream.isOpen else { return }
    var interest: Readiness = connection.isPaused ? [] : .readable
    if !connection.hasSent { interest.insert(.writable) }
    guard interest != connection.interest else { return }
    connection.interest = interest
    owner.loop.change(connection.descriptor, to: interest)
  }

  func setDeadline(of connection: UpstreamConnection, _ seconds: Double) {
    connection.deadline = Platform.monotonicNanoseconds() + ConnectionLoop.nanoseconds(seconds)
    owner.schedule(connection.deadline)
  }

  func close(_ connection: UpstreamConnection) {
    guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
    idle.removeAll { $0 === connection }
    owner.loop.close(connection.descriptor)
  }

  /// Handles an event of an upstream connection: it is readable, writable or connected.
  func ready(_ connection: UpstreamConnection, _ readiness: Readiness) {
    guard let proxied = connection.proxied else {
      // An idle connection was closed by the origin, or received unexpected bytes.
      close(connection)
      return
    }
    guard connection.stream.isOpen else {
      switch connection.stream.proceed() {
      case .ready: send(connection)
      case .waits(let interest):
        connection.interest = interest
        owner.loop.change(connection.descriptor, to: interest)
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

  // MARK: Failures

  /// Handles a response that was aborted or is invalid; a failure is recorded only if no response has begun.
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
      // A failure on a reused connection may be the end of that connection rather than a response to the request.
      fail(proxied, failure.map { isStale ? .badGateway(words) : .noAnswer(words, $0) } ?? .badGateway(words))
      assignWaiting()
    }
  }

  /// Sends a request again on a new connection: the origin has closed the idle one, and maybe others (RFC 9112 §9.3.1).
  func sendAgain(_ proxied: ProxiedRequest) {
    proxied.wasSentBefore = true
    for other in idle where other.origin == proxied.origin { close(other) }
    waiting.insert(proxied, at: 0)
    assignWaiting()
  }

  /// Sends a failure to the client, and records it if the origin received the request but sent no response.
  func fail(_ proxied: ProxiedRequest, _ failure: UpstreamFailure) {
    guard let recorder = recorder, proxied.stage == .asking else { return }
    proxied.stage = .over
    var failure = failure
    if proxied.isPassedThrough || failure.isOnTheWay && !recorder.settings.keepsFailures { failure.recorded = nil }
    recorder.noteFailure(failure, of: proxied.origin)
    if let recorded = failure.recorded {
      proxied.failure = failure
      proxied.stage = .keeping
      keeping[proxied.number] = proxied
      let (group, loop, number) = (owner.group, owner.number, proxied.number)
      recorder.keep(proxied.token, recorded, proxied.relay.capture) { group.send(.kept(number, $0), to: loop) }
    } else {
      answer(proxied, with: failure)
    }
  }

  /// Sends the reason for a missing response to the client.
  func answer(_ proxied: ProxiedRequest, with failure: UpstreamFailure) {
    owner.responder.note(proxied, status: failure.status, sent: 0, .unreachable, failure.message)
    guard let client = proxied.client else { return }
    client.proxied = nil
    proxied.client = nil
    owner.serve(client, Platform.monotonicNanoseconds()) { parser, output in
      let nextAction = owner.responder.write(
        failure.response(from: proxied.origin), proxied.form, &output)
      owner.finish(client, nextAction, &parser, &output)
    }
  }

  /// Abandons an exchange whose client has left; the part of a response received so far is recorded.
  func abandon(_ proxied: ProxiedRequest) {
    proxied.client?.proxied = nil
    proxied.client = nil
    guard proxied.stage == .asking else { return }
    waiting.removeAll { $0 === proxied }
    if let connection = proxied.connection {
      connection.end()
      close(connection)
    }
    proxied.relay.capture.leave()
    if proxied.relay.capture.loss == nil { keep(proxied, breaksOff: false) } else { proxied.stage = .over }
  }

  /// Closes upstream connections whose deadline has passed.
  func sweep(_ now: UInt64) {
    guard !connections.isEmpty else { return }
    for connection in connections.values where connection.deadline <= now {
      guard let proxied = connection.proxied else {
        close(connection)
        continue
      }
      if connection.stream.isOpen, proxied.relay.hasHead {
        breakOff(connection, proxied, "it stopped sending")
        continue
      }
      let isOpen = connection.stream.isOpen
      connection.end()
      close(connection)
      if !isOpen, !proxied.addresses.isEmpty {
        connect(proxied, after: nil)
      } else {
        fail(
          proxied,
          .timeout(
            isOpen ? "it took too long to respond" : "it did not accept a connection in time",
            isRecorded: proxied.proxy == nil || isOpen && proxied.origin.isSecure))
      }
    }
    let next = connections.values.lazy.map(\.deadline).min() ?? .max
    if next != .max { owner.schedule(max(next, now + ConnectionLoop.granularity)) }
  }

  func closeAll() {
    for connection in connections.values { owner.loop.close(connection.descriptor) }
    connections = [:]
    idle = []
  }
}
