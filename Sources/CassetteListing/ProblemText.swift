package import Cassettes
package import MockServerConsole

/// Problems as compilers print them, so that editors and CI find the place.
package enum ProblemText {
  package static func line(_ problem: CassetteError, _ style: Style) -> String {
    let severity = problem.severity == .error ? style.red("error:") : style.yellow("warning:")
    let suggestion = problem.suggestion.map { ", \($0)" } ?? ""
    let place = "\(problem.file):\(max(1, problem.line)):\(max(1, problem.column))"
    // The colours are ours; everything else comes from files.
    return "\(Printable.escaped(place)): \(severity) \(Printable.escaped(problem.message + suggestion))\n"
  }

  /// The last line: how much was wrong, or what is fine.
  package static func summary(errors: Int, warnings: Int, served: String?) -> String {
    let served = served.map { "\($0): " } ?? ""
    guard errors + warnings > 0 else { return "mockserver: \(served)no problems\n" }
    let counts = [errors > 0 ? counted(errors, "error") : nil, warnings > 0 ? counted(warnings, "warning") : nil]
    return "mockserver: \(served)\(series(counts.compactMap(\.self), "and"))\n"
  }
}

extension CommandError {
  /// A cassette that cannot be played.
  package static func unreadable(_ error: CassetteError, paths: [String]) -> CommandError {
    // A specification is no part of the paths of cassettes.
    let looked = paths.contains(where: error.file.hasPrefix) ? paths : [error.file]
    let command = "mockserver check \(Printable.escaped(looked.joined(separator: " ")))"
    return CommandError(.badCassette, "\(error)", hint: "See everything that is wrong: \(command)")
  }

  /// Does what may fail for what is in cassettes, which ends the command then.
  package static func reading<Result>(
    _ paths: [String], _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch { throw .unreadable(error, paths: paths) }
  }

  /// Does what may fail for a file that is no cassette, which ends the command then.
  package static func using<Result>(
    hint: String? = nil, _ act: () throws(CassetteError) -> Result
  ) throws(CommandError) -> Result {
    do throws(CassetteError) { return try act() } catch {
      throw CommandError(.noInput, Printable.escaped("\(error)"), hint: hint)
    }
  }
}
