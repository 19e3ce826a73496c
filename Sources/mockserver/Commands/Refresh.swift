import CassetteHTTP
internal import CassetteMaintenance
import CassetteRecording
internal import CassetteSystem
import Cassettes
import MockServerConsole
internal import MockServerUpstream

/// The command `refresh`, which repeats recorded requests, saves the new responses and reports the differences.
enum Refresh {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let settings = try VerifySettings(invocation)
    var accepted = IgnoredPlaces()
    for place in invocation.texts(Manual.accepted) where !accepted.insert(place) {
      throw .usage(
        "--accept must be a path such as $.items[*].stars, or header:NAME, not \"\(place)\"", of: invocation.command)
    }
    let age = invocation.age(Manual.olderThanAsked).map { RecordingAge($0.seconds, $0.words, now: Timestamp.now()) }
    let paths = try Paths.resolve(
      invocation.operands, hint: "Name the cassettes to refresh: mockserver refresh CASSETTE")
    try Record.recover(JournalName.found(in: paths))
    let cassettes = try Verify.cassettes(in: paths, settings)
    let signals = StopSignals()
    signals.explainForcedExit("mockserver: stopped immediately: the current cassette is unchanged\n")
    let now = CurrentWork()
    let line = ProgressLine { now.text }
    defer { line.end() }
    var run = RefreshRun(
      settings: settings, accepted: accepted, age: age, signal: signals.first, origins: OriginAsking(settings, now))
    var report = RefreshReport()
    for cassette in cassettes { for row in try run.refresh(cassette) { report.append(row) } }
    line.end()
    let text = settings.hiding(report.markdown)
    if let file = invocation.text(Manual.intoReport) {
      try Paths.write(Array(text.utf8), to: file)
    } else {
      Console.output.write(text)
    }
    Console.error.write("mockserver: \(settings.hiding(report.summary))\n")
    if signals.first.value != nil { signals.obey() }
    if report.recordings.contains(where: \.isBroken) { return .found }
    return report.unanswered > 0 ? .unavailable : .success
  }
}

/// The run over all cassettes.
private struct RefreshRun {
  let settings: VerifySettings
  let accepted: IgnoredPlaces
  let age: RecordingAge?
  let signal: StopSignals.First
  var origins: OriginAsking

  /// A response that will replace a recorded one.
  private struct Taken {
    var row: Int
    var verdict: Verification.Verdict
    var answer: RecordedResponse
  }

  /// Repeats the requests of a cassette, and writes the cassette if a response has changed.
  mutating func refresh(_ cassette: Cassette) throws(CommandError) -> [RefreshedRecording] {
    let before = cassette.file.flatMap { try? CassetteFile.bytes(of: $0) }
    let verification = Verification(of: cassette, settings.choice)
    let secrets = settings.choice.secrets.values
    var acceptance = Acceptance(into: cassette, redaction: settings.redaction, secrets: secrets)
    var rows: [RefreshedRecording] = []
    var taken: [Taken] = []
    for (number, question) in verification.questions.enumerated() {
      let first = cassette.interactions[question.recordings[0]]
      if let reason = reason(against: question, in: cassette) {
        rows.append(row(of: question.recordings[0], in: cassette, .notAsked(reason)))
        continue
      }
      switch try origins.ask(number, of: verification, in: cassette) {
      case .failure(let failure):
        let reason = "\(question.origin) did not respond: \(failure)"
        rows.append(row(of: question.recordings[0], in: cassette, .unanswered(reason)))
      case .success(var answer):
        do throws(CassetteError) {
          answer.response = try ofOrigin(answer.response, of: first, in: cassette)
          let verdict = try verification.verdict(on: answer.response, to: question, isWhole: !answer.isStream)
          var row = row(of: verdict.recording, in: cassette, .same)
          let old = cassette.interactions[verdict.recording]
          let reason =
            Self.reason(toKeep: old, answer)
            ?? acceptance.take(
              answer.response, answer.facts, to: question.request, for: verdict.recording,
              renews: age?.isOlder(old) == true)
          if let reason {
            row.outcome = .kept(reason)
            row.shape = verdict.differences
          } else {
            taken.append(Taken(row: rows.count, verdict: verdict, answer: answer.response))
          }
          rows.append(row)
        } catch {
          rows.append(row(of: question.recordings[0], in: cassette, .kept("\(error)")))
        }
      }
    }
    take(taken, by: acceptance, into: cassette, before, &rows)
    for omission in verification.omissions {
      rows.append(row(of: omission.recording, in: cassette, .notAsked(omission.reason)))
    }
    return rows
  }

  /// Writes the cassette with the new responses and adds the result to the rows, or the reason why it is unchanged.
  private func take(
    _ taken: [Taken], by acceptance: Acceptance, into cassette: Cassette, _ before: [UInt8]?,
    _ rows: inout [RefreshedRecording]
  ) {
    do throws(CassetteError) {
      let (merged, changes) = try acceptance.merged()
      let changed = Set(changes.changed)
      for one in taken {
        let recorded = cassette.interactions[one.verdict.recording]
        guard let old = recorded.response else { continue }
        let new = merged.interactions.dropFirst(one.verdict.recording).first
        let isSame = !changed.contains(recorded.id.isEmpty ? "\(recorded.method) \(recorded.url)" : recorded.id)
        let comparison = try RefreshComparison(
          old, one.answer, isSame ? nil : new?.response, shape: one.verdict.differences, accepting: accepted)
        rows[one.row].shape = comparison.shape
        rows[one.row].values = comparison.values
        rows[one.row].noise = comparison.noise
        rows[one.row].outcome = isSame ? .same : .taken
      }
      guard let file = cassette.file, !changes.isEmpty else { return }
      // The requests take time, and changes that the user made in the meantime must not be lost.
      guard (try? CassetteFile.bytes(of: file)) == before else {
        throw CassetteError(
          file: file, message: "was changed in the meantime and is not overwritten", suggestion: "run the command again"
        )
      }
      try CassetteFile.write(merged, to: file)
    } catch {
      for one in taken { rows[one.row].outcome = .kept("no response was saved: \(error)") }
    }
  }

  /// Returns the reason not to repeat a request; nil to repeat it.
  private func reason(against question: Verification.Question, in cassette: Cassette) -> String? {
    // Responses received before the signal are still written.
    if signal.value != nil { return "a signal stopped the command" }
    let recordings = question.recordings.map { cassette.interactions[$0] }
    if recordings.contains(where: \.isTemplate) { return "its response is a template, which is written by hand" }
    if let age, !recordings.contains(where: { age.isOlder($0) ?? true }) { return "it is recent enough" }
    return nil
  }

  /// Returns the reason not to replace a recorded response; nil if it may be replaced.
  private static func reason(toKeep old: Interaction, _ answer: UpstreamCaller.Answer) -> String? {
    if answer.isStream { return "streams cannot be refreshed; record it again" }
    let status = answer.response.status.code
    guard (old.status ?? 0) < 400, status >= 400 else { return nil }
    return
      "its status changed from \(old.status ?? 0) to \(status); to accept that: mockserver verify --live --accept --id "
      + "ID FILE"
  }

  /// Returns a response whose links point to the cassette's origin instead of the contacted server.
  private func ofOrigin(
    _ answer: RecordedResponse, of interaction: Interaction, in cassette: Cassette
  ) throws(CassetteError) -> RecordedResponse {
    guard let asked = settings.choice.origin,
      let base = RecordedTarget.origin(of: interaction.url) ?? cassette.origin.map(RecordedTarget.canonicalOrigin),
      base != asked
    else { return answer }
    let rewriter = OriginRewriter(origins: [asked])
    var answer = answer
    answer.headers = HTTPHeaders(
      fields: answer.headers.map { field in
        guard let value = rewriter.rewrite(field.value, to: base) else { return field }
        return HTTPHeaders.Field(name: field.name, value: value, isLatin1: field.isLatin1)
      })
    if let body = try answer.body?.bytes(), let rewritten = rewriter.rewrite(body.span, to: base) {
      answer.body = .storing(rewritten)
    }
    return answer
  }

  private func row(
    of recording: Int, in cassette: Cassette, _ outcome: RefreshedRecording.Outcome
  ) -> RefreshedRecording {
    let interaction = cassette.interactions[recording]
    return RefreshedRecording(
      cassette: cassette.file ?? cassette.name, line: interaction.place?.line ?? 0, id: interaction.shownID,
      request: interaction.shown, outcome: outcome)
  }
}
