internal import CassetteSystem

/// Converts between text and JSON strings.
public enum JSONString {
  /// Decodes the content between a string's quotes; returns nil for an invalid escape or an unpaired surrogate.
  public static func decode(_ content: Span<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    guard decode(content, into: &bytes) else { return nil }
    return String(validUTF8: bytes)
  }

  /// Returns a JSON string with its quotes, in which only the mandatory characters are escaped.
  public static func encode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let text = Array(text.utf8)
    append(text.span, to: &bytes)
    return bytes
  }

  /// Appends the decoded content in UTF-8; returns false for an invalid escape or an unpaired surrogate.
  package static func decode(_ content: Span<UInt8>, into text: inout [UInt8]) -> Bool {
    decode(content, into: &text, allowsHalves: false)
  }

  /// Decodes the content; an unpaired surrogate becomes three bytes, so that different strings remain different.
  package static func decodeLoosely(_ content: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    _ = decode(content, into: &text, allowsHalves: true)
    return text
  }

  private static func decode(_ content: Span<UInt8>, into text: inout [UInt8], allowsHalves: Bool) -> Bool {
    var at = 0
    while at < content.count {
      let byte = content[at]
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        at += 1
        continue
      }
      guard at + 1 < content.count else { return false }
      switch content[at + 1] {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard var scalar = codeUnit(content, at) else { return false }
        at += 6
        if scalar & 0xfc00 == 0xd800, let low = codeUnit(content, at), low & 0xfc00 == 0xdc00 {
          scalar = 0x10000 + (scalar & 0x3ff) << 10 + low & 0x3ff
          at += 6
        } else if scalar & 0xf800 == 0xd800, !allowsHalves {
          return false
        }
        text.append(scalar: scalar)
        continue
      case let character: text.append(character)
      }
      at += 2
    }
    return true
  }

  /// Returns the code unit of the escape `\uXXXX` at an offset.
  private static func codeUnit(_ content: Span<UInt8>, _ at: Int) -> UInt32? {
    guard at + 6 <= content.count, content[at] == UInt8(ascii: "\\"), content[at + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for digit in at + 2..<at + 6 {
      guard let value = content[digit].hexadecimalValue.map(UInt32.init) else { return nil }
      unit = unit << 4 | value
    }
    return unit
  }

  /// Appends a JSON string with its quotes, for text that is valid UTF-8.
  package static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789abcdef"
    bytes.append(UInt8(ascii: "\""))
    for at in 0..<text.count {
      switch text[at] {
      case UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
      case UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
      case 0x08: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
      case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0x0a: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0c: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
      case 0x0d: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case let byte where byte < 0x20:
        bytes += "\\u00".utf8
        bytes.append(digits.utf8Start[Int(byte >> 4)])
        bytes.append(digits.utf8Start[Int(byte & 15)])
      case let byte: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
