public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response that is not a success, with its request.
///
/// A client also throws errors of Foundation, as in kean's Get (`URLError` for connections, invalid URLs and cancelled
/// tasks, `EncodingError` and `DecodingError`), and ``ClientFailure``. ``Exchange/init(of:)`` returns the exchange of
/// any of these errors.
public enum APIError: Error, LocalizedError, CustomStringConvertible {
  /// The client does not accept the status as a success.
  case unacceptableStatusCode(StatusCode)

  /// Creates an error from a status code, for a ``ValidationDelegate``.
  ///
  /// The client adds the exchange.
  public static func unacceptableStatusCode(_ status: Int) -> APIError { .unacceptableStatusCode(StatusCode(status)) }

  /// The status of a response, which can be compared with integers, and the exchange with the response.
  public struct StatusCode: Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible, Sendable {
    /// The status code.
    public let rawValue: Int
    /// The exchange with the response; nil until the client adds it.
    public internal(set) var exchange: Exchange?

    /// Creates a status from its code.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates a status from a literal.
    public init(integerLiteral value: Int) { rawValue = value }

    /// The status code.
    public var description: String { "\(rawValue)" }
    /// Compares the codes and ignores the exchanges.
    public static func == (one: StatusCode, other: StatusCode) -> Bool { one.rawValue == other.rawValue }
    /// Compares the codes.
    public static func < (one: StatusCode, other: StatusCode) -> Bool { one.rawValue < other.rawValue }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }

  private var code: StatusCode {
    switch self {
    case .unacceptableStatusCode(let code): code
    }
  }

  /// The status code.
  public var status: Int { code.rawValue }
  /// The exchange with the response.
  public var exchange: Exchange? { code.exchange }
  /// The content of the response.
  public var data: Data { exchange?.data ?? Data() }
  /// The error message in the response; nil if there is none.
  public var message: String? { exchange?.message }
  /// The request as a shell command, with secrets masked.
  public var curl: String? { exchange?.curl }
  /// Returns the value of a header field of the response, compared case-insensitively by name.
  public func header(_ name: String) -> String? { exchange?.response?.value(forHTTPHeaderField: name) }

  /// Decodes the content as an error type of the API; nil if that fails.
  public func body<Body: Decodable>(as type: Body.Type, by decoder: JSONDecoder = .api()) -> Body? {
    try? decoder.decode(type, from: data)
  }

  /// The status and the server's message, such as `GET /orders/7: status 404, "There is no order 7"`.
  public var errorDescription: String? {
    [exchange.map { "\($0.target): status \(status)" } ?? "Status \(status)", message.map { "\"\($0)\"" }]
      .compactMap { $0 }.joined(separator: ", ")
  }

  /// The status, the server's message, and a shell command that repeats the request.
  public var description: String { [errorDescription, curl].compactMap { $0 }.joined(separator: "\n") }

  /// Returns the error with an exchange, unless it already has one.
  func with(_ exchange: Exchange) -> APIError {
    var code = code
    code.exchange = code.exchange ?? exchange
    return .unacceptableStatusCode(code)
  }
}

/// A failure that neither the server nor the connection caused.
public enum ClientFailure: Error, LocalizedError {
  /// The token could not be refreshed, for the given reason.
  case refresh(any Error)
  /// There is no token that could be refreshed.
  case signedOut
  /// The cache contains no response, and the cache policy forbids a request.
  case notCached
  /// The platform or the server does not support the operation, for the given reason.
  case unsupported(String)

  /// A description of the failure.
  public var errorDescription: String? {
    switch self {
    case .refresh(let error): "The token could not be refreshed: \(error.localizedDescription)"
    case .signedOut: "There is no token to refresh; sign in again"
    case .notCached: "The cache has no response to this request, and its cache policy forbids network access"
    case .unsupported(let what): what
    }
  }
}
