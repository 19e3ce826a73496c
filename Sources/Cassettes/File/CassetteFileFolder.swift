#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why a file could not be read or written.
struct FileFailure: Error {
  var message: String

  /// What the system said about a path.
  static func system(_ action: String, _ path: String) -> FileFailure {
    let code = errno
    // A symlink where none may be is ELOOP; Linux says ENOTDIR when a folder was asked for.
    if code == ELOOP { return FileFailure(message: "\(path) is a symbolic link, which a cassette may not follow") }
    return FileFailure(message: "cannot \(action) \(path): \(String(cString: strerror(code)))")
  }
}

/// An open folder, out of which no path leads.
///
/// Every step of a path is opened by itself and never through a symbolic link, so that nothing can be slipped in between.
struct CassetteFileFolder: ~Copyable {
  private let descriptor: Int32

  /// Opens a folder; empty for the current one.
  init(_ path: String) throws(FileFailure) {
    descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw .system("open", path) }
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// What is wrong with a path from a cassette, if something is.
  static func problem(withPath path: String) -> String? {
    if path.isEmpty { return "\"file\" is empty" }
    if path.utf8.contains(0) { return "\"file\" has a NUL in it" }
    if path.hasPrefix("/") { return "\"file\" must be relative to the cassette's folder" }
    if path.utf8.contains(UInt8(ascii: "\\")) { return "\"file\" must have forward slashes" }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    if steps.contains("..") { return "\"file\" must not leave the cassette's folder" }
    if steps.contains("") || steps.contains(".") { return "\"file\" must be a plain path such as \"bodies/logo.png\"" }
    return nil
  }

  /// The bytes of a file in the folder.
  func read(_ path: String) throws(FileFailure) -> [UInt8] {
    let file = try openFile(path)
    defer { close(file) }
    return try CassetteFileBytes.read(file, path)
  }

  /// Throws when there is no such file in the folder.
  func check(_ path: String) throws(FileFailure) {
    close(try openFile(path))
  }

  /// Replaces a file, as a whole or not at all, and makes the folders above it.
  func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    let (folders, name) = Self.steps(path)
    guard let first = folders.first else { return try replace(name, with: bytes) }
    let folder = try subfolder(first, creating: true)
    try folder.write(bytes, to: (folders.dropFirst() + [name]).joined(separator: "/"))
  }

  /// A new file in the folder, open for writing; one that is there already is a failure.
  func create(_ name: String) throws(FileFailure) -> Int32 {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .system("write", name) }
    return file
  }

  private func openFile(_ path: String) throws(FileFailure) -> Int32 {
    if let problem = Self.problem(withPath: path) { throw FileFailure(message: problem) }
    let (folders, name) = Self.steps(path)
    if let first = folders.first {
      let folder = try subfolder(first, creating: false)
      return try folder.openFile((folders.dropFirst() + [name]).joined(separator: "/"))
    }
    // Not to wait for a FIFO's writer.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system("read", path) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw FileFailure(message: "\(path) is not a file")
    }
    return file
  }

  private func subfolder(_ name: String, creating: Bool) throws(FileFailure) -> CassetteFileFolder {
    if creating { mkdirat(descriptor, name, 0o755) }
    let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else {
      if errno == ENOTDIR, isLink(name) { errno = ELOOP }
      throw .system("open", name)
    }
    return CassetteFileFolder(descriptor: folder)
  }

  private func isLink(_ name: String) -> Bool {
    var facts = stat()
    return fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  private static func steps(_ path: String) -> (folders: [String], name: String) {
    var steps = path.split(separator: "/").map(String.init)
    let name = steps.popLast() ?? path
    return (steps, name)
  }

  /// Temporary file, fsync, rename, fsync of the folder: a crash leaves the old file or the new one.
  private func replace(_ name: String, with bytes: [UInt8]) throws(FileFailure) {
    var mode: mode_t = 0o644
    let old = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if old >= 0 {
      defer { close(old) }
      var facts = stat()
      if fstat(old, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
        mode = facts.st_mode & 0o777
        // Nothing changed: nothing to write, and nothing for those who watch the file.
        if Int(facts.st_size) == bytes.count, let there = try? CassetteFileBytes.read(old, name),
          ByteSearch.isSame(there, bytes)
        {
          return
        }
      }
    }
    let temporary = ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
    let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw .system("write", name) }
    var isDone = writeAll(bytes, to: file) && fsync(file) == 0
    // The owner's choice of who may read the file outlives the file.
    if isDone, old >= 0 { fchmod(file, mode) }
    if close(file) != 0 { isDone = false }
    if isDone { isDone = renameat(descriptor, temporary, descriptor, name) == 0 }
    guard isDone else {
      let failure = FileFailure.system("write", name)
      unlinkat(descriptor, temporary, 0)
      throw failure
    }
    // Some file systems cannot; the file itself is safe by then.
    fsync(descriptor)
  }

  private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(file, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #endif
  }
}
