internal import CassetteSystem
package import MockServerSockets

/// A cache of one address resolver per origin.
package final class Resolvers: Sendable {
  private let known = Locked<[UpstreamOrigin: Resolver]>([:])
  private let lookUp: Resolver.LookUp?

  init(asking lookUp: Resolver.LookUp?) { self.lookUp = lookUp }

  /// The resolver of an origin, which is created on first use.
  package subscript(origin: UpstreamOrigin) -> Resolver {
    known.withLock { known in
      if let resolver = known[origin] { return resolver }
      // The cache is limited to bound memory. Resolvers removed from it are created again.
      if known.count >= 1_000 { known = [:] }
      let resolver = Resolver(host: origin.host, port: origin.port, asking: lookUp)
      known[origin] = resolver
      return resolver
    }
  }
}
