internal import CassetteSystem

/// A folder of small files that only their owner can read.
struct PrivateFolder {
  /// The maximum size of a file in bytes.
  private static let sizeLimit = 64 << 10

  let path: String

  /// Creates the folder and its parent folders if they do not exist.
  init(_ path: String) throws(SecurityError) {
    self.path = path
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if mkdir(part, 0o700) == 0 { continue }
      let code = errno
      guard code == EEXIST || access(part, F_OK) == 0 else {
        throw SecurityError(
          "the folder \(part) cannot be created: \(Platform.describe(code)); name another with --tls-dir DIR")
      }
    }
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Reads a file; nil if it does not exist.
  ///
  /// - `isSecret`: True to refuse a file that other users can read or replace.
  func read(_ name: String, isSecret: Bool = false) throws(SecurityError) -> [UInt8]? {
    let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SecurityError("\(path(of: name)) cannot be read: \(Platform.describe(errno))")
    }
    defer { Platform.close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw SecurityError("\(path(of: name)) cannot be read: it is not a regular file")
    }
    guard !isSecret || facts.st_mode & 0o077 == 0 else {
      throw SecurityError(
        "\(path(of: name)) contains a private key, and other users can read or change it: remove it to create a new "
          + "one, or if the key is still secret, type: chmod 600 \(ShellWord.path(path(of: name)))")
    }
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { bytes in
        systemRead(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw SecurityError("\(path(of: name)) cannot be read: \(Platform.describe(errno))") }
      if more == 0 { break }
      count += more
    }
    return Array(bytes.prefix(count))
  }

  /// Writes a file atomically.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - name: The name of the file in the folder.
  ///   - isSecret: True if only the owner may read the file.
  ///   - replaces: True to replace an existing file; false to keep a file that another process has written first.
  /// - Throws: The reason why the file could not be written.
  func write(_ bytes: [UInt8], to name: String, isSecret: Bool, replaces: Bool) throws(SecurityError) {
    let draft = path(of: ".\(name).\(getpid()).\(UInt32.random(in: 0...UInt32.max))")
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isSecret ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw failure(name) }
    defer { unlink(draft) }
    let isWritten = systemWriteAll(descriptor, bytes) && fsync(descriptor) == 0
    let code = errno
    Platform.close(descriptor)
    guard isWritten else {
      errno = code
      throw failure(name)
    }
    let isThere = replaces ? rename(draft, path(of: name)) == 0 : link(draft, path(of: name)) == 0 || errno == EEXIST
    guard isThere else { throw failure(name) }
  }

  private func failure(_ name: String) -> SecurityError {
    SecurityError(
      "\(path(of: name)) cannot be written: \(Platform.describe(errno)); name another folder: --tls-dir DIR")
  }
}
