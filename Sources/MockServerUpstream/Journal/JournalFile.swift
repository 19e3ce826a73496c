internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// An append-only file used by one process at a time.
struct JournalFile: Sendable {
  private let descriptor: Int32
  let path: String

  /// Creates a file that only its owner can access; an existing file must be unlocked, and is truncated.
  init(creating path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("write", path) }
    guard try Self.takes(descriptor) else {
      FileBytes.close(descriptor)
      throw .system("lock", path)
    }
    guard ftruncate(descriptor, 0) == 0 else {
      let failure = FileFailure.system("write", path)
      FileBytes.unlockAndClose(descriptor)
      throw failure
    }
  }

  /// Locks a cassette's file for a long-running recorder; returns nil if the file or the lock is unavailable.
  static func holding(_ path: String) throws(FileFailure) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    if try takes(descriptor) { return descriptor }
    FileBytes.close(descriptor)
    return nil
  }

  /// Waits for a lock; returns false if locks are unavailable.
  private static func takes(_ descriptor: Int32) throws(FileFailure) -> Bool {
    // A process that was just killed may still be exiting.
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(50_000)
    }
    FileBytes.close(descriptor)
    throw FileFailure(message: "another process records into this cassette; stop it first")
  }

  /// Opens a file that no process has locked; returns nil if it does not exist or is locked.
  init?(taking path: String) throws(FileFailure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("read", path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      FileBytes.close(descriptor)
      return nil
    }
    // The owner may have removed the file between opening and locking.
    var (mine, there) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(path, &there) == 0, mine.st_ino == there.st_ino else {
      FileBytes.unlockAndClose(descriptor)
      return nil
    }
  }

  /// Reads the whole file; later writes are still appended.
  func read() throws(FileFailure) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return try CassetteFileBytes.read(descriptor, path)
  }

  /// Appends either all bytes or none, because a partial frame makes the following frames unreadable.
  func append(_ bytes: [UInt8]) throws(FileFailure) {
    let end = lseek(descriptor, 0, SEEK_END)
    do throws(FileFailure) {
      try FileBytes.write(bytes, to: descriptor, path)
    } catch {
      if end >= 0 { ftruncate(descriptor, end) }
      throw error
    }
  }

  /// Waits until the written bytes are on the disk.
  func synchronise() throws(FileFailure) {
    #if canImport(Darwin)
      // On Darwin, `fsync` leaves the bytes in the drive's cache; some file systems only support `fsync`.
      let result = fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      let result = fdatasync(descriptor)
    #endif
    if result != 0 { throw .system("write", path) }
  }

  func remove() { unlink(path) }

  /// Renames the file so that it is not used as a journal.
  ///
  /// - Returns: The new path, or nil if renaming failed.
  func setAside() -> String? {
    for number in 1...1_000 {
      let other = number == 1 ? "\(path).damaged" : "\(path).damaged-\(number)"
      // Creating a link never replaces an existing file.
      if link(path, other) == 0 {
        unlink(path)
        return other
      }
      if errno != EEXIST { return nil }
    }
    return nil
  }

  func close() { FileBytes.unlockAndClose(descriptor) }
}

/// An exchange in a journal: a line with the length and the checksum of its bytes, followed by the bytes.
///
/// With these, an incomplete frame after a crash is detected and skipped.
struct JournalFrame {
  /// The first line of every journal.
  static let head = Array("mockserver journal 3\n".utf8)
  private static let word = Array("exchange ".utf8)
  /// The number of the frame with the cassette's file at the start of the recording; empty if there was no file.
  static let base = -1
  /// The number of the frame that identifies the file that the journal was merged into, written before that file.
  static let folded = -2

  let number: Int
  let bytes: [UInt8]
  /// True if the recorder adds missing recordings and replaces none.
  var adds = false

  /// Returns the bytes of an exchange.
  static func content(of interaction: Interaction) throws(CassetteError) -> [UInt8] {
    try CassetteFile.compactBytes(of: interaction, isReadable: interaction.isSurelyReadable)
  }

  static func append(_ content: [UInt8], number: Int, adds: Bool = false, to bytes: inout [UInt8]) {
    if bytes.isEmpty { bytes.reserveCapacity(content.count + 16 << 10) }
    bytes += word
    bytes += String(number).utf8
    bytes.append(0x20)
    bytes += String(content.count).utf8
    bytes.append(0x20)
    bytes += String(checksum(content[...]), radix: 16).utf8
    if adds { bytes += " missing".utf8 }
    bytes.append(10)
    bytes += content
    bytes.append(10)
  }

  /// Returns the length and checksum that identify a file, for the frame written before it.
  static func seal(of file: [UInt8]) -> [UInt8] {
    Array("\(file.count) \(String(checksum(file[...]), radix: 16))".utf8)
  }

  /// Returns the frame written before the file that a journal is merged into.
  static func note(foldedInto file: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(seal(of: file), number: folded, to: &bytes)
    return bytes
  }

  /// True if the bytes start like a journal; after a crash, the first line may be incomplete.
  static func isJournal(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: head) || head.starts(with: bytes)
  }

  /// Returns all complete frames of a journal.
  ///
  /// A crash truncates the last frame, and no complete frame follows it. A damaged frame before another one is skipped.
  ///
  /// - Returns: The frames, and whether a damaged frame was skipped.
  static func read(_ journal: [UInt8]) -> (frames: [JournalFrame], isDamaged: Bool) {
    guard journal.starts(with: head) else { return ([], false) }
    var frames: [JournalFrame] = []
    var (isDamaged, isLost) = (false, false)
    var at = head.count
    while at < journal.count {
      if let (frame, end) = frame(in: journal, at: at) {
        frames.append(frame)
        isDamaged = isDamaged || isLost
        at = end
      } else {
        isLost = true
        // No line of a cassette starts like a frame.
        guard let line = journal.firstIndex(of: [10] + word, from: at) else { break }
        at = line + 1
      }
    }
    return (frames, isDamaged)
  }

  private static func frame(in journal: [UInt8], at start: Int) -> (JournalFrame, end: Int)? {
    let rest = journal[start...]
    guard rest.starts(with: word), let end = rest.firstIndex(of: 10) else { return nil }
    let facts = rest[(start + word.count)..<end].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    let content = rest[(end + 1)...]
    guard facts.count == 3 || facts.count == 4 && facts[3] == "missing", let number = Int(facts[0]),
      let length = Int(facts[1]), length >= 0, content.count > length, let sum = UInt64(facts[2], radix: 16)
    else { return nil }
    let bytes = content.prefix(length)
    guard content[bytes.endIndex] == 10, checksum(bytes) == sum else { return nil }
    return (JournalFrame(number: number, bytes: Array(bytes), adds: facts.count == 4), bytes.endIndex + 1)
  }

  /// Returns the FNV-1a checksum over words of eight bytes, which is sufficient to detect incomplete frames.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      var at = 0
      while at + 8 <= bytes.count {
        sum = (sum ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))) &* prime
        // Multiplication does not propagate the highest bits to lower ones.
        sum ^= sum >> 32
        at += 8
      }
      for byte in bytes[at...] { sum = (sum ^ UInt64(byte)) &* prime }
      return sum
    }
  }

  private static let prime: UInt64 = 0x0000_0100_0000_01b3
}

extension Interaction {
  /// True if the reader certainly accepts every part of the interaction, so that the written form need not be checked.
  ///
  /// True for nearly every exchange recorded over HTTP. If it is false, the written form may still be readable and is
  /// checked.
  var isSurelyReadable: Bool {
    guard rules == nil, case .response(let response) = outcome, response.interim.isEmpty, !response.isTemplate,
      (200...999).contains(response.status.code)
    else { return false }
    return method.rawValue.withUTF8Span(CassetteFileGrammar.isToken) && url.withUTF8Span(CassetteFileGrammar.isTarget)
      && (response.reason?.withUTF8Span(CassetteFileGrammar.isFieldValue) ?? true)
      && (response.coding?.withUTF8Span(CassetteFileGrammar.isTokenList) ?? true)
      && [requestHeaders, response.headers, response.trailers].allSatisfy(Self.areReadable)
      && Self.isReadable(requestBody) && Self.isReadable(response.body) && Self.areReadable(recorded ?? RecordedFacts())
  }

  private static func areReadable(_ fields: HTTPHeaders) -> Bool {
    fields.allSatisfy { field in
      !field.isLatin1 && field.name.withUTF8Span(CassetteFileGrammar.isToken)
        && field.value.withUTF8Span(CassetteFileGrammar.isFieldValue)
    }
  }

  /// The JSON of a body was checked when the body was created.
  private static func isReadable(_ body: Body?) -> Bool {
    switch body?.form {
    case nil, .json: true
    case .text: (try? body?.bytes()).map(BodyText.isText) ?? false
    case .base64, .chunks, .file: false
    }
  }

  private static func areReadable(_ facts: RecordedFacts) -> Bool {
    (facts.at.map(Timestamp.isOne) ?? true)
      && [facts.firstByte, facts.total].allSatisfy { $0.map { $0 >= 0 && $0.isFinite } ?? true }
  }
}
