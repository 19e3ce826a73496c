/// Line and column of a byte, counted as an editor counts.
public enum JSONPosition {
  /// Returns the line and column of a byte, both counted from one.
  ///
  /// A column is a Unicode scalar, as most editors show it; lines end with LF.
  ///
  /// - Parameters:
  ///   - offset: The byte; one past the end is the end of the text.
  ///   - bytes: The text.
  /// - Returns: The line and the column.
  public static func of(_ offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var lineStart = 0
    for at in 0..<end where bytes[at] == 0x0a {
      line += 1
      lineStart = at + 1
    }
    return (line, column(of: end, lineStart: lineStart, in: bytes))
  }

  package static func column(of offset: Int, lineStart: Int, in bytes: Span<UInt8>) -> Int {
    var column = 1
    for at in lineStart..<max(lineStart, offset) where bytes[at] & 0xc0 != 0x80 {
      column += 1
    }
    return column
  }
}
