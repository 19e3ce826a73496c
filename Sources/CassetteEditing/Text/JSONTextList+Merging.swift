internal import CassetteJSON
internal import CassetteSystem

/// Putting values of one text into another, in the layout of the other.
extension JSONTextList {
  /// Puts a list into this one: objects are merged, arrays get what they lack, all else is replaced.
  ///
  /// - Parameters:
  ///   - added: A list of the same kind, laid out as a cassette is.
  ///   - name: The member behind which new ones come; the last without it.
  ///   - line: The white space at the beginning of the line in which this list begins.
  ///   - from: The number of spaces at the beginning of the line in which the other one begins.
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

  /// Puts members or elements in.
  ///
  /// - Parameters:
  ///   - new: What is put in; the white space around it is that of its neighbours.
  ///   - place: The index behind which it comes; the last without it.
  ///   - line: The white space at the beginning of the line in which this list begins.
  ///   - from: The number of spaces at the beginning of the line in which what is new begins.
  package mutating func insert(_ new: [Item], behind place: Int? = nil, line: [UInt8], from: Int) {
    guard !new.isEmpty else { return }
    let space = items.first?.lead ?? [10] + line + [32, 32]
    if items.isEmpty { tail = [10] + line }
    var next = place.map { $0 + 1 } ?? items.count
    for item in new {
      // A list on one line has no space behind its bracket, and one behind its commas.
      let lead = space.isEmpty && !items.isEmpty ? [32] : space
      let value = Self.moved(item.value, from: item.indent?.count ?? from, to: Item(lead: space, text: []).indent)
      let text = item.text[..<item.valueStart] + value
      items.insert(Item(lead: lead, text: Array(text), name: item.name, valueStart: item.valueStart), at: next)
      next += 1
    }
  }

  /// A value's text, its lines moved from one indentation to another; on one line where there is none.
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
  /// The indentation of the line; nil where the item does not begin one.
  package var indent: [UInt8]? { lead.lastIndex(of: 10).map { Array(lead[($0 + 1)...]) } }
}
