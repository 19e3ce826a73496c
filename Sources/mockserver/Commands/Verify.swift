internal import CassetteMaintenance
import CassetteRecording
import Cassettes
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
          + "\(cassettes[0].file ?? "FILE") --secret 1")
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
