/// One exchange in a journal: a line that says how long it is and what its bytes add up to, and the bytes.
///
/// Whatever a crash leaves of the last one is told by that, and passed over.
struct JournalFrame {
  /// The first line of every journal.
  static let head = Array("mockserver journal 2\n".utf8)
  private static let word = Array("exchange ".utf8)

  let number: Int
  let bytes: [UInt8]

  static func append(_ content: [UInt8], number: Int, to bytes: inout [UInt8]) {
    bytes += word
    bytes += "\(number) \(content.count) \(String(checksum(content[...]), radix: 16))\n".utf8
    bytes += content
    bytes.append(10)
  }

  /// Every whole frame of a journal; nothing after one that is torn is believed.
  static func read(_ journal: [UInt8]) -> [JournalFrame] {
    guard journal.starts(with: head) else { return [] }
    var frames: [JournalFrame] = []
    var rest = journal[head.count...]
    while rest.starts(with: word), let end = rest.firstIndex(of: 10) {
      let facts = rest[(rest.startIndex + word.count)..<end].split(separator: UInt8(ascii: " "))
        .map { String(decoding: $0, as: UTF8.self) }
      let content = rest[(end + 1)...]
      guard facts.count == 3, let number = Int(facts[0]), let length = Int(facts[1]), length >= 0,
        content.count > length, let sum = UInt64(facts[2], radix: 16)
      else { break }
      let bytes = content.prefix(length)
      guard content[bytes.endIndex] == 10, checksum(bytes) == sum else { break }
      frames.append(JournalFrame(number: number, bytes: Array(bytes)))
      rest = content[(bytes.endIndex + 1)...]
    }
    return frames
  }

  /// FNV-1a over words of eight bytes: it tells a torn frame from a whole one, and nothing more is asked of it.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      var at = 0
      while at + 8 <= bytes.count {
        sum = (sum ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))) &* prime
        // What is in the highest bits would never come down by itself.
        sum ^= sum >> 32
        at += 8
      }
      for byte in bytes[at...] { sum = (sum ^ UInt64(byte)) &* prime }
      return sum
    }
  }

  private static let prime: UInt64 = 0x0000_0100_0000_01b3
}
