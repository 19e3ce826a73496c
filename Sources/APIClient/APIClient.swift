public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends typed requests over a `URLSession`.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.github.com"))
/// let user: User = try await client.value(for: .get("/users/kean"))
/// ```
public final class APIClient: Sendable {
  /// What it was made of.
  public let configuration: Configuration
  let transport: Transport
  let delegate: any APIClientDelegate
  let validators = Validators()
  private let selected = Mutex(Environment.production)

  /// A client.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    delegate = configuration.delegate ?? NoDelegate()
    transport = Transport(configuration)
  }

  /// A client of one installation, with whatever else is changed.
  public convenience init(baseURL: URL?, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration(baseURL: baseURL)
    configure(&configuration)
    self.init(configuration)
  }

  deinit { transport.finish() }

  /// Which installation the next request is for.
  public var environment: Environment {
    get { selected.withLock { $0 } }
    set { selected.withLock { $0 = newValue } }
  }

  /// Sends a request and decodes what comes; an optional type is nil when nothing does, as with 204.
  ///
  /// - Throws: ``APIError``, or `CancellationError`.
  @concurrent public func send<Value: Decodable & Sendable>(_ request: Request<Value>) async throws -> Response<Value> {
    try decoded(try await perform(request), for: request)
  }

  /// Sends a request of whose answer nothing but the success matters.
  ///
  /// - Throws: ``APIError``, or `CancellationError`.
  @concurrent @discardableResult public func send(_ request: Request<Void>) async throws -> Response<Void> {
    try response(try await perform(request)) { _ in }
  }

  /// The decoded content of the answer to a request.
  ///
  /// - Throws: ``APIError``, or `CancellationError`.
  public func value<Value: Decodable & Sendable>(for request: Request<Value>) async throws -> Value {
    try await send(request).value
  }

  /// The request as a command for the shell, as it would be sent now.
  ///
  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - reveal: Whether tokens, keys, cookies and passwords are shown.
  /// - Returns: Lines for a POSIX shell.
  /// - Throws: ``APIError`` when it cannot be made.
  public func curl<Value>(for request: Request<Value>, revealingSecrets reveal: Bool = false) async throws -> String {
    var (sent, _) = try await urlRequest(for: request)
    let jar = configuration.session.httpShouldSetCookies ? configuration.session.httpCookieStorage : nil
    if sent.value(forHTTPHeaderField: "Cookie") == nil, let cookies = sent.url.flatMap({ jar?.cookies(for: $0) }) {
      for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
        sent.setValue(value, forHTTPHeaderField: name)
      }
    }
    for (name, value) in configuration.session.httpAdditionalHeaders ?? [:] {
      guard let name = name as? String, sent.value(forHTTPHeaderField: name) == nil else { continue }
      sent.setValue("\(value)", forHTTPHeaderField: name)
    }
    return sent.curl(revealingSecrets: reveal, secrets: secrets)
  }
}
