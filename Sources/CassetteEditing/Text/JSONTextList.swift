internal import CassetteJSON
internal import CassetteSystem

/// An object or array of a JSON text in pieces that go together again byte for byte, for edits that leave the rest alone.
package struct JSONTextList: Sendable {
  /// A member or an element, with the white space around it.
  package struct Item: Sendable {
    /// The white space before it.
    package var lead: [UInt8] = []
    /// An element's text; of a member, with its name.
    package var text: [UInt8]
    /// The white space between it and the comma.
    package var trail: [UInt8] = []
    /// A member's name; empty for elements.
    package var name: [UInt8] = []
    /// The offset in `text` at which the value begins.
    package var valueStart = 0

    /// Creates a member or an element.
    package init(lead: [UInt8], text: [UInt8], name: [UInt8] = [], valueStart: Int = 0) {
      (self.lead, self.text, self.name, self.valueStart) = (lead, text, name, valueStart)
    }

    /// The text of the value, as it is written.
    package var value: ArraySlice<UInt8> { text[valueStart...] }
    /// The value without white space between its tokens: equal means that nothing but the layout differs.
    package var tokens: [UInt8] { JSONTextList.tokens(value) }

    /// Writes another value in the place of this one.
    package mutating func replaceValue(with value: some Collection<UInt8>) { text = Array(text[..<valueStart]) + value }
  }

  private let braces: (open: UInt8, close: UInt8)
  package var items: [Item] = []
  /// True if it has members, not elements.
  var isObject: Bool { braces.open == UInt8(ascii: "{") }
  /// The white space before the closing brace.
  package var tail: [UInt8]

  /// An empty object or array.
  package init(isObject: Bool) {
    braces =
      isObject ? (UInt8(ascii: "{"), UInt8(ascii: "}")) : (UInt8(ascii: "["), UInt8(ascii: "]"))
    tail = []
  }

  /// Takes a list apart; nil when the value is neither an object nor an array.
  ///
  /// - Parameter text: One JSON value without white space around it.
  package init?(_ text: some Collection<UInt8>) {
    guard let tree = JSONTree(Array(text)) else { return nil }
    let bytes = tree.bytes
    func space(_ range: Range<Int>) -> [UInt8] { Array(bytes[range].filter { $0 != UInt8(ascii: ",") }) }
    /// Steps over white space with a comma in it: returns the place of the comma, and of what follows.
    func gap(_ start: Int) -> (comma: Int, next: Int) {
      var at = start
      JSONScanner.skipWhitespace(in: bytes.span, at: &at)
      let comma = at
      if at < bytes.count, bytes[at] == UInt8(ascii: ",") {
        at += 1
        JSONScanner.skipWhitespace(in: bytes.span, at: &at)
      }
      return (comma, at)
    }
    let values: [(name: [UInt8], range: Range<Int>)]
    switch tree.root.kind {
    case .object(let members):
      braces = (UInt8(ascii: "{"), UInt8(ascii: "}"))
      values = members.map { ($0.name, $0.value.range) }
    case .array(let elements):
      braces = (UInt8(ascii: "["), UInt8(ascii: "]"))
      values = elements.map { ([], $0.range) }
    case .scalar:
      return nil
    }
    var end = tree.root.range.lowerBound + 1
    tail = []
    for value in values {
      let (comma, start) = gap(end)
      if !items.isEmpty { items[items.count - 1].trail = Array(bytes[end..<comma]) }
      let lead = items.isEmpty ? Array(bytes[end..<start]) : space(comma..<start)
      items.append(
        Item(
          lead: lead, text: Array(bytes[start..<value.range.upperBound]), name: value.name,
          valueStart: value.range.lowerBound - start))
      end = value.range.upperBound
    }
    tail = space(end..<tree.root.range.upperBound - 1)
  }

  /// The list as text.
  package var text: [UInt8] {
    var output = [braces.open]
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output += item.lead + item.text
      if index < items.count - 1 { output += item.trail }
    }
    return output + tail + [braces.close]
  }

  /// A member of an object.
  package func member(_ name: String) -> Item? { items.first { $0.name == Array(name.utf8) } }

  /// Puts a member in the place of the one of its name, behind another, or at the end; nil takes it away.
  package mutating func set(_ name: String, _ item: Item?, behind others: [String] = []) {
    if let index = items.firstIndex(where: { $0.name == Array(name.utf8) }) {
      if let item { items[index].text = item.text } else { items.remove(at: index) }
      if let item { items[index].valueStart = item.valueStart }
    } else if let item {
      let wanted = others.map { Array($0.utf8) }
      let last = items.lastIndex { wanted.contains($0.name) }
      items.insert(item, at: last.map { $0 + 1 } ?? items.count)
    }
  }

  /// A value without white space between its tokens.
  package static func tokens(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    let bytes = Array(text)
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }
}
