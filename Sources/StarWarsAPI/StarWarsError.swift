#if canImport(FoundationNetworking)
  public import Foundation
  import FoundationNetworking
#else
  public import Foundation
#endif

/// A refusal or a wrong answer; a failure on the way is a `URLError`, a cancelled request a `CancellationError`.
public enum StarWarsError: LocalizedError, Equatable {
  /// The server answered with this status, and said why.
  case status(Int, detail: String?)
  /// Too many requests; the server says after how many seconds the next is welcome.
  case rateLimited(retryAfter: Int?)
  /// The content at this URL could not be decoded, with the place.
  case undecodable(URL, String)
  /// This member of a failing client was called.
  case unexpected(String)

  /// A description of the error, and of what to do.
  public var errorDescription: String? {
    switch self {
    case .status(let status, let detail): "the server answered \(status)\(detail.map { ": \($0)" } ?? "")"
    case .rateLimited(nil): "too many requests; try again later"
    case .rateLimited(.some(let seconds)): "too many requests; try again in \(seconds) s"
    case .undecodable(let url, let problem): "the answer to \(url.absoluteString) is not understood: \(problem)"
    case .unexpected(let member):
      "\"\(member)\" was called on a client that fails; replace it: .failing(except: { $0.\(member) = … })"
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
