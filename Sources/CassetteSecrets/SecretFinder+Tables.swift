internal import CassetteShapes
internal import CassetteSystem

/// Names at the head of what they name: of a table, of the parts of a form.
extension SecretFinder {
  // MARK: Tables and parts

  /// The columns of a table whose head is a secret's name (RFC 4180, with any usual separator).
  func columns(in text: ByteSearch, _ found: (Found) -> Void) {
    if cookieLines(in: text, found) { return }
    var start = 0
    while text.at(start) == UInt8(ascii: "#"), let next = text.first(0x0a, from: start) { start = next + 1 }
    // The first line of JSON is often all of it.
    guard text.at(start) != UInt8(ascii: "{"), text.at(start) != UInt8(ascii: "[") else { return }
    if servers(in: text, from: start, found) { return }
    aligned(in: text, from: start, found)
    // A title stands alone above a table.
    if let end = text.first(0x0a, from: start), text.at(text.skippingBlanks(end + 1)) == 0x0a, end - start < 256 {
      start = text.skippingSpace(end + 1)
    }
    guard let end = text.first(0x0a, from: start), end > start + 2, end < 32 << 10, end + 1 < text.count else { return }
    let separators: [UInt8] = [0x2c, 0x3b, 0x09, 0x7c]
    let head = text.line(from: start).range
    guard let separator = separators.first(where: { text.first($0, in: head) != nil }) else { return }
    // What Markdown has below a head is no row.
    if separator == 0x7c, Self.isRule(text, below: end) { return }
    let titles = Self.cells(text, head, separator)
    guard titles.allSatisfy({ $0.count < 64 && Self.isTitle(text, $0) }) else { return }
    let named = titles.map { Name(range: $0, verdict: SecretNames.verdict(on: text, $0)) }
    // `setting,value`: each row begins with a name.
    let isList =
      titles.count == 2 && named[0].verdict == .holder
      && Self.values.contains(SecretNames.letters(SecretNames.text(text, titles[1])))
    guard isList || named.contains(where: { $0.verdict != .harmless && $0.verdict != .holder }) else { return }
    var line = end + 1
    while line < text.count {
      let (row, next) = Self.row(from: line, in: text)
      let cells = Self.cells(text, row, separator)
      if isList, cells.count == 2, SecretNames.mayName(text, cells[0]) {
        let name = Name(range: cells[0], verdict: SecretNames.verdict(on: text, cells[0]), isPair: true)
        take(name, cells[1], text.bytes(cells[1]), in: text, found)
      } else if cells.count == titles.count {
        for (name, cell) in zip(named, cells) where name.verdict != .harmless && name.verdict != .holder {
          take(name, cell, text.bytes(cell), in: text, found)
        }
      }
      line = next
    }
  }

  /// A row of a table: several lines where a cell in quotes goes on (RFC 4180 §2.6).
  private static func row(from start: Int, in text: ByteSearch) -> (range: Range<Int>, next: Int) {
    var (line, next) = text.line(from: start)
    var quotes = line.count { text[$0] == UInt8(ascii: "\"") }
    while quotes % 2 == 1, next < text.count, next - start < 32 << 10 {
      let more = text.line(from: next)
      quotes += more.range.count { text[$0] == UInt8(ascii: "\"") }
      (line, next) = (start..<more.range.upperBound, more.next)
    }
    return quotes % 2 == 0 ? (line, next) : text.line(from: start)
  }

  /// The lines of `.pgpass`: `host:port:database:user:password`, where a port or a star is the second.
  private func servers(in text: ByteSearch, from start: Int, _ found: (Found) -> Void) -> Bool {
    var line = start
    while line < text.count {
      let (row, next) = text.line(from: line)
      let fields = next - line <= 1024 ? Self.cells(text, row, 0x3a) : []
      if fields.count == 5, fields.allSatisfy({ !$0.isEmpty }), text.first(0x20, in: row) == nil,
        fields[1].allSatisfy({ text[$0].isDigit }) ? fields[1].count > 2 : text.bytes(fields[1]) == [0x2a]
      {
        let password = text.bytes(fields[4])
        if takes(password, "password") { found(Found(range: fields[4], value: password, name: "password")) }
      } else if line == start {
        return false
      }
      line = next
    }
    return start < text.count
  }

  /// The columns of tables in Markdown, and as `psql` shows them: a line of dashes is below the head.
  func ruledColumns(in text: ByteSearch, _ part: Range<Int>, _ found: (Found) -> Void) {
    var from = part.lowerBound
    while from < part.upperBound, let bar = text.first(UInt8(ascii: "|"), in: from..<part.upperBound) {
      let start = text.beginning(behind: .feed, before: bar)
      let end = text.first(0x0a, from: bar) ?? text.count
      from = end + 1
      guard Self.isRule(text, below: end) else {
        pair(Self.ruledCells(text, start..<end), in: text, found)
        continue
      }
      let rule = end + 1..<(text.first(0x0a, from: end + 1) ?? text.count)
      // A text within another may begin in the middle of a line.
      let hasBar = rule.first { !Self.isBlank(text[$0]) }.map { text[$0] == UInt8(ascii: "|") } ?? false
      let titles = Self.ruledCells(text, (hasBar ? bar : start)..<end)
      let named = titles.indices.filter {
        SecretNames.mayName(text, titles[$0]) && SecretNames.verdict(on: text, titles[$0]) == .secret
      }
      from = rule.upperBound
      while from + 1 < text.count {
        let row = from + 1..<(text.first(0x0a, from: from + 1) ?? text.count)
        guard text.first(UInt8(ascii: "|"), in: row) != nil else { break }
        let cells = Self.ruledCells(text, row)
        if named.isEmpty { pair(cells, in: text, found) }
        for column in named where cells.count == titles.count {
          let value = text.bytes(cells[column])
          guard Self.isNoWord(value) else { continue }
          take(Name(range: titles[column], verdict: .secret), cells[column], value, in: text, found)
        }
        from = row.upperBound
      }
    }
  }

  /// `| Password | … |`: the name is in the first column.
  private func pair(_ cells: [Range<Int>], in text: ByteSearch, _ found: (Found) -> Void) {
    guard cells.count > 1, SecretNames.mayName(text, cells[0]) else { return }
    let name = Name(range: cells[0], verdict: SecretNames.verdict(on: text, cells[0]), isPair: true)
    let value = text.bytes(cells[1])
    if name.verdict == .secret, Self.mayStand(value, beside: SecretNames.text(text, cells[0])) {
      take(name, cells[1], value, in: text, found)
    }
  }

  /// Tells whether the line behind a line's end is of dashes, and bars between them.
  private static func isRule(_ text: ByteSearch, below end: Int) -> Bool {
    let rule = end + 1..<max(end + 1, text.first(0x0a, from: end + 1) ?? text.count)
    return rule.count > 2 && text.first(UInt8(ascii: "-"), in: rule) != nil
      && rule.allSatisfy { Self.rule.contains(text[$0]) }
  }

  private static let rule = ByteSet(adding: "-+|: \t\r")

  /// The cells of a line between bars, without the space and the marks around them.
  private static func ruledCells(_ text: ByteSearch, _ line: Range<Int>) -> [Range<Int>] {
    var cells = Self.cells(text, line, UInt8(ascii: "|")).map { text.trimmed($0, of: marks) }
    if cells.first?.isEmpty == true { cells.removeFirst() }
    if cells.last?.isEmpty == true { cells.removeLast() }
    return cells
  }

  private static let marks = ByteSet(adding: " \t\r`*")

  private static func isTitle(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    range.allSatisfy { TextEnds.nameBytes.contains(text[$0]) || text[$0] == 0x20 || text[$0] >= 0x80 }
  }

  static func cells(_ text: ByteSearch, _ row: Range<Int>, _ separator: UInt8) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = row.lowerBound
    while start <= row.upperBound {
      if start < row.upperBound, text[start] == UInt8(ascii: "\"") {
        let end = min(TextEnds.endOfString(text, from: start + 1, UInt8(ascii: "\"")) ?? row.upperBound, row.upperBound)
        cells.append(start + 1..<max(start + 1, end))
        start = (text.first(separator, in: min(end, row.upperBound)..<row.upperBound) ?? row.upperBound) + 1
      } else {
        let end = text.first(separator, in: start..<row.upperBound) ?? row.upperBound
        cells.append(start..<end)
        start = end + 1
      }
    }
    return cells
  }

  /// The fields of `multipart/form-data` (RFC 7578): by the name in the part's head, quoted or not.
  func parts(in bytes: [UInt8], boundary: String, _ found: (Found) -> Void) {
    let mark = Array("--\(boundary)".utf8)
    // Lines that some programs end without a carriage return.
    let isLoose = bytes.firstIndex(of: Array("\r\n\r\n".utf8)) == nil
    let blank = Array((isLoose ? "\n\n" : "\r\n\r\n").utf8)
    var next = bytes.firstIndex(of: mark).map { $0 + mark.count }
    while let start = next, start < bytes.count {
      let end = bytes.firstIndex(of: mark, from: start) ?? bytes.count + blank.count / 2
      next = end + mark.count
      guard let head = bytes.firstIndex(of: blank, from: start), head + blank.count <= end else { continue }
      let value = head + blank.count..<max(head + blank.count, end - blank.count / 2)
      Array(bytes[value]).searching { text in columns(in: text) { found($0.moved(by: value.lowerBound)) } }
      guard !value.isEmpty, let title = MultipartHead.name(bytes[start..<head]) else { continue }
      let place = CassetteRedaction.Place.form(title.lowercased())
      guard !redaction.kept.contains(place) else { continue }
      let range = 0..<title.utf8.count
      Array(title.utf8).searching { text in
        let verdict = redaction.redacted.contains(place) ? .secret : SecretNames.verdict(on: text, range)
        let name = Name(range: range, verdict: verdict)
        take(name, value, Array(bytes[value]), in: text, found)
        if verdict == .secret, let file = MultipartHead.file(in: bytes, start..<head) {
          let bytes = Array(bytes[file])
          if Self.isNoWord(bytes) { take(name, file, bytes, in: text, found) }
        }
      }
    }
  }
}
