package import CassetteJSON

/// A JSON value that can be changed; numbers and strings stay as they were written.
package enum EditableJSON: Sendable {
  case object([Member])
  case array([EditableJSON])
  /// A string, a number or a word, as its token.
  case scalar([UInt8])

  /// A member of an object.
  package struct Member: Sendable {
    /// The name, decoded.
    package var name: [UInt8]
    package var value: EditableJSON

    package init(_ name: [UInt8], _ value: EditableJSON) {
      self.name = name
      self.value = value
    }
  }

  package static let null = EditableJSON.scalar(Array("null".utf8))

  /// Reads a text; nil when it is not JSON, or has more levels than any reader of ours allows.
  package init?(_ bytes: [UInt8]) {
    guard let tree = JSONTree(bytes) else { return nil }
    self.init(tree.root, in: tree)
  }

  /// A value of a text that was read.
  package init(_ node: JSONTree.Node, in tree: JSONTree) {
    switch node.kind {
    case .object(let members): self = .object(members.map { Member($0.name, EditableJSON($0.value, in: tree)) })
    case .array(let elements): self = .array(elements.map { EditableJSON($0, in: tree) })
    case .scalar: self = .scalar(Array(tree.bytes[node.range]))
    }
  }

  /// Creates a string.
  package static func string(_ text: String) -> EditableJSON { .scalar(JSONString.encode(text)) }

  /// Creates a whole number.
  package static func number(_ number: Int) -> EditableJSON { .scalar(Array("\(number)".utf8)) }

  /// The text without white space.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSONString.encode(String(decoding: member.name, as: UTF8.self))
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .scalar(let token): bytes += token
    }
  }

  package var isNull: Bool { if case .scalar(let token) = self { token.first == UInt8(ascii: "n") } else { false } }
  package var isObject: Bool { if case .object = self { true } else { false } }
  package var isArray: Bool { if case .array = self { true } else { false } }

  /// A string's text.
  package var string: String? {
    guard case .scalar(let token) = self, token.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: token[...]), as: UTF8.self)
  }

  /// A string's text, or a number or word as it is written; nil for objects and arrays.
  package var scalar: String? {
    guard case .scalar(let token) = self else { return nil }
    return string ?? String(decoding: token, as: UTF8.self)
  }

  /// The first member of a name; setting nil removes those of that name.
  package subscript(name: String) -> EditableJSON? {
    get { self[Array(name.utf8)] }
    set { self[Array(name.utf8)] = newValue }
  }

  /// The first member of a name, as bytes; setting nil removes those of that name.
  package subscript(name: [UInt8]) -> EditableJSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      // The members are this function's alone while they change: nothing is copied.
      self = .null
      if let newValue {
        if let index = members.firstIndex(where: { $0.name == name }) {
          members[index].value = newValue
        } else {
          members.append(Member(name, newValue))
        }
      } else {
        members.removeAll { $0.name == name }
      }
      self = .object(members)
    }
  }

  /// Returns the value at the end of some names.
  package func value(at names: [String]) -> EditableJSON? {
    names.reduce(Optional(self)) { value, name in value?[name] }
  }

  /// The approximate number of bytes of its text, and the number of its levels.
  package var measure: (size: Int, depth: Int) {
    switch self {
    case .object(let members):
      members.reduce((2, 1)) { sum, member in
        let own = member.value.measure
        return (sum.0 + member.name.count + 4 + own.size, max(sum.1, own.depth + 1))
      }
    case .array(let elements):
      elements.reduce((2, 1)) { sum, element in
        let own = element.measure
        return (sum.0 + 1 + own.size, max(sum.1, own.depth + 1))
      }
    case .scalar(let token): (token.count, 0)
    }
  }

  /// Tells whether two values say the same: members in any order, `1.0` and `1` alike, strings by their text.
  package func saysTheSame(as other: EditableJSON) -> Bool {
    switch (self, other) {
    case (.object(let mine), .object(let theirs)):
      guard mine.count == theirs.count else { return false }
      var left: [[UInt8]: [EditableJSON]] = [:]
      for member in theirs.reversed() { left[member.name, default: []].append(member.value) }
      return mine.allSatisfy { member in left[member.name]?.popLast()?.saysTheSame(as: member.value) ?? false }
    case (.array(let mine), .array(let theirs)):
      return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.saysTheSame(as: $1) }
    case (.scalar(let mine), .scalar(let theirs)):
      if mine == theirs { return true }
      if let mine = string { return mine == other.string }
      guard let mine = JSONNumber(mine[...]), let theirs = JSONNumber(theirs[...]) else { return false }
      return mine == theirs
    default: return false
    }
  }
}
