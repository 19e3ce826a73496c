internal import CassetteSystem

/// The file of a body, open: any number of readers read it in parts, so that it is never in memory as a whole.
package final class BodyFile: Sendable {
  /// A body in a file that is longer than this is read in parts.
  package static let longestWhole = 4 << 20
  /// The number of bytes that are read at once.
  package static let part = 256 << 10

  /// The number of bytes in the file.
  package let size: Int
  private let descriptor: Int32
  private let path: String
  private let expectation = Locked<Expectation?>(nil)

  /// The signature that a file must have to be the one that was loaded.
  struct Expectation: Sendable {
    let path: String
    let signature: String

    /// Checks that the file is as it was.
    ///
    /// - Throws: When the file was written to.
    func check() throws(CassetteError) {
      guard Folder.signature(of: path) != signature else { return }
      var error = CassetteError(file: path, message: "is being written to; it answers again once that has come to rest")
      error.isPassing = true
      throw error
    }
  }

  /// The signature that the file must have; nil takes it as it is.
  var expected: Expectation? {
    get { expectation.withLock { $0 } }
    set { expectation.withLock { $0 = newValue } }
  }

  /// Takes an open file over, and closes it at the end.
  init(_ descriptor: Int32, _ path: String) throws(FileFailure) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let failure = FileFailure.system("read", path)
      close(descriptor)
      throw failure
    }
    self.descriptor = descriptor
    self.path = path
    size = Int(facts.st_size)
  }

  deinit {
    close(descriptor)
    DescriptorReserve.refill()
  }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - offset: Where the first of them stands.
  ///   - count: How many are wanted.
  /// - Returns: The bytes; fewer at the file's end.
  /// - Throws: What the system said.
  package func read(at offset: Int, count: Int) throws(CassetteError) -> [UInt8] {
    guard count > 0 else { return [] }
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let read = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { return }
        filled += read
      }
    }
    guard code == 0 else {
      errno = code
      throw CassetteError(.system("read", path), of: path)
    }
    // A part of one version and a part of the next are none of both.
    try expected?.check()
    return bytes
  }

  /// Calls back with one part after the other.
  ///
  /// - Parameters:
  ///   - overlap: How many bytes of a part are shown again at the beginning of the next.
  ///   - use: Takes a part; gives whether there is to be another.
  /// - Throws: What the system said.
  package func eachPart(overlap: Int = 0, _ use: ([UInt8]) -> Bool) throws(CassetteError) {
    var at = 0
    var before: ArraySlice<UInt8> = []
    while true {
      let bytes = try read(at: at, count: Self.part)
      guard !bytes.isEmpty else { return }
      at += bytes.count
      let part = before.isEmpty ? bytes : before + bytes
      guard use(part) else { return }
      before = part.suffix(overlap)
    }
  }

  /// Tells whether the same bytes are in both.
  package static func isSame(_ one: BodyFile, _ other: BodyFile) throws(CassetteError) -> Bool {
    guard one.size == other.size else { return false }
    var at = 0
    while at < one.size {
      let (mine, theirs) = (try one.read(at: at, count: part), try other.read(at: at, count: part))
      guard !mine.isEmpty, ByteSearch.isSame(mine, theirs) else { return false }
      at += mine.count
    }
    return true
  }
}
