import CassetteFormats
import CassetteMaintenance
internal import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `import`, which converts recordings of other tools to cassettes.
enum Import {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard let into = invocation.text(Manual.into) else {
      throw .usage(
        "import needs --into DIR", of: invocation.command,
        hint:
          "For instance: mockserver import \(invocation.operands.first.map(ShellWord.path) ?? "FILE") --into cassettes")
    }
    let files = try Paths.resolve(invocation.operands, hint: "")
    let keepsSecrets = invocation.has(Manual.keepSecrets)
    guard !keepsSecrets || !invocation.has(Manual.redact) && !invocation.has(Manual.keep) else {
      throw .usage("--keep-secrets cannot be combined with --redact or --keep", of: invocation.command)
    }
    var transaction = ImportTransaction(into: into, redaction: keepsSecrets ? nil : try invocation.redaction())
    transaction.replaces = invocation.has(Manual.replace)
    transaction.hasTemplates = invocation.has(Manual.templates)
    let signals = StopSignals(areHeld: false)
    signals.explainForcedExit("mockserver: stopped: nothing was imported\n")
    transaction.willWrite = {
      signals.hold()
      signals.explainForcedExit("mockserver: stopped immediately: the cassettes written before stay\n")
    }
    let now = CurrentWork()
    let line = ProgressLine { now.text }
    defer { line.end() }
    transaction.progress = { now.text = "reading \($0.file), \(counted($0.read, "recording"))" }
    let reports: [ImportTransaction.Report]
    do {
      reports = try transaction.run(files, as: invocation.choice(Manual.from))
    } catch {
      throw refused(error)
    }
    line.end()
    Console.output.write(summary(reports, width: Console.output.width, style: Console.output.style))
    if reports.contains(where: { $0.cassette != nil }) {
      let isWhole = reports.allSatisfy { $0.skipped.isEmpty && $0.warnings.isEmpty && $0.leftOut == 0 }
      return isWhole ? .success : .found
    }
    throw CommandError(
      .badCassette, "no recording could be imported", hint: "The lines above give the reason for each recording.")
  }

  /// Returns the table of imported files, followed by lists of skipped, redacted, omitted and converted parts.
  static func summary(_ reports: [ImportTransaction.Report], width: Int?, style: MockServerConsole.Style) -> String {
    var table = Table(columns: [
      Table.Column("FILE", gives: true), Table.Column("FORMAT"), Table.Column("IMPORTED", isNumber: true),
      Table.Column("SKIPPED", isNumber: true), Table.Column("LEFT OUT", isNumber: true), Table.Column("CASSETTE"),
    ])
    for report in reports {
      let cells = [
        report.file, report.format.name, "\(report.imported)", "\(report.skipped.count)",
        "\(report.leftOut)", report.cassette ?? "nothing to import",
      ]
      table.rows.append(cells.map(Printable.escaped))
    }
    var text = table.text(width: width, style: style)
    for report in reports {
      for skip in report.skipped {
        text += Printable.escaped("\(skip.file):\(skip.line): skipped \(skip.item): \(skip.reason)") + "\n"
      }
      for (place, warning) in report.warnings {
        text += Printable.escaped("\(place.file):\(place.line): warning: \(warning)") + "\n"
      }
      for taken in report.taken {
        let times = taken.count == 1 ? "" : " (\(taken.count) different values, first occurrence)"
        let what =
          "\(taken.place.file):\(taken.place.line): removed: \(taken.isGuess ? "possible " : "")\(taken.kind)\(times)"
        text += Printable.escaped(what) + "\n"
      }
      for left in report.left {
        let word = left.isLeftOut ? "left out" : "note"
        let times = left.count == 1 ? "" : " (\(counted(left.count, "time")), first occurrence)"
        text += Printable.escaped("\(left.file):\(left.line): \(word): \(left.what)\(times)") + "\n"
      }
    }
    return text
  }

  private static func refused(_ failure: ImportTransaction.Failure) -> CommandError {
    switch failure {
    case .refused(let error):
      return CommandError(
        .badCassette, "nothing was imported: \(Printable.escaped("\(error)"))",
        hint: error.suggestion == nil ? "For the supported formats, see: mockserver help import" : nil)
    case .exists(let path):
      return CommandError(
        .usage, "nothing was imported: \(Printable.escaped(path)) already exists",
        hint: "Add --replace to replace it.")
    }
  }
}
