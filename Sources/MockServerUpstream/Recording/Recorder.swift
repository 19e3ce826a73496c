package import CassetteHTTP
package import CassetteRecording
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes
internal import Dispatch
internal import MockServerSockets

/// The recorder of the exchanges between a server's clients and upstream, first to the journal and finally to the
/// cassette.
///
/// Loops add completed exchanges, and are notified once they are written. A queue processes them; all exchanges completed
/// in the meantime share one write and one synchronization of the disk.
package final class Recorder: Sendable {
  /// The result of recording an exchange.
  package enum Outcome: Sendable {
    /// The exchange is written, and also synchronized to the disk if the durability requires it.
    case kept
    /// The exchange cannot be recorded.
    ///
    /// Others still can.
    case refused
    /// The disk refuses to store this exchange and all later ones.
    case failed
  }

  package let settings: RecordingSettings
  /// The rule that rewrites links to upstream.
  package let origins: OriginRewriter
  /// The resolvers of the origins' addresses.
  package let resolvers: Resolvers
  let recording: Recording
  private let file: RecordingFile
  private let number: Int
  let known: RecordingForecast
  let journal: Locked<RecordingJournal>
  let pending = Locked(Pending())
  let queue = DispatchQueue(label: "mockserver.recorder", qos: .userInitiated)
  /// The queue that scans long exchanges for secrets, several at a time.
  let scans = DispatchQueue(label: "mockserver.recorder.scans", qos: .userInitiated, attributes: .concurrent)
  /// The scans that are not finished.
  let scanning = DispatchGroup()
  /// A copy of the journal for checks.
  let blank: RecordingJournal
  /// Scans exchanges; its results for repeated fields and bodies are reused.
  let scanner: Locked<RedactionPass>
  let disk: RecorderDisk
  let say: @Sendable (String) -> Void
  private let heard = Locked(HeardCredentials())

  /// Opens the journal.
  ///
  /// The cassette is not changed before ``save()``.
  package init(
    _ settings: RecordingSettings, into cassette: Cassette, say: @escaping @Sendable (String) -> Void
  ) throws(CassetteError) {
    self.settings = settings
    self.say = say
    resolvers = Resolvers(asking: settings.lookUp)
    origins = OriginRewriter(origins: settings.upstream.map { [RecordedTarget.canonicalOrigin($0.description)] } ?? [])
    recording = Recording(into: cassette, mode: settings.mode, redaction: settings.redaction)
    // The recording is merged into the file as it exists at the end.
    _ = try RecordingJournal.recover(beside: settings.cassette)
    file = try RecordingFile(path: settings.cassette)
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
    scanner = Locked(RedactionPass(settings.redaction))
  }

  /// The progress of the recording.
  package var progress: RecordingProgress { pending.withLock { $0.progress } }

  /// Records a field that is not passed on.
  ///
  /// Secrets in its value are redacted wherever they occur in the recording.
  package func learn(_ field: HTTPHeaders.Field) { heard.withLock { $0.add(field) } }

  func learnHeard(_ journal: inout RecordingJournal) {
    for field in heard.withLock({ $0.takeNew() }) { journal.learn(field) }
  }

  /// A copy of the journal that knows all received credentials.
  var informed: RecordingJournal {
    journal.withLock { journal in
      learnHeard(&journal)
      return journal
    }
  }

  /// Changes the journal by a function that may take long: a copy is changed, so that nothing waits for the function.
  ///
  /// If other exchanges change the journal in the meantime, the function is called again, and finally under the lock.
  func changing<T: Sendable, E: Error>(_ change: (inout RecordingJournal) throws(E) -> T) throws(E) -> T {
    for _ in 0..<4 {
      var copy = informed
      let stamp = copy.stamp
      let result = try change(&copy)
      if journal.withLock({ $0.takeOver(&copy, from: stamp) }) { return result }
    }
    return try journal.withLock { journal throws(E) in try change(&journal) }
  }

  /// The redaction with all secrets known so far.
  package var secrets: RedactionPass { informed.pass }

  /// Prints a message with secrets masked, from the recorder's queue.
  private func sayMasked(_ text: String) {
    later {
      var secrets = self.secrets
      self.say(Printable.escaped(secrets.masking(text)))
    }
  }

  /// Starts the recording of a request that is being sent.
  package func begin(_ request: HTTPRequest, to origin: UpstreamOrigin) -> Recording.Token {
    recording.begin(request, origin: origin.description)
  }

  /// Passes a request through without recording the request or its response.
  ///
  /// The first request for each protocol and origin is reported.
  package func passThrough(_ token: Recording.Token, _ protocols: String, to origin: UpstreamOrigin) {
    let shown = recording.begun(token)?.shown ?? "a request"
    recording.forget(token)
    guard pending.withLock({ $0.passedThrough.insert("\(origin) \(protocols)").inserted }) else { return }
    sayMasked("not recorded: \(shown) requests an upgrade to \(protocols), which is passed on to \(origin)")
  }

  /// Skips an exchange whose response may not come from the origin.
  package func leaveOut(_ token: Recording.Token, because reason: String) {
    recording.abandon(token)
    refuse(token, reason) { _ in }
  }

  /// Counts and reports a request that got no response from upstream, and records nothing.
  ///
  /// The same reason is reported only once in a row.
  package func noteFailure(_ failure: UpstreamFailure, of origin: UpstreamOrigin) {
    let isNew = pending.withLock { pending in
      // A recorded failure counts as an exchange.
      if failure.recorded == nil { pending.progress.failed += 1 }
      defer { pending.lastFailure = failure.message }
      return pending.lastFailure != failure.message
    }
    if isNew { say("\(origin) gave no answer: \(failure.message)") }
  }

  /// Records an exchange.
  ///
  /// - `breaksOff`: True if the origin closed the connection before the end of the response.
  /// - `longBody`: The body if it is too long for memory, otherwise nil.
  package func keep(
    _ token: Recording.Token, _ capture: inout ResponseCapture, breaksOff: Bool, longBody: RecordedLongBody?,
    then: @escaping @Sendable (Outcome) -> Void
  ) {
    guard token.hasURL else { return refuseWithoutURL(token, then) }
    let facts = capture.facts(at: Platform.wallNanoseconds())
    guard let response = capture.response(breaksOff: breaksOff) else {
      return refuse(token, capture.loss ?? "there was no response", then)
    }
    if breaksOff, let begun = recording.begun(token) {
      sayMasked("\(begun.shown): the origin aborted the response; the received part is recorded")
    }
    if let reason = recording.finish(token, response, recorded: facts), !settings.redaction.keepsOpaque {
      recording.abandon(token)
      return refuse(token, "\(reason); \(OpaqueBody.remedy)", then)
    }
    enqueue(Job(token: token, bytes: capture.bytes, longBody: longBody, then: then))
  }

  private func refuseWithoutURL(_ token: Recording.Token, _ then: @Sendable (Outcome) -> Void) {
    recording.abandon(token)
    refuse(token, "it is about the server itself, which is not recorded (RFC 9110 §9.3.7)", then)
  }

  private func refuse(_ token: Recording.Token, _ reason: String, _ then: @Sendable (Outcome) -> Void) {
    pending.withLock { $0.progress.refused += 1 }
    sayMasked("not recorded: \(recording.begun(token)?.shown ?? "an answer"): \(reason)")
    then(.refused)
  }

  /// Records that an origin sent no response to a request.
  package func keep(
    _ token: Recording.Token, _ failure: RecordedFailure, _ capture: ResponseCapture,
    then: @escaping @Sendable (Outcome) -> Void
  ) {
    guard token.hasURL else { return refuseWithoutURL(token, then) }
    recording.finish(token, failure, recorded: capture.facts(at: Platform.wallNanoseconds()))
    enqueue(Job(token: token, bytes: 0, longBody: nil, then: then))
  }

  /// Removes the journal.
  ///
  /// The cassette is unchanged.
  package func discard() {
    // Nothing may be written or synchronized once the journal is closed.
    finishSettling()
    journal.withLock { $0.remove() }
  }

  /// Merges the recording into the cassette, and removes the journal after the cassette is written.
  ///
  /// Throws an error if a file operation fails or the cassette is no longer valid. The journal is kept in that case.
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

  /// True if every request got a response that could be recorded.
  ///
  /// Otherwise unused recordings cannot be identified.
  private var isComplete: Bool {
    (progress.failed, progress.refused, recording.unfinished) == (0, 0, 0) && !recording.hasFailures
  }

  /// Returns strings with their secrets masked.
  ///
  /// - `request`: The request that the strings refer to; nil if it is recorded, because its secrets are already known
  ///   then.
  package func masking(_ texts: [String], about request: HTTPRequest?) -> [String] {
    var secrets = self.secrets
    if let request { try? secrets.collect(Interaction(shown: request)) }
    return texts.map { secrets.masking($0) }
  }

  /// A recorded exchange in the form in which it will be saved.
  package struct Kept: Sendable {
    /// The index of the exchange in the recording.
    package let number: Int
    /// The exchange without secrets.
    package fileprivate(set) var interaction: Interaction
    /// True if the cassette does not contain this exchange, or contains a different one.
    package let isNew: Bool
  }

  /// The most recently recorded exchanges, the oldest first.
  package var lastKept: [Kept] {
    var kept = pending.withLock { $0.kept }
    let shown = informed.folding(kept.map(\.interaction))
    for (index, interaction) in zip(kept.indices, shown) { kept[index].interaction = interaction }
    return kept
  }
}

/// The credentials that were received and not recorded, and those of them that the journal must still learn.
struct HeardCredentials: Sendable {
  private var seen: Set<String> = []
  private var new: [HTTPHeaders.Field] = []

  mutating func add(_ field: HTTPHeaders.Field) {
    // The set is limited to bound memory. Values removed from it are reported to the journal again.
    if seen.count >= 1_000 { seen = [] }
    if seen.insert(field.value).inserted { new.append(field) }
  }

  /// Returns the credentials that the journal does not know yet, and removes them.
  mutating func takeNew() -> [HTTPHeaders.Field] {
    defer { new = [] }
    return new
  }
}

extension Interaction {
  /// Creates an interaction for a request that is displayed and not kept.
  ///
  /// Its response is a placeholder.
  package init(shown request: HTTPRequest, _ body: [UInt8]? = nil) {
    var request = request
    if let body { request.body = body }
    // Secrets in an encoded body could be found only if the request names the coding.
    request = request.contentDecoded ?? request
    self.init(
      method: request.method, url: request.target.text, requestHeaders: request.headers,
      requestBody: request.body.isEmpty ? nil : .storing(request.body),
      outcome: .response(RecordedResponse(status: 200)))
  }
}
