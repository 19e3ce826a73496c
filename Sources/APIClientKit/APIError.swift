public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a request failed; whatever came is kept, so that a body that does not decode never hides the status.
public struct APIError: Error, CustomStringConvertible {
  /// What failed.
  public enum Reason: Error {
    /// Path and base URL make no URL.
    case invalidURL(String)
    /// The body could not be encoded.
    case encoding(any Error)
    /// Nothing came, or not all of it.
    case transport(URLError)
    /// The response is not a success.
    case status(Int)
    /// The content is not what was expected.
    case decoding(any Error)
    /// The token could not be refreshed, for the reason given.
    case refresh(any Error)
    /// There is no token any more that could be refreshed.
    case signedOut
    /// No answer is kept, and asking was forbidden.
    case notCached
    /// Something that the platform or the server does not do.
    case unsupported(String)
    /// A delegate or a file said no.
    case other(any Error)
  }

  /// What failed.
  public let reason: Reason
  /// What was sent and what came, if it got so far.
  public let exchange: Exchange?

  /// An error.
  public init(_ reason: Reason, _ exchange: Exchange? = nil) { (self.reason, self.exchange) = (reason, exchange) }

  /// Whatever went wrong, as an error of the client.
  init(_ error: any Error, _ exchange: Exchange? = nil) {
    switch error {
    case let error as APIError: self = APIError(error.reason, error.exchange ?? exchange)
    case let reason as Reason: self.init(reason, exchange)
    case let error as URLError: self.init(.transport(error), exchange)
    default: self.init(.other(error), exchange)
    }
  }

  /// The status, whenever there was a response.
  public var status: Int? { exchange?.status }
  /// The content of the response.
  public var data: Data { exchange?.data ?? Data() }
  /// The request as a command for the shell, secrets masked.
  public var curl: String? { exchange.map { $0.request.curl(secrets: $0.secrets) } }
  /// The value of a header field of the response, whatever the case of its name.
  public func header(_ name: String) -> String? { exchange?.response?.value(forHTTPHeaderField: name) }

  /// What the server said: the first of the members that APIs and RFC 9457 say it in.
  public var message: String? {
    guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else { return nil }
    for name in ["message", "error_description", "detail", "error", "title"] {
      if let text = object[name] as? String { return text }
      if let inner = object[name] as? [String: Any], let text = inner["message"] as? String { return text }
    }
    return nil
  }

  /// The content of the response as a type of the API's errors, nil when it is none.
  public func body<Body: Decodable>(as type: Body.Type, by decoder: JSONDecoder = .api()) -> Body? {
    try? decoder.decode(type, from: data)
  }

  /// What failed, what the server said, and how to try it by hand.
  public var description: String {
    let said = [status.map { "status \($0)" }, message.map { "\"\($0)\"" }].compactMap { $0 }.joined(separator: ", ")
    return [Self.text(of: reason), said, curl ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// An error in words: those of `URLError` would show the whole URL.
  static func text(of error: any Error) -> String {
    switch error {
    case Reason.transport(let error): text(of: error)
    case let error as URLError: "\(error.code) \(error.localizedDescription)"
    default: "\(error)"
    }
  }
}
