internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets
internal import MockServerUpstream

extension MockServer {
  /// Starts listening and answering requests.
  ///
  /// - Returns: The scheme, host and port, such as `http://127.0.0.1:8080`.
  /// - Throws: ``Failure`` if the server cannot listen on the address.
  @discardableResult
  public func start() throws(Failure) -> String {
    // Checked again below, because two threads may call this at the same time.
    if running.withLock({ $0 != nil }) { throw .alreadyStarted }
    Platform.ignoreBrokenPipes()
    Platform.raiseDescriptorLimit()
    DescriptorReserve.establish()
    let listener: Listener
    let listeners: [Listener]
    do throws(SocketError) {
      listener = try Listener(SocketAddress(host: configuration.host, port: configuration.port))
      // Without a token, other machines' browsers have no access.
      let hasInspector = configuration.admin == .open ? listener.address.isLoopback : configuration.admin != .off
      let ports = hasInspector ? [configuration.inspectorPort] : []
      listeners =
        try [listener]
        + ports.map { port throws(SocketError) in try Listener(SocketAddress(host: configuration.host, port: port)) }
    } catch .addressInUse(let address) {
      throw .portTaken(host: address.host, port: address.port)
    } catch {
      throw .cannotListen("\(error)")
    }
    if let upstream = configuration.recording?.upstream,
      let address = try? SocketAddress(host: upstream.host, port: upstream.port), address.reaches(listener.address)
    {
      throw .cannotListen("\(upstream) is the address of this recorder: name the live server as the upstream")
    }
    let loops = max(1, min(configuration.loops ?? Platform.processors(), 64))
    let state = ServerState(
      configuration, deck: deck, recorder: recorder, specifications: specifications, feed: feed,
      address: listener.address,
      inspectorPort: listeners.count > 1 ? listeners.last?.address.port : nil, loops: loops)
    state.admit(RequestMeasures(of: library.withLock { $0 }))
    let group = EventLoopGroup(loops: loops, limit: max(1, configuration.connections))
    let kind = configuration.usesDispatch ? EventLoopKind.dispatch : .platformDefault
    var handles: [LoopHandle] = []
    func stopAll() { for number in handles.indices { group.send(.stop(0), to: number) } }
    do throws(SocketError) {
      for number in 0..<loops {
        let handle = try kind.start(label: "mockserver.loop.\(number)") { loop in
          ConnectionLoop(loop, number: number, state: state, group: group, listeners: listeners)
        }
        group.register(number, handle)
        handles.append(handle)
      }
    } catch {
      stopAll()
      throw .cannotListen("\(error)")
    }
    let watcher = configuration.watches ? watch(state) : nil
    let started = running.withLock { running -> Bool in
      guard running == nil else { return false }
      running = Running(state: state, listeners: listeners, group: group, handles: handles, watcher: watcher)
      return true
    }
    guard started else {
      stopAll()
      throw .alreadyStarted
    }
    return state.url
  }
}
