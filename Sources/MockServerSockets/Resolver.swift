internal import CassetteSystem
internal import Dispatch

/// A resolver of one host name that blocks no event loop and caches the addresses.
package final class Resolver: Sendable {
  /// The result of a lookup.
  package typealias Result = Swift.Result<[SocketAddress], SocketError>

  /// The time in nanoseconds for which found addresses are cached.
  private static let lifetime: UInt64 = 60_000_000_000

  private struct State: Sendable {
    var known: Result?
    var until: UInt64 = 0
    var waiting: [@Sendable () -> Void] = []
    var isLooking = false
  }

  private let host: String
  private let port: Int
  private let ask: LookUp
  private let queue = DispatchQueue(label: "mockserver.resolver")
  private let state = Locked(State())

  /// Returns the addresses of a host name, and may block for seconds.
  package typealias LookUp = @Sendable (_ host: String, _ port: Int) -> (addresses: [SocketAddress], code: Int32)

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - host: A host name or an IP address, with or without brackets.
  ///   - port: The port of the addresses.
  ///   - ask: The function that resolves the name; nil (the default) for the system's resolver.
  package init(host: String, port: Int, asking ask: LookUp? = nil) {
    self.host = host
    self.port = port
    self.ask = ask ?? { Platform.addresses(of: $0, port: $1) }
    // "localhost" may have several addresses, so the system resolves it. Numeric addresses need no lookup.
    guard host != "localhost", let address = try? SocketAddress(host: host, port: port) else { return }
    state.withLock { state in
      state.known = .success([address])
      state.until = .max
    }
  }

  /// Returns the addresses or the lookup error; nil during a lookup, after which `ready` is called.
  package func addresses(orCall ready: @escaping @Sendable () -> Void) -> Result? {
    let now = Platform.monotonicNanoseconds()
    let (known, begins) = state.withLock { state -> (Result?, Bool) in
      if let known = state.known, now < state.until { return (known, false) }
      state.waiting.append(ready)
      if state.isLooking { return (nil, false) }
      state.isLooking = true
      return (nil, true)
    }
    if begins { queue.async { self.look() } }
    return known
  }

  private func look() {
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    let (addresses, code) = ask(bare, port)
    let result: Result =
      addresses.isEmpty
      ? .failure(.unknownHost(host, code == 0 ? "it has no address" : Platform.describe(resolution: code)))
      : .success(addresses)
    let waiting = state.withLock { state in
      state.isLooking = false
      state.known = result
      // A failed lookup may succeed a second later.
      let lifetime = addresses.isEmpty ? 1_000_000_000 : Self.lifetime
      state.until = Platform.monotonicNanoseconds() + lifetime
      defer { state.waiting = [] }
      return state.waiting
    }
    for ready in waiting { ready() }
  }
}
