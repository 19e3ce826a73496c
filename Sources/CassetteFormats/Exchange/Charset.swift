/// Converts text that a recorder decoded back to the bytes of the message.
enum Charset {
  /// Returns the encoded text, or nil if the text is not ASCII and the charset is unknown.
  static func bytes(_ text: [UInt8], _ name: String?) -> [UInt8]? {
    guard let name, text.contains(where: { $0 >= 0x80 }) else { return text }
    switch name.lowercased().filter({ !"-_ \"".contains($0) }) {
    // `ASCII-8BIT` is Ruby's name for an unknown charset. In JSON, such text is UTF-8.
    case "", "utf8", "utf8mb4", "ascii8bit", "binary", "usascii", "ascii": return text
    case "iso88591", "latin1":
      let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
      // The text has characters outside of Latin-1, so it was decoded with another charset.
      guard scalars.allSatisfy({ $0.value < 0x100 }) else { return text }
      return scalars.map { UInt8(truncatingIfNeeded: $0.value) }
    default: return nil
    }
  }
}
