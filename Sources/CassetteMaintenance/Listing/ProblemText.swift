package import Cassettes
package import MockServerConsole

/// Formats problems as compilers do, so that editors and CI systems find the location.
package enum ProblemText {
  package static func line(_ problem: CassetteError, _ style: Style) -> String {
    let severity = problem.severity == .error ? style.red("error:") : style.yellow("warning:")
    let suggestion = problem.suggestion.map { ", \($0)" } ?? ""
    let place = "\(problem.file):\(max(1, problem.line)):\(max(1, problem.column))"
    // The text comes from files and is escaped; the colours must not be.
    return "\(Printable.escaped(place)): \(severity) \(Printable.escaped(problem.message + suggestion))\n"
  }

  /// Returns the last line: the numbers of errors and warnings, or a summary of the checked files.
  package static func summary(errors: Int, warnings: Int, served: String?) -> String {
    let served = served.map { "\($0): " } ?? ""
    guard errors + warnings > 0 else { return "mockserver: \(served)no problems\n" }
    let counts = [errors > 0 ? counted(errors, "error") : nil, warnings > 0 ? counted(warnings, "warning") : nil]
    return "mockserver: \(served)\(series(counts.compactMap(\.self), "and"))\n"
  }
}

extension CommandError {
  /// Returns an error about a cassette that cannot be played.
  package static func unreadable(_ error: CassetteError, paths: [String]) -> CommandError {
    // The error may concern a specification, which is not among the paths of cassettes.
    let looked = paths.contains(where: error.file.hasPrefix) ? paths : [error.file]
    let command = "mockserver check \(Printable.escaped(looked.joined(separator: " ")))"
    return CommandError(.badCassette, "\(error)", hint: "To list all problems: \(command)")
  }

  /// Runs `act`, and converts an error in a cassette to a `CommandError`, which ends the command.
  package static func reading<Result>(
    _ paths: [String], _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch { throw .unreadable(error, paths: paths) }
  }

  /// Runs `act`, and converts an error in another file to a `CommandError`, which ends the command.
  package static func using<Result>(
    hint: String? = nil, _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch {
      throw CommandError(.noInput, Printable.escaped("\(error)"), hint: hint)
    }
  }
}
