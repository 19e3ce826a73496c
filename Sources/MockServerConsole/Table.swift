/// A table for the terminal, whose columns are as wide as their content or as the terminal allows.
package struct Table {
  package struct Column {
    package let title: String
    /// True if the cells are numbers, which are aligned to the right.
    package let isNumber: Bool
    /// True if this column is shortened when the table is wider than the terminal.
    package let gives: Bool

    package init(_ title: String, isNumber: Bool = false, gives: Bool = false) {
      self.title = title
      self.isNumber = isNumber
      self.gives = gives
    }
  }

  private static let gap = 2
  /// The minimum width of a shortened column, below which its text would be unreadable.
  private static let least = 16

  package let columns: [Column]
  package var rows: [[String]] = []

  /// Creates a table without rows.
  package init(columns: [Column]) { self.columns = columns }

  /// Returns the table as text.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal in columns; nil for no limit.
  ///   - style: The style of the header.
  /// - Returns: The lines of the table.
  package func text(width: Int?, style: Style) -> String {
    let widths = self.widths(within: width)
    let title = line(columns.map(\.title), widths)
    return style.bold(title) + "\n" + rows.map { line($0, widths) + "\n" }.joined()
  }

  private func widths(within width: Int?) -> [Int] {
    var widths = columns.map(\.title.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    guard let width else { return widths }
    let excess = widths.reduce(0, +) + Table.gap * (columns.count - 1) - width
    if excess > 0, let giving = columns.firstIndex(where: \.gives) {
      widths[giving] = min(widths[giving], max(Table.least, widths[giving] - excess))
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let cell = Table.shortened(cell, to: widths[column])
      let space = String(repeating: " ", count: widths[column] - cell.count)
      line += columns[column].isNumber ? space + cell : cell + space
      line += String(repeating: " ", count: Table.gap)
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  /// Shortens text in the middle, because the beginning and the end of a path identify it.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let kept = max(0, width - 1)
    return "\(text.prefix(kept / 2))…\(text.suffix(kept - kept / 2))"
  }
}
