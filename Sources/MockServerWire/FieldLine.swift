internal import CassetteHTTP

/// The ranges of a complete field line (RFC 9112 §5).
///
/// Used for responses and trailers, where speed matters less.
struct FieldLine {
  /// The offsets of the field name.
  let name: Range<Int>
  /// The offsets of the field value, without surrounding white space.
  let value: Range<Int>

  /// Parses a line that ends with LF.
  ///
  /// Returns nil for the empty line that ends a section.
  ///
  /// - Parameters:
  ///   - line: The line with its line terminator.
  ///   - offset: The offset of the line in the message, for errors.
  /// - Returns: The ranges of name and value in the line.
  /// - Throws: The syntax error.
  static func read(_ line: Span<UInt8>, at offset: Int) throws(ParseError) -> FieldLine? {
    let end = line.count - 2
    guard end >= 0, line[end] == ASCII.carriageReturn else { throw .bareLineFeed(offset + line.count - 1) }
    if end == 0 { return nil }
    if ASCII.isBlank(line[0]) {
      throw ParseError("a folded field line", "RFC 9112 §5.2", at: offset)
    }
    let colon = ByteScan.endOfToken(line, from: 0)
    guard colon > 0, colon < end, line[colon] == UInt8(ascii: ":") else {
      throw ParseError("a field line must be a name, a colon and a value", "RFC 9112 §5", at: offset + colon)
    }
    var value = (colon + 1)..<end
    while let first = value.first, ASCII.isBlank(line[first]) { value = (first + 1)..<end }
    while let last = value.last, ASCII.isBlank(line[last]) { value = value.lowerBound..<last }
    var at = value.lowerBound
    while at < value.upperBound {
      at = ByteScan.endOfText(line.extracting(0..<value.upperBound), from: at)
      guard at == value.upperBound || line[at] == ASCII.tab else {
        throw ParseError("a control character in a field value", "RFC 9110 §5.5", at: offset + at)
      }
      at += 1
    }
    return FieldLine(name: 0..<colon, value: value)
  }
}
