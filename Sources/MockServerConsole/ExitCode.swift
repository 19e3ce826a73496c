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
      "findings: scan found a secret, verify an inaccurate recording, refresh a changed shape, check --unused or "
        + "--older-than a recording, diff a difference, git a conflict, health an unhealthy server, control a "
        + "refusal, or import left content out"
    case .usage: "an option or a command is invalid"
    case .badCassette: "a cassette, a fixture or a file to import is invalid"
    case .noInput: "no such file or folder"
    case .unavailable:
      "the server cannot listen on the address, the upstream could not be reached, or TLS is not available"
    case .internalError: "a bug in mockserver"
    }
  }
}
