internal import CassetteSystem

/// The messages of an AWS event stream (`application/vnd.amazon.eventstream`).
///
/// A message consists of its length, the length of its header fields, a checksum of both, the fields, the payload, and a
/// checksum of all preceding bytes. Clients refuse a message with another checksum.
package struct AmazonEventStream: Sendable {
  /// A message, or bytes between messages, which are their own payload.
  struct Message: Sendable {
    var range: Range<Int>
    var payload: Range<Int>
  }

  /// The messages and the bytes between them, from left to right and without gaps.
  private(set) var messages: [Message] = []

  /// Finds the messages in a body or in a part of a body; returns nil if it contains no messages.
  package init?(_ bytes: [UInt8]) {
    bytes.searching { text in
      var (done, from) = (0, 0)
      // Every length below 16 MB starts with a zero byte.
      while let at = text.first(0, from: from), at + 16 <= text.count {
        guard let message = Self.message(in: text, at: at) else {
          from = at + 1
          continue
        }
        if at > done { messages.append(Message(range: done..<at, payload: done..<at)) }
        messages.append(message)
        (done, from) = (message.range.upperBound, message.range.upperBound)
      }
      if done > 0, done < text.count { messages.append(Message(range: done..<text.count, payload: done..<text.count)) }
    }
    if messages.isEmpty { return nil }
  }

  private static func message(in text: ByteSearch, at: Int) -> Message? {
    func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(text[at + offset + $1]) } }
    let (length, fields) = (number(0), number(4))
    guard length >= 16, length <= text.count - at, fields <= length - 16,
      checksum(text.bytes(at..<at + 8)) == number(8)
    else { return nil }
    return Message(range: at..<at + length, payload: at + 12 + fields..<at + length - 4)
  }

  /// The payloads, each followed by a line feed.
  package func payloads(of bytes: [UInt8]) -> [UInt8] { messages.flatMap { bytes[$0.payload] + [0x0a] } }

  /// Returns the payloads changed by a closure, in messages with new lengths and checksums; nil if nothing is changed.
  package func replacingPayloads(in bytes: [UInt8], _ change: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
    var isChanged = false
    let parts = messages.map { message in
      guard let payload = change(Array(bytes[message.payload])) else { return Array(bytes[message.range]) }
      isChanged = true
      return Self.wrap(payload, like: Array(bytes[message.range]), message)
    }
    return isChanged ? Array(parts.joined()) : nil
  }

  /// Returns a message with the header fields of another message.
  static func wrap(_ payload: [UInt8], like old: [UInt8], _ message: Message) -> [UInt8] {
    guard message.range != message.payload else { return payload }
    func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    let fields = old[12..<message.payload.lowerBound - message.range.lowerBound]
    var new = bytes(16 + fields.count + payload.count) + bytes(fields.count)
    new += bytes(checksum(new)) + fields + payload
    return new + bytes(checksum(new))
  }

  /// Returns the CRC-32 of bytes (RFC 1952 §8).
  private static func checksum(_ bytes: [UInt8]) -> Int {
    Int(~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 })
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ sum >> 1 : sum >> 1 }
  }
}
