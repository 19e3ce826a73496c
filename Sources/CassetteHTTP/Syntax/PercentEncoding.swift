package import CassetteSystem

/// `%41` for `A` (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Decodes escapes; one that is malformed stays as it is, and in forms `+` stands for a space.
  package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at != bytes.endIndex {
      let byte = bytes[at]
      bytes.formIndex(after: &at)
      if byte == UInt8(ascii: "%"), let escape = escape(bytes[at...]) {
        decoded.append(escape.byte)
        at = escape.end
      } else if plusIsSpace, byte == UInt8(ascii: "+") {
        decoded.append(ASCII.space)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  /// Decodes escapes to text: as UTF-8 where that is valid, otherwise as ISO-8859-1.
  package static func decodeText(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
    ByteText.string(decode(bytes, plusIsSpace: plusIsSpace))
  }

  /// The bytes that need no escape anywhere in a URL (RFC 3986 §2.3).
  package static let unreserved = ByteSet.word.adding("-._~")
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Escapes all bytes but those of a set.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping kept: ByteSet = unreserved) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes {
      if kept.contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
    return encoded
  }

  /// Escapes all of a text but the bytes of a set.
  package static func encode(_ text: String, keeping kept: ByteSet = unreserved) -> String {
    String(decoding: encode(text.utf8, keeping: kept), as: UTF8.self)
  }

  private static func escape<Bytes: Collection<UInt8>>(_ rest: Bytes) -> (byte: UInt8, end: Bytes.Index)? {
    guard let high = rest.first.flatMap(\.hexadecimalValue) else { return nil }
    let second = rest.index(after: rest.startIndex)
    guard second != rest.endIndex, let low = rest[second].hexadecimalValue else { return nil }
    return (high << 4 | low, rest.index(after: second))
  }
}
