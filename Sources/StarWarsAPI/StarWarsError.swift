#if canImport(FoundationNetworking)
  public import Foundation
  import FoundationNetworking
#else
  public import Foundation
#endif

/// An error in a response.
///
/// Connections fail with `URLError`, and cancelled requests with `CancellationError`.
public enum StarWarsError: LocalizedError, Equatable {
  /// The status of the response is an error, with the server's message.
  case status(Int, detail: String?)
  /// There were too many requests, with the number of seconds after which the server accepts the next.
  case rateLimited(retryAfter: Int?)
  /// The content at a URL could not be decoded, with the location of the error.
  case undecodable(URL, String)
  /// The named member of a failing client was called.
  case unexpected(String)

  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .status(let status, let detail): "the server answered \(status)\(detail.map { ": \($0)" } ?? "")"
    case .rateLimited(nil): "too many requests; try again later"
    case .rateLimited(.some(let seconds)): "too many requests; try again in \(seconds) s"
    case .undecodable(let url, let problem): "the response to \(url.absoluteString) cannot be decoded: \(problem)"
    case .unexpected(let member):
      "\"\(member)\" was called on a failing client; implement it: .failing(except: { $0.\(member) = … })"
    }
  }

  init(_ response: HTTPURLResponse, _ data: Data, url: URL) {
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
    switch response.statusCode {
    case 429: self = .rateLimited(retryAfter: retryAfter)
    case 403 where retryAfter != nil: self = .rateLimited(retryAfter: retryAfter)
    default: self = .status(response.statusCode, detail: try? JSONDecoder().decode(Refusal.self, from: data).detail)
    }
  }

  private struct Refusal: Decodable {
    let detail: String
  }
}
