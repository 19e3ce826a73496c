package import CassetteHTTP

extension HTTPHeaders {
  /// Returns true if a comma-separated list field contains a member.
  ///
  /// Both are compared case-insensitively.
  package func lists(_ member: String, in name: String) -> Bool {
    contains { field in
      guard field.isNamed(name) else { return false }
      var rest = field.value[...]
      while !rest.isEmpty {
        let next = rest.utf8.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        let found = ASCII.trimmingBlanks(rest[..<next])
        if found.utf8.elementsEqual(member.utf8, by: { ASCII.lowercased($0) == ASCII.lowercased($1) }) { return true }
        rest = rest[next...].dropFirst()
      }
      return false
    }
  }
}

extension HTTPHeaders.Field {
  /// Creates a field from ranges of its line.
  init(_ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>) {
    let text = ByteText.string(bytes, value)
    self.init(
      name: ByteText.string(bytes, name), value: text, isLatin1: ByteText.isObsText(text, of: value.count))
  }
}

extension ASCII {
  @inline(__always) static var lineFeed: UInt8 { 0x0A }
  @inline(__always) static var carriageReturn: UInt8 { 0x0D }

  /// Returns true if the bytes at an offset equal `wanted`, compared case-insensitively.
  static func equalIgnoringCase(_ bytes: Span<UInt8>, at start: Int, _ wanted: UnsafeBufferPointer<UInt8>)
    -> Bool
  {
    for index in wanted.indices where lowercased(bytes[start + index]) != lowercased(wanted[index]) { return false }
    return true
  }
}

extension ByteText {
  /// Decodes a range of bytes.
  static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    // The initializers of `String` accept sequences, but not spans.
    bytes.extracting(range).withUnsafeBufferPointer { bytes in
      // Nearly all values are ASCII, which need not be validated as UTF-8.
      bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : string(bytes)
    }
  }

  /// Returns true if received text was not UTF-8: each byte above ASCII then takes two bytes in UTF-8.
  static func isObsText(_ text: String, of count: Int) -> Bool { text.utf8.count != count }

  /// Returns the bytes of text that was decoded as ISO-8859-1.
  static func obsText(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
  }
}
