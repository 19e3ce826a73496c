/// Encoding of texts that a recorder decoded, back to the bytes on the wire.
enum Charset {
  /// The bytes on the wire; nil for an encoding that is not known, where there is more than ASCII in the text.
  static func bytes(_ text: [UInt8], _ name: String?) -> [UInt8]? {
    guard let name, text.contains(where: { $0 >= 0x80 }) else { return text }
    switch name.lowercased().filter({ !"-_ \"".contains($0) }) {
    // Ruby's word for bytes of which nothing is known; what is in JSON is UTF-8 all the same.
    case "", "utf8", "utf8mb4", "ascii8bit", "binary", "usascii", "ascii": return text
    case "iso88591", "latin1":
      let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
      // One that no such text has: it was decoded as something else.
      guard scalars.allSatisfy({ $0.value < 0x100 }) else { return text }
      return scalars.map { UInt8(truncatingIfNeeded: $0.value) }
    default: return nil
    }
  }
}
