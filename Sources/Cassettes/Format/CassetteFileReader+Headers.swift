internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reading header fields: pairs of strings in the order in which they were sent.
extension CassetteFileReader {
  /// The third element of a field whose value is encoded in ISO-8859-1.
  static let latin1 = "latin1"

  private static let noPair = "a header field must be a pair of strings, [\"Name\", \"value\"]"
  private static let noThird =
    "the third string of a header field must be \"latin1\", and the value must have no characters above U+00FF"

  /// Steps over a list of header fields; returns the offset of a Content-Length field in it.
  mutating func readHeaders(_ bytes: Span<UInt8>, _ what: String = "\"headers\"") throws(CassetteError) -> Int? {
    if isAt(UInt8(ascii: "{"), bytes) {
      let start = at
      try skipValue(bytes)
      try report(
        bytes, start, "\(what) must be an array of pairs",
        "write [[\"Name\", \"value\"]] to keep the order and repeated fields"
      )
      return nil
    }
    var contentLength: Int?
    guard var list = try openList(bytes, what) else { return nil }
    while try nextElement(bytes, &list) {
      let start = at
      var problem = Self.noPair
      guard let name = stepOverPair(bytes, &problem) else {
        // An invalid field must still be valid JSON.
        at = start
        try skipValue(bytes)
        try report(bytes, start, problem)
        continue
      }
      try checkName(bytes, name)
      if let field = framingField(bytes, name) {
        if field == "Content-Length" {
          contentLength = name.lowerBound - 1
        } else {
          warn(bytes, name.lowerBound - 1, "\"\(field)\" is derived on replay; remove it")
        }
      }
    }
    return contentLength
  }

  /// Steps over a pair of strings; returns the range of the name between its quotes, or nil if the pair is invalid.
  private mutating func stepOverPair(_ bytes: Span<UInt8>, _ problem: inout String) -> Range<Int>? {
    guard isAt(UInt8(ascii: "["), bytes) else { return nil }
    at += 1
    skipWhitespace(bytes)
    do {
      let name = at
      let hasNameEscapes = try JSONScanner.skipString(in: bytes, at: &at)
      let nameEnd = at
      skipWhitespace(bytes)
      guard isAt(UInt8(ascii: ","), bytes), !hasNameEscapes else { return nil }
      at += 1
      skipWhitespace(bytes)
      let value = at
      // A JSON string contains no raw CR, LF or NUL, but an escaped one would break the head of the message.
      if try JSONScanner.skipString(in: bytes, at: &at) {
        var text: [UInt8] = []
        guard JSONString.decode(bytes.extracting(value + 1..<at - 1), into: &text) else { return nil }
        guard CassetteFileGrammar.isFieldValue(text.span) else {
          problem = "a header field value must not contain a line break or NUL"
          return nil
        }
      }
      let valueEnd = at
      skipWhitespace(bytes)
      if isAt(UInt8(ascii: ","), bytes) {
        problem = Self.noThird
        guard try isLatin1(bytes, value: value..<valueEnd) else { return nil }
      }
      guard isAt(UInt8(ascii: "]"), bytes) else { return nil }
      at += 1
      return name + 1..<nameEnd - 1
    } catch {
      return nil
    }
  }

  /// Steps over the third string of a field; returns true if it is valid there.
  private mutating func isLatin1(_ bytes: Span<UInt8>, value: Range<Int>) throws -> Bool {
    at += 1
    skipWhitespace(bytes)
    let start = at
    _ = try JSONScanner.skipString(in: bytes, at: &at)
    let word = CassetteFileSource.text(at: UInt32(start), in: bytes)
    let text = CassetteFileSource.text(at: UInt32(value.lowerBound), in: bytes)
    skipWhitespace(bytes)
    return word == Self.latin1 && text.unicodeScalars.allSatisfy { $0.value < 0x100 }
  }

  /// Returns true if a name in the rules is a token; otherwise reports a problem.
  @discardableResult
  mutating func checkFieldName(_ name: String, _ bytes: Span<UInt8>, _ start: Int) throws(CassetteError) -> Bool {
    if name.withUTF8Span(CassetteFileGrammar.isToken) { return true }
    try report(bytes, start, Self.noToken)
    return false
  }

  private static let noToken = "a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\""

  @inline(__always)
  private mutating func checkName(_ bytes: Span<UInt8>, _ name: Range<Int>) throws(CassetteError) {
    guard !name.isEmpty else { return try report(bytes, name.lowerBound - 1, "a header field must have a name") }
    for index in name where !ASCII.isToken(bytes[index]) {
      return try report(bytes, name.lowerBound - 1, Self.noToken)
    }
  }

  /// Returns the name of a field for framing or the connection, which the player generates; nil for other fields.
  private func framingField(_ bytes: Span<UInt8>, _ name: Range<Int>) -> String? {
    // The length excludes most names.
    guard [7, 10, 14, 17].contains(name.count) else { return nil }
    return Self.framing.first { field in
      field.utf8.count == name.count && zip(field.utf8, name).allSatisfy { ($0 ^ bytes[$1]) & 0xdf == 0 }
    }
  }

  private static let framing = ["Trailer", "Connection", "Keep-Alive", "Content-Length", "Transfer-Encoding"]
}
