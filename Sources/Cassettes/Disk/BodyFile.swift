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
  /// The identity of the file as it was opened, which changes when the file is written or replaced.
  package let identity: FileIdentity
  /// The signature that the file must have; nil takes it as it is.
  let expected: Expectation?

  /// The signature that a file must have to be the one that was loaded.
  struct Expectation: Sendable {
    let path: String
    let signature: String

    /// Throws when the file was written to since.
    func check() throws(CassetteError) {
      guard Folder.signature(of: path) != signature else { return }
      var error = CassetteError(file: path, message: "is being written to; it answers again once that has come to rest")
      error.isPassing = true
      throw error
    }
  }

  /// Takes an open file over, and closes it at the end.
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

  /// Reads bytes from an offset on; fewer at the file's end.
  package func read(at offset: Int, count: Int) throws(CassetteError) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let bytes = systemReadAll(descriptor, count, at: offset) else {
      throw CassetteError(.system("read", path), of: path)
    }
    // A part of one version and a part of the next are none of both.
    try expected?.check()
    return bytes
  }

  /// The error for a file that has become shorter since it was opened.
  package var shortened: CassetteError {
    CassetteError(file: path, message: "is shorter than when it was opened: it was changed while it was played")
  }

  /// Calls back with one part after the other, each with the end of the one before, until no more is wanted.
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
