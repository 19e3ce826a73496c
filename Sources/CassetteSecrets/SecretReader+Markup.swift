internal import CassetteSystem

/// Parses XML and HTML: elements, and `<input name="…" value="…">`.
///
/// An attribute with a secret's name is `name="value"`, which is found in any text.
extension SecretReader {
  /// Parses a tag, and the content of its element if the element or an attribute has a secret's name; returns the end.
  mutating func tag(_ start: Int, limit: Int) -> Int {
    let element = start + 1..<min(text.end(of: Self.tagBytes, from: start + 1), limit)
    guard let first = element.first, ByteSet.letter.contains(text[first]) else { return start }
    var at = element.upperBound
    var (title, value): (Range<Int>?, Range<Int>?) = (nil, nil)
    defer { use(at - start) }
    while at < limit, text[at] != UInt8(ascii: ">") {
      if text[at] == UInt8(ascii: "<") { return start }
      let name = at..<min(text.end(of: Self.tagBytes, from: at), limit)
      at = name.upperBound
      let sign = text.skippingSpace(at)
      guard !name.isEmpty, sign < limit, text[sign] == UInt8(ascii: "=") else {
        if name.isEmpty { at += 1 }
        continue
      }
      at = min(text.skippingSpace(sign + 1), limit)
      guard at < limit else { break }
      let content: Range<Int>
      if ByteSet.quote.contains(text[at]) {
        guard let close = text.first(text[at], in: at + 1..<limit) else { return start }
        (content, at) = (at + 1..<close, close + 1)
      } else {
        content = at..<min(text.end(before: Self.endsBare, from: at), limit)
        at = content.upperBound
      }
      switch finder.verdict(on: text, name) {
      case .holder where isSecret(content): title = content
      case .value: value = content
      default: break
      }
    }
    guard at < limit else { return start }
    if let title, let value {
      take(marked: value, title, .pair)
      return value.upperBound
    }
    if text.has("script", at: element.lowerBound), element.count == 6, let close = closing(Self.hash(text, element)),
      close >= at, close < limit
    {
      // The rest of the page is not a program.
      let outer = scope
      defer { scope = outer }
      let end = Self.endOfScript.searching { text.first($0, from: at) } ?? close
      scope = (at + 1..<end, -1, false)
      lines(at + 1..<end)
      return end
    }
    guard text[at - 1] != UInt8(ascii: "/"), title != nil || isSecret(element) else { return start }
    return content(of: element, title, from: at + 1, limit) ?? start
  }

  /// Takes the text in an element as secrets; returns the start of the closing tag, or nil if the element is not
  /// closed.
  private mutating func content(of element: Range<Int>, _ title: Range<Int>?, from start: Int, _ limit: Int) -> Int? {
    guard let last = closing(Self.hash(text, element)), last >= start, last < limit else { return nil }
    var at = start
    while at < limit {
      let isData = text.has("<![CDATA[", at: at)
      let open =
        (isData ? Self.endOfData.searching { text.first($0, from: at) } : text.first(UInt8(ascii: "<"), from: at))
        ?? limit
      let part = text.trimmed((isData ? at + 9 : at)..<max(at, min(open, limit)), of: .space)
      if !part.isEmpty { take(marked: part, title ?? element) }
      at = min(open, limit)
      if isData { at = min(at + 3, limit) }
      guard at < limit, text[at] == UInt8(ascii: "<"), !text.has("<![CDATA[", at: at) else { continue }
      // A name in an attribute applies only to text directly within the element.
      if text.at(at + 1) == UInt8(ascii: "/"),
        title != nil || text.isSame(element, at + 2..<min(limit, at + 2 + element.count))
      {
        break
      }
      at = (text.first(UInt8(ascii: ">"), from: at) ?? limit) + 1
    }
    use(min(at, limit) - start)
    return min(at, limit)
  }

  /// Returns the last offset of a closing tag with the given name.
  private mutating func closing(_ hash: UInt64) -> Int? {
    if let closings { return closings[hash] }
    var all: [UInt64: Int] = [:]
    var from = 0
    while let open = text.first(UInt8(ascii: "<"), from: from) {
      from = open + 1
      guard text.at(from) == UInt8(ascii: "/") else { continue }
      all[Self.hash(text, from + 1..<text.end(of: Self.tagBytes, from: from + 1, atMost: 128))] = open
    }
    use(text.count)
    closings = all
    return all[hash]
  }

  private static func hash(_ text: ByteSearch, _ range: Range<Int>) -> UInt64 {
    range.reduce(0) { ($0 ^ UInt64(text[$1])) &* 0x9e37_79b9_7f4a_7c15 ^ $0 &>> 29 }
  }

  /// Takes a value in markup, after decoding character references.
  private mutating func take(marked range: Range<Int>, _ name: Range<Int>, _ notation: SecretFinder.Notation = .member)
  {
    let raw = text.bytes(range)
    take(range, DecodedView(raw).undoing([UInt8(ascii: "&")])?.bytes ?? raw, name, notation)
  }

  private static let endOfScript = Array("</script".utf8)
  private static let endOfData = Array("]]>".utf8)
  private static let tagBytes = ByteSet.word.adding("_-.:")
  private static let endsBare = ByteSet(0...0x20, adding: ">\"'")
}
