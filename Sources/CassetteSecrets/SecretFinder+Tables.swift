internal import CassetteShapes
internal import CassetteSystem

/// Names at the head of what they name: of a table, of the parts of a form.
extension SecretFinder {
  // MARK: Tables and parts

  /// The columns of a table whose head is a secret's name (RFC 4180, with any usual separator).
  func columns(in text: ByteSearch, _ found: (Found) -> Void) {
    var start = 0
    while text.at(start) == UInt8(ascii: "#"), let next = text.first(0x0a, from: start) { start = next + 1 }
    guard let end = text.first(0x0a, from: start), end > start + 2, end < 4096, end + 1 < text.count else { return }
    let separators: [UInt8] = [0x2c, 0x3b, 0x09, 0x7c]
    let head = start..<(text[end - 1] == 0x0d ? end - 1 : end)
    guard let separator = separators.first(where: { text.first($0, in: head) != nil }) else { return }
    let titles = Self.cells(text, head, separator)
    guard titles.allSatisfy({ $0.count < 64 && Self.isTitle(text, $0) }) else { return }
    let named = titles.indices.map { index in
      Name(range: titles[index], quote: 0, verdict: SecretNames.verdict(on: text, titles[index]))
    }
    guard named.contains(where: { $0.verdict != .harmless && $0.verdict != .holder }) else { return }
    var line = end + 1
    while line < text.count {
      let stop = text.first(0x0a, from: line) ?? text.count
      let row = line..<(stop > line && text[stop - 1] == 0x0d ? stop - 1 : stop)
      let cells = Self.cells(text, row, separator)
      if cells.count == titles.count {
        for (name, cell) in zip(named, cells) where name.verdict != .harmless && name.verdict != .holder {
          take(name, cell, text.bytes(cell), in: text, found)
        }
      }
      line = stop + 1
    }
  }

  private static func isTitle(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    range.allSatisfy { nameBytes.contains(text[$0]) || text[$0] == 0x20 || text[$0] >= 0x80 }
  }

  private static func cells(_ text: ByteSearch, _ row: Range<Int>, _ separator: UInt8) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = row.lowerBound
    while start <= row.upperBound {
      if start < row.upperBound, text[start] == UInt8(ascii: "\"") {
        let end = min(endOfString(text, from: start + 1, UInt8(ascii: "\"")) ?? row.upperBound, row.upperBound)
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
      guard !value.isEmpty, let title = MultipartHead.name(bytes[start..<head]) else { continue }
      let place = Redaction.Place.form(title.lowercased())
      guard !redaction.kept.contains(place) else { continue }
      let range = 0..<title.utf8.count
      Array(title.utf8).searching { text in
        let verdict = redaction.redacted.contains(place) ? .secret : SecretNames.verdict(on: text, range)
        take(Name(range: range, quote: 0, verdict: verdict), value, Array(bytes[value]), in: text, found)
      }
    }
  }
}
