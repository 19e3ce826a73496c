package import CassetteHTTP
package import Cassettes
internal import Dispatch
package import MockServerSockets

/// Asks one origin, one request after the other, and waits for each answer on the thread that asks.
///
/// For commands; a server asks through its event loops. The connection is kept between two requests.
package final class UpstreamCaller {
  /// The reason why there is no answer.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// The answer of an origin.
  package struct Answer: Sendable {
    /// The final response, its content decoded if it was coded in a way that could be undone.
    package var response: RecordedResponse
    /// The time at which it came, and its durations.
    package var facts: RecordedFacts
    /// True if its body was left unread: a stream of events need not end.
    package var isStream: Bool
  }

  /// Makes the secure channel to an `https` origin.
  package typealias Security =
    @Sendable (_ descriptor: Int32, _ host: String) throws(SecurityError) -> any SecureChannel

  /// The most bytes of content that an answer may have.
  package static let longestBody = 64 << 20

  private let origin: UpstreamOrigin
  private let isNamed: Bool
  private let security: Security?
  private let silence: UInt64
  private let proxy: OutgoingProxies.Proxy?
  private let own: SocketAddress?
  private let resolver: Resolver
  private var kept: OutgoingStream?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Creates a caller.
  ///
  /// - Parameters:
  ///   - origin: Whom to ask.
  ///   - isNamed: Whether a person named the origin; one that a file names is never on this link, nor where clouds
  ///     hand out secrets.
  ///   - silenceSeconds: How long it may say nothing.
  ///   - proxies: The proxies that lead to the origin.
  ///   - security: Makes the secure channel; needed for `https`.
  ///   - own: The address of the calling server, which never sends requests to itself; nil for a command.
  ///   - lookUp: Resolves host names; nil uses the system's resolver.
  package init(
    to origin: UpstreamOrigin, isNamed: Bool, silenceSeconds: Double = 30, proxies: OutgoingProxies = OutgoingProxies(),
    security: Security? = nil, own: SocketAddress? = nil, asking lookUp: Resolver.LookUp? = nil
  ) {
    self.own = own
    self.origin = origin
    self.isNamed = isNamed
    self.security = security
    silence = UInt64(max(0.001, min(silenceSeconds, 1e6)) * 1e9)
    proxy = proxies.proxy(for: origin)
    let peer = proxy?.origin ?? origin
    resolver = Resolver(host: peer.host, port: peer.port, asking: lookUp)
  }

  deinit { kept?.close() }

  /// Asks, and waits for the answer.
  ///
  /// - Parameter request: What to ask; its target's origin does not count.
  /// - Returns: The answer.
  /// - Throws: ``Failure`` when there is none.
  package func ask(_ request: HTTPRequest) throws(Failure) -> Answer {
    let message = UpstreamRequest(request, to: origin, base: origin.description, proxy: proxy)
    if let stream = kept.take() {
      var exchange = UpstreamExchange(message, silence: silence)
      do throws(Failure) {
        return try finish(&exchange, on: stream)
      } catch {
        // A connection that was kept may have ended before the request came (RFC 9112 §9.3.1).
        guard message.isIdempotent, !exchange.hasAnswer else { throw error }
      }
    }
    let stream = try connect()
    var exchange = UpstreamExchange(message, silence: silence)
    return try finish(&exchange, on: stream)
  }

  private func finish(_ exchange: inout UpstreamExchange, on stream: OutgoingStream) throws(Failure) -> Answer {
    var isDone = false
    defer { if !isDone { stream.close() } }
    try exchange.run(on: stream, buffer: &buffer)
    let answer = try exchange.answer()
    switch exchange.head.flatMap({ IntermediaryAnswer($0, from: proxy, to: origin, dropsUpgrade: false) }) {
    case .failure(let words), .doubtful(let words): throw Failure(words)
    case nil: break
    }
    if exchange.leavesConnection {
      isDone = true
      kept = stream
    }
    return answer
  }

  private func connect() throws(Failure) -> OutgoingStream {
    var reason = "it has no address"
    // A proxy finds the address itself: what is written is all that can be looked at here.
    if proxy != nil, let address = try? SocketAddress(host: origin.host, port: origin.port),
      let refusal = refusal(of: address)
    {
      throw Failure(refusal)
    }
    for address in try addresses() {
      if proxy == nil, let refusal = refusal(of: address) {
        reason = refusal
        continue
      }
      do throws(SocketError) {
        let (security, host) = (security, origin.host)
        let stream = try OutgoingStream(
          to: address, through: origin.isSecure ? proxy?.tunnel(to: origin) : nil,
          secure: origin.isSecure
            ? { descriptor throws(SecurityError) in
              guard let security else { throw SecurityError("https is not available here") }
              return try security(descriptor, host)
            } : nil)
        if let failure = open(stream) {
          stream.close()
          reason = failure
          continue
        }
        return stream
      } catch {
        reason = "\(error)"
      }
    }
    throw Failure(reason)
  }

  /// Brings a connection about; says why not.
  private func open(_ stream: OutgoingStream) -> String? {
    let deadline = Platform.monotonicNanoseconds() + min(silence, 10_000_000_000)
    var interest: Readiness = .writable
    while stream.wait(for: interest, until: deadline) {
      switch stream.proceed() {
      case .ready: return nil
      case .waits(let next): interest = next
      case .failed(let words): return words
      }
    }
    return "it does not take connections"
  }

  private func addresses() throws(Failure) -> [SocketAddress] {
    while true {
      let isKnown = DispatchSemaphore(value: 0)
      switch resolver.addresses(orCall: { isKnown.signal() }) {
      case .success(let addresses): return addresses
      case .failure(let error): throw Failure("\(error)")
      case nil: isKnown.wait()
      }
    }
  }

  private func refusal(of address: SocketAddress) -> String? {
    if let own, address.reaches(own) { return "\(origin) leads to \(address), which is this server itself" }
    if isNamed { return origin.refusal(of: address) }
    guard address.isLinkLocalOrMetadata else { return nil }
    return "\(address.host) is an address of this link or of a cloud's metadata service; if it is meant, name it with "
      + "--origin \(origin)"
  }
}
