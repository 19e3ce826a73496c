internal import CassetteSystem
package import MockServerSockets

/// Knows the addresses of origins, each looked up once.
package final class Resolvers: Sendable {
  private let known = Locked<[UpstreamOrigin: Resolver]>([:])
  private let lookUp: Resolver.LookUp?

  init(asking lookUp: Resolver.LookUp?) { self.lookUp = lookUp }

  /// Knows the addresses of an origin.
  package subscript(origin: UpstreamOrigin) -> Resolver {
    known.withLock { known in
      if let resolver = known[origin] { return resolver }
      // A bound on memory: what is forgotten is looked up again.
      if known.count >= 1_000 { known = [:] }
      let resolver = Resolver(host: origin.host, port: origin.port, asking: lookUp)
      known[origin] = resolver
      return resolver
    }
  }
}
