/// Converts offsets to lines and columns as editors count them.
public enum JSONPosition {
  /// Returns the line and column of an offset, both counted from 1; larger offsets mean the end of the text.
  ///
  /// A column is a Unicode scalar, as most editors show it; lines end with LF.
  public static func of(_ offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    of(min(max(offset, 0), bytes.count), from: 0, (1, 1), in: bytes)
  }

  /// Returns the line and column of an offset, counting from an offset with known values.
  package static func of(
    _ offset: Int, from start: Int, _ known: (line: Int, column: Int), in bytes: Span<UInt8>
  ) -> (line: Int, column: Int) {
    var (line, column) = known
    for at in start..<offset {
      if bytes[at] == 0x0a {
        (line, column) = (line + 1, 1)
      } else if bytes[at] & 0xc0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }
}
