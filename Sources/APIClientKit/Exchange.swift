public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request as it was sent, and its outcome.
public struct Exchange: Sendable {
  /// The request as it was sent.
  public internal(set) var request: URLRequest
  /// The answer, if one came.
  public internal(set) var response: HTTPURLResponse?
  /// The content of the response.
  public internal(set) var data = Data()
  /// The error that ended it.
  public internal(set) var error: (any Error)?
  /// Times of the exchange, where the platform measures them (not on Linux).
  public internal(set) var metrics: URLSessionTaskMetrics?
  /// The time from the first step to the last.
  public internal(set) var duration = Duration.zero
  /// Tells whether the content is that of an earlier response.
  public internal(set) var isFromCache = false
  /// The session's task; nil when nothing was sent.
  public internal(set) var task: URLSessionTask?
  var secrets = Secrets()

  /// The status code, if a response came.
  public var status: Int? { response?.statusCode }
}

extension Exchange: CustomStringConvertible {
  /// The exchange in one line, secrets masked: `GET https://api.github.com/user -> 200, 1311 bytes, 0.034 seconds`.
  public var description: String {
    // The error's own description would show the whole URL.
    let failure = error.map { ($0 as? URLError)?.words ?? "\($0)" }
    let outcome = failure ?? response.map { "\($0.statusCode), \(data.count) bytes" } ?? "nothing"
    let line = "\(target) -> \(outcome), \(duration)"
    // What a server sends cannot steer the terminal.
    return line.replacing(/\p{Cc}/, with: " ")
  }
}

/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
  /// A closure that is told.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// The number of bytes that are through.
  public let completed: Int64
  /// The number of all bytes, when that is known.
  public let total: Int64?
  /// The share that is through, from 0 to 1, when the total is known.
  public var fraction: Double? { total.map { $0 > 0 ? Double(completed) / Double($0) : 1 } }
}
