internal import CassetteJSON
internal import CassetteSystem

/// An object or array split into its members or elements, which can be joined again byte for byte.
///
/// Edits thus preserve all other text.
package struct JSONTextList: Sendable {
  /// A member or an element, with the surrounding whitespace.
  package struct Item: Sendable {
    /// The whitespace before the item.
    var lead: [UInt8] = []
    /// The source text of an element, or of a member including its name.
    var text: [UInt8]
    /// The whitespace between the item and the comma.
    var trail: [UInt8] = []
    /// The name of a member; empty for an element.
    var name: [UInt8] = []
    /// The offset in `text` at which the value begins.
    var valueStart = 0

    /// Creates a member or an element.
    init(lead: [UInt8], text: [UInt8], name: [UInt8] = [], valueStart: Int = 0) {
      (self.lead, self.text, self.name, self.valueStart) = (lead, text, name, valueStart)
    }

    /// The source text of the value.
    var value: ArraySlice<UInt8> { text[valueStart...] }
    /// The value without whitespace between tokens, so that equal tokens mean that only the layout differs.
    var tokens: [UInt8] { JSONTextList.tokens(value) }

    /// Replaces the value of the item.
    mutating func replaceValue(with value: some Collection<UInt8>) { text = Array(text[..<valueStart]) + value }
  }

  private let braces: (open: UInt8, close: UInt8)
  var items: [Item] = []
  var isObject: Bool { braces.open == UInt8(ascii: "{") }
  /// The whitespace before the closing bracket.
  var tail: [UInt8]

  /// Creates an empty object or array.
  init(isObject: Bool) {
    braces =
      isObject ? (UInt8(ascii: "{"), UInt8(ascii: "}")) : (UInt8(ascii: "["), UInt8(ascii: "]"))
    tail = []
  }

  /// Splits an object or array; fails for any other value.
  init?(_ text: some Collection<UInt8>) {
    guard let tree = JSONTree(Array(text)) else { return nil }
    let bytes = tree.bytes
    func space(_ range: Range<Int>) -> [UInt8] { Array(bytes[range].filter { $0 != UInt8(ascii: ",") }) }
    /// Skips whitespace and a comma, and returns the offsets of the comma and of the next token.
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

  /// The source text of the list.
  var text: [UInt8] {
    var output = [braces.open]
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output += item.lead + item.text
      if index < items.count - 1 { output += item.trail }
    }
    return output + tail + [braces.close]
  }

  /// Returns the member with a name, or nil if it is missing.
  func member(_ name: String) -> Item? { items.first { $0.name == Array(name.utf8) } }

  /// Replaces the member with a name, or inserts a new one after the last of `others` or at the end; nil removes it.
  mutating func set(_ name: String, _ item: Item?, behind others: [String] = []) {
    if let index = items.firstIndex(where: { $0.name == Array(name.utf8) }) {
      if let item { items[index].text = item.text } else { items.remove(at: index) }
      if let item { items[index].valueStart = item.valueStart }
    } else if let item {
      let wanted = others.map { Array($0.utf8) }
      let last = items.lastIndex { wanted.contains($0.name) }
      items.insert(item, at: last.map { $0 + 1 } ?? items.count)
    }
  }

  /// Returns a value without whitespace between tokens.
  static func tokens(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    let bytes = Array(text)
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }

  // MARK: Inserts values of one text into another, in the layout of the latter

  /// Merges a list into this one: objects recursively, arrays by adding missing elements; other values are replaced.
  ///
  /// - `name`: The member to insert new members after. Default: after the last one.
  /// - `line`: The indentation of the line in which this list begins.
  /// - `from`: The number of spaces before the line in which `added` begins. Default: 0.
  mutating func merge(_ added: JSONTextList, behind name: String? = nil, line: [UInt8], from: Int = 0) {
    var missing: [Item] = []
    for item in added.items {
      let there = items.firstIndex { isObject ? $0.name == item.name : $0.text == item.text }
      guard let there else {
        missing.append(item)
        continue
      }
      guard isObject else { continue }
      let (line, from) = (items[there].indent ?? line, item.indent?.count ?? from)
      if var old = JSONTextList(items[there].value), let new = JSONTextList(item.value), old.isObject == new.isObject {
        old.merge(new, line: line, from: from)
        items[there].replaceValue(with: old.text)
      } else {
        items[there].replaceValue(with: Self.moved(item.value, from: from, to: line))
      }
    }
    let place = items.firstIndex { item in name.map { Array($0.utf8) == item.name } ?? false }
    insert(missing, behind: place, line: line, from: from)
  }

  /// Inserts members or elements.
  ///
  /// - `new`: The items. They get the surrounding whitespace of existing items.
  /// - `place`: The index of the item to insert after. Default: after the last one.
  /// - `line`: The indentation of the line in which this list begins.
  /// - `from`: The number of spaces before the lines in which the new items begin.
  mutating func insert(_ new: [Item], behind place: Int? = nil, line: [UInt8], from: Int) {
    guard !new.isEmpty else { return }
    let space = items.first?.lead ?? [10] + line + [32, 32]
    if items.isEmpty { tail = [10] + line }
    var next = place.map { $0 + 1 } ?? items.count
    for item in new {
      // A list on one line has no space after its opening bracket, but one after each comma.
      let lead = space.isEmpty && !items.isEmpty ? [32] : space
      let value = Self.moved(item.value, from: item.indent?.count ?? from, to: Item(lead: space, text: []).indent)
      let text = item.text[..<item.valueStart] + value
      items.insert(Item(lead: lead, text: Array(text), name: item.name, valueStart: item.valueStart), at: next)
      next += 1
    }
  }

  /// Returns a value with the indentation of its lines changed, or on a single line if `indent` is nil.
  private static func moved(_ value: ArraySlice<UInt8>, from: Int, to indent: [UInt8]?) -> [UInt8] {
    guard let indent else {
      var line: [UInt8] = []
      JSONStyle.spaced.render(Array(value).span, into: &line)
      return line
    }
    let lines = value.split(separator: 10, omittingEmptySubsequences: false)
    var text = Array(lines.first ?? [])
    for line in lines.dropFirst() { text += [10] + indent + line.dropFirst(min(line.prefix { $0 == 32 }.count, from)) }
    return text
  }
}

extension JSONTextList.Item {
  /// The indentation of the item's line; nil if the item does not begin a line.
  var indent: [UInt8]? { lead.lastIndex(of: 10).map { Array(lead[($0 + 1)...]) } }
}
