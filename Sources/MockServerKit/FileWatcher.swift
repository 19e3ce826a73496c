internal import Cassettes
internal import Dispatch
internal import Sockets
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Calls back when a file in some folders changes: inotify on Linux, Dispatch's file sources on Apple platforms.
///
/// Changes that come in quick succession, as an editor makes them, are told once.
final class FileWatcher: Sendable {
  /// How long a change must have been the last one, unless changes never end.
  private static let settling = DispatchTimeInterval.milliseconds(60)

  /// How long changes may go on before they are told all the same.
  private static let patience: UInt64 = 250_000_000

  private let queue = DispatchQueue(label: "mockserver.files")
  private let watch = Mutex<Watch?>(nil)
  /// How many changes there were, and when the first came that has not been told.
  private let pending = Mutex<(count: UInt64, since: UInt64?)>((0, nil))
  private let changed: @Sendable () -> Void

  /// Watches folders with all below them, and single files; nil when the system has no means to watch left.
  ///
  /// - Parameters:
  ///   - paths: Folders and files.
  ///   - changed: Called on a queue of the watcher's own.
  init?(_ paths: [String], changed: @escaping @Sendable () -> Void) {
    self.changed = changed
    guard let first = Watch(paths, queue: queue, changed: { [weak self] in self?.noticed(paths) }) else { return nil }
    watch.withLock { $0 = first }
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
      if let next = Watch(paths, queue: queue, changed: { [weak self] in self?.noticed(paths) }) { replace(with: next) }
      changed()
    }
  }

  /// Whether a change is to be told: it was the last for a while, or the first is long ago.
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
  private func replace(with next: Watch) {
    let unused = watch.withLock { watch in
      guard let old = watch else { return next }
      watch = next
      return old
    }
    unused.cancel()
  }
}

/// The system's side of a watch.
///
/// `@unchecked Sendable`: Dispatch sources may be cancelled from anywhere, which their protocol does not say.
private final class Watch: @unchecked Sendable {
  private let sources: [any DispatchSourceProtocol]

  func cancel() { for source in sources { source.cancel() } }

  private static func folders(of paths: [String]) -> [String] {
    paths.flatMap { path -> [String] in
      guard Folder.resolvedKind(of: path) == .folder else { return [path] }
      return [path] + Folder.folders(in: path).map { Folder.join(path, $0) }
    }
  }

  #if os(Linux)
    init?(_ paths: [String], queue: DispatchQueue, changed: @escaping () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB)
      for path in Self.folders(of: paths) {
        // An editor that replaces a file is seen in its folder, not in the file.
        let isFile = Folder.resolvedKind(of: path) == .file
        let folder = isFile ? Folder.parent(of: path) : path
        _ = inotify_add_watch(descriptor, folder, events)
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
          // What changed does not matter: everything is looked at again, and files that are the same are not read.
          while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        changed()
      }
      source.setCancelHandler { Platform.close(descriptor) }
      source.activate()
      sources = [source]
    }
  #else
    init?(_ paths: [String], queue: DispatchQueue, changed: @escaping () -> Void) {
      let files = paths.flatMap { path in Folder.files(in: path).files.map { Folder.join(path, $0) } }
      sources = (Self.folders(of: paths) + files).compactMap { path in
        let descriptor = open(path, O_EVTONLY)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .attrib], queue: queue)
        source.setEventHandler { changed() }
        source.setCancelHandler { Platform.close(descriptor) }
        source.activate()
        return source
      }
    }
  #endif
}
