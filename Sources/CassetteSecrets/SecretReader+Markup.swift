internal import CassetteSystem

/// Parses XML and HTML: attributes, elements, and `<input name="…" value="…">`.
extension SecretReader {
  /// Parses a tag, and the content of its element if the element or an attribute has a secret's name.
  ///
  /// - Returns: The end of the parsed bytes, or nil if there is no tag.
  mutating func tag(_ start: Int, limit: Int) -> Int? {
    let isClosing = text.at(start + 1) == UInt8(ascii: "/")
    let first = isClosing ? start + 2 : start + 1
    let nameEnd = min(text.end(of: Self.tagBytes, from: first), limit)
    guard nameEnd > first, ByteSet.letter.contains(text[first]) else { return nil }
    if isClosing { return nameEnd }
    var at = nameEnd
    var (title, value, isEmpty): (Range<Int>?, Range<Int>?, Bool) = (nil, nil, false)
    defer { use(at - start) }
    while at < limit, text[at] != UInt8(ascii: ">") {
      let byte = text[at]
      if byte == UInt8(ascii: "<") { return nil }
      guard Self.tagBytes.contains(byte) else {
        isEmpty = byte == UInt8(ascii: "/")
        at += 1
        continue
      }
      let name = at..<min(text.end(of: Self.tagBytes, from: at), limit)
      at = name.upperBound
      let sign = text.skippingSpace(at)
      guard sign < limit, text[sign] == UInt8(ascii: "=") else { continue }
      at = min(text.skippingSpace(sign + 1), limit)
      guard at < limit else { break }
      let content: Range<Int>
      if ByteSet.quote.contains(text[at]) {
        guard let close = text.first(text[at], in: at + 1..<limit) else { return nil }
        content = at + 1..<close
        at = close + 1
      } else {
        content = at..<min(text.end(before: Self.endsBare, from: at), limit)
        at = content.upperBound
      }
      (title, value) = attribute(name, content, title, value)
    }
    guard at < limit else { return nil }
    at += 1
    if let title, let value {
      take(marked: value, title, .pair)
    } else if !isEmpty {
      let element = first..<nameEnd
      let isSecret =
        has(element.lowerBound - 1..<element.upperBound)
        && [.secret, .several].contains(finder.verdict(on: text, element))
      if isSecret || title != nil { at = content(of: element, title, from: at, limit) ?? at }
    }
    return at
  }

  /// Parses an attribute; returns the updated name and value of a secret that is spread over two attributes of the tag.
  private mutating func attribute(
    _ name: Range<Int>, _ content: Range<Int>, _ title: Range<Int>?, _ value: Range<Int>?
  ) -> (title: Range<Int>?, value: Range<Int>?) {
    switch finder.verdict(on: text, name) {
    case .secret, .several: take(marked: content, name)
    case .holder where content.count <= 128:
      if [.secret, .several].contains(finder.verdict(on: text, content)) { return (content, value) }
    case .value:
      read(content)
      return (title, content)
    default: read(content)
    }
    return (title, value)
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
      let end = text.end(of: Self.tagBytes, from: from + 1, atMost: 128)
      all[Self.hash(text, from + 1..<end)] = open
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
    let value = DecodedView(raw).undoing(.characters)?.bytes ?? raw
    add(finder.take(range, value, named: SecretNames.text(text, name), notation))
  }

  private static let endOfData = Array("]]>".utf8)
  private static let tagBytes = ByteSet.word.adding("_-.:")
  private static let endsBare = ByteSet(0...0x20, adding: ">\"'")
}
