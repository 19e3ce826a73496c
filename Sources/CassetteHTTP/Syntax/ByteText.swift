internal import CassetteSystem

/// Conversions between received bytes and strings.
package enum ByteText {
  /// Decodes bytes as UTF-8 if they are valid, otherwise as ISO-8859-1, in which all bytes are valid (RFC 9110 §5.5).
  package static func string(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validUTF8: bytes) { return text }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return String(text)
  }
}
