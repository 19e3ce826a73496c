internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Calls a closure when files in watched folders change: inotify on Linux, Dispatch's file sources on Apple platforms.
///
/// Changes in quick succession, as editors make them, are reported once.
final class FileWatcher: Sendable {
  /// The time without further changes after which changes are reported.
  private static let settling = DispatchTimeInterval.milliseconds(60)

  /// The maximum delay of a report in nanoseconds, if changes continue.
  private static let patience: UInt64 = 250_000_000

  private let queue = DispatchQueue(label: "mockserver.files")
  private let watch = Locked<FileWatch?>(nil)
  /// The number of changes, and the time of the first unreported one.
  private let pending = Locked<(count: UInt64, since: UInt64?)>((0, nil))
  private let changed: @Sendable (@escaping FileActivity.Lookup) -> Bool
  private let writers = FileWriters(patience: FileWatch.patience)

  /// Watches folders recursively, and single files; returns nil if the system cannot create another watch.
  ///
  /// - `changed`: Called on the watcher's queue with a function that returns a file's activity; if it returns false, it
  ///   is called again shortly.
  init?(_ paths: [String], changed: @escaping @Sendable (@escaping FileActivity.Lookup) -> Bool) {
    self.changed = changed
    guard let first = makeWatch(paths) else { return nil }
    watch.withLock { $0 = first }
  }

  private func makeWatch(_ paths: [String]) -> FileWatch? {
    FileWatch(paths, queue: queue, writers) { [weak self] in self?.noticed(paths) }
  }

  /// Stops watching.
  func stop() { watch.withLock { $0.take() }?.cancel() }

  deinit { watch.withLock { $0.take() }?.cancel() }

  private func noticed(_ paths: [String]) {
    let number = pending.withLock { pending in
      pending.count += 1
      if pending.since == nil { pending.since = DispatchTime.now().uptimeNanoseconds }
      return pending.count
    }
    queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in
      guard let self, isDue(number), watch.withLock({ $0 != nil }) else { return }
      // Folders may have been added or removed: the new watch starts before the files are read, so that no change is
      // missed.
      if let next = makeWatch(paths) { replace(with: next) }
      let isSettled = changed { [self] path in
        watch.withLock { $0 }?.drain()
        return writers.activity(of: path)
      }
      if !isSettled { noticed(paths) }
    }
  }

  /// Returns true if changes are due for a report: the last one is old enough, or the first has waited too long.
  private func isDue(_ number: UInt64) -> Bool {
    pending.withLock { pending in
      guard let since = pending.since else { return false }
      guard pending.count == number || DispatchTime.now().uptimeNanoseconds - since >= Self.patience else {
        return false
      }
      pending.since = nil
      return true
    }
  }

  /// Replaces the watch, unless the watcher has been stopped meanwhile.
  private func replace(with next: FileWatch) {
    // The pending events of the old watch must not be lost.
    watch.withLock { $0 }?.drain()
    let unused = watch.withLock { watch in
      guard let old = watch else { return next }
      watch = next
      return old
    }
    unused.cancel()
  }
}
