import CassetteJSON

/// A place in a file: of a cassette or of code.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The file's path, as it was given.
  public var file: String
  /// The line, counted from one.
  public var line: Int
  /// The column, counted from one in characters.
  public var column: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - file: The file's path.
  ///   - line: The line, counted from one.
  ///   - column: The column, counted from one.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The place as compilers write it: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// The number of lines before each block of a text, to find the line of any byte without reading from the start.
package struct LineTable: Sendable {
  private static let blockSize = 1024
  private var linesBefore: [Int]

  package init(_ bytes: Span<UInt8>) {
    linesBefore = []
    linesBefore.reserveCapacity(bytes.count / Self.blockSize + 1)
    var lines = 0
    var start = 0
    repeat {
      linesBefore.append(lines)
      let end = min(start + Self.blockSize, bytes.count)
      for at in start..<end where bytes[at] == 0x0a { lines += 1 }
      start = end
    } while start < bytes.count
  }

  package func place(of offset: Int, in bytes: Span<UInt8>, file: String) -> SourcePlace {
    let offset = min(max(offset, 0), bytes.count)
    let block = min(offset / Self.blockSize, linesBefore.count - 1)
    var line = linesBefore[block] + 1
    for at in block * Self.blockSize..<offset where bytes[at] == 0x0a { line += 1 }
    var lineStart = offset
    while lineStart > 0, bytes[lineStart - 1] != 0x0a { lineStart -= 1 }
    return SourcePlace(
      file: file, line: line, column: JSONPosition.column(of: offset, lineStart: lineStart, in: bytes))
  }
}
