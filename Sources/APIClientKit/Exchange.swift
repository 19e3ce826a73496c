public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request as sent, and its outcome.
public struct Exchange: Sendable {
  /// The request as sent.
  public internal(set) var request: URLRequest
  /// The response; nil if none was received.
  public internal(set) var response: HTTPURLResponse?
  /// The content of the response.
  public internal(set) var data = Data()
  /// The error that ended the exchange; nil for a complete response.
  public internal(set) var error: (any Error)?
  /// The metrics of the exchange; nil on platforms that do not measure them (Linux).
  public internal(set) var metrics: URLSessionTaskMetrics?
  /// The time from start to end.
  public internal(set) var duration = Duration.zero
  /// True if the content is that of an earlier response.
  public internal(set) var isFromCache = false
  /// The task of the session; nil if no request was sent.
  public internal(set) var task: URLSessionTask?
  var secrets = Secrets()

  /// The status code; nil if no response was received.
  public var status: Int? { response?.statusCode }
}

extension Exchange: CustomStringConvertible {
  /// The exchange in one line with secrets masked, such as `GET https://api.github.com/user -> 200, 1311 bytes, 0.034
  /// seconds`.
  public var description: String {
    // The error's own description contains the complete URL.
    let failure = error.map { ($0 as? URLError)?.words ?? "\($0)" }
    let outcome = failure ?? response.map { "\($0.statusCode), \(data.count) bytes" } ?? "nothing"
    let line = "\(target) -> \(outcome), \(duration)"
    // Control characters from the server must not reach the terminal.
    return line.replacing(/\p{Cc}/, with: " ")
  }
}

/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
  /// A function that handles progress.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// The number of bytes transferred.
  public let completed: Int64
  /// The total number of bytes; nil if unknown.
  public let total: Int64?
  /// The transferred fraction, from 0 to 1; nil if the total is unknown.
  public var fraction: Double? { total.map { $0 > 0 ? Double(completed) / Double($0) : 1 } }
}
