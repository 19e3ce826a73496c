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
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The place as compilers write it: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// Line and column of the first byte of each block of a text, to find those of any byte without reading from the start.
///
/// A program may have written all of it in one line.
package struct LineTable: Sendable {
  private static let blockSize = 1024
  private var blocks: [(line: Int, column: Int)] = []

  package init(_ bytes: Span<UInt8>) {
    blocks.reserveCapacity(bytes.count / Self.blockSize + 1)
    var next = (line: 1, column: 1)
    var start = 0
    repeat {
      blocks.append(next)
      let end = min(start + Self.blockSize, bytes.count)
      next = JSONPosition.of(end, from: start, next, in: bytes)
      start = end
    } while start < bytes.count
  }

  package func place(of offset: Int, in bytes: Span<UInt8>, file: String) -> SourcePlace {
    let offset = min(max(offset, 0), bytes.count)
    let block = min(offset / Self.blockSize, blocks.count - 1)
    let found = JSONPosition.of(offset, from: block * Self.blockSize, blocks[block], in: bytes)
    return SourcePlace(file: file, line: found.line, column: found.column)
  }
}
