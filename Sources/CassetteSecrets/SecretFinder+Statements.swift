internal import CassetteShapes
internal import CassetteSystem

/// Values whose name stands at the head of a statement: rows of SQL, variables of HCL, lines of a file of cookies.
extension SecretFinder {
  // MARK: SQL

  /// `insert into users (name, password) values ('ada', '…'), ('bob', '…')`, and PostgreSQL's `copy users (…) from stdin`.
  ///
  /// - Returns: Where its rows end: what they hold is no statement of its own.
  func rows(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    let head = start..<min(text.count, start + 16 << 10)
    guard let open = text.first(UInt8(ascii: "("), in: head), text.first(0x0a, in: start..<open) == nil,
      let titles = tuple(at: open, in: text, within: 16 << 10)
    else { return start }
    let named = titles.cells.map { Name(range: $0, verdict: SecretNames.verdict(on: text, $0), isPair: true) }
    let columns = named.indices.filter { named[$0].verdict != .harmless && named[$0].verdict != .holder }
    guard !columns.isEmpty else { return start }
    func take(_ cells: [Range<Int>]) {
      for column in columns where cells.count == named.count {
        let value = text.bytes(cells[column])
        // `NULL`, `$1`, `:password`, `\\N`: what stands for a value.
        guard value.count > 3, ![0x24, 0x3a, 0x5c].contains(value[0]) || value.count > 20 else { continue }
        self.take(named[column], cells[column], value, in: text, found)
      }
    }
    let next = text.skippingSpace(titles.end)
    let words = text.bytes(next..<min(next + 10, text.count))
    if String(decoding: words, as: UTF8.self).lowercased() == "from stdin" {
      var line = text.first(0x0a, from: next).map { $0 + 1 } ?? text.count
      while line < text.count, text[line] != UInt8(ascii: "\\") {
        let end = text.first(0x0a, from: line) ?? text.count
        take(Self.cells(text, line..<end, 0x09))
        line = end + 1
      }
      return line
    }
    guard let values = text.first(UInt8(ascii: "("), in: next..<min(text.count, next + 64)) else { return start }
    var at = values
    while text.at(at) == UInt8(ascii: "("), let row = tuple(at: at, in: text, within: 256 << 10) {
      take(row.cells)
      at = text.skippingSpace(row.end)
      guard text.at(at) == UInt8(ascii: ",") else { break }
      at = text.skippingSpace(at + 1)
    }
    return at
  }

  /// The members of a list in parentheses, without their quotes, and where it ends.
  private func tuple(at open: Int, in text: ByteSearch, within length: Int) -> (cells: [Range<Int>], end: Int)? {
    var cells: [Range<Int>] = []
    var at = open + 1
    let limit = min(text.count, open + length)
    while at < limit {
      at = text.skippingSpace(at)
      let quote = text.at(at)
      if ByteSet.quote.contains(quote) || quote == UInt8(ascii: "`") {
        guard var end = TextEnds.endOfString(text, from: at + 1, quote) else { return nil }
        // `'it''s'`
        while text.at(end + 1) == quote {
          guard let next = TextEnds.endOfString(text, from: end + 2, quote) else { return nil }
          end = next
        }
        cells.append(at + 1..<end)
        at = text.skippingSpace(end + 1)
      } else {
        let start = at
        while at < limit, text[at] != UInt8(ascii: ","), text[at] != UInt8(ascii: ")") { at += 1 }
        cells.append(start..<text.beginning(of: .space, before: at, after: start))
      }
      if text.at(at) == UInt8(ascii: ")") { return (cells, at + 1) }
      guard text.at(at) == UInt8(ascii: ",") else { return nil }
      at += 1
    }
    return nil
  }

  // MARK: HCL

  /// `variable "db_password" { … default = "…" }`.
  func block(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let end = TextEnds.endOfString(text, from: start, UInt8(ascii: "\""), limit: 128) else { return }
    let name = Name(range: start..<end, verdict: SecretNames.verdict(on: text, start..<end), isPair: true)
    let limit = min(text.count, end + 1024)
    guard name.verdict == .secret || name.verdict == .secretIfToken,
      let close = text.first(UInt8(ascii: "}"), in: end..<limit)
    else { return }
    var from = end
    while let sign = text.first(UInt8(ascii: "="), in: from..<close) {
      from = sign + 1
      let last = text.beginning(of: .blank, before: sign, after: end)
      guard text.has(Self.initial, at: last - Self.initial.count),
        let (value, _, isQuoted) = word(text.skippingBlanks(from), in: text), isQuoted
      else { continue }
      return take(name, value, text.bytes(value), in: text, found)
    }
  }

  private static let initial = Array("default".utf8)

  // MARK: Cookies

  /// The lines of a file of cookies, as Netscape's browser wrote it and curl does: `host TRUE / TRUE expiry name value`.
  func cookieLines(in text: ByteSearch, _ found: (Found) -> Void) -> Bool {
    guard text.at(0) == UInt8(ascii: "#"), let first = text.first(0x0a, from: 0),
      text.bytes(0..<min(first, 64)).firstIndex(of: Array("Cookie File".utf8)) != nil
    else { return false }
    var line = first + 1
    while line < text.count {
      let (row, next) = text.line(from: line)
      let cells = Self.cells(text, row, 0x09)
      if cells.count == 7 {
        // One byte is between the two, there as here.
        let cookie = text.bytes(cells[5]) + [UInt8(ascii: "=")] + text.bytes(cells[6])
        cookies(in: cookie, isSetCookie: false) { found($0.moved(by: cells[5].lowerBound)) }
      }
      line = next
    }
    return true
  }
}
