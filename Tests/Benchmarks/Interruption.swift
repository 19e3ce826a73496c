import CassetteSystem
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Removes processes and files if the program is interrupted, for example by Ctrl-C.
enum Interruption {
  private static let folder = Locked<String?>(nil)
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Ends the children and removes the files on a termination signal.
  static func watch() {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        tidyUp()
        exit(128 + number)
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Sets the folder to remove at the end.
  static func remember(_ path: String) { folder.withLock { $0 = path } }

  static func tidyUp() {
    Children.endAll()
    folder.withLock { path in
      if let path { try? FileManager.default.removeItem(atPath: path) }
      path = nil
    }
  }
}
