package import CassetteRecording
internal import CassetteSystem
package import Cassettes
internal import Dispatch

/// A long body on its way to the journal.
///
/// An event loop receives the body. A separate queue scans and writes it, so that other exchanges do not wait.
package final class RecordedLongBody: LongBody, Sendable {
  /// The number of unwritten bytes at which reading from the origin pauses.
  private static let most = 4 << 20
  /// The number of bytes in each part that is passed to the queue.
  private static let part = 256 << 10

  private struct State: Sendable {
    /// The head of the response; nil once the file of the body has been created.
    var head: RecordedResponse?
    var isAbandoned = false
    var waiting: [[UInt8]] = []
    var count = 0
    /// A closure that is called when more data can be accepted.
    var resume: (@Sendable () -> Void)?
  }

  private let recorder: Recorder
  private let token: Recording.Token
  private let state = Locked(State())
  private let queue: DispatchQueue
  /// The body in the journal; only the queue uses it.
  private let body = Locked<JournalBody?>(nil)

  package init(_ recorder: Recorder, _ token: Recording.Token) {
    self.recorder = recorder
    self.token = token
    queue = DispatchQueue(label: "mockserver.recorder.body", target: recorder.scans)
  }

  package func begin(_ response: RecordedResponse) { state.withLock { $0.head = response } }

  package func append(_ bytes: [UInt8]) {
    let isDue = state.withLock { state in
      state.waiting.append(bytes)
      let before = state.count
      state.count += bytes.count
      return before / Self.part != state.count / Self.part
    }
    if isDue { later { self.drain() } }
  }

  package func abandon() {
    state.withLock { state in
      state.waiting = []
      state.count = 0
      state.isAbandoned = true
    }
    later { self.drain() }
  }

  private func later(_ act: @escaping @Sendable () -> Void) { queue.async(group: recorder.scanning, execute: act) }

  /// Writes the remaining data, and calls a closure with the completed body, or nil if it was not kept.
  func finish(_ then: @escaping @Sendable (Body?) -> Void) {
    later {
      self.drain()
      then(self.body.withLock { self.recorder.finish(&$0) })
    }
  }

  package var isFull: Bool { state.withLock { $0.count > Self.most } }

  /// Calls a closure when more data can be accepted, which may be immediately.
  package func whenDrained(_ resume: @escaping @Sendable () -> Void) {
    let isFull = state.withLock { state in
      guard state.count > Self.most else { return false }
      state.resume = resume
      return true
    }
    if !isFull { resume() }
  }

  /// Writes the waiting data, on the queue.
  private func drain() {
    let (head, isAbandoned) = state.withLock { ($0.head.take(), $0.isAbandoned) }
    if isAbandoned { return body.withLock { $0.take()?.remove() } ?? () }
    if let head { body.withLock { $0 = recorder.beginBody(token, head) } }
    while true {
      let (bytes, resume) = state.withLock { state in
        guard let bytes = state.waiting.first else { return ([UInt8](), (@Sendable () -> Void)?.none) }
        state.waiting.removeFirst()
        state.count -= bytes.count
        guard state.count <= Self.most / 2 else { return (bytes, nil) }
        return (bytes, state.resume.take())
      }
      resume?()
      guard !bytes.isEmpty else { return }
      body.withLock { recorder.append(bytes, to: &$0) }
    }
  }
}
