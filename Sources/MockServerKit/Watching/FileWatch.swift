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
