public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends typed requests over a `URLSession`; what fails throws ``APIError``, and a cancelled task `CancellationError`.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.github.com"))
/// let user: User = try await client.value(for: .get("/users/kean"))
/// ```
public final class APIClient: Sendable {
  /// What it was made of.
  public let configuration: Configuration
  let transport: Transport
  let session: URLSession
  let delegate: any APIClientDelegate
  let validators = Validators()
  private let selected = Mutex(Environment.production)

  /// A client.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    delegate = configuration.delegate ?? NoDelegate()
    transport = Transport(configuration.trust)
    session = URLSession(
      configuration: configuration.session, delegate: transport, delegateQueue: configuration.delegateQueue)
  }

  /// A client of one installation, with whatever else is changed.
  public convenience init(baseURL: URL?, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration(baseURL: baseURL)
    configure(&configuration)
    self.init(configuration)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Which installation the next request is for.
  public var environment: Environment {
    get { selected.withLock { $0 } }
    set { selected.withLock { $0 = newValue } }
  }

  /// Sends a request and decodes what comes; an optional type is nil when nothing does, as with 204.
  @concurrent public func send<Value: Decodable & Sendable>(_ request: Request<Value>) async throws -> Response<Value> {
    try decoded(await perform(request), for: request)
  }

  /// Sends a request of whose answer nothing but the success matters.
  @concurrent @discardableResult public func send(_ request: Request<Void>) async throws -> Response<Void> {
    try await perform(request).map { _ in }
  }

  /// The decoded content of the answer to a request.
  public func value<Value: Decodable & Sendable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// The request as a command for the shell, as it would be sent now, with cookies and fields of the session.
  public func curl<Value>(for request: Request<Value>, revealingSecrets reveal: Bool = false) async throws -> String {
    var (sent, _) = try await urlRequest(for: request)
    let jar = configuration.session.httpShouldSetCookies ? configuration.session.httpCookieStorage : nil
    let cookies = sent.url.flatMap { jar?.cookies(for: $0) } ?? []
    var fields: [AnyHashable: Any] = HTTPCookie.requestHeaderFields(with: cookies)
    fields.merge(configuration.session.httpAdditionalHeaders ?? [:]) { cookie, _ in cookie }
    for case (let name as String, let value) in fields where sent.value(forHTTPHeaderField: name) == nil {
      sent.setValue("\(value)", forHTTPHeaderField: name)
    }
    return sent.curl(revealingSecrets: reveal, secrets: secrets)
  }
}
