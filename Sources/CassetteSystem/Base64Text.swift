/// Strict Base64 (RFC 4648 §4): no other characters, and mandatory padding.
package enum BodyBase64 {
  package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The six bits of each character; 255 for bytes that are not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Encodes bytes in Base64 with padding.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(3 - group.count) * 8
      for position in 0..<4 {
        if position <= group.count {
          text.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)])
        } else {
          text.append(UInt8(ascii: "="))
        }
      }
    }
    return text
  }

  /// Decodes Base64; returns nil unless the text is in the form that `encode` returns.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let characters = text.count - padding
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for at in 0..<characters {
      let value = values[Int(text[at])]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      guard at & 3 == 3 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits = 0
    }
    switch padding {
    case 1:
      // The unused bits must be zero, so that each byte array has a single encoding.
      guard bits & 3 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    case 2:
      guard bits & 15 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    default:
      break
    }
    return bytes
  }

  /// Encodes bytes in Base64 as a string.
  package static func text(of bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

  /// Decodes Base64 with or without line breaks; returns nil if the text is truncated or invalid.
  package static func decode(lines text: [UInt8]) -> [UInt8]? {
    decode(text.contains { $0 <= 0x20 } ? text.filter { $0 > 0x20 } : text)
  }
}
