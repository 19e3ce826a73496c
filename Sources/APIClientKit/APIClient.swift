public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client that sends typed requests over a `URLSession`, like kean's Get.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.github.com"))
/// let user: User = try await client.send(.get("/users/kean")).value
/// ```
/// The client throws ``APIError``, errors of Foundation and ``ClientFailure``. A cancelled task throws
/// `URLError(.cancelled)`.
public final class APIClient: Sendable {
  /// The configuration with which the client was created.
  public let configuration: Configuration
  /// The session that sends the requests.
  ///
  /// The client is its delegate and invalidates it.
  public let session: URLSession
  let transport: Transport
  let validators = Validators()
  private let selected: Locked<Environment>

  /// Creates a client.
  public init(configuration: Configuration) {
    self.configuration = configuration
    selected = Locked(Environment("production", baseURL: configuration.baseURL))
    transport = Transport(configuration.trust, configuration.sessionDelegate)
    session = URLSession(
      configuration: configuration.sessionConfiguration, delegate: transport,
      delegateQueue: configuration.sessionDelegateQueue)
  }

  /// Creates a client with a base URL and optional changes to its configuration.
  public convenience init(baseURL: URL?, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration(baseURL: baseURL)
    configure(&configuration)
    self.init(configuration: configuration)
  }

  /// Creates a client for an HTTPS host such as `api.github.com`, with optional changes to its configuration.
  public convenience init(host: String, _ configure: (inout Configuration) -> Void = { _ in }) {
    self.init(baseURL: URL(string: "https://\(host)"), configure)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// The environment that subsequent requests are sent to.
  public var environment: Environment {
    get { selected.withLock { $0 } }
    set { selected.withLock { $0 = newValue } }
  }

  /// The available environments: `production` and those of the configuration.
  public var environments: [Environment] {
    [Environment("production", baseURL: configuration.baseURL)] + configuration.environments
  }

  /// Returns the request as a shell command, with the cookies and fields that the session would send now.
  public func curl<Value>(for request: Request<Value>, revealingSecrets reveal: Bool = false) async throws -> String {
    let made = try await makeURLRequest(for: request)
    var (sent, _) = try await signed(made, of: request, Options(), after: nil)
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
