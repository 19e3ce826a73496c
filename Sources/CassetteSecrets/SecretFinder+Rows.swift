internal import CassetteShapes
internal import CassetteSystem

/// Tables whose head stands apart from their rows: lists of JSON, lines over a rule of dashes.
extension SecretFinder {
  // MARK: Lists of JSON

  /// `"columns": ["user", "password"], "rows": [["ada", "…"]]`, or a head that is the first row, by the columns named.
  func rows(
    under named: [(column: Int, name: Range<Int>)], of count: Int, _ list: Range<Int>, in text: ByteSearch,
    _ found: (Found) -> Void
  ) {
    func take(_ start: Int) {
      var at = start
      let reach = brackets?.reach(min(Self.longestContainer, text.count - start)) ?? Self.longestContainer
      defer { brackets?.giveBack(reach - (at - start)) }
      while at < text.count, at - start < reach {
        at = text.skippingSpace(at)
        guard let row = cells(of: at, in: text) else { return }
        for (column, name) in named where row.cells.count == count {
          let cell = row.cells[column]
          guard
            text[cell.lowerBound] != UInt8(ascii: "\"") || !Prose.isSentence(text.bytes(cell.dropFirst().dropLast()))
          else { continue }
          let name = Name(range: name, verdict: .secret, isPair: true)
          _ = beside(name, cell.lowerBound, in: text, found)
        }
        at = text.skippingSpace(row.end)
        guard text.at(at) == UInt8(ascii: ",") else { return }
        at += 1
      }
    }
    let next = text.skippingSpace(list.upperBound)
    let before = text.beginning(of: .space, before: list.lowerBound)
    if before > 0, text[before - 1] == UInt8(ascii: "["), text.at(next) == UInt8(ascii: ",") {
      // `[["Authorization", "…"], ["Accept", "…"]]` are fields.
      if count > 2 || named.allSatisfy({ $0.column > 0 }) { take(next + 1) }
      return
    }
    guard before > 0, text[before - 1] == UInt8(ascii: ":") else { return }
    // The object that the list is in, or the one around it: `"schema": {"fields": […]}, "rows": […]`.
    var around = list.lowerBound
    for _ in 0..<2 {
      guard let open = opening(before: around, within: 64 << 10, in: text) else { return }
      eachMember(of: open, in: text) { _, value in
        guard text[value] == UInt8(ascii: "["), !list.contains(value) else { return nil }
        let first = text.skippingSpace(value + 1)
        if text.at(first) == UInt8(ascii: "[") || text.at(first) == UInt8(ascii: "{") { take(first) }
        return nil
      }
      around = open
    }
  }

  /// The titles of a list of columns that a byte stands in one of: `[{"name": "user"}, {"name": "password"}]`.
  func rows(under name: Range<Int>, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let object = opening(before: name.lowerBound, within: 256, in: text) else { return }
    var open = object
    var depth = 0
    while open > 0, object - open < 4096 {
      open -= 1
      if text[open] == UInt8(ascii: "}") { depth += 1 }
      if text[open] == UInt8(ascii: "{") { depth -= 1 }
      if depth < 0 { return }
      if depth == 0, text[open] == UInt8(ascii: "[") { break }
    }
    guard text[open] == UInt8(ascii: "["), let list = elements(of: open, in: text), list.ranges.count > 1,
      let column = list.ranges.firstIndex(where: { $0.lowerBound == object })
    else { return }
    rows(under: [(column, name)], of: list.ranges.count, open..<list.end, in: text, found)
  }

  /// The cells of a row: the elements of a list, or of BigQuery's `{"f": [{"v": "ada"}]}`.
  private func cells(of start: Int, in text: ByteSearch) -> (cells: [Range<Int>], end: Int)? {
    if text.at(start) == UInt8(ascii: "[") { return elements(of: start, in: text).map { ($0.ranges, $0.end) } }
    guard text.at(start) == UInt8(ascii: "{"), let end = endOfValue(text, from: start),
      let open = text.first(UInt8(ascii: "["), in: start..<min(end, start + 16)),
      let list = elements(of: open, in: text)
    else { return nil }
    let cells = list.ranges.compactMap { cell -> Range<Int>? in
      guard text[cell.lowerBound] == UInt8(ascii: "{"), let colon = text.first(UInt8(ascii: ":"), in: cell)
      else { return nil }
      return text.skippingSpace(colon + 1)..<cell.upperBound - 1
    }
    return (cells, end)
  }

  // MARK: Columns

  /// The words below a title of columns that blanks align, as `kubectl` shows them, and behind a name at a row's beginning.
  func aligned(in text: ByteSearch, from start: Int, _ found: (Found) -> Void) {
    guard start < text.count else { return }
    let (head, below) = text.line(from: start)
    let titles = Self.words(of: head, in: text)
    guard titles.count > 1, head.count < 512,
      zip(titles, titles.dropFirst()).allSatisfy({
        $1.lowerBound - $0.upperBound > 1 || $0.lowerBound > head.lowerBound
      })
    else { return }
    guard below < text.count else { return }
    let rule = text.line(from: below).range
    let isRuled = rule.count > 4 && rule.allSatisfy { text[$0] == UInt8(ascii: "-") || Self.isBlank(text[$0]) }
    let named = titles.filter { title in
      title.allSatisfy { !(0x61...0x7a).contains(text[$0]) } && SecretNames.mayName(text, title)
        && SecretNames.verdict(on: text, title) == .secret
    }
    guard isRuled || !named.isEmpty else { return }
    var line = below
    while line < text.count {
      let (row, next) = text.line(from: line)
      let words = Self.words(of: row, in: text)
      for title in named {
        let column = line + title.lowerBound - head.lowerBound
        guard let cell = words.first(where: { $0.lowerBound == column }) else { continue }
        take(Name(range: title, verdict: .secret), cell, text.bytes(cell), in: text, found)
      }
      if isRuled, words.count == 2, SecretNames.mayName(text, words[0]),
        SecretNames.verdict(on: text, words[0]) == .secret
      {
        take(Name(range: words[0], verdict: .secret), words[1], text.bytes(words[1]), in: text, found)
      }
      line = next
    }
  }

  private static func words(of line: Range<Int>, in text: ByteSearch) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var at = line.lowerBound
    while words.count < 64 {
      at = text.end(of: .blank, from: at, atMost: line.upperBound - at)
      let end = min(text.end(before: .space, from: at), line.upperBound)
      guard end > at else { return words }
      words.append(at..<end)
      at = end
    }
    return words
  }
}
