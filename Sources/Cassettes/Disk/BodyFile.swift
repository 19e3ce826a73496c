internal import CassetteSystem

/// An open body file.
///
/// Any number of readers can read it in parts, so that the whole body is never in memory.
package final class BodyFile: Sendable {
  /// The size in bytes above which a body file is read in parts.
  package static let longestWhole = 4 << 20
  /// The number of bytes in a part.
  static let part = 256 << 10

  /// The number of bytes in the file.
  package let size: Int
  private let descriptor: Int32
  private let path: String
  /// The identity of the file when it was opened; it changes if the file is written or replaced.
  package let identity: FileIdentity
  /// The signature that the file must have; nil to accept any.
  let expected: Expectation?

  /// The path and signature of the file that was loaded, to detect later writes.
  struct Expectation: Sendable {
    let path: String
    let signature: String

    /// Throws an error if the file was written after it was loaded.
    func check() throws(CassetteError) {
      guard Folder.signature(of: path) != signature else { return }
      var error = CassetteError(file: path, message: "is still being written; try again when the file is complete")
      error.isPassing = true
      throw error
    }
  }

  /// Takes ownership of an open file; closes it on deinitialization.
  init(_ descriptor: Int32, _ path: String, expecting expected: Expectation? = nil) throws(FileFailure) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let failure = FileFailure.system("read", path)
      close(descriptor)
      throw failure
    }
    self.descriptor = descriptor
    self.path = path
    self.expected = expected
    size = Int(facts.st_size)
    identity = FileIdentity(facts)
  }

  deinit {
    close(descriptor)
    DescriptorReserve.refill()
  }

  /// Reads bytes at an offset; returns fewer bytes than `count` at the end of the file.
  package func read(at offset: Int, count: Int) throws(CassetteError) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let bytes = systemReadAll(descriptor, count, at: offset) else {
      throw CassetteError(.system("read", path), of: path)
    }
    // Parts of two versions of the file must not be mixed.
    try expected?.check()
    return bytes
  }

  /// The error for a file that became shorter after it was opened.
  package var shortened: CassetteError {
    CassetteError(file: path, message: "is shorter than when it was opened: the file was changed during playback")
  }

  /// Calls `use` with each part in order, preceded by the last `overlap` bytes of the part before, until it returns
  /// false.
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

  /// Returns true if both files have the same bytes.
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
