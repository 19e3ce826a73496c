package import MockServerSockets

extension UpstreamCaller {
  /// Creates a caller of an origin, which trusts the system's certificate authorities if the scheme is `https`.
  ///
  /// - Parameters:
  ///   - origin: The origin to send requests to.
  ///   - silenceSeconds: The maximum time in seconds without data from the origin.
  ///   - isNamed: True if the user named the origin on the command line, in which case its address may be link-local.
  ///   - own: The address of the calling server, which never sends requests to itself.
  ///   - lookUp: The function that resolves host names; nil (the default) for the system's resolver.
  /// - Returns: The caller.
  /// - Throws: ``Failure`` if TLS is required but not available.
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
