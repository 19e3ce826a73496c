/// The findings of a command, case by case, written for CI, for editors, for people or for programs.
package struct FindingsReport: Sendable {
  /// The gravity of a finding; the names are those of SARIF.
  package enum Severity: String, Sendable {
    case error
    case warning
    case note
  }

  /// A problem at a place.
  package struct Finding: Hashable, Sendable {
    package var severity: Severity
    /// The kind, in a word that stays the same: `secret`, `unused`.
    package var rule: String
    package var message: String
    package var file: String
    /// The line, counted from one; 0 for the file as a whole.
    package var line: Int
    package var column: Int

    package init(
      _ severity: Severity, rule: String, _ message: String, file: String, line: Int = 0, column: Int = 0
    ) {
      (self.severity, self.rule, self.message) = (severity, rule, message)
      (self.file, self.line, self.column) = (file, line, column)
    }
  }

  /// One thing that was looked at: a file, or a request.
  package struct Case: Hashable, Sendable {
    package var group: String
    package var name: String
    package var findings: [Finding]
    /// True when it was not looked at; its findings say why.
    package var isSkipped = false

    package init(group: String, name: String, findings: [Finding] = []) {
      (self.group, self.name, self.findings) = (group, name, findings)
    }
  }

  /// The forms a report is written in.
  package enum Format: String, CaseIterable, Sendable {
    case junit
    case sarif
    case markdown
    case json
  }

  /// The command: `check`, `scan`, `contract`.
  package var name: String
  package var cases: [Case] = []

  package init(name: String) { self.name = name }

  /// All findings, case by case.
  package var findings: [Finding] { cases.flatMap(\.findings) }

  package func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }

  /// The report as text.
  package func text(as format: Format) -> String {
    switch format {
    case .junit: junit
    case .sarif: sarif
    case .markdown: markdown
    case .json: json
    }
  }
}
