internal import CassetteSystem

/// The way to record a missing answer, from which a miss derives the command to run.
package enum RecordCommand: Hashable, Sendable {
  /// No command is known.
  case unknown
  /// A test records when it is run alone.
  case test(filter: String?)
  /// A server records from an origin.
  case server
  /// A proxy records.
  case proxy

  /// The call that resets the positions of recordings.
  var reset: String {
    switch self {
    case .server, .proxy: "POST /__mock/reset"
    case .test, .unknown: "CassettePlayer.reset() or TestMockServer.reset()"
    }
  }

  /// Returns the command line that records a request; nil if no command is known.
  ///
  /// - `origin`: The scheme and authority of the upstream server, if known.
  /// - `file`: The cassette that the recording is added to, if known.
  func line(origin: String?, file: String?) -> String? {
    switch self {
    case .unknown: return nil
    case .test(let filter): return Self.test(with: filter)
    case .server:
      return
        "mockserver record --missing --upstream \(origin.map(ShellWord.quoted) ?? "URL") --cassette \(file.map(ShellWord.path) ?? "FILE")"
    case .proxy: return "mockserver proxy --missing --cassette \(file.map(ShellWord.path) ?? "FILE")"
    }
  }

  /// Returns the command line that runs the tests of a filter, or all tests, and records missing requests.
  package static func test(with filter: String?) -> String {
    "CASSETTE_MODE=record-missing swift test\(filter.map { " --filter \(ShellWord.quoted($0))" } ?? "")"
  }
}
