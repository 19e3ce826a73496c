import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A wrapper that stores an exchange as the underlying error in an error of Foundation.
private struct ExchangeNote: Error, CustomStringConvertible {
  static let key = "APIClientKit.exchange"
  let exchange: Exchange
  let underlying: (any Error)?
  var description: String { [underlying.map { "\($0)" }, "\(exchange)"].compactMap { $0 }.joined(separator: "; ") }
}

extension Exchange {
  /// Returns the exchange of a client's error; nil if no request was sent, and for errors of delegates.
  ///
  /// ```swift
  /// catch { log(error.localizedDescription, Exchange(of: error)?.curl ?? "") }
  /// ```
  public init?(of error: any Error) {
    let note: Any? =
      switch error {
      case let error as APIError: error.exchange
      case let error as URLError: (error.userInfo[ExchangeNote.key] as? ExchangeNote)?.exchange
      case let error as DecodingError: (error.context?.underlyingError as? ExchangeNote)?.exchange
      default: nil
      }
    guard let exchange = note as? Exchange else { return nil }
    self = exchange
  }

  /// The request as a shell command, with secrets masked.
  public var curl: String { request.curl(secrets: secrets) }

  /// The error message in the response, from the first member that RFC 9457 and common APIs use; nil if there is none.
  public var message: String? {
    guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else { return nil }
    for name in ["message", "error_description", "detail", "error", "title"] {
      if let text = object[name] as? String { return text }
      if let inner = object[name] as? [String: Any], let text = inner["message"] as? String { return text }
    }
    return nil
  }

  /// The method and the URL, with secrets masked.
  var target: String { "\(request.httpMethod ?? "GET") \(maskedURL)" }

  private var maskedURL: String { secrets.mask(url: request.url?.absoluteString ?? "") { _ in "***" } }

  /// Returns an error of the same type that contains this exchange.
  func noted(in error: any Error) -> any Error {
    switch error {
    case let error as APIError: return error.with(self)
    case let error as URLError: return noted(in: error)
    case let error as DecodingError: return error.with { ExchangeNote(exchange: self, underlying: $0) }
    default: return error
    }
  }

  private func noted(in error: URLError) -> URLError {
    var info = error.userInfo
    // These entries contain the complete URL with its secrets.
    for key in ["NSErrorFailingURLStringKey", NSUnderlyingErrorKey] { info[key] = nil }
    info[NSURLErrorFailingURLErrorKey] = URL(string: maskedURL)
    info[ExchangeNote.key] = ExchangeNote(exchange: self, underlying: nil)
    info[NSLocalizedDescriptionKey] = "\(target): \(error.words)"
    return URLError(error.code, userInfo: info)
  }
}

extension URLError {
  /// A description of the error.
  ///
  /// On Linux, that of Foundation is only a number.
  var words: String {
    #if canImport(FoundationNetworking)
      let known: [URLError.Code: String] = [
        .timedOut: "the request timed out", .cancelled: "the request was cancelled",
        .badURL: "the URL is invalid", .unsupportedURL: "the scheme of the URL is not supported",
        .cannotFindHost: "the host was not found", .cannotConnectToHost: "the host does not accept connections",
        .networkConnectionLost: "the connection was lost", .dnsLookupFailed: "the host name could not be resolved",
        .notConnectedToInternet: "there is no connection to the Internet",
        .badServerResponse: "the server sent an invalid response", .httpTooManyRedirects: "too many redirects",
        .secureConnectionFailed: "no secure connection could be established",
        .serverCertificateUntrusted: "the server's certificate is not trusted",
        .cannotDecodeContentData: "the content could not be decoded", .fileDoesNotExist: "the file does not exist",
      ]
      return known[code] ?? "URLError \(code.rawValue)"
    #else
      return localizedDescription
    #endif
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }

  fileprivate func with(_ note: ((any Error)?) -> any Error) -> DecodingError {
    func noted(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: note(context.underlyingError))
    }
    switch self {
    case .typeMismatch(let type, let context): return .typeMismatch(type, noted(context))
    case .valueNotFound(let type, let context): return .valueNotFound(type, noted(context))
    case .keyNotFound(let key, let context): return .keyNotFound(key, noted(context))
    case .dataCorrupted(let context): return .dataCorrupted(noted(context))
    @unknown default: return self
    }
  }
}
