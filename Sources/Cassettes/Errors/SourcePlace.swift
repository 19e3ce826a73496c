import CassetteJSON

/// A position in a file: in a cassette or in source code.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as the caller specified it.
  public var file: String
  /// The line, counted from one.
  public var line: Int
  /// The column in characters, counted from one.
  public var column: Int

  /// Creates a position.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The position in the format of compilers: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// The line and column of the first byte of each block, to find the position of any byte without reading from the
/// start.
///
/// Counting from the start of the line is not enough: a generated file may consist of one long line.
struct LineTable: Sendable {
  private static let blockSize = 1024
  private var blocks: [(line: Int, column: Int)] = []

  init(_ bytes: Span<UInt8>) {
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

  func place(of offset: Int, in bytes: Span<UInt8>, file: String) -> SourcePlace {
    let offset = min(max(offset, 0), bytes.count)
    let block = min(offset / Self.blockSize, blocks.count - 1)
    let found = JSONPosition.of(offset, from: block * Self.blockSize, blocks[block], in: bytes)
    return SourcePlace(file: file, line: found.line, column: found.column)
  }
}
