/// The findings of a command, grouped into cases, for CI systems, editors, readers and programs.
package struct FindingsReport: Sendable {
  /// The severity of a finding; the raw values are those of SARIF.
  package enum Severity: String, Sendable {
    case error
    case warning
    case note
  }

  /// A problem at a location.
  package struct Finding: Hashable, Sendable {
    package var severity: Severity
    /// A stable name for the kind of finding: `secret`, `unused`.
    package var rule: String
    package var message: String
    package var file: String
    /// The line, counted from 1; 0 for the file as a whole.
    package var line: Int
    package var column: Int

    package init(
      _ severity: Severity, rule: String, _ message: String, file: String, line: Int = 0, column: Int = 0
    ) {
      (self.severity, self.rule, self.message) = (severity, rule, message)
      (self.file, self.line, self.column) = (file, line, column)
    }
  }

  /// A checked item: a file or a request.
  package struct Case: Hashable, Sendable {
    package var group: String
    package var name: String
    package var findings: [Finding]
    /// True if the item was not checked; its findings contain the reason.
    package var isSkipped = false

    package init(group: String, name: String, findings: [Finding] = []) {
      (self.group, self.name, self.findings) = (group, name, findings)
    }
  }

  /// The format of a report.
  package enum Format: String, CaseIterable, Sendable {
    case junit
    case sarif
    case markdown
    case json
  }

  /// The name of the command: `check`, `scan`, `contract`.
  package var name: String
  package var cases: [Case] = []

  package init(name: String) { self.name = name }

  /// All findings, in the order of the cases.
  package var findings: [Finding] { cases.flatMap(\.findings) }

  package func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }

  /// Returns the report in a format.
  package func text(as format: Format) -> String {
    switch format {
    case .junit: junit
    case .sarif: sarif
    case .markdown: markdown
    case .json: json
    }
  }
}
