internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// The writer of redacted exchanges.
///
/// By default the calling thread writes, which preserves the data if the process ends, and the disk is synchronized in
/// the background. If the data must survive a loss of power, a queue writes and synchronizes before it reports
/// completion, once for all batches that arrived in the meantime.
final class RecorderDisk: Sendable {
  private struct Batch: Sendable {
    let bytes: [UInt8]
    let then: @Sendable (_ isKept: Bool) -> Void
  }

  private struct Waiting: Sendable {
    var batches: [Batch] = []
    var isWorking = false
  }

  /// The maximum time between writing data and synchronizing the disk.
  private static let delay = DispatchTimeInterval.milliseconds(100)

  private let append: @Sendable ([UInt8]) throws(CassetteError) -> Void
  private let wait: @Sendable () throws(CassetteError) -> Void
  private let durability: RecordingSettings.Durability
  private let say: @Sendable (String) -> Void
  /// True if written data has not been synchronized yet.
  private let isScheduled = Locked(false)
  private let queue = DispatchQueue(label: "mockserver.recorder.disk", qos: .userInitiated)
  private let waiting = Locked(Waiting())
  /// The lock that is held while a batch is written.
  private let turn = Locked(())

  /// Creates a writer.
  ///
  /// - `durability`: The failure that written data must survive.
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

  /// Writes bytes in the order of the calls.
  ///
  /// - `then`: A closure that is called with the result: on the queue if the durability requires synchronization,
  ///   otherwise before this function returns.
  func write(_ bytes: [UInt8], then: @escaping @Sendable (_ isKept: Bool) -> Void) {
    if durability == .process { return then(turn.withLock { _ in isKept(bytes) }) }
    let begins = waiting.withLock { waiting in
      waiting.batches.append(Batch(bytes: bytes, then: then))
      defer { waiting.isWorking = true }
      return !waiting.isWorking
    }
    if begins { queue.async { self.work() } }
  }

  /// Waits until all data written so far is on the disk.
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
