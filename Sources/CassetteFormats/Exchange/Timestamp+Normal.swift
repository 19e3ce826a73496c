import CassetteHTTP

extension Timestamp {
  /// Converts a time in the format of RFC 3339 or RFC 9110 to RFC 3339; nil if the text is not a time.
  ///
  /// Some APIs omit the time zone and mean UTC, or the colon in the offset.
  static func normal(_ text: String) -> String? {
    if let seconds = HTTPDate.parse(text) { return at(Double(seconds)) }
    let bytes = Array(text.utf8)
    guard let time = ISOTime(bytes[...]), time.isWhole, time.hasSeconds, bytes[10] == UInt8(ascii: "T"),
      bytes.last != UInt8(ascii: "z")
    else {
      return nil
    }
    if time.hasZone { return text }
    let offset = text.suffix(5)
    return offset.hasPrefix("+") || offset.hasPrefix("-") ? "\(text.dropLast(2)):\(offset.suffix(2))" : "\(text)Z"
  }
}
