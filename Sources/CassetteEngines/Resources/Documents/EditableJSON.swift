package import CassetteJSON

/// A mutable JSON value that preserves the source of numbers and strings.
package enum EditableJSON: Sendable {
  case object([Member])
  case array([EditableJSON])
  /// The source of a string, a number, `true`, `false` or `null`.
  case scalar([UInt8])

  /// A member of an object.
  package struct Member: Sendable {
    /// The name, without quotes and escapes.
    package var name: [UInt8]
    package var value: EditableJSON

    package init(_ name: [UInt8], _ value: EditableJSON) {
      self.name = name
      self.value = value
    }
  }

  package static let null = EditableJSON.scalar(Array("null".utf8))

  /// Parses a JSON document; returns nil if it is invalid or nested too deeply.
  package init?(_ bytes: [UInt8]) {
    guard let tree = JSONTree(bytes) else { return nil }
    self.init(tree.root, in: tree)
  }

  /// Creates a value from a node of a parsed document.
  package init(_ node: JSONTree.Node, in tree: JSONTree) {
    switch node.kind {
    case .object(let members): self = .object(members.map { Member($0.name, EditableJSON($0.value, in: tree)) })
    case .array(let elements): self = .array(elements.map { EditableJSON($0, in: tree) })
    case .scalar: self = .scalar(Array(tree.bytes[node.range]))
    }
  }

  /// Creates a string.
  package static func string(_ text: String) -> EditableJSON { .scalar(JSONString.encode(text)) }

  /// Creates an integer.
  package static func number(_ number: Int) -> EditableJSON { .scalar(Array("\(number)".utf8)) }

  /// The JSON source of the value, without whitespace.
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

  /// The decoded string; nil if the value is not a string.
  package var string: String? {
    guard case .scalar(let token) = self, token.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: token[...]), as: UTF8.self)
  }

  /// The decoded string, or the source of another scalar; nil for objects and arrays.
  package var scalar: String? {
    guard case .scalar(let token) = self else { return nil }
    return string ?? String(decoding: token, as: UTF8.self)
  }

  /// The first member with a name; assigning nil removes all members with that name.
  package subscript(name: String) -> EditableJSON? {
    get { self[Array(name.utf8)] }
    set { self[Array(name.utf8)] = newValue }
  }

  /// The first member with a name in UTF-8; assigning nil removes all members with that name.
  package subscript(name: [UInt8]) -> EditableJSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      // Without this, `members` would be copied, because `self` would hold a second reference.
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

  /// Returns the value at the end of a path of member names, or nil if a member is missing.
  package func value(at names: [String]) -> EditableJSON? {
    names.reduce(Optional(self)) { value, name in value?[name] }
  }

  /// The approximate size of the JSON source in bytes, and the nesting depth.
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

  /// Returns true if two values are equal: members in any order, numbers by value (`1.0` equals `1`), strings decoded.
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
