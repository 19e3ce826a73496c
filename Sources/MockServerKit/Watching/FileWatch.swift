internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// A watch of the operating system on files and folders.
///
/// `@unchecked Sendable`: Dispatch sources may be cancelled from any thread, although their protocol is not `Sendable`.
final class FileWatch: @unchecked Sendable {
  private let sources: [any DispatchSourceProtocol]
  private let reads: () -> Void

  /// Reads pending events; must be called on the watcher's queue.
  func drain() { reads() }

  func cancel() { for source in sources { source.cancel() } }

  private static func folders(of paths: [String]) -> [String] {
    paths.flatMap { path -> [String] in
      guard Folder.resolvedKind(of: path) == .folder else { return [path] }
      return [path] + Folder.folders(in: path).map { Folder.join(path, $0) }
    }
  }

  #if os(Linux)
    /// The nanoseconds for which a writer may keep a file open without writing: inotify reports when it closes the
    /// file.
    static let patience: UInt64 = 10_000_000_000

    init?(_ paths: [String], queue: DispatchQueue, _ writers: FileWriters, changed: @escaping () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB)
      var folders: [Int32: String] = [:]
      for path in Self.folders(of: paths) {
        // When an editor replaces a file, only its folder reports the change.
        let isFile = Folder.resolvedKind(of: path) == .file
        let folder = isFile ? Folder.parent(of: path) : path
        folders[inotify_add_watch(descriptor, folder, events)] = folder
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      let names = folders
      reads = { Self.read(descriptor, names, writers) }
      source.setEventHandler {
        // The events do not identify changes to load: all files are checked, and unchanged files are not read.
        Self.read(descriptor, names, writers)
        changed()
      }
      source.setCancelHandler { systemClose(descriptor) }
      source.activate()
      sources = [source]
    }

    private static func read(_ descriptor: Int32, _ folders: [Int32: String], _ writers: FileWriters) {
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
        while true {
          let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          let events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          var at = 0
          while at + 16 <= events.count {
            let watch = events.loadUnaligned(fromByteOffset: at, as: Int32.self)
            let mask = events.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
            let length = Int(events.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
            guard length <= events.count - at - 16 else { break }
            let name = String(decoding: events[(at + 16)..<(at + 16 + length)].prefix { $0 != 0 }, as: UTF8.self)
            note(mask, folders[watch].map { Folder.join($0, name) }, writers)
            at += 16 + length
          }
        }
      }
    }

    private static func note(_ mask: UInt32, _ path: String?, _ writers: FileWriters) {
      func has(_ bits: UInt32) -> Bool { mask & bits != 0 }
      guard let path, !has(UInt32(IN_Q_OVERFLOW)) else { return writers.noteAll() }
      if has(UInt32(IN_ISDIR)) { return }
      // Truncation by `open` is also reported as a modification; a file that was renamed into place is complete.
      if has(UInt32(IN_MODIFY | IN_CREATE)) { return writers.note(path, isWritten: true) }
      if has(UInt32(IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)) { writers.note(path, isWritten: false) }
    }
  #else
    /// Darwin does not report when a file is closed: a write counts as complete after half a second without changes.
    static let patience: UInt64 = 500_000_000

    init?(_ paths: [String], queue: DispatchQueue, _ writers: FileWriters, changed: @escaping () -> Void) {
      reads = {}
      let folders = Self.folders(of: paths)
      let files = paths.flatMap { path in Folder.files(in: path).files.map { Folder.join(path, $0) } }
      sources = (folders + files).compactMap { path in
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .attrib], queue: queue)
        let isFolder = Folder.resolvedKind(of: path) == .folder
        source.setEventHandler {
          // A replaced or removed file is complete: any unfinished write went to the previous file.
          let isWritten = source.data.isDisjoint(with: [.delete, .rename])
          if !isFolder { writers.note(path, isWritten: isWritten && !source.data.isDisjoint(with: [.write, .extend])) }
          changed()
        }
        source.setCancelHandler { systemClose(descriptor) }
        source.activate()
        return source
      }
    }
  #endif
}

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

extension CassetteLibrary {
  /// Returns true if a cassette or a fixture was added, changed or removed since another state, not only another file
  /// in a folder.
  func recordingsDiffer(from other: CassetteLibrary) -> Bool {
    let isRecording = { (entry: (key: String, value: String)) in !entry.key.hasPrefix(Self.besideKey) }
    return signatures.filter(isRecording) != other.signatures.filter(isRecording)
  }

  /// Returns the cassettes and fixtures that were added, changed or removed since another state of the library.
  func files(differingFrom other: CassetteLibrary) -> [String] {
    var files: [String] = []
    for name in Set(signatures.keys).union(other.signatures.keys) where signatures[name] != other.signatures[name] {
      if name.hasPrefix(Self.besideKey) { continue }
      guard name.hasPrefix(Self.fixturesKey) else {
        let isCassette = { (cassette: Cassette) in cassette.name == name }
        files.append((cassettes.first(where: isCassette) ?? other.cassettes.first(where: isCassette))?.file ?? name)
        continue
      }
      let folder = String(name.dropFirst(Self.fixturesKey.count))
      let (new, old) = (fixtureFiles[folder] ?? [:], other.fixtureFiles[folder] ?? [:])
      let paths = Set(new.keys).union(old.keys).filter { new[$0]?.signature != old[$0]?.signature }
      files += paths.map { Folder.join(folder, $0) }
    }
    return files.sorted()
  }
}
