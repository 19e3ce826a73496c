internal import CassetteSystem

/// Strings of bytes that came over the wire.
package enum ByteText {
  /// The bytes as UTF-8 where they are valid, otherwise as ISO-8859-1, which any bytes are (RFC 9110 §5.5).
  package static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    // The string's initialisers take sequences, which a span is not.
    bytes.extracting(range).withUnsafeBufferPointer { bytes in
      // Nearly all is ASCII, which needs no question whether it is UTF-8.
      bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : string(bytes)
    }
  }

  package static func string(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validUTF8: bytes) { return text }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return String(text)
  }

  /// Tells whether a text was no UTF-8 on the wire: each byte above ASCII is two in UTF-8.
  package static func isObsText(_ text: String, of count: Int) -> Bool { text.utf8.count != count }

  /// The bytes that a text stood for if it was read as ISO-8859-1.
  package static func obsText(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
  }
}
