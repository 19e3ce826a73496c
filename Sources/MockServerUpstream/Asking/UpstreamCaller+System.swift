internal import MockServerSockets
internal import MockServerTLS

extension UpstreamCaller {
  /// Asks an origin that a file or a page names, over TLS where it is `https`, trusting whom the system trusts.
  ///
  /// - Parameters:
  ///   - origin: Whom to ask; never an address of this link, nor one where clouds hand out secrets.
  ///   - silenceSeconds: How long it may say nothing.
  /// - Returns: What asks it.
  /// - Throws: ``Failure`` when there is no TLS to be had.
  package static func trustingSystem(
    _ origin: UpstreamOrigin, silenceSeconds: Double
  ) throws(Failure) -> UpstreamCaller {
    guard origin.isSecure else { return UpstreamCaller(to: origin, isNamed: false, silenceSeconds: silenceSeconds) }
    do throws(SecurityError) {
      let context = try TLSContext(trusting: nil, identity: nil, isInsecure: false)
      return UpstreamCaller(to: origin, isNamed: false, silenceSeconds: silenceSeconds) {
        descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host)
      }
    } catch {
      throw Failure("\(error)")
    }
  }
}
