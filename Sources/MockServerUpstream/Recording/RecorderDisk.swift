internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Writes what the recorder has redacted.
///
/// The caller's thread writes, which survives the process at once; the disk is waited for in the background. Where a loss
/// of power counts, a queue writes and waits before anybody is told: once for all batches that came meanwhile.
final class RecorderDisk: Sendable {
  private struct Batch: Sendable {
    let bytes: [UInt8]
    let then: @Sendable (_ isKept: Bool) -> Void
  }

  private struct Waiting: Sendable {
    var batches: [Batch] = []
    var isWorking = false
  }

  /// The most time that written bytes wait for the disk.
  private static let delay = DispatchTimeInterval.milliseconds(100)

  private let append: @Sendable ([UInt8]) throws(CassetteError) -> Void
  private let wait: @Sendable () throws(CassetteError) -> Void
  private let durability: RecordingSettings.Durability
  private let say: @Sendable (String) -> Void
  /// True if something was written that the disk has not been waited for.
  private let isScheduled = Locked(false)
  private let queue = DispatchQueue(label: "mockserver.recorder.disk", qos: .userInitiated)
  private let waiting = Locked(Waiting())
  /// Held while a batch is written.
  private let turn = Locked(())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - durability: What is waited for before anybody is told.
  ///   - say: Takes the words for what the system refused.
  ///   - append: Writes bytes behind what was written before.
  ///   - wait: Returns when all that was written is on the disk.
  init(
    _ durability: RecordingSettings.Durability, say: @escaping @Sendable (String) -> Void,
    append: @escaping @Sendable ([UInt8]) throws(CassetteError) -> Void,
    synchronise wait: @escaping @Sendable () throws(CassetteError) -> Void
  ) {
    self.durability = durability
    self.say = say
    self.append = append
    self.wait = wait
  }

  /// Writes bytes, in the order of the calls.
  ///
  /// - Parameters:
  ///   - bytes: Whole frames.
  ///   - then: Called once they are kept, as the durability says, or never will be; from the queue if it waits.
  func write(_ bytes: [UInt8], then: @escaping @Sendable (_ isKept: Bool) -> Void) {
    if durability == .process { return then(turn.withLock { _ in isKept(bytes) }) }
    let begins = waiting.withLock { waiting in
      waiting.batches.append(Batch(bytes: bytes, then: then))
      defer { waiting.isWorking = true }
      return !waiting.isWorking
    }
    if begins { queue.async { self.work() } }
  }

  /// Waits until all is on the disk that was handed in before.
  func finish() { queue.sync { synchronise() } }

  private func synchronise() {
    guard
      isScheduled.withLock({ isScheduled in
        defer { isScheduled = false }
        return isScheduled
      })
    else { return }
    do throws(CassetteError) { try wait() } catch { say("error: \(error)") }
  }

  private func synchroniseLater() {
    let begins = isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    if begins { queue.asyncAfter(deadline: .now() + Self.delay) { self.synchronise() } }
  }

  private func work() {
    while true {
      let batches = waiting.withLock { waiting in
        let batches = waiting.batches
        waiting.batches = []
        if batches.isEmpty { waiting.isWorking = false }
        return batches
      }
      if batches.isEmpty { return }
      let isKept = isKept(batches.count == 1 ? batches[0].bytes : batches.flatMap(\.bytes))
      for batch in batches { batch.then(isKept) }
    }
  }

  private func isKept(_ bytes: [UInt8]) -> Bool {
    do throws(CassetteError) {
      try append(bytes)
      if durability == .power { try wait() } else { synchroniseLater() }
      return true
    } catch {
      say("error: \(error)")
      return false
    }
  }
}
