internal import CassetteRecording
internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Settling exchanges that have come to their end: they are redacted, written, and told of.
extension Recorder {
  /// An exchange that has come to its end.
  struct Job: Sendable {
    let token: Recording.Token
    let bytes: Int
    let longBody: RecordedLongBody?
    let then: @Sendable (Outcome) -> Void
  }

  /// The exchanges that wait, and who settles them.
  struct Pending: Sendable {
    var jobs: [Job] = []
    /// True if somebody settles them, and those that come meanwhile.
    var isWorking = false
    /// The number of things that the queue has to do; it settles what comes meanwhile, so that no loop waits for it.
    var queued = 0
    var progress = RecordingProgress()
    var lastFailure: String?
    /// The origins and protocols of requests that were passed through.
    var passedThrough: Set<String> = []
    /// The last that were kept, as the journal has them.
    var kept: [Kept] = []
  }

  /// The most bytes of an answer that a loop looks through itself.
  private static let mostAtOnce = 128 << 10
  /// The number of batches that a loop settles in a row: what comes meanwhile is of other loops.
  private static let mostBatches = 4
  /// The number of exchanges that are in memory, to be reported, when the journal has them.
  private static let mostTold = 200

  /// Hands an exchange in, to be settled by ``settle()``; what takes long the queue does at once.
  func enqueue(_ job: Job) {
    if job.longBody == nil, job.bytes <= Self.mostAtOnce {
      pending.withLock { $0.jobs.append(job) }
    } else {
      later { self.settle([job]) }
    }
  }

  /// Does something on the recorder's queue.
  func later(_ act: @escaping @Sendable () -> Void) {
    pending.withLock { $0.queued += 1 }
    queue.async {
      act()
      self.pending.withLock { $0.queued -= 1 }
      self.work(onQueue: true)
    }
  }

  /// Settles what was handed in, on the thread that asks, unless another is about it, which then does this too.
  ///
  /// A loop calls it when it has looked at all that was ready.
  package func settle() { work(onQueue: false) }

  /// True if something was handed in that nobody settles.
  package var hasUnsettled: Bool { pending.withLock { !$0.jobs.isEmpty && !$0.isWorking && $0.queued == 0 } }

  private func work(onQueue: Bool) {
    var batches = 0
    while true {
      let isGoingOn = batches > 0
      let jobs = pending.withLock { pending in
        guard isGoingOn || !pending.isWorking && (onQueue || pending.queued == 0) else { return [Job]() }
        defer { pending.jobs = [] }
        pending.isWorking = !pending.jobs.isEmpty
        return pending.jobs
      }
      if jobs.isEmpty { return }
      settle(jobs)
      batches += 1
      guard batches == Self.mostBatches, !onQueue else { continue }
      pending.withLock { $0.isWorking = false }
      return later {}
    }
  }

  /// Settles all that was handed in, and waits until it is on the disk.
  func finishSettling() {
    repeat { queue.sync { work(onQueue: true) } } while pending.withLock { $0.isWorking || !$0.jobs.isEmpty }
    disk.finish()
  }

  private func settle(_ jobs: [Job]) {
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(jobs.count)
    var gained = RecordingProgress()
    // Parts of long bodies that wait come first, or their ends would be missing.
    for job in jobs { job.longBody?.drain() }
    var bytes = journal.withLock { journal in
      learnHeard(&journal)
      for job in jobs {
        outcomes.append(append(job, to: &journal, &gained))
      }
      return journal.takePending()
    }
    pending.withLock { pending in
      pending.progress.exchanges += gained.exchanges
      pending.progress.bytes += gained.bytes
      pending.progress.new += gained.new
      pending.progress.unchanged += gained.unchanged
      pending.progress.refused += gained.refused
    }
    disk.write(bytes) { [outcomes] isKept in
      for (job, outcome) in zip(jobs, outcomes) {
        if outcome == .kept {
          if isKept { self.recording.release(job.token) } else { self.recording.abandon(job.token) }
        }
        job.then(isKept ? outcome : .failed)
      }
    }
    if settings.durability == .process { journal.withLock { $0.recycle(&bytes) } }
  }

  private func append(_ job: Job, to journal: inout RecordingJournal, _ gained: inout RecordingProgress) -> Outcome {
    do throws(CassetteError) {
      if job.longBody != nil {
        guard let body = try journal.endBody(job.token.number) else {
          recording.abandon(job.token)
          return .failed
        }
        recording.attach(body, to: job.token)
      }
      guard let (interaction, number) = recording.finished(job.token) else { return .refused }
      let before = journal.tokens.count
      let journaled = try journal.append(interaction, number: number)
      if journal.tokens.count > before {
        var secrets = journal.secrets
        say(
          secrets.masking("\(interaction.shown): a value")
            + " that looks like a token was taken out; if it is none, let it pass with --keep value:TEXT")
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
      var secrets = journal.secrets
      let shown = recording.begun(job.token).map { "\($0.shown): " } ?? ""
      say("not recorded: \(secrets.masking(Printable.escaped(shown) + error.message))")
      return .refused
    }
  }
}
