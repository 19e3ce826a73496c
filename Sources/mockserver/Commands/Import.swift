import CassetteFormats
import CassetteMaintenance
internal import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `import`, which converts recordings of other tools to cassettes, either all of them or none.
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
    let signals = StopSignals()
    transaction.isStopped = { [first = signals.first] in first.value != nil }
    let now = CurrentWork()
    let line = ProgressLine { now.text }
    defer { line.end() }
    transaction.progress = { now.text = text(of: $0) }
    let reports: [ImportTransaction.Report]
    do {
      reports = try transaction.run(files, as: invocation.choice(Manual.from))
    } catch {
      if case .stopped = error {
        line.end()
        Console.error.write("mockserver: stopped: nothing was imported\n")
        signals.obey()
      }
      throw refused(error)
    }
    line.end()
    Console.output.write(summary(reports, width: Console.output.width, style: Console.output.style))
    if reports.contains(where: { $0.cassette != nil }) {
      return reports.contains { !$0.skipped.isEmpty || $0.leftOut > 0 } ? .found : .success
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
      for taken in report.taken {
        let times = taken.count == 1 ? "" : " (\(taken.count) different values, first occurrence)"
        let what = "\(taken.place.file):\(taken.place.line): removed: possible \(taken.kind)\(times)"
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

  private static func text(of progress: ImportTransaction.Progress) -> String {
    let percent = progress.size > 0 ? " \(min(100, progress.bytes / max(1, progress.size / 100)))%" : ""
    let verb = progress.isWriting ? "writing" : "reading"
    return "\(verb) \(progress.file)\(percent), \(counted(progress.imported, "recording"))"
  }

  private static func refused(_ failure: ImportTransaction.Failure) -> CommandError {
    switch failure {
    case .refused(let error):
      return CommandError(
        .badCassette, "nothing was imported: \(Printable.escaped("\(error)"))",
        hint: error.suggestion == nil ? "For the supported formats, see: mockserver help import" : nil)
    case .stopped: return CommandError(.unavailable, "stopped: nothing was imported", hint: "Run the command again.")
    case .exists(let path):
      return CommandError(
        .usage, "nothing was imported: \(Printable.escaped(path)) already exists",
        hint: "Add --replace to replace it.")
    }
  }
}

/// The command `export`, which converts a cassette for other tools.
enum Export {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let path = try Paths.file(invocation.operands)
    if let output = invocation.text(Manual.output), Paths.areOne(output, path) {
      throw .usage(
        "--output \(Printable.escaped(output)) is the exported cassette itself and would overwrite it",
        of: invocation.command,
        hint: "Name another file, or omit --output to print to standard output.")
    }
    let text = try CommandError.reading([path]) { () throws(CassetteError) in
      try bytes(of: try CassetteFile.read(path: path), as: invocation.text(Manual.to) ?? "har")
    }
    if let output = invocation.text(Manual.output) {
      try Paths.write(text, to: output)
    } else {
      Console.output.write(text)
    }
    return .success
  }

  static func bytes(of cassette: Cassette, as format: String) throws(CassetteError) -> [UInt8] {
    switch format {
    case "wiremock":
      let (bytes, left) = try WireMockWriter.export(cassette)
      for left in left {
        let times = left.count == 1 ? "once" : "\(left.count) times"
        note(cassette, "not exported: \(left.what) (\(times))")
      }
      return bytes
    case "curl":
      let bytes = try CurlWriter.bytes(of: cassette)
      // A curl command sends one request, and cannot express rules.
      let count = cassette.interactions.count { !$0.match.isEmpty || !$0.replay.isEmpty }
      if count > 0 { note(cassette, "not exported: match and replay of \(count) recordings") }
      noteResources(cassette)
      return bytes
    default:
      // HAR has no templates, so other tools take them as literal text.
      let templates = cassette.interactions.count { $0.response?.isTemplate == true }
      if templates > 0 { note(cassette, "the templates of \(templates) recordings are exported as literal text") }
      noteResources(cassette)
      return try HARWriter.bytes(of: cassette, version: version)
    }
  }

  private static func noteResources(_ cassette: Cassette) {
    if !cassette.resources.isEmpty { note(cassette, "not exported: \(counted(cassette.resources.count, "resource"))") }
  }

  private static func note(_ cassette: Cassette, _ words: String) {
    Console.error.write(Printable.escaped("\(cassette.name): \(words)") + "\n")
  }
}

/// The command `scan`, which searches files for secrets, for users and pre-commit hooks.
enum Scan {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(invocation.operands, hint: "")
    let scanner = LeakScanner(try invocation.redaction())
    let reports = try Reports(invocation)
    var report = FindingsReport(name: "scan")
    var files = 0
    var (leaks, opaque) = (0, 0)
    // All files below a folder are scanned, including hidden ones such as `.env`, except for folders that tools
    // generate.
    for (file, _) in Paths.files(in: paths, skipping: [".git", ".build", "node_modules"], hidden: true) {
      files += 1
      let found = try CommandError.using { () throws(CassetteError) in try scanner.leaks(in: file) }
      leaks += found.count
      opaque += found.count(where: \.isOpaque)
      if !reports.isEmpty { report.cases.append(entry(file, found)) }
      Console.output.write(found.map { line(of: $0, Console.output.style) }.joined())
    }
    try reports.write(report)
    Console.error.write(
      "mockserver: \(leaks == 0 ? "no secrets" : counted(leaks, "finding")) in \(counted(files, "file"))\n")
    if opaque > 0 {
      Console.error.write("mockserver: --keep-opaque accepts content that cannot be searched (\(opaque))\n")
    }
    if leaks > opaque {
      Console.error.write(
        "mockserver: record or import the file again to remove a secret; --keep PLACE accepts a value that is not a "
          + "secret\n")
    }
    return leaks == 0 ? .success : .found
  }

  private static func entry(_ file: String, _ leaks: [Leak]) -> FindingsReport.Case {
    FindingsReport.Case(
      group: "scan", name: file,
      findings: leaks.map { leak in
        let rule = leak.isOpaque ? "opaque" : "secret"
        return FindingsReport.Finding(.error, rule: rule, "\(rule): \(leak.what)", file: file, line: leak.line)
      })
  }

  static func line(of leak: Leak, _ style: Style) -> String {
    "\(Printable.escaped(leak.file)):\(leak.line): \(style.red(leak.isOpaque ? "opaque:" : "secret:")) \(Printable.escaped(leak.what))\n"
  }
}
