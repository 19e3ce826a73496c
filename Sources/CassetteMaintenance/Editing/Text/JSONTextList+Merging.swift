internal import CassetteJSON
internal import CassetteSystem

/// Inserts values of one text into another, in the layout of the latter.
extension JSONTextList {
  /// Merges a list into this one: objects recursively, arrays by adding missing elements; other values are replaced.
  ///
  /// - Parameters:
  ///   - added: A list of the same kind, in the layout of a cassette.
  ///   - name: The member to insert new members after. Default: after the last one.
  ///   - line: The indentation of the line in which this list begins.
  ///   - from: The number of spaces before the line in which `added` begins. Default: 0.
  package mutating func merge(_ added: JSONTextList, behind name: String? = nil, line: [UInt8], from: Int = 0) {
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
  /// - Parameters:
  ///   - new: The items. They get the surrounding whitespace of existing items.
  ///   - place: The index of the item to insert after. Default: after the last one.
  ///   - line: The indentation of the line in which this list begins.
  ///   - from: The number of spaces before the lines in which the new items begin.
  package mutating func insert(_ new: [Item], behind place: Int? = nil, line: [UInt8], from: Int) {
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
  package var indent: [UInt8]? { lead.lastIndex(of: 10).map { Array(lead[($0 + 1)...]) } }
}
