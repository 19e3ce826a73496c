package import CassetteHTTP
package import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes
internal import Dispatch
internal import MockServerSockets

/// Keeps what the loops of one server carry to and from upstream: first in the journal, at the end in the cassette.
///
/// Loops hand it what is finished, have it settled at the end of their turn, and are told when it is written: one write
/// serves all exchanges that finished meanwhile, and so does one wait for the disk. What is long a queue settles.
package final class Recorder: Sendable {
  /// The result of keeping an exchange.
  package enum Outcome: Sendable {
    /// It is written, and on the disk too where the durability asks for that.
    case kept
    /// It never will be, for what it is; others will.
    case refused
    /// The disk does not take it, and will not take others either.
    case failed
  }

  package let settings: RecordingSettings
  /// Rewrites links to upstream.
  package let origins: OriginRewriter
  /// Knows the addresses of origins.
  package let resolvers: Resolvers
  let recording: Recording
  private let file: RecordingFile
  private let number: Int
  let known: RecordingForecast
  let journal: Locked<RecordingJournal>
  let pending = Locked(Pending())
  let queue = DispatchQueue(label: "mockserver.recorder", qos: .userInitiated)
  /// Scans long exchanges.
  let scans = DispatchQueue(label: "mockserver.recorder.scans", qos: .userInitiated)
  /// A journal's copy that scans.
  let blank: RecordingJournal
  let disk: RecorderDisk
  let say: @Sendable (String) -> Void
  private let heard = Locked(HeardCredentials())

  /// Opens the journal; nothing is written to the cassette before ``save()``.
  ///
  /// - Parameters:
  ///   - settings: Whom to ask, and what to record into.
  ///   - cassette: What was recorded before.
  ///   - say: Hears in words of what is left out, and of origins that are not reached.
  /// - Throws: When another process records into the cassette, or what the system said.
  package init(
    _ settings: RecordingSettings, into cassette: Cassette, say: @escaping @Sendable (String) -> Void
  ) throws(CassetteError) {
    self.settings = settings
    self.say = say
    resolvers = Resolvers(asking: settings.lookUp)
    origins = OriginRewriter(origins: settings.upstream.map { [RecordedTarget.canonicalOrigin($0.description)] } ?? [])
    recording = Recording(into: cassette, mode: settings.mode, redaction: settings.redaction)
    // What is on the disk at the end is what is merged into.
    file = try RecordingFile(path: settings.cassette, hasJournal: true)
    if settings.keepsFailures { file.keepFailures() }
    if settings.renewsDates { file.renewDates() }
    number = file.begin(recording)
    known = RecordingForecast(of: cassette)
    let journal = try RecordingJournal(
      beside: settings.cassette, redaction: settings.redaction, adds: settings.mode == .recordMissing)
    let writer = journal.writer
    disk = RecorderDisk(settings.durability, say: say) { bytes throws(CassetteError) in
      try writer.write(bytes)
    } synchronise: { () throws(CassetteError) in
      try writer.synchronise()
    }
    self.journal = Locked(journal)
    blank = journal
  }

  /// The progress of the recording.
  package var progress: RecordingProgress { pending.withLock { $0.progress } }

  /// Takes in a field that is for this server alone: what is secret in it is so wherever else it stands.
  package func learn(_ field: HTTPHeaders.Field) { heard.withLock { $0.add(field) } }

  func learnHeard(_ journal: inout RecordingJournal) {
    for field in heard.withLock({ $0.takeNew() }) { journal.learn(field) }
  }

  /// The journal, with all that was heard.
  var informed: RecordingJournal {
    journal.withLock { journal in
      learnHeard(&journal)
      return journal
    }
  }

  /// The secrets known by now.
  package var secrets: StreamedRedaction { informed.secrets }

  /// Says something without secrets, from the recorder's queue.
  private func sayMasked(_ text: String) {
    later {
      var secrets = self.secrets
      self.say(Printable.escaped(secrets.masking(text)))
    }
  }

  /// Notes that a request is sent.
  package func begin(_ request: HTTPRequest, to origin: UpstreamOrigin) -> Recording.Token {
    recording.begin(request, origin: origin.description)
  }

  /// Passes a request through without recording it or its answer.
  ///
  /// The first request for each protocol and origin is reported.
  package func passThrough(_ token: Recording.Token, _ protocols: String, to origin: UpstreamOrigin) {
    let shown = recording.begun(token)?.shown ?? "a request"
    recording.forget(token)
    guard pending.withLock({ $0.passedThrough.insert("\(origin) \(protocols)").inserted }) else { return }
    sayMasked("not recorded: \(shown) asks for \(protocols): such connections are passed through to \(origin)")
  }

  /// Skips an exchange whose answer may not be the origin's.
  package func leaveOut(_ token: Recording.Token, because reason: String) {
    recording.abandon(token)
    refuse(token, reason) { _ in }
  }

  /// Notes that upstream did not answer: nothing was exchanged, nothing is kept.
  ///
  /// The reason is said once, until there is another.
  package func noteFailure(_ failure: UpstreamFailure, of origin: UpstreamOrigin) {
    let isNew = pending.withLock { pending in
      // One that is recorded is an exchange like others.
      if failure.recorded == nil { pending.progress.failed += 1 }
      defer { pending.lastFailure = failure.message }
      return pending.lastFailure != failure.message
    }
    if isNew { say("\(origin) gave no answer: \(failure.message)") }
  }

  /// Keeps an exchange.
  ///
  /// - Parameters:
  ///   - token: What `begin` gave.
  ///   - capture: The answer.
  ///   - breaksOff: Whether the origin broke off before its end.
  ///   - longBody: Where its body lies, if it is too long for the memory.
  ///   - then: Called from another thread once it is settled.
  package func keep(
    _ token: Recording.Token, _ capture: inout ResponseCapture, breaksOff: Bool, longBody: RecordedLongBody?,
    then: @escaping @Sendable (Outcome) -> Void
  ) {
    guard token.hasURL else { return refuseWithoutURL(token, then) }
    let facts = capture.facts(at: Platform.wallNanoseconds())
    guard let response = capture.response(breaksOff: breaksOff) else {
      return refuse(token, capture.loss ?? "there was no answer", then)
    }
    if breaksOff, let begun = recording.begun(token) {
      sayMasked("\(begun.shown): the origin broke off; it is recorded as far as it came")
    }
    if let reason = recording.finish(token, response, recorded: facts), !settings.redaction.keepsOpaque {
      recording.abandon(token)
      return refuse(token, "\(reason); \(OpaqueBody.remedy)", then)
    }
    enqueue(Job(token: token, bytes: capture.bytes, longBody: longBody, then: then))
  }

  private func refuseWithoutURL(_ token: Recording.Token, _ then: @Sendable (Outcome) -> Void) {
    recording.abandon(token)
    refuse(token, "it asks about the server, and no recording is of that (RFC 9110 §9.3.7)", then)
  }

  private func refuse(_ token: Recording.Token, _ reason: String, _ then: @Sendable (Outcome) -> Void) {
    pending.withLock { $0.progress.refused += 1 }
    sayMasked("not recorded: \(recording.begun(token)?.shown ?? "an answer"): \(reason)")
    then(.refused)
  }

  /// Keeps that an origin was asked and gave no answer.
  package func keep(
    _ token: Recording.Token, _ failure: RecordedFailure, _ capture: ResponseCapture,
    then: @escaping @Sendable (Outcome) -> Void
  ) {
    guard token.hasURL else { return refuseWithoutURL(token, then) }
    recording.finish(token, failure, recorded: capture.facts(at: Platform.wallNanoseconds()))
    enqueue(Job(token: token, bytes: 0, longBody: nil, then: then))
  }

  /// Removes the journal; the cassette stays as it was.
  package func discard() {
    // Nothing may be written, or waited for, once the journal is closed.
    finishSettling()
    journal.withLock { $0.remove() }
  }

  /// Merges what was recorded into the cassette, and removes the journal once it is written.
  ///
  /// - Parameter played: Ids of recordings that answered requests.
  /// - Returns: What is different in the cassette, and how many exchanges had not come to their end.
  /// - Throws: What the system said, or that the cassette no longer reads; the journal stays then.
  package func save(played: Set<String>) throws(CassetteError) -> (changes: Recording.Changes, unfinished: Int) {
    finishSettling()
    var outcome = RecordingFile.Outcome()
    let journal = informed
    outcome.played = played
    do throws(CassetteError) {
      outcome.journaled = try journal.content(of: recording.released)
      _ = try file.save(number, outcome, prunes: settings.prunes && isComplete) { bytes throws(CassetteError) in
        try journal.noteFolded(into: bytes)
      }
    } catch {
      journal.close()
      throw error
    }
    journal.remove()
    return (file.total, recording.unfinished)
  }

  /// True if every request had an answer that could be kept: only then it is known what was not asked for.
  private var isComplete: Bool {
    (progress.failed, progress.refused, recording.unfinished) == (0, 0, 0) && !recording.hasFailures
  }
}
