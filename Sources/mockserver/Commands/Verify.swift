internal import CassetteMaintenance
import CassetteMatching
internal import CassetteOpenAPI
import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import Dispatch
import MockServerConsole
internal import MockServerUpstream

/// The command `verify`, which repeats recorded requests and reports the differences from the recordings.
enum Verify {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if invocation.has(Manual.openAPI), !invocation.has(Manual.live) { return try VerifyContract.run(invocation) }
    let settings = try VerifySettings(invocation)
    let reports = try Reports(invocation)
    let paths = try Paths.resolve(
      invocation.operands, hint: "Name the cassettes to verify: mockserver verify --live CASSETTE")
    if settings.accepts { try Record.recover(JournalName.found(in: paths)) }
    let cassettes = try cassettes(in: paths, settings)
    let now = CurrentWork()
    let line = ProgressLine { now.text }
    defer { line.end() }
    var run = VerifyRun(settings: settings, origins: OriginAsking(settings, now))
    var report = VerifyReport()
    for cassette in cassettes {
      if cassettes.count > 1, !settings.printsJSON {
        Console.output.write(Console.output.style.bold(Printable.escaped(cassette.file ?? cassette.name)) + "\n")
      }
      report.append(try run.verify(cassette))
    }
    line.end()
    try reports.write(report.findings, hiding: settings.hiding)
    if settings.printsJSON { Console.output.write(settings.hiding(report.json)) }
    Console.error.write(report.summary)
    return report.exitCode
  }

  /// Returns the cassettes to verify.
  static func cassettes(in paths: [String], _ settings: VerifySettings) throws(CommandError) -> [Cassette] {
    let cassettes = try CommandError.reading(paths) { () throws(CassetteError) in
      try CassetteLibrary.load(paths).cassettes
    }
    guard !cassettes.isEmpty else {
      throw CommandError(.noInput, "no cassettes found in \(paths.joined(separator: " "))")
    }
    // Numbers of secrets are local to a cassette. The secret of one cassette must not be sent to the origin of another.
    guard settings.choice.secrets.isEmpty || cassettes.count == 1 else {
      let live = settings.command.name == .verify ? " --live" : ""
      throw .usage(
        "--secret requires a single cassette, and there are \(cassettes.count)", of: settings.command,
        hint: "Name the cassette: mockserver \(settings.command.name.rawValue)\(live) "
          + "\(cassettes[0].file.map(ShellWord.path) ?? "FILE") --secret 1")
    }
    let known = Set(cassettes.flatMap(\.interactions).map(\.id))
    for id in settings.choice.ids.sorted() where !known.contains(id) {
      let near = nearest(to: id, among: known.sorted()).map { "Did you mean \($0)?" }
      throw CommandError(.usage, "no recording has the id \"\(id)\"", hint: near ?? "See: mockserver list")
    }
    return cassettes
  }

  /// The run over all cassettes, with its connections.
  private struct VerifyRun {
    let settings: VerifySettings
    var origins: OriginAsking

    /// Repeats the requests of a cassette, and saves the differences if they are accepted.
    mutating func verify(_ cassette: Cassette) throws(CommandError) -> [VerifyReport.Row] {
      let verification = Verification(of: cassette, settings.choice)
      let secrets = settings.choice.secrets.values
      var acceptance = Acceptance(into: cassette, redaction: settings.redaction, secrets: secrets)
      var rows: [VerifyReport.Row] = []
      var accepted: [Int] = []
      for (number, question) in verification.questions.enumerated() {
        var row = VerifyReport.Row(cassette, question.recordings)
        switch try origins.ask(number, of: verification, in: cassette) {
        case .failure(let failure):
          row.result = .unanswered
          row.reason = "\(question.origin) did not respond: \(failure)"
        case .success(let answer):
          do throws(CassetteError) {
            let verdict = try verification.verdict(
              on: answer.response, to: question, isWhole: !answer.isStream, ignoring: settings.ignored)
            row.choose(verdict.recording, in: cassette)
            row.differences = verdict.differences
            row.result = verdict.isTrue ? .true : .untrue
            row.hold(answer, to: settings.contracts, question)
            if settings.accepts, !verdict.differences.isEmpty {
              row.reason =
                answer.isStream
                ? "streams cannot be accepted; record it again"
                : acceptance.take(answer.response, answer.facts, to: question.request, for: verdict.recording)
              if row.reason == nil { accepted.append(rows.count) }
            }
          } catch {
            row.result = .skipped
            row.reason = "\(error)"
          }
        }
        rows.append(row)
        // Accepted differences are reported after they are written.
        if !settings.printsJSON, !settings.accepts { say(row) }
      }
      if !acceptance.isEmpty {
        let changes = try write(acceptance, to: cassette)
        for index in accepted { rows[index].isAccepted = true }
        if !settings.printsJSON { rows.forEach(say) }
        ProgressLine.interrupt(
          with: settings.hiding(Printable.escaped("mockserver: \(cassette.file ?? cassette.name): \(changes)")) + "\n")
      } else if settings.accepts, !settings.printsJSON {
        rows.forEach(say)
      }
      for omission in verification.omissions {
        var row = VerifyReport.Row(cassette, [omission.recording])
        row.result = .skipped
        row.reason = omission.reason
        rows.append(row)
        if !settings.printsJSON { say(row) }
      }
      return rows
    }

    private func say(_ row: VerifyReport.Row) {
      ProgressLine.interrupt(with: "")
      Console.output.write(settings.hiding(row.text(Console.output.style)))
    }

    private func write(_ acceptance: Acceptance, to cassette: Cassette) throws(CommandError) -> Recording.Changes {
      do throws(CassetteError) {
        let (merged, changes) = try acceptance.merged()
        if let file = cassette.file, !changes.isEmpty { try CassetteFile.write(merged, to: file) }
        return changes
      } catch {
        throw CommandError(
          .badCassette, "nothing was accepted: \(error)",
          hint: "Remove the value with --redact, or keep it with --keep: mockserver help verify")
      }
    }
  }
}

/// The command `verify --openapi`, which checks recordings against a specification without contacting a server.
enum VerifyContract {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(
      invocation.operands, hint: "Name the recordings to verify: mockserver verify --openapi SPEC CASSETTE")
    let reports = try Reports(invocation)
    var checks: [ContractCheck] = []
    for path in invocation.texts(Manual.openAPI) { checks.append(ContractCheck(try document(path))) }
    var report = ContractReport(checks.map(\.document))
    var skipped: [String] = []
    for (file, isNamed) in Paths.files(in: paths) {
      let isKnown = try Generate.recordings(of: file, isNamed: isNamed) {
        (interaction, line, _) throws(CassetteError) in
        let exchange = try ContractExchange(interaction)
        let results = checks.lazy.map { $0.check(exchange) }
        guard let result = results.first(where: { $0.operation != nil }) ?? results.first else { return }
        report.append(
          ContractReport.Row(
            file: file, line: line, id: interaction.id, request: "\(exchange.method) \(exchange.target)", result: result
          ))
      } orThrow: {
        CommandError(.noInput, Printable.escaped("\($0)"))
      }
      if !isKnown { skipped.append(file) }
    }
    guard !report.rows.isEmpty else {
      throw CommandError(.noInput, "no recordings found in \(paths.joined(separator: " "))")
    }
    try reports.write(report.findings)
    Console.output.write(invocation.has(Manual.jsonReport) ? report.json : text(of: report))
    for file in skipped {
      Console.error.write("mockserver: \(Printable.escaped(file)) is not a recording and is skipped\n")
    }
    let covered = report.coverage.filter(\.isCovered).count
    Console.error.write(
      "mockserver: \(counted(report.rows.count, "exchange")): \(counted(report.count(.error), "error")), "
        + "\(counted(report.count(.warning), "warning")); \(covered) of "
        + "\(counted(report.coverage.count, "operation")) covered\n")
    return report.count(.error) == 0 ? .success : .found
  }

  static func document(_ path: String) throws(CommandError) -> OpenAPIDocument {
    do {
      return try SpecificationFile(path).document
    } catch {
      throw CommandError(error.line == 0 ? .noInput : .badCassette, "\(error)")
    }
  }

  private static func text(of report: ContractReport) -> String {
    var text = ""
    for row in report.rows {
      for finding in row.result.findings {
        let severity = finding.severity.rawValue
        let shown = finding.severity == .error ? Console.output.style.red(severity) : severity
        let words = Printable.escaped("\(row.request): \(finding.place): \(finding.words)")
        text += "\(Printable.escaped(row.file)):\(row.line): \(shown): \(words)\n"
      }
    }
    return text
  }
}

extension ContractReport {
  /// The findings as a report with one test case for each exchange.
  fileprivate var findings: FindingsReport {
    var report = FindingsReport(name: "contract")
    report.cases = rows.map { row in
      FindingsReport.Case(
        group: row.result.operation?.name ?? "no operation", name: "\(row.request) (\(row.file):\(row.line))",
        findings: row.result.findings.map { finding in
          FindingsReport.Finding(
            finding.severity == .error ? .error : .warning,
            rule: finding.rule ?? finding.place.split(separator: " ").first.map(String.init) ?? "contract",
            "\(row.request): \(finding.place): \(finding.words)", file: row.file, line: row.line)
        })
    }
    return report
  }
}

/// The settings of `verify` and `refresh`.
struct VerifySettings {
  var choice = Verification.Choice()
  var ignored = IgnoredPlaces()
  var redaction = CassetteRedaction.standard
  var accepts = false
  var printsJSON = false
  var pause = 0.0
  var silence = 30.0
  /// The specifications that responses are checked against.
  var contracts: [ContractCheck] = []
  /// The command to which the settings belong, `verify` or `refresh`.
  let command: Command
  /// Returns the function that creates TLS channels.
  ///
  /// Called when the first channel is needed.
  var security: () throws(CommandError) -> UpstreamCaller.Security

  init(_ invocation: Invocation, environment: (String) -> String? = environment) throws(CommandError) {
    command = invocation.command
    guard command.name != .verify || invocation.has(Manual.live) else {
      let path = ShellWord.path(invocation.operands.first ?? "cassettes")
      throw .usage(
        "verify needs --live, which sends requests to the live server, or --openapi, which validates against a document",
        of: command,
        hint:
          "To compare with the live server: mockserver verify --live \(path)\nTo validate against a document: "
          + "mockserver verify --openapi SPEC \(path)\nTo check the file only: mockserver check \(path)"
      )
    }
    security = { () throws(CommandError) in try Record.secure(invocation) }
    accepts = command.name == .verify && invocation.has(Manual.accept)
    printsJSON = invocation.has(Manual.jsonReport)
    redaction = try invocation.redaction()
    if let seconds = invocation.seconds(Manual.pause) { pause = seconds }
    if let seconds = invocation.seconds(Manual.patience) { silence = seconds }
    choice.methods = Set(invocation.texts(Manual.methods).map { $0.uppercased() })
    choice.ids = Set(invocation.texts(Manual.ids))
    if let text = invocation.text(Manual.origin) {
      guard !accepts else {
        throw .usage(
          "--accept saves responses of the cassette's own origin only, not of --origin", of: command,
          hint: "To record another server: mockserver record --upstream \(ShellWord.quoted(text)) --cassette FILE")
      }
      choice.origin = try Record.origin(text, of: Manual.origin, command).description
    }
    for text in invocation.texts(Manual.also) {
      choice.others.insert(try Record.origin(text, of: Manual.also, command).description)
    }
    if let text = invocation.text(Manual.refreshUpstream), command.name == .refresh {
      choice.origin = try Record.origin(text, of: Manual.refreshUpstream, command).description
    }
    for place in invocation.texts(Manual.ignore) where !ignored.insert(place) {
      throw .usage("--ignore must be a path such as $.items[*].id, or header:NAME, not \"\(place)\"", of: command)
    }
    choice.secrets = try invocation.secrets(environment)
    for path in invocation.texts(Manual.openAPI) {
      contracts.append(ContractCheck(try VerifyContract.document(path)))
    }
    guard !invocation.has(Manual.report) else {
      throw .usage("--report and --live cannot be combined; use --json with --live", of: command)
    }
  }

  /// Returns a string without the given secrets, which an origin may repeat in its response.
  func hiding(_ text: String) -> String { StandIns.hiding(text, choice.secrets) }
}

/// The description of the current work, which the command writes and the progress line reads.
final class CurrentWork: Sendable {
  private let state = Locked<String?>(nil)

  var text: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue.map(Printable.escaped) } }
  }
}
