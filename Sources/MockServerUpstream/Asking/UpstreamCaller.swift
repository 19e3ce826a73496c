package import CassetteHTTP
package import Cassettes
internal import Dispatch
package import MockServerSockets

/// A client that sends requests to one origin, one after the other, and blocks the thread until each response.
///
/// Commands use it; a server contacts origins from its event loops. The connection is kept open between two requests.
package final class UpstreamCaller {
  /// The reason why a request got no response.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// A response of the origin.
  package struct Answer: Sendable {
    /// The final response, with its content decoded if the content coding is supported.
    package var response: RecordedResponse
    /// The time of the response, and its durations.
    package var facts: RecordedFacts
    /// True if the body was not read because the response is an event stream, which may never end.
    package var isStream: Bool
  }

  /// A function that creates the TLS channel to an `https` origin.
  package typealias Security =
    @Sendable (_ descriptor: Int32, _ host: String) throws(SecurityError) -> any SecureChannel

  /// The maximum length of a response body in bytes.
  static let longestBody = 64 << 20

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
  /// - `isNamed`: True if the user named the origin. The address of an origin named only in a file must not be
  ///   link-local or that of a cloud's metadata service.
  /// - `silenceSeconds`: The maximum time in seconds without data from the origin, 30 by default.
  /// - `proxies`: The available forward proxies, none by default.
  /// - `own`: The address of the calling server, which never sends requests to itself; nil for a command.
  /// - `lookUp`: The function that resolves host names; nil (the default) for the system's resolver.
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

  /// Sends a request and waits for the response.
  ///
  /// - `request`: The request. The origin in its target is ignored.
  package func ask(_ request: HTTPRequest) throws(Failure) -> Answer {
    let message = UpstreamRequest(request, to: origin, base: origin.description, proxy: proxy)
    if let stream = kept.take() {
      var exchange = UpstreamExchange(message, silence: silence)
      do throws(Failure) {
        return try finish(&exchange, on: stream)
      } catch {
        // The origin may have closed the idle connection before the request arrived (RFC 9112 §9.3.1).
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
    var reason = "its host name has no address"
    // The proxy resolves the host name, so only an address in the URL can be checked here.
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

  /// Opens a connection.
  ///
  /// Returns the reason if it fails, otherwise nil.
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
    return "it does not accept connections"
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
    if let own, address.reaches(own) { return "\(origin) resolves to \(address), which is this server itself" }
    if isNamed { return origin.refusal(of: address) }
    guard address.isLinkLocalOrMetadata else { return nil }
    return "\(address.host) is a link-local address or that of a cloud's metadata service; to allow it, name it with "
      + "--origin \(origin)"
  }

  /// Creates a caller of an origin, which trusts the system's certificate authorities if the scheme is `https`.
  ///
  /// - `silenceSeconds`: The maximum time in seconds without data from the origin.
  /// - `isNamed`: True if the user named the origin on the command line, in which case its address may be link-local.
  /// - `own`: The address of the calling server, which never sends requests to itself.
  /// - `lookUp`: The function that resolves host names; nil (the default) for the system's resolver.
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

/// The reason why upstream sent no response, as reported to the client and on the terminal.
package struct UpstreamFailure: Error {
  package let status: HTTPStatus
  package let message: String
  /// The failure for the recording; nil if the recorder or a proxy caused the failure.
  package var recorded: RecordedFailure?
  /// True if the request did not reach the origin or the origin timed out, which is recorded only if all failures are
  /// kept.
  package var isOnTheWay = false

  /// Returns the failure of an origin that could not be reached, or that sent invalid HTTP (RFC 9110 §15.6.3).
  ///
  /// - `code`: The code of the `URLError` to record; nil if the recorder or a proxy caused the failure.
  package static func badGateway(_ message: String, code: Int? = nil) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: code.map { RecordedFailure(code: $0) }, isOnTheWay: true)
  }

  /// Returns the failure of an origin that received the request, then closed the connection or sent invalid HTTP.
  package static func noAnswer(_ message: String, _ failure: RecordedFailure) -> UpstreamFailure {
    UpstreamFailure(status: 502, message: message, recorded: failure)
  }

  /// Returns the failure of an origin that timed out (RFC 9110 §15.6.5).
  package static func timeout(_ message: String, isRecorded: Bool) -> UpstreamFailure {
    UpstreamFailure(
      status: 504, message: message, recorded: isRecorded ? RecordedFailure(code: -1001) : nil, isOnTheWay: true)
  }
}

/// The classification of a response that may come from a proxy or network, and is therefore never recorded.
package enum IntermediaryAnswer {
  /// The proxy responded without contacting the origin.
  case failure(String)
  /// The response is from the proxy or from the origin, and is passed on to the client.
  case doubtful(String)

  /// Classifies the head of a response; returns nil for a response of the origin.
  ///
  /// - `proxy`: The proxy that received the request; nil for the origin itself, and for a tunnel through a proxy.
  /// - `dropsUpgrade`: True if the client asked for another protocol, which was not passed on to the origin.
  package init?(
    _ head: ResponseHead, from proxy: OutgoingProxies.Proxy?, to origin: UpstreamOrigin, dropsUpgrade: Bool
  ) {
    let code = head.status.code
    if code == 426, dropsUpgrade {
      self = .doubtful("426 requires another protocol, but the client's Upgrade field was not forwarded")
      return
    }
    // TLS authenticates the origin.
    guard !origin.isSecure else { return nil }
    if code == 511 {
      self = .doubtful("511 is the response of a network that requires a login, not of the origin (RFC 6585 §6)")
      return
    }
    guard let proxy else { return nil }
    if code == 407 {
      self = .failure(
        "the proxy \(proxy.origin) answered 407: set its user with HTTP_PROXY=http://USER:PASSWORD@HOST:PORT"
      )
    } else if let field = Self.confession(head.headers) {
      self = .failure("the proxy \(proxy.origin) answered \(code) instead of the origin (\(field))")
    } else if code == 502 || code == 504 {
      self = .doubtful("the proxy \(proxy.origin) answered \(code), which may not be the origin's response")
    } else {
      return nil
    }
  }

  /// Returns the header field by which a proxy marks a response as generated by itself (RFC 9209 §2.1.3).
  private static func confession(_ headers: HTTPHeaders) -> String? {
    for field in headers {
      switch field.name.lowercased() {
      case "x-squid-error": return "\(field.name): \(field.value.prefix(80))"
      case "proxy-status":
        let value = field.value.lowercased().filter { $0 != " " && $0 != "\t" }
        if value.contains(";error=") { return "\(field.name): \(field.value.prefix(80))" }
      default: continue
      }
    }
    return nil
  }
}
