import Foundation

#if canImport(os)
  import os
#endif

extension Exchange {
  /// Writes an exchange as a line to the system's log, or to standard error on other platforms.
  public static let log: @Sendable (Exchange) -> Void = { exchange in
    #if canImport(os)
      let logger = Logger(subsystem: "APIClient", category: "exchanges")
      // The description already masks secrets. Without `public`, the system's log would replace other values with
      // `<private>`.
      let line = exchange.description
      if exchange.error == nil {
        logger.info("\(line, privacy: .public)")
      } else {
        logger.error("\(line, privacy: .public)")
      }
    #else
      try? FileHandle.standardError.write(contentsOf: Data("\(exchange)\n".utf8))
    #endif
  }
}
