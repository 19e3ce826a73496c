internal import CassetteSystem
internal import Dispatch

/// Looks up the addresses of one host, away from any event loop, and remembers them for a while.
package final class Resolver: Sendable {
  /// The result of a look-up.
  package typealias Result = Swift.Result<[SocketAddress], SocketError>

  /// The time after which a name is looked up anew, in nanoseconds.
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

  /// Asks for the addresses of a name; it may take seconds.
  package typealias LookUp = @Sendable (_ host: String, _ port: Int) -> (addresses: [SocketAddress], code: Int32)

  /// Creates a resolver of a name, or of an address, in brackets or not.
  package init(host: String, port: Int, asking ask: LookUp? = nil) {
    self.host = host
    self.port = port
    self.ask = ask ?? { Platform.addresses(of: $0, port: $1) }
    // The system knows more than one address of "localhost"; digits need no asking.
    guard host != "localhost", let address = try? SocketAddress(host: host, port: port) else { return }
    state.withLock { state in
      state.known = .success([address])
      state.until = .max
    }
  }

  /// Returns the addresses or why there are none; nil while they are looked up: then `ready` is called afterwards.
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
      ? .failure(.unknownHost(host, code == 0 ? "it has none" : Platform.describe(resolution: code)))
      : .success(addresses)
    let waiting = state.withLock { state in
      state.isLooking = false
      state.known = result
      // A name that is not known now may be in a second.
      let lifetime = addresses.isEmpty ? 1_000_000_000 : Self.lifetime
      state.until = Platform.monotonicNanoseconds() + lifetime
      defer { state.waiting = [] }
      return state.waiting
    }
    for ready in waiting { ready() }
  }
}
