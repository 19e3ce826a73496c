public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer that is not a success, with its request.
///
/// The other errors of a client are those of Foundation, as in kean's Get: `URLError` for no answer, no URL and a cancelled
/// task, `EncodingError` and `DecodingError`; and ``ClientFailure`` for what is the client's own.
/// ``Exchange/init(of:)`` finds the exchange that any of them comes from.
public enum APIError: Error, LocalizedError, CustomStringConvertible {
  /// The status is none that the client takes for a success.
  case unacceptableStatusCode(StatusCode)

  /// Creates an error of a number, for a ``ValidationDelegate``; the client adds the exchange.
  public static func unacceptableStatusCode(_ status: Int) -> APIError { .unacceptableStatusCode(StatusCode(status)) }

  /// The status of an answer, which is compared with numbers, and the exchange that it ended.
  public struct StatusCode: Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible, Sendable {
    /// The number.
    public let rawValue: Int
    /// The exchange that it ended; nil until the client adds it.
    public internal(set) var exchange: Exchange?

    /// Creates a status of a number.
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    /// Creates a status of a literal.
    public init(integerLiteral value: Int) { rawValue = value }

    /// The number.
    public var description: String { "\(rawValue)" }
    /// Compares the numbers, whatever the exchanges.
    public static func == (one: StatusCode, other: StatusCode) -> Bool { one.rawValue == other.rawValue }
    /// Compares the numbers.
    public static func < (one: StatusCode, other: StatusCode) -> Bool { one.rawValue < other.rawValue }
    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }

  private var code: StatusCode {
    switch self {
    case .unacceptableStatusCode(let code): code
    }
  }

  /// The status.
  public var status: Int { code.rawValue }
  /// The exchange that it ended.
  public var exchange: Exchange? { code.exchange }
  /// The content of the answer.
  public var data: Data { exchange?.data ?? Data() }
  /// The server's own words, if it has any.
  public var message: String? { exchange?.message }
  /// The request as a command for the shell, secrets masked.
  public var curl: String? { exchange?.curl }
  /// Returns the value of a header field of the answer, whatever the case of its name.
  public func header(_ name: String) -> String? { exchange?.response?.value(forHTTPHeaderField: name) }

  /// Returns the content as a type of the API's errors, or nil when it is none.
  public func body<Body: Decodable>(as type: Body.Type, by decoder: JSONDecoder = .api()) -> Body? {
    try? decoder.decode(type, from: data)
  }

  /// The status and the server's words, for a person: `GET /orders/7: status 404, "There is no order 7"`.
  public var errorDescription: String? {
    [exchange.map { "\($0.target): status \(status)" } ?? "Status \(status)", message.map { "\"\($0)\"" }]
      .compactMap { $0 }.joined(separator: ", ")
  }

  /// The status, the server's words, and how to try it by hand.
  public var description: String { [errorDescription, curl].compactMap { $0 }.joined(separator: "\n") }

  /// Returns the error with an exchange, if it has none yet.
  func with(_ exchange: Exchange) -> APIError {
    var code = code
    code.exchange = code.exchange ?? exchange
    return .unacceptableStatusCode(code)
  }
}

/// A failure that is the client's own, neither the server's nor the connection's.
public enum ClientFailure: Error, LocalizedError {
  /// The token could not be refreshed, for the reason given.
  case refresh(any Error)
  /// There is no token any more that could be refreshed.
  case signedOut
  /// No answer is kept, and asking was forbidden.
  case notCached
  /// The platform or the server does not do it, for the reason given.
  case unsupported(String)

  /// The failure in words.
  public var errorDescription: String? {
    switch self {
    case .refresh(let error): "The token could not be refreshed: \(error.localizedDescription)"
    case .signedOut: "There is no token that could be refreshed; sign in again"
    case .notCached: "No answer is kept for this request, and its cache policy forbids to ask"
    case .unsupported(let what): what
    }
  }
}
