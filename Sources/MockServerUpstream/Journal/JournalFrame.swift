internal import CassetteSystem
internal import Cassettes

/// An exchange in a journal: a line with the length and the checksum of its bytes, followed by the bytes.
///
/// With these, an incomplete frame after a crash is detected and skipped.
struct JournalFrame {
  /// The first line of every journal.
  static let head = Array("mockserver journal 3\n".utf8)
  /// The first line of journals of older versions, whose aliases had separate numbers; it has the same length.
  private static let oldHead = Array("mockserver journal 2\n".utf8)
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
  ///
  /// - Throws: ``CassetteError`` if the exchange cannot be represented in a cassette.
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
    bytes.starts(with: head) || head.starts(with: bytes) || isOld(bytes)
  }

  /// True if the journal has the format that `OldJournal` reads.
  static func isOld(_ bytes: [UInt8]) -> Bool { bytes.starts(with: oldHead) }

  /// Returns all complete frames of a journal.
  ///
  /// A crash truncates the last frame, and no complete frame follows it. A damaged frame before another one is skipped.
  ///
  /// - Returns: The frames, and whether a damaged frame was skipped.
  static func read(_ journal: [UInt8]) -> (frames: [JournalFrame], isDamaged: Bool) {
    guard journal.starts(with: head) || isOld(journal) else { return ([], false) }
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
