internal import CassetteRecording
internal import Cassettes
internal import Dispatch
internal import Synchronization

/// Writes what the recorder has redacted, while it redacts the next.
///
/// One write and one wait for the disk serve all batches that came meanwhile.
final class RecorderDisk: Sendable {
  private struct Batch: Sendable {
    let bytes: [UInt8]
    let then: @Sendable (_ isKept: Bool) -> Void
  }

  private struct Waiting: Sendable {
    var batches: [Batch] = []
    var isWorking = false
  }

  private let writer: RecordingJournal.Writer
  private let say: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "mockserver.recorder.disk", qos: .userInitiated)
  private let waiting = Mutex(Waiting())

  init(_ writer: RecordingJournal.Writer, say: @escaping @Sendable (String) -> Void) {
    self.writer = writer
    self.say = say
  }

  /// Has bytes written, in the order of the calls.
  ///
  /// - Parameters:
  ///   - bytes: Whole frames.
  ///   - then: Called from another thread once they are on the disk, or never will be.
  func write(_ bytes: [UInt8], then: @escaping @Sendable (_ isKept: Bool) -> Void) {
    let begins = waiting.withLock { waiting in
      waiting.batches.append(Batch(bytes: bytes, then: then))
      defer { waiting.isWorking = true }
      return !waiting.isWorking
    }
    if begins { queue.async { self.work() } }
  }

  /// Waits until all is written that was handed in before.
  func finish() { queue.sync {} }

  private func work() {
    while true {
      let batches = waiting.withLock { waiting in
        let batches = waiting.batches
        waiting.batches = []
        if batches.isEmpty { waiting.isWorking = false }
        return batches
      }
      if batches.isEmpty { return }
      var isKept = true
      do throws(CassetteError) {
        try writer.write(batches.count == 1 ? batches[0].bytes : batches.flatMap(\.bytes))
      } catch {
        say("error: \(error)")
        isKept = false
      }
      for batch in batches { batch.then(isKept) }
    }
  }
}
