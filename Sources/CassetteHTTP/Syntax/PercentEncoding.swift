package import CassetteSystem

/// Percent-encoding, such as `%41` for `A` (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Decodes escapes.
  ///
  /// Malformed escapes are left unchanged. In form data, `+` is a space.
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

  /// Decodes escapes to a string, as UTF-8 if the bytes are valid, otherwise as ISO-8859-1.
  package static func decodeText(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
    ByteText.string(decode(bytes, plusIsSpace: plusIsSpace))
  }

  /// The characters that need no escape in any part of a URL (RFC 3986 §2.3).
  package static let unreserved = ByteSet.word.adding("-._~")
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Escapes all bytes that are not in a set.
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

  /// Escapes all bytes of a string that are not in a set.
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
