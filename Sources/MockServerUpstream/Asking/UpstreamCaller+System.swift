package import MockServerSockets
internal import MockServerTLS

extension UpstreamCaller {
  /// Creates a caller of an origin, over TLS where it is `https`, with the certificate authorities of the system.
  ///
  /// - Parameters:
  ///   - origin: The origin to ask.
  ///   - silenceSeconds: How long it may say nothing.
  ///   - isNamed: Whether a person named the origin on the command line: then it may be such an address.
  ///   - own: The address of the server that asks, which is never asked.
  ///   - lookUp: Looks up the addresses of host names; nil asks the system.
  /// - Returns: The caller.
  /// - Throws: ``Failure`` when there is no TLS to be had.
  package static func trustingSystem(
    _ origin: UpstreamOrigin, silenceSeconds: Double, isNamed: Bool, own: SocketAddress,
    asking lookUp: Resolver.LookUp? = nil
  ) throws(Failure) -> UpstreamCaller {
    guard origin.isSecure else {
      return UpstreamCaller(
        to: origin, isNamed: isNamed, silenceSeconds: silenceSeconds, own: own, asking: lookUp)
    }
    do throws(SecurityError) {
      let context = try TLSContext(trusting: nil, identity: nil, isInsecure: false)
      return UpstreamCaller(
        to: origin, isNamed: isNamed, silenceSeconds: silenceSeconds,
        security: { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) },
        own: own, asking: lookUp)
    } catch {
      throw Failure("\(error)")
    }
  }
}
