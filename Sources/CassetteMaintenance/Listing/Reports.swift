import Cassettes
package import MockServerConsole

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reports that `--report` requests.
package struct Reports {
  private var wanted: [(format: FindingsReport.Format, file: String)] = []

  /// Parses options such as `--report junit=FILE`.
  package init(_ invocation: Invocation) throws(CommandError) {
    for text in invocation.texts(Manual.report) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let format = FindingsReport.Format(rawValue: parts[0]) else {
        let names = series(FindingsReport.Format.allCases.map { "\($0.rawValue)=FILE" }, "or")
        throw .usage("--report must be \(names), not \"\(text)\"", of: invocation.command)
      }
      wanted.append((format, parts[1]))
    }
  }

  package var isEmpty: Bool { wanted.isEmpty }

  /// Writes a report in each requested format.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - hiding: Removes confidential text from the output. Default: no change.
  /// - Throws: An error if a file cannot be written.
  package func write(_ report: FindingsReport, hiding: (String) -> String = { $0 }) throws(CommandError) {
    for (format, file) in wanted {
      try Paths.write(Array(hiding(report.text(as: format)).utf8), to: file)
    }
  }
}

extension FindingsReport {
  /// Creates a report about problems in cassettes, with a case for each file.
  init(name: String, files: [String], problems: [CassetteError], rule: String = "cassette") {
    self.init(name: name)
    var names = files
    for problem in problems where !names.contains(problem.file) { names.append(problem.file) }
    let byFile = Dictionary(grouping: problems, by: \.file)
    cases = names.map { file in
      Case(
        group: name, name: file,
        findings: (byFile[file] ?? []).map { problem in
          Finding(
            problem.severity == .error ? .error : .warning, rule: rule,
            problem.message + (problem.suggestion.map { ", \($0)" } ?? ""), file: file, line: problem.line,
            column: problem.column)
        })
    }
  }
}
