import CassetteHTTP
internal import CassetteSystem
import Cassettes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A cassette written exchange by exchange, so that it is never in memory as a whole.
///
/// The draft is written into a temporary folder; the caller moves the folder when the draft is finished.
final class CassetteDraft {
  private let name: String
  private let folder: CassetteFileFolder
  private let file: CassetteFileAppender
  private var ids = CassetteFileIDs(capacity: 64)
  private var names: BodyNames
  /// The number of exchanges.
  private(set) var count = 0

  /// Creates the cassette's file.
  init(name: String, in path: String, origin: String?, schema: String? = nil) throws(CassetteError) {
    self.name = name
    names = BodyNames(cassette: name)
    folder = try Self.open(path)
    file = try Self.create("\(name).json", in: folder)
    var empty = Cassette(name: name, origin: origin)
    empty.schema = schema
    let frame = try CassetteFile.bytes(of: empty)
    // Everything before the end of the empty array.
    try append(Array(frame.dropLast(Self.end.utf8.count)))
  }

  private static func open(_ path: String) throws(CassetteError) -> CassetteFileFolder {
    do {
      return try CassetteFileFolder(path)
    } catch {
      throw CassetteError(error, of: path)
    }
  }

  private static func create(
    _ name: String, in folder: borrowing CassetteFileFolder
  ) throws(CassetteError) -> CassetteFileAppender {
    do {
      return try CassetteFileAppender(name, in: folder)
    } catch {
      throw CassetteError(error, of: name)
    }
  }

  private static let end = "]\n}\n"
  private static let closing = "\n  ]\n}\n"

  /// Adds an exchange; assigns an id if it has none, and writes long bodies to separate files.
  func append(_ interaction: Interaction) throws(CassetteError) {
    let given = Array(interaction.id.utf8)
    var id = interaction.id
    if id.isEmpty || !ids.insert(given.span) {
      id = interaction.withRequestLine { method, url in
        String(decoding: ids.derive(method: method, url: url), as: UTF8.self)
      }
    }
    var row: [String?] = []
    var bodies: [(path: String, bytes: [UInt8])] = []
    let sides = [
      (interaction.requestBody, interaction.requestHeaders, ".request"),
      (interaction.responseBody, interaction.response?.headers ?? [], ""),
    ]
    for (body, headers, suffix) in sides {
      guard let body, let bytes = try CassetteFile.external(body, copying: true) else {
        row.append(nil)
        continue
      }
      let path = names.next(id: id + suffix, type: headers["Content-Type"], isText: body.form == .text)
      row.append(path)
      bodies.append((path, bytes))
    }
    // A cassette with one exchange is written and checked like any other; then its frame is removed.
    let whole = try CassetteFile.bytes(
      of: Cassette(name: name, interactions: [interaction]), ids: [id], files: [row])
    let opening = "{\n  \"cassette\": 1,\n  \"interactions\": ["
    var text = Array(count > 0 ? ",".utf8 : "".utf8)
    text += whole.dropFirst(opening.utf8.count).dropLast(Self.closing.utf8.count)
    for body in bodies {
      do {
        try folder.write(body.bytes, to: body.path)
      } catch {
        throw CassetteError(error, of: body.path)
      }
    }
    try append(text)
    count += 1
  }

  /// Completes the file and waits until it is on the disk.
  func finish() throws(CassetteError) {
    try append(Array((count > 0 ? Self.closing : Self.end).utf8))
    do {
      try file.finish()
    } catch {
      throw CassetteError(error, of: "\(name).json")
    }
  }

  private func append(_ bytes: [UInt8]) throws(CassetteError) {
    do {
      try file.append(bytes)
    } catch {
      throw CassetteError(error, of: "\(name).json")
    }
  }
}

/// Appends to a new file and writes it in blocks of 256 KB.
final class CassetteFileAppender {
  private let name: String
  private let file: Int32
  private var pending: [UInt8] = []

  init(_ name: String, in folder: borrowing CassetteFileFolder) throws(FileFailure) {
    self.name = name
    file = try folder.create(name)
  }

  deinit { close(file) }

  func append(_ bytes: [UInt8]) throws(FileFailure) {
    pending += bytes
    if pending.count >= 1 << 18 { try flush() }
  }

  func finish() throws(FileFailure) {
    try flush()
    guard fsync(file) == 0 else { throw .system("write", name) }
  }

  private func flush() throws(FileFailure) {
    try FileBytes.write(pending, to: file, name)
    pending.removeAll(keepingCapacity: true)
  }
}

/// A temporary folder next to the cassettes, from which a complete import is moved to its destination.
struct ImportFolder {
  let path: String
  private let into: String
  private let madeFolder: Bool
  /// The descriptor of the lock (flock), which is held until the process ends or the folder is discarded.
  private let lock: Int32

  /// Creates the temporary folder, and the destination folder if it does not exist.
  init(beside into: String) throws(CassetteError) {
    self.into = into
    madeFolder = Folder.resolvedKind(of: into) == .missing
    Self.sweep(into)
    var made: (path: String, lock: Int32)?
    // Between creation and locking, another import may remove the folder as a leftover.
    for _ in 0..<8 where made == nil {
      let path = Folder.join(into, "\(Self.prefix)\(UInt32.random(in: 0 ... .max))")
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        guard [.folder, .missing].contains(Folder.resolvedKind(of: into)) else {
          throw CassetteError(file: into, message: "is a file; name a folder for the cassettes")
        }
        throw CassetteError(.foundation(error, "create the folder", path), of: into)
      }
      if let lock = Self.locked(path) { made = (path, lock) }
    }
    guard let made else { throw CassetteError(file: into, message: "cannot be locked for an import") }
    (path, lock) = made
  }

  private static let prefix = ".import-"

  /// Removes the temporary folders of imports that were killed.
  private static func sweep(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = Folder.join(folder, name)
      guard Folder.kind(of: path) == .folder, let lock = locked(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      unlock(lock)
    }
  }

  /// Locks a folder and returns the descriptor, or nil if another process holds the lock or the folder is gone.
  private static func locked(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Folder.kind(of: path) == .folder { return descriptor }
    unlock(descriptor)
    return nil
  }

  /// Releases a lock explicitly, because a child process that is being started may hold a copy of the descriptor.
  private static func unlock(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Returns the path of the first cassette that exists already.
  static func existing(_ names: [String], in folder: String) -> String? {
    names.map { Folder.join(folder, "\($0).json") }.first { Folder.kind(of: $0) != .missing }
  }

  /// Moves cassettes and their body files to the destination folder, bodies first.
  func commit(_ names: [String]) throws(ImportTransaction.Failure) {
    let manager = FileManager.default
    do {
      for name in names {
        let bodies = "bodies/\(BodyNames.folder(of: name))"
        if Folder.kind(of: Folder.join(path, bodies)) == .folder {
          try manager.createDirectory(atPath: Folder.join(into, "bodies"), withIntermediateDirectories: true)
          try move(bodies)
        }
        try move("\(name).json")
      }
    } catch {
      throw .refused(CassetteError(.foundation(error, "write", into), of: into))
    }
  }

  /// Moves a file or folder; an existing one is moved to the temporary folder, and is removed with it.
  private func move(_ name: String) throws {
    let manager = FileManager.default
    let (from, to) = (Folder.join(path, name), Folder.join(into, name))
    if Folder.kind(of: to) != .missing {
      let old = Folder.join(path, "old")
      try manager.createDirectory(atPath: Folder.parent(of: Folder.join(old, name)), withIntermediateDirectories: true)
      try manager.moveItem(atPath: to, toPath: Folder.join(old, name))
    }
    try manager.moveItem(atPath: from, toPath: to)
  }

  /// Removes the temporary folder, and the destination folder if this import created it and it is empty.
  func discard() {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    Self.unlock(lock)
    if madeFolder, (try? manager.contentsOfDirectory(atPath: into).isEmpty) == true {
      try? manager.removeItem(atPath: into)
    }
  }
}
