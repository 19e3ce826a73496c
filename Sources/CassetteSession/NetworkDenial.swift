import CCassetteNetworkGate
internal import CassetteSystem
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Denies the network to this process, from creation until ``end()``, or permanently if the environment requests it.
///
/// On Linux, every connection to an address other than loopback and every lookup of another name is refused, for all
/// sessions and libraries, including those created earlier. On Apple platforms, only requests on `URLSession.shared`
/// are refused.
package final class NetworkDenial: Sendable {
  /// The denial for requests of the current task; read where a task of `URLSession.shared` is resumed.
  @TaskLocal package static var current: NetworkDenial?

  /// The name of the environment variable that denies the network permanently.
  package static let variable = "CASSETTE_NETWORK"

  private struct State: ~Copyable {
    var active: [NetworkDenial] = []
    /// The hosts that remain allowed, because a recorder needs them.
    var hosts: Set<String> = []
    var addresses: Set<String> = []
    /// The ports of proxies on this machine.
    var proxyPorts = LoopbackNames.proxyPorts
    var isClaimed = false
    var isSaid: Set<String> = []
    /// The refused requests whose test is unknown.
    var unattributed: [String] = []
    /// Closures that recognize the requests that the tests of this package send in order to be refused.
    var meant: [@Sendable (String) -> Bool] = []
    /// Returns a closure that fails the test of the current task; nil if there is none.
    var accuser: (@Sendable () -> Accusation?)?
  }

  /// Fails a test because of a refused request.
  package typealias Accusation = @Sendable (_ request: String) -> Void

  private static let state = Locked(State())

  /// The refused requests: those of this test, and those of unknown tests while it ran.
  private let own = Locked<(certain: [String], possible: [String])>(([], []))

  /// Denies the network until ``end()`` is called.
  package init() {
    Self.claim()
    Self.state.withLock { $0.active.append(self) }
    cnetworkgate_deny(1)
  }

  /// Ends this denial; returns the refused requests of this test, and of unknown tests while it ran.
  package func end() -> (certain: [String], possible: [String]) {
    let wasActive = Self.state.withLock { state in
      let count = state.active.count
      state.active.removeAll { $0 === self }
      return state.active.count < count
    }
    if wasActive { cnetworkgate_deny(-1) }
    return own.withLock { $0 }
  }

  /// Returns true if the environment variable is `deny`; throws ``Problem`` if it is neither `deny` nor `allow`.
  package static func isDenied(
    by environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Problem) -> Bool {
    switch environment[variable] {
    case "deny": return true
    case nil, "", "allow": return false
    case let word?: throw Problem(word: word)
    }
  }

  /// An invalid value of the environment variable.
  package struct Problem: Error, CustomStringConvertible {
    let word: String

    package var description: String { "\(variable)=\(word) is invalid: it must be deny or allow" }
  }

  /// True if the network is currently denied.
  static var isInForce: Bool { state.withLock { !$0.active.isEmpty } || ((try? isDenied()) ?? true) }

  /// Allows the host of a URL, because a recorder must reach the server that it records from.
  package static func allow(_ url: URL?) {
    guard let host = url?.host(percentEncoded: false)?.lowercased() else { return }
    state.withLock { state in
      state.hosts.insert(host)
      state.addresses.insert(host)
    }
  }

  /// Makes `URLSession.shared` refuse requests with an explanation, unless a test's player answers them.
  ///
  /// Has an effect only once.
  package static func claim() {
    let isFirst = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    guard isFirst else { return }
    #if canImport(FoundationNetworking)
      let configuration = URLSession.shared.configuration
      let classes = configuration.protocolClasses ?? []
      let own = classes.prefix { $0 == SharedURLProtocol.self }
      // With a cache, protocols are created on another thread, where the task-local value is not available.
      configuration.urlCache = nil
      configuration.protocolClasses = own + [DeniedURLProtocol.self] + classes.dropFirst(own.count)
    #else
      _ = URLProtocol.registerClass(DeniedURLProtocol.self)
      SharedSession.comeFirst()
    #endif
  }

  /// Sets the closure that finds the test of the current task.
  package static func find(_ accuser: @escaping @Sendable () -> Accusation?) {
    state.withLock { $0.accuser = accuser }
  }

  /// The sender of a request on `URLSession.shared`, created where the task of the request is resumed.
  struct Sender {
    let denial = NetworkDenial.current
    let accusation = NetworkDenial.current == nil && isInForce ? state.withLock { $0.accuser }?() : nil
  }

  /// Records a refused request for the denial of its test, or as unattributed if the test is unknown.
  static func note(_ what: String, of sender: Sender?) {
    let (active, isNew) = state.withLock { ($0.active, $0.isSaid.insert(what).inserted) }
    if let denial = sender?.denial {
      denial.own.withLock { if !$0.certain.contains(what) { $0.certain.append(what) } }
    } else if let accusation = sender?.accusation {
      if isNew, state.withLock({ state in !state.meant.contains { $0(what) } }) { accusation(what) }
    } else {
      // The request may come from a detached task of any test, so it fails the run instead of a test.
      state.withLock { if !$0.unattributed.contains(what) { $0.unattributed.append(what) } }
      for denial in active { denial.own.withLock { if !$0.possible.contains(what) { $0.possible.append(what) } } }
    }
    // Written immediately, to reveal requests whose error is ignored, and requests of tests without cassettes.
    if isNew { FileHandle.standardError.write(Data("cassettes: the network is denied: \(what). \(remedy)\n".utf8)) }
  }

  /// The refused requests whose test is unknown; they fail the run.
  package static var unattributed: [String] {
    state.withLock { state in state.unattributed.filter { what in !state.meant.contains { $0(what) } } }
  }

  /// Excludes refused requests from ``unattributed``, including later ones; for tests that send them on purpose.
  static func forget(_ isMeant: @escaping @Sendable (String) -> Bool) {
    state.withLock { $0.meant.append(isMeant) }
  }

  /// The suggestion for a refused request.
  package static let remedy =
    "Answer the request from a cassette or a stub: give the code URLSession.cassette, or use .cassette(\"name\", "
    + "session: .shared); or start a local server with withMockServer"

  // MARK: Decisions for the C functions that interpose the network

  static func passes(host: String) -> Bool {
    let name = host.lowercased()
    if LoopbackNames.contains(name) || LoopbackNames.isAddress(name) { return true }
    if state.withLock({ $0.hosts.contains(name) }) { return true }
    note("lookup of \(name)", of: nil)
    return false
  }

  static func passes(address: String, port: Int) -> Bool {
    if LoopbackNames.isLoopback(address) {
      guard isProxy(port: port) else { return true }
      note("connection to the proxy on port \(port) of this machine, which is named in the environment", of: nil)
      return false
    }
    if state.withLock({ $0.addresses.contains(address) }) { return true }
    note("connection to \(address), port \(port)", of: nil)
    return false
  }

  /// Treats a port of this machine as the port of a proxy, as if an environment variable contained it.
  static func addProxy(port: Int) { state.withLock { _ = $0.proxyPorts.insert(port) } }

  static func removeProxy(port: Int) { state.withLock { _ = $0.proxyPorts.remove(port) } }

  /// Returns true if a port of this machine is the port of a proxy.
  static func isProxy(port: Int) -> Bool { state.withLock { $0.proxyPorts.contains(port) } }

  static func learn(host: String, address: String) {
    let name = host.lowercased()
    state.withLock { state in if state.hosts.contains(name) { state.addresses.insert(address) } }
  }
}

@_cdecl("cassette_network_decides")
func cassetteNetworkDecides(_ host: UnsafePointer<CChar>?, _ address: UnsafePointer<CChar>?, _ port: Int32) -> Int32 {
  if let host { return NetworkDenial.passes(host: String(cString: host)) ? 1 : 0 }
  guard let address else { return 1 }
  return NetworkDenial.passes(address: String(cString: address), port: Int(port)) ? 1 : 0
}

@_cdecl("cassette_network_found")
func cassetteNetworkFound(_ host: UnsafePointer<CChar>?, _ address: UnsafePointer<CChar>?) {
  guard let host, let address else { return }
  NetworkDenial.learn(host: String(cString: host), address: String(cString: address))
}
