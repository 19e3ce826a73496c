import CCassetteNetworkGate
internal import CassetteSystem
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps this process off the network: while one exists that has not ended, or for good where the environment says so.
///
/// On Linux every connection to another address than loopback is refused, and every look-up of a name that is none of
/// loopback's, whichever session or library asks and whenever it was made. On Apple platforms `URLSession.shared` is
/// refused and nothing else.
package final class NetworkDenial: Sendable {
  /// The denial that requests made here belong to; read where a task of `URLSession.shared` is resumed.
  @TaskLocal package static var current: NetworkDenial?

  /// The name of the variable of the environment that denies the network for good.
  package static let variable = "CASSETTE_NETWORK"

  private struct State {
    var active: [NetworkDenial] = []
    /// The hosts that may be asked all the same.
    var hosts: Set<String> = []
    var addresses: Set<String> = []
    /// The ports of this machine that lead to the network.
    var proxyPorts = LoopbackNames.proxyPorts
    var isClaimed = false
    var isSaid: Set<String> = []
    /// The requests that were refused to code whose test is not known.
    var unattributed: [String] = []
    /// Recognize requests that a test sends in order to see them refused.
    var meant: [@Sendable (String) -> Bool] = []
  }

  private static let state = Locked(State())

  /// The requests that were refused: to this test, and to some code while it ran.
  private let own = Locked<(certain: [String], possible: [String])>(([], []))

  /// Denies the network until ``end()``.
  package init() {
    Self.claim()
    Self.state.withLock { $0.active.append(self) }
    cnetworkgate_deny(1)
  }

  /// Lets others decide again, and returns what was refused to this test, and to some code while it ran.
  package func end() -> (certain: [String], possible: [String]) {
    let wasActive = Self.state.withLock { state in
      let count = state.active.count
      state.active.removeAll { $0 === self }
      return state.active.count < count
    }
    if wasActive { cnetworkgate_deny(-1) }
    return own.withLock { $0 }
  }

  /// Tells if the environment says `deny`; throws ``Problem`` for a word that is neither that nor `allow`.
  package static func isDenied(
    by environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Problem) -> Bool {
    switch environment[variable] {
    case "deny": return true
    case nil, "", "allow": return false
    case let word?: throw Problem(word: word)
    }
  }

  /// A word in the environment that is not understood.
  package struct Problem: Error, CustomStringConvertible {
    let word: String

    package var description: String { "\(variable)=\(word) is not understood: it is deny or allow" }
  }

  /// True if the network is denied now, to whoever asks.
  static var isInForce: Bool { state.withLock { !$0.active.isEmpty } || ((try? isDenied()) ?? true) }

  /// Lets a host be asked all the same: a recorder asks where a test was told to record.
  package static func allow(_ url: URL?) {
    guard let host = url?.host(percentEncoded: false)?.lowercased() else { return }
    state.withLock { state in
      state.hosts.insert(host)
      state.addresses.insert(host)
    }
  }

  /// Makes `URLSession.shared` refuse with words of its own; once, behind what answers it for tests.
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
      // With a cache to ask first, protocols are made on another thread, where the task-local is not seen.
      configuration.urlCache = nil
      configuration.protocolClasses = own + [DeniedURLProtocol.self] + classes.dropFirst(own.count)
    #else
      _ = URLProtocol.registerClass(DeniedURLProtocol.self)
      SharedSession.comeFirst()
    #endif
  }

  /// Takes note of what was refused, in words, and of whose request it was when that is known.
  static func note(_ what: String, of denial: NetworkDenial?) {
    let (active, isNew) = state.withLock { ($0.active, $0.isSaid.insert(what).inserted) }
    if let denial {
      denial.own.withLock { if !$0.certain.contains(what) { $0.certain.append(what) } }
    } else {
      // A detached task of any test may have asked, so that no test is failed: the run is.
      state.withLock { if !$0.unattributed.contains(what) { $0.unattributed.append(what) } }
      for denial in active { denial.own.withLock { if !$0.possible.contains(what) { $0.possible.append(what) } } }
    }
    // Whoever swallows the error, and tests that nothing of ours knows of, shall be found, too.
    if isNew { FileHandle.standardError.write(Data("cassettes: the network is denied: \(what). \(remedy)\n".utf8)) }
  }

  /// The requests that were refused to code whose test is not known: they fail the run.
  package static var unattributed: [String] {
    state.withLock { state in state.unattributed.filter { what in !state.meant.contains { $0(what) } } }
  }

  /// Leaves requests out of ``unattributed``, earlier and later ones, for tests of the refusal.
  package static func forget(_ isMeant: @escaping @Sendable (String) -> Bool) {
    state.withLock { $0.meant.append(isMeant) }
  }

  /// The advice for a request that was refused.
  package static let remedy =
    "Answer it from a cassette or a stub: give the code URLSession.cassette, or use .cassette(\"name\", session: .shared); "
    + "or start a server with withMockServer, which is on this machine"

  // MARK: What the gate asks

  static func passes(host: String) -> Bool {
    let name = host.lowercased()
    if LoopbackNames.contains(name) || LoopbackNames.isAddress(name) { return true }
    if state.withLock({ $0.hosts.contains(name) }) { return true }
    note("\(name) was to be looked up and asked", of: nil)
    return false
  }

  static func passes(address: String, port: Int) -> Bool {
    if LoopbackNames.isLoopback(address) {
      guard isProxy(port: port) else { return true }
      note("the proxy on port \(port) of this machine, which the environment names, was to be asked", of: nil)
      return false
    }
    if state.withLock({ $0.addresses.contains(address) }) { return true }
    note("\(address), port \(port), was to be asked", of: nil)
    return false
  }

  /// Takes a port of this machine for that of a proxy, as the environment names them.
  static func addProxy(port: Int) { state.withLock { _ = $0.proxyPorts.insert(port) } }

  static func removeProxy(port: Int) { state.withLock { _ = $0.proxyPorts.remove(port) } }

  /// Tells whether a port of this machine is one of a proxy.
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
