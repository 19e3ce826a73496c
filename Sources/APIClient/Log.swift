import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(os)
  import os
#endif

extension Exchange: CustomStringConvertible {
  /// One line, secrets masked: `GET https://api.github.com/user -> 200, 1311 bytes, 0.034 seconds`.
  public var description: String {
    let url = secrets.mask(url: request.url?.absoluteString ?? "") { _ in "***" }
    let outcome =
      error.map { APIError.text(of: $0) } ?? response.map { "\($0.statusCode), \(data.count) bytes" } ?? "nothing"
    let line = "\(request.httpMethod ?? "GET") \(url) -> \(outcome), \(duration)"
    // What a server sends cannot steer the terminal.
    return line.replacing(/\p{Cc}/, with: " ")
  }

  /// Writes each exchange as a line to the system's log, or to standard error where there is none.
  public static let log: @Sendable (Exchange) -> Void = { exchange in
    #if canImport(os)
      let logger = Logger(subsystem: "APIClient", category: "exchanges")
      if exchange.error == nil { logger.info("\(exchange)") } else { logger.error("\(exchange)") }
    #else
      try? FileHandle.standardError.write(contentsOf: Data("\(exchange)\n".utf8))
    #endif
  }
}
