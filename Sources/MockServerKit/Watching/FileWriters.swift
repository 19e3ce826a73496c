internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// The files with an unfinished write, according to the events of a watch.
final class FileWriters: Sendable {
  private struct State {
    /// The time of the last write to each file.
    var written: [String: UInt64] = [:]
    /// The number of changes of each file.
    var changes: [String: UInt64] = [:]
    /// The number of times that events were lost.
    var losses: UInt64 = 0
  }

  /// The nanoseconds without changes after which a write counts as complete if no event has reported its end.
  private let patience: UInt64
  /// The nanoseconds that must have passed since a file's last modification.
  ///
  /// A file is empty before the system reports its truncation, and some platforms do not report the closing of a file.
  private static let settling: UInt64 = 100_000_000
  /// The maximum number of files that are tracked.
  private static let most = 10_000

  private let state = Locked(State())

  init(patience: UInt64) { self.patience = patience }

  /// Records a change of a file.
  func note(_ path: String, isWritten: Bool) {
    let now = DispatchTime.now().uptimeNanoseconds
    state.withLock { state in
      if state.changes.count >= Self.most {
        state.changes = [:]
        state.losses += 1
      }
      state.changes[path, default: 0] += 1
      state.written[path] = isWritten ? now : nil
    }
  }

  /// Records that events were lost, so that any file may have changed.
  func noteAll() {
    state.withLock { state in
      state.written = [:]
      state.losses += 1
    }
  }

  /// Returns the activity of a file.
  func activity(of path: String) -> FileActivity {
    let isYoung = Folder.age(of: path) < Self.settling
    let now = DispatchTime.now().uptimeNanoseconds
    return state.withLock { state in
      let isWritten = state.written[path].map { now - min(now, $0) < patience } ?? false
      return FileActivity(isWritten: isYoung || isWritten, changes: state.losses << 32 + (state.changes[path] ?? 0))
    }
  }
}
