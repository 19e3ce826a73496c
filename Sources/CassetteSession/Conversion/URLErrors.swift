package import Foundation

extension URLError {
  /// Makes an error with words of its own; sessions hand it on as it is.
  ///
  /// - Parameters:
  ///   - code: The code in the domain of `URLError`.
  ///   - url: What was asked for.
  ///   - message: What happened and what to do; nil for the code's usual words.
  /// - Returns: The error.
  package static func make(_ code: Int, url: URL?, message: String? = nil) -> URLError {
    var info: [String: Any] = [:]
    if let message { info[NSLocalizedDescriptionKey] = message }
    if let url {
      info[NSURLErrorFailingURLErrorKey] = url
    }
    // Not every platform takes every number.
    let known: URLError.Code? = URLError.Code(rawValue: code)
    return URLError(known ?? .unknown, userInfo: info)
  }

  /// The code of the error that a body which breaks off becomes, on either side of a socket.
  package static var brokenOff: Int { NSURLErrorNetworkConnectionLost }
}
