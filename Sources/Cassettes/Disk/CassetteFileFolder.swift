internal import CassetteSystem

/// An open folder that confines paths: no path leads out of it.
///
/// Each component of a path is opened separately and never through a symbolic link, so that no component can be
/// replaced by a link in between.
package struct CassetteFileFolder: ~Copyable {
  private let descriptor: Int32

  /// Opens a folder; an empty path is the current folder.
  package init(_ path: String) throws(FileFailure) {
    descriptor = DescriptorReserve.opening { open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw .system("open", path) }
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the reason why a path from a cassette is refused; nil if the path is allowed.
  static func problem(withPath path: String) -> String? {
    if path.isEmpty { return "\"file\" is empty" }
    if path.utf8.contains(0) { return "\"file\" must not contain a NUL character" }
    if path.hasPrefix("/") { return "\"file\" must be relative to the cassette's folder" }
    if path.utf8.contains(UInt8(ascii: "\\")) { return "\"file\" must use forward slashes" }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    if steps.contains("..") { return "\"file\" must not leave the cassette's folder" }
    if steps.contains("") || steps.contains(".") { return "\"file\" must be a plain path such as \"bodies/logo.png\"" }
    return nil
  }

  /// Reads a file in the folder.
  func read(_ path: String) throws(FileFailure) -> [UInt8] {
    let file = try openFile(path)
    defer {
      close(file)
      DescriptorReserve.refill()
    }
    return try CassetteFileBytes.read(file, path)
  }

  /// Opens a file in the folder, to be read in parts.
  func bodyFile(at path: String, expecting expected: BodyFile.Expectation? = nil) throws(FileFailure) -> BodyFile {
    try BodyFile(openFile(path), path, expecting: expected)
  }

  /// Throws an error if the folder has no such file.
  func check(_ path: String) throws(FileFailure) {
    close(try openFile(path))
  }

  /// Replaces a file atomically, and creates the folders above it.
  package func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    try inFolder(of: path, creating: true) { (folder, name) throws(FileFailure) in
      try folder.replace(name, with: bytes)
    }
  }

  /// Replaces the file at a path atomically.
  package static func write(_ bytes: [UInt8], toFileAt path: String) throws(FileFailure) {
    try CassetteFileFolder(Folder.parent(of: path)).write(bytes, to: Folder.name(of: path))
  }

  /// Gives a file in the folder a second name, and replaces the file that has that name.
  ///
  /// The file keeps both names until the caller removes the first, so that a crash in between does not lose it.
  func link(_ path: String, as name: String) throws(FileFailure) {
    let source = try bodyFile(at: path)
    try inFolder(of: name, creating: true) { (folder, last) throws(FileFailure) in
      if let there = try? folder.bodyFile(at: last), (try? BodyFile.isSame(there, source)) == true { return }
      let temporary = Self.temporary(last)
      if linkat(descriptor, path, folder.descriptor, temporary, 0) == 0 {
        fchmodat(folder.descriptor, temporary, 0o644, 0)
      } else {
        // Some file systems do not support links.
        try folder.copy(source, to: temporary)
      }
      try folder.rename(temporary, to: last, name)
    }
  }

  private func copy(_ source: BodyFile, to name: String) throws(FileFailure) {
    let file = try create(name)
    defer { FileBytes.close(file) }
    var at = 0
    while at < source.size {
      let bytes: [UInt8]
      do {
        bytes = try source.read(at: at, count: BodyFile.part)
      } catch {
        throw FileFailure(message: error.message)
      }
      guard !bytes.isEmpty else { break }
      try FileBytes.write(bytes, to: file, name)
      at += bytes.count
    }
    if fsync(file) != 0 { throw .system("write", name) }
  }

  /// Creates a file in the folder, open for writing; throws an error if it exists.
  package func create(_ name: String, permissions: UInt32 = 0o644) throws(FileFailure) -> Int32 {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions))
    guard file >= 0 else { throw .system("write", name) }
    return file
  }

  private func openFile(_ path: String) throws(FileFailure) -> Int32 {
    if let problem = Self.problem(withPath: path) { throw FileFailure(message: problem) }
    return try inFolder(of: path, creating: false) { (folder, name) throws(FileFailure) in try folder.openMember(name) }
  }

  private func openMember(_ name: String) throws(FileFailure) -> Int32 {
    // `O_NONBLOCK`: opening a FIFO must not wait for its writer.
    let file = DescriptorReserve.opening { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { throw .system("read", name) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw FileFailure(message: "\(name) is not a file")
    }
    return file
  }

  /// Opens a subfolder on the path to a file.
  private func subfolder(
    _ name: String, creating: Bool, for path: String?
  ) throws(FileFailure) -> CassetteFileFolder {
    let isNew = creating && mkdirat(descriptor, name, 0o755) == 0
    let folder = DescriptorReserve.opening {
      openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard folder >= 0 else {
      if errno == ENOTDIR, isLink(name) { errno = ELOOP }
      throw .system("open", path ?? name)
    }
    let opened = CassetteFileFolder(descriptor: folder)
    // Git would convert the line ends of bodies (`core.autocrlf`).
    if isNew, name == "bodies" { try opened.replace(".gitattributes", with: Array("* -text\n".utf8)) }
    return opened
  }

  private func isLink(_ name: String) -> Bool {
    var facts = stat()
    return fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  /// Calls `use` with the folder that contains a file, and the file's name.
  ///
  /// At most two folders are open at a time.
  private func inFolder<Result>(
    of path: String, creating: Bool, _ use: (borrowing CassetteFileFolder, String) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    var folders = path.split(separator: "/").map(String.init)
    let name = folders.popLast() ?? path
    guard let first = folders.first else { return try use(self, name) }
    let whole = creating ? nil : path
    var folder = try subfolder(first, creating: creating, for: whole)
    for next in folders.dropFirst() { folder = try folder.subfolder(next, creating: creating, for: whole) }
    return try use(folder, name)
  }

  private static func temporary(_ name: String) -> String {
    ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
  }

  /// Renames a temporary file.
  ///
  /// The folder's `fsync` may fail on some file systems, but the file itself is already safe.
  private func rename(_ temporary: String, to name: String, _ path: String) throws(FileFailure) {
    guard renameat(descriptor, temporary, descriptor, name) == 0 else {
      let failure = FileFailure.system("write", path)
      unlinkat(descriptor, temporary, 0)
      throw failure
    }
    fsync(descriptor)
  }

  /// Writes a temporary file, syncs and renames it, and syncs the folder: a crash leaves either the old file or the new
  /// one.
  private func replace(_ name: String, with bytes: [UInt8]) throws(FileFailure) {
    var mode: mode_t = 0o644
    let old = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if old >= 0 {
      defer { close(old) }
      var facts = stat()
      if fstat(old, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
        mode = facts.st_mode & 0o777
        // The bytes are unchanged: nothing is written, and processes that watch the file are not notified.
        if Int(facts.st_size) == bytes.count, let there = try? CassetteFileBytes.read(old, name),
          ByteSearch.isSame(there, bytes)
        {
          return
        }
      }
    }
    let temporary = Self.temporary(name)
    let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw .system("write", name) }
    var isDone = (try? FileBytes.write(bytes, to: file, name)) != nil && fsync(file) == 0
    // The new file keeps the permissions of the old one.
    if isDone, old >= 0 { fchmod(file, mode) }
    if close(file) != 0 { isDone = false }
    guard isDone else {
      let failure = FileFailure.system("write", name)
      unlinkat(descriptor, temporary, 0)
      throw failure
    }
    try rename(temporary, to: name, name)
  }
}
