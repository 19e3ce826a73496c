internal import CassetteSystem

/// Conversions between received bytes and strings.
package enum ByteText {
  /// Decodes bytes as UTF-8 if they are valid, otherwise as ISO-8859-1, in which all bytes are valid (RFC 9110 §5.5).
  package static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    // The initialisers of `String` accept sequences, but not spans.
    bytes.extracting(range).withUnsafeBufferPointer { bytes in
      // Nearly all values are ASCII, which need not be validated as UTF-8.
      bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : string(bytes)
    }
  }

  package static func string(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validUTF8: bytes) { return text }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return String(text)
  }

  /// Returns true if received text was not UTF-8: each byte above ASCII then takes two bytes in UTF-8.
  package static func isObsText(_ text: String, of count: Int) -> Bool { text.utf8.count != count }
}
