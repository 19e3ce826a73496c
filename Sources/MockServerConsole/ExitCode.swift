/// The exit codes of the process, which follow `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case found = 1
  case usage = 64
  case badCassette = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70

  /// The meaning of the code, for the help.
  package var meaning: String {
    switch self {
    case .success: "done"
    case .found:
      "scan found a secret, verify what is no longer true, diff a difference, git a conflict, health no server, or "
        + "import left something out"
    case .usage: "an option or a command is wrong"
    case .badCassette: "a cassette, a fixture or a file to import is wrong"
    case .noInput: "no such file or folder"
    case .unavailable: "an address cannot be listened on, an origin is not reached, by record never, or there is no TLS"
    case .internalError: "a bug in mockserver"
    }
  }
}
