internal import CassetteJSON

/// Puts members and elements into a JSON text and leaves every other byte where it was.
struct JSONTextMerge {
  /// Text that takes the place of a range.
  private struct Splice {
    var range: Range<Int>
    var text: [UInt8]
  }

  private let tree: JSONTree
  private var splices: [Splice] = []

  init(_ tree: JSONTree) { self.tree = tree }

  /// The text with all that was put in.
  var text: [UInt8] {
    var text = tree.bytes
    // From behind, so that the places of those before stay true.
    for splice in splices.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(splice.range, with: splice.text)
    }
    return text
  }

  /// Puts the members of one object into another: objects are merged, arrays get what they lack, all else is replaced.
  ///
  /// - Parameters:
  ///   - added: A text that is an object, laid out as a cassette is.
  ///   - object: Where to put them.
  ///   - name: The member behind which new ones come; the last without it.
  mutating func merge(_ added: JSONTree, into object: JSONTree.Node, behind name: String? = nil) {
    merge(added.root, at: 0, of: added, into: object, behind: name)
  }

  private mutating func merge(
    _ added: JSONTree.Node, at depth: Int, of source: JSONTree, into node: JSONTree.Node, behind name: String?
  ) {
    switch (added.kind, node.kind) {
    case (.object(let new), .object(let old)):
      var missing: [JSONTree.Member] = []
      for member in new {
        if let there = old.first(where: { $0.name == member.name }) {
          merge(member.value, at: depth + 1, of: source, into: there.value, behind: nil)
        } else {
          missing.append(member)
        }
      }
      let place = old.first { $0.name == name.map { Array($0.utf8) } } ?? old.last
      insert(
        missing.map { member in
          let key = JSONString.encode(String(decoding: member.name, as: UTF8.self)) + Array(": ".utf8)
          return (key, member.value.range)
        }, at: depth + 1, of: source, into: node, behind: place?.value)
    case (.array(let new), .array(let old)):
      let there = old.map { Array(tree.bytes[$0.range]) }
      let missing = new.filter { !there.contains(Array(source.bytes[$0.range])) }
      insert(missing.map { ([], $0.range) }, at: depth + 1, of: source, into: node, behind: old.last)
    default:
      splices.append(
        Splice(range: node.range, text: Self.moved(source.bytes[added.range], from: depth, to: indent(before: node))))
    }
  }

  /// Puts a value, laid out at a depth, into an array.
  ///
  /// - Parameters:
  ///   - element: A text that is a value.
  ///   - depth: How many levels it is indented by behind its first line.
  ///   - array: Where to put it.
  ///   - place: The element behind which it comes; the last without it.
  mutating func insert(
    _ element: JSONTree, indentedBy depth: Int, into array: JSONTree.Node, behind place: JSONTree.Node? = nil
  ) {
    guard case .array(let elements) = array.kind else { return }
    insert([([], element.root.range)], at: depth, of: element, into: array, behind: place ?? elements.last)
  }

  private mutating func insert(
    _ items: [(key: [UInt8], value: Range<Int>)], at depth: Int, of source: JSONTree, into node: JSONTree.Node,
    behind place: JSONTree.Node?
  ) {
    guard !items.isEmpty else { return }
    let space = self.space(in: node, isEmpty: place == nil)
    let indent = Self.indent(of: space)
    var text: [UInt8] = []
    for (index, item) in items.enumerated() {
      if index > 0 || place != nil { text.append(UInt8(ascii: ",")) }
      // A list on one line has no space behind its bracket, and one behind its commas.
      text += space.isEmpty && (index > 0 || place != nil) ? [32] : space
      text += item.key + Self.moved(source.bytes[item.value], from: depth, to: indent)
    }
    if let place {
      splices.append(Splice(range: place.range.upperBound..<place.range.upperBound, text: text))
    } else {
      let end: [UInt8] = [10] + (indent ?? []).dropLast(2)
      splices.append(Splice(range: (node.range.lowerBound + 1)..<(node.range.upperBound - 1), text: text + end))
    }
  }

  /// The white space before what stands in an object or an array.
  private func space(in node: JSONTree.Node, isEmpty: Bool) -> [UInt8] {
    guard isEmpty else {
      return Array(tree.bytes[(node.range.lowerBound + 1)...].prefix { [9, 10, 13, 32].contains($0) })
    }
    return [10] + indent(before: node) + [32, 32]
  }

  /// The indentation in some white space; nil if there is no line break in it.
  private static func indent(of space: [UInt8]) -> [UInt8]? {
    space.lastIndex(of: 10).map { Array(space[($0 + 1)...]) }
  }

  /// The indentation of the line in which a value begins.
  private func indent(before node: JSONTree.Node) -> [UInt8] {
    let start = tree.bytes[..<node.range.lowerBound].lastIndex(of: 10).map { $0 + 1 } ?? 0
    return Array(tree.bytes[start...].prefix { $0 == 32 || $0 == 9 })
  }

  /// A value's text, its lines moved from one level to what a line begins with; on one line where there is none.
  private static func moved(_ value: ArraySlice<UInt8>, from depth: Int, to indent: [UInt8]?) -> [UInt8] {
    guard let indent else {
      var line: [UInt8] = []
      JSONStyle.spaced.render(Array(value).span, into: &line)
      return line
    }
    let lines = value.split(separator: 10, omittingEmptySubsequences: false)
    var text = Array(lines.first ?? [])
    for line in lines.dropFirst() {
      let own = line.prefix { $0 == 32 }.count
      text += [10] + indent + line.dropFirst(min(own, 2 * depth))
    }
    return text
  }
}
