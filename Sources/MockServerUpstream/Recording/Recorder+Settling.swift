internal import CassetteHTTP
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// The processing of completed exchanges: they are redacted, written and reported.
extension Recorder {
  /// A completed exchange.
  struct Job: Sendable {
    let token: Recording.Token
    let bytes: Int
    let longBody: RecordedLongBody?
    /// The long body once it is complete.
    var body: Body?
    /// The redacted exchange, or the reason why it is not recorded, if another thread redacted it.
    var draft: Result<RecordingJournal.Draft, CassetteError>?
    let then: @Sendable (Outcome) -> Void
  }

  /// The exchanges to be processed, and the state of their processing.
  struct Pending: Sendable {
    var jobs: [Job] = []
    /// True if the queue is processing exchanges, or will begin to; then a further exchange needs no new task.
    var isScheduled = false
    var progress = RecordingProgress()
    var lastFailure: String?
    /// The origins and protocols of requests that were passed through unrecorded.
    var passedThrough: Set<String> = []
    /// The most recently recorded exchanges, as written to the journal.
    var kept: [Kept] = []
  }

  /// The maximum size of an exchange that is scanned on the recorder's queue, in bytes: the scan takes less than a
  /// millisecond.
  private static let mostAtOnce = 4 << 10
  /// The number of recorded exchanges that are kept in memory for the report.
  private static let mostTold = 200

  /// Lets the recorder's queue process an exchange: a search for secrets is too slow for a loop.
  ///
  /// A long exchange is scanned and checked on a separate queue, so that other exchanges do not wait for it.
  func enqueue(_ job: Job) {
    if let longBody = job.longBody {
      return longBody.finish { body in
        var job = job
        job.body = body
        self.later { [job] in self.settle([job]) }
      }
    }
    guard let (interaction, _) = recording.finished(job.token), Self.isLong(interaction) else {
      let isFirst = pending.withLock { pending in
        pending.jobs.append(job)
        defer { pending.isScheduled = true }
        return !pending.isScheduled
      }
      if isFirst { later { self.work() } }
      return
    }
    scans.async(group: scanning) {
      var job = job
      var scanner = RedactionPass(self.settings.redaction)
      job.draft = self.redacting(interaction, &scanner) { change throws(CassetteError) in try self.changing(change) }
      self.later { [job] in self.settle([job]) }
    }
  }

  /// Redacts and checks an exchange.
  ///
  /// Neither the scan nor the check uses the journal's lock.
  private func redacting(
    _ interaction: Interaction, _ scanner: inout RedactionPass,
    _ change: ((inout RecordingJournal) throws(CassetteError) -> RecordingJournal.Draft) throws(CassetteError) ->
      RecordingJournal.Draft
  ) -> Result<RecordingJournal.Draft, CassetteError> {
    do throws(CassetteError) {
      // A body in the journal was redacted while it was received.
      var scanned = interaction
      if scanned.responseBody?.isInJournal == true { scanned.responseBody = nil }
      let readings = try scanner.scan(scanned)
      let draft = try change { journal throws(CassetteError) in
        try journal.redacting(interaction, readings: readings)
      }
      return .success(try blank.checked(draft))
    } catch { return .failure(error) }
  }

  /// Returns true if an exchange is too long to be scanned on the recorder's queue.
  private static func isLong(_ interaction: Interaction) -> Bool {
    var count = interaction.url.utf8.count
    func add(_ headers: HTTPHeaders, _ body: Body?) {
      for field in headers { count += field.name.utf8.count + field.value.utf8.count }
      switch body?.form {
      case nil, .file: break
      case .chunks(let chunks, _): for chunk in chunks { count += chunk.bytes.count }
      case .json, .text, .base64: count += (try? body?.bytes().count) ?? 0
      }
    }
    add(interaction.requestHeaders, interaction.requestBody)
    if let response = interaction.response {
      add(response.headers, response.body)
      add(response.trailers, nil)
    }
    return count > mostAtOnce
  }

  /// Executes a closure on the recorder's queue.
  func later(_ act: @escaping @Sendable () -> Void) { queue.async { act() } }

  /// Processes exchanges until none are waiting.
  private func work() {
    while true {
      let jobs = pending.withLock { pending in
        defer { pending.jobs = [] }
        pending.isScheduled = !pending.jobs.isEmpty
        return pending.jobs
      }
      if jobs.isEmpty { return }
      settle(jobs)
    }
  }

  /// Processes all added exchanges, and waits until they are on the disk.
  func finishSettling() {
    scanning.wait()
    queue.sync { work() }
    disk.finish()
  }

  private func settle(_ jobs: [Job]) {
    var gained = RecordingProgress()
    var drafts: [(draft: RecordingJournal.Draft, number: Int)] = []
    let outcomes = jobs.map { outcome(of: $0, &drafts, &gained) }
    var bytes = journal.withLock { journal in
      for (draft, number) in drafts { journal.append(draft, number: number) }
      return journal.takePending()
    }
    disk.write(bytes) { [gained] isKept in
      self.pending.withLock { pending in
        pending.progress.refused += gained.refused + (isKept ? 0 : gained.exchanges)
        guard isKept else { return }
        pending.progress.exchanges += gained.exchanges
        pending.progress.bytes += gained.bytes
        pending.progress.new += gained.new
        pending.progress.unchanged += gained.unchanged
      }
      for (job, outcome) in zip(jobs, outcomes) {
        if outcome == .kept {
          if isKept { self.recording.release(job.token) } else { self.recording.abandon(job.token) }
        }
        job.then(isKept ? outcome : .failed)
      }
    }
    if settings.durability == .process { journal.withLock { $0.recycle(&bytes) } }
  }

  private func outcome(
    of job: Job, _ drafts: inout [(draft: RecordingJournal.Draft, number: Int)], _ gained: inout RecordingProgress
  ) -> Outcome {
    do throws(CassetteError) {
      if job.longBody != nil {
        guard let body = job.body else {
          recording.abandon(job.token)
          gained.refused += 1
          return .failed
        }
        recording.attach(body, to: job.token)
      }
      guard let (interaction, number) = recording.finished(job.token) else { return .refused }
      // Other threads never wait for this lock, because only this queue uses the shared scanner.
      let made =
        job.draft
        ?? scanner.withLock { scanner in
          redacting(interaction, &scanner) { change throws(CassetteError) in
            try journal.withLock { journal throws(CassetteError) in
              learnHeard(&journal)
              return try change(&journal)
            }
          }
        }
      let draft = try made.get()
      drafts.append((draft, number))
      let journaled = draft.interaction
      if draft.hasToken {
        var secrets = self.secrets
        say(
          secrets.masking("\(interaction.shown): a value")
            + " that looks like a token was redacted; if it is not a secret, keep it with --keep value:TEXT")
      }
      for warning in draft.warnings {
        var secrets = self.secrets
        say(secrets.masking("\(interaction.shown): \(warning)"))
      }
      if draft.isGivenUp {
        var secrets = self.secrets
        say(secrets.masking("\(interaction.shown): \(RedactionPass.givenUp)"))
      }
      gained.exchanges += 1
      gained.bytes += job.bytes
      let isNew = !known.isUnchanged(journaled)
      if isNew { gained.new += 1 } else { gained.unchanged += 1 }
      pending.withLock { pending in
        pending.kept.append(Kept(number: number, interaction: journaled, isNew: isNew))
        if pending.kept.count > 2 * Self.mostTold { pending.kept.removeFirst(Self.mostTold) }
      }
      return .kept
    } catch {
      recording.abandon(job.token)
      gained.refused += 1
      var secrets = self.secrets
      let shown = recording.begun(job.token).map { "\($0.shown): " } ?? ""
      say("not recorded: \(secrets.masking(Printable.escaped(shown) + error.message))")
      return .refused
    }
  }

  // MARK: Bodies that are too long for memory, and are written to disk as they arrive

  /// Begins a long body; returns nil if that failed.
  func beginBody(_ token: Recording.Token, _ response: RecordedResponse) -> JournalBody? {
    guard var interaction = recording.begun(token) else { return nil }
    interaction.outcome = .response(response)
    return complaining { () throws(CassetteError) in
      try journal.withLock { journal throws(CassetteError) in
        try journal.beginBody(of: interaction, number: token.number)
      }
    }
  }

  /// Appends bytes to a long body, which becomes nil if that failed.
  func append(_ bytes: [UInt8], to body: inout JournalBody?) {
    body =
      complaining { () throws(CassetteError) in
        try body?.append(bytes) { use in changing { use(&$0.pass) } }
        return body
      } ?? nil
  }

  /// Completes a long body.
  func finish(_ body: inout JournalBody?) -> Body? {
    complaining { () throws(CassetteError) in
      try body?.finish { use in changing { use(&$0.pass) } }
    } ?? nil
  }

  private func complaining<T>(_ act: () throws(CassetteError) -> T) -> T? {
    do throws(CassetteError) { return try act() } catch {
      say("error: \(error)")
      return nil
    }
  }
}
