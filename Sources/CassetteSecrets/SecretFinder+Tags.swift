internal import CassetteShapes
internal import CassetteSystem

/// The values of tags of HTML and XML: their attributes, and the text behind them.
extension SecretFinder {
  /// The value of a tag that a byte stands in: `value="…"`, or the element's text.
  func tag(
    _ name: Name, around start: Int, in text: ByteSearch, isChoice: Bool = false, _ found: (Found) -> Void
  ) {
    var open = start
    while open > 0, start - open < 16 << 10, text[open] != UInt8(ascii: "<") { open -= 1 }
    var at = open
    var values = 0
    let reach = brackets?.reach(32 << 10) ?? 32 << 10
    defer { brackets?.giveBack(reach - (at - open)) }
    // A tag has a name once: what goes on with values is not closed.
    while at < text.count, text[at] != UInt8(ascii: ">"), at - open < reach, values < 4 {
      guard text[at] == UInt8(ascii: "=") else {
        at += 1
        continue
      }
      let last = text.beginning(of: .space, before: at, after: open)
      let first = text.beginning(of: TextEnds.nameBytes, before: last, after: open)
      at = text.skippingSpace(at + 1)
      let isQuoted = ByteSet.quote.contains(text.at(at))
      if isQuoted { at += 1 }
      let end =
        isQuoted
        ? TextEnds.endOfString(text, from: at, text[at - 1], limit: 8192) ?? min(text.count, at + 8192)
        : text.end(before: Self.endsAttribute, from: at)
      if at < end, Self.values.contains(SecretNames.letters(SecretNames.text(text, first..<last))) {
        values += 1
        take(name, at..<end, text.bytes(at..<end), in: text, found)
      }
      at = isQuoted ? end + 1 : end
    }
    guard values == 0, at < text.count, text[at] == UInt8(ascii: ">"), text[at - 1] != UInt8(ascii: "/") else { return }
    var first = at + 1
    var end = text.first(UInt8(ascii: "<"), from: at) ?? text.count
    // `<select name="token"><option value="…">`
    if !isChoice, text.has("option ", at: end + 1) {
      return tag(name, around: end + 1, in: text, isChoice: true, found)
    }
    // `<property name="password"><value>…`
    if text.at(end + 1) != UInt8(ascii: "/"), (first..<end).allSatisfy({ Self.isSpace(text[$0]) }),
      let close = text.first(UInt8(ascii: ">"), from: end),
      Self.values.contains(SecretNames.letters(SecretNames.text(text, end + 1..<max(end + 1, close))))
    {
      first = close + 1
      end = text.first(UInt8(ascii: "<"), from: first) ?? text.count
    }
    if text.at(end + 1) == UInt8(ascii: "/") { element(name, first..<end, in: text, found) }
  }

  private static let endsAttribute = ByteSet(adding: " \t\r\n>")
}
