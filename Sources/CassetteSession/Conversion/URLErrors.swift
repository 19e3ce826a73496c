package import Foundation

extension URLError {
  /// Creates an error with a custom message, which sessions pass on unchanged.
  ///
  /// - `code`: The code in the domain of `URLError`.
  /// - `message`: The cause and the remedy. By default, the standard message of the code.
  package static func make(_ code: Int, url: URL?, message: String? = nil) -> URLError {
    var info: [String: Any] = [:]
    if let message { info[NSLocalizedDescriptionKey] = message }
    if let url {
      info[NSURLErrorFailingURLErrorKey] = url
    }
    // `URLError.Code` does not accept every number on all platforms.
    let known: URLError.Code? = URLError.Code(rawValue: code)
    return URLError(known ?? .unknown, userInfo: info)
  }

  /// The error code for a body that ends early because the connection was lost.
  package static var brokenOff: Int { NSURLErrorNetworkConnectionLost }
}
