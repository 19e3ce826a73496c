internal import CassetteSystem

/// The way to record a missing answer where a deck plays, so that a miss can say what to type.
package enum RecordCommand: Hashable, Sendable {
  /// There is no command for it.
  case unknown
  /// A test records, run by itself.
  case test(filter: String?)
  /// A server records from an origin.
  case server
  /// A proxy records.
  case proxy

  /// The command, as it is typed; nil when there is none.
  ///
  /// - Parameters:
  ///   - origin: Scheme and authority of who is to be asked, if it is known.
  ///   - file: The cassette it is added to, if it is known.
  /// - Returns: The command line.
  func line(origin: String?, file: String?) -> String? {
    switch self {
    case .unknown: return nil
    case .test(let filter):
      let filter = filter.map { " --filter \(ShellWord.quoted($0))" } ?? ""
      return "CASSETTE_MODE=record-missing swift test\(filter)"
    case .server:
      return
        "mockserver record --missing --upstream \(origin ?? "URL") --cassette \(file.map(ShellWord.quoted) ?? "FILE")"
    case .proxy: return "mockserver proxy --missing --cassette \(file.map(ShellWord.quoted) ?? "FILE")"
    }
  }
}
