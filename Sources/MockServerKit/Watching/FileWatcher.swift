internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Calls back when a file in some folders changes: inotify on Linux, Dispatch's file sources on Apple platforms.
///
/// Changes that come in quick succession, as an editor makes them, are told once.
final class FileWatcher: Sendable {
  /// The time that a change must have been the last one, unless changes never end.
  private static let settling = DispatchTimeInterval.milliseconds(60)

  /// The time that changes may go on before they are told all the same.
  private static let patience: UInt64 = 250_000_000

  private let queue = DispatchQueue(label: "mockserver.files")
  private let watch = Locked<FileWatch?>(nil)
  /// The number of changes, and the time of the first one that has not been told.
  private let pending = Locked<(count: UInt64, since: UInt64?)>((0, nil))
  private let changed: @Sendable (@escaping FileActivity.Lookup) -> Bool
  private let writers = FileWriters(patience: FileWatch.patience)

  /// Watches folders with all below them, and single files; nil when the system has no means to watch left.
  ///
  /// - Parameters:
  ///   - paths: Folders and files.
  ///   - changed: Called on a queue of the watcher's own, with what tells of a file whether it is being written to; false
  ///     has it called once more in a moment.
  init?(_ paths: [String], changed: @escaping @Sendable (@escaping FileActivity.Lookup) -> Bool) {
    self.changed = changed
    guard let first = makeWatch(paths) else { return nil }
    watch.withLock { $0 = first }
  }

  private func makeWatch(_ paths: [String]) -> FileWatch? {
    FileWatch(paths, queue: queue, writers) { [weak self] in self?.noticed(paths) }
  }

  /// Ends the watch.
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
      // Folders may have come and gone: watch what is there now, before looking, so that nothing falls between.
      if let next = makeWatch(paths) { replace(with: next) }
      let isSettled = changed { [self] path in
        watch.withLock { $0 }?.drain()
        return writers.activity(of: path)
      }
      if !isSettled { noticed(paths) }
    }
  }

  /// Tells whether a change is to be told: it was the last for a while, or the first is long ago.
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

  /// Puts a new watch in the place of the old one, unless the watch has ended meanwhile.
  private func replace(with next: FileWatch) {
    // What the old one has heard and nobody read is not to be lost with it.
    watch.withLock { $0 }?.drain()
    let unused = watch.withLock { watch in
      guard let old = watch else { return next }
      watch = next
      return old
    }
    unused.cancel()
  }
}
