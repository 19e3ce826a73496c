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
  var measure: (size: Int, depth: Int) {
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

  /// An error about a JSON Pointer that does not refer to a value.
  package struct PathError: Error, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
  }

  /// Returns the value that a pointer refers to, and adds the number of visited members to `work`.
  func value(at path: JSONPointer, work: inout Int) throws(PathError) -> EditableJSON {
    var value = self
    for step in path.steps {
      switch value {
      case .object(let members):
        work += members.count
        guard let member = members.first(where: { $0.name == step }) else { throw Self.nothing(at: path) }
        value = member.value
      case .array(let elements):
        guard let index = JSONPointer.index(step), elements.indices.contains(index) else {
          throw Self.nothing(at: path)
        }
        value = elements[index]
      case .scalar: throw Self.nothing(at: path)
      }
    }
    return value
  }

  /// Adds a value (RFC 6902 §4.1): it replaces an object member, or is inserted before an array element.
  mutating func add(_ added: EditableJSON, at path: JSONPointer, work: inout Int) throws(PathError) {
    guard let last = path.steps.last else {
      self = added
      return
    }
    try edit(path, path.steps.dropLast(), work: &work) { (parent, work) throws(PathError) in
      switch parent {
      case .object(let members):
        work += members.count
        parent[last] = added
      case .array(var elements):
        let index = last == [UInt8(ascii: "-")] ? elements.count : JSONPointer.index(last)
        guard let index, index <= elements.count else { throw Self.nothing(at: path) }
        work += elements.count
        parent = .null
        elements.insert(added, at: index)
        parent = .array(elements)
      case .scalar: throw Self.nothing(at: path)
      }
    }
  }

  /// Replaces the value that a pointer refers to, and returns the old value.
  mutating func replace(at path: JSONPointer, with new: EditableJSON, work: inout Int) throws(PathError) -> EditableJSON
  {
    try edit(path, path.steps[...], work: &work) { (value, _) throws(PathError) in
      let old = value
      value = new
      return old
    }
  }

  /// Removes the value that a pointer refers to, and returns it.
  mutating func remove(at path: JSONPointer, work: inout Int) throws(PathError) -> EditableJSON {
    guard let last = path.steps.last else {
      let removed = self
      self = .null
      return removed
    }
    return try edit(path, path.steps.dropLast(), work: &work) { (parent, work) throws(PathError) in
      switch parent {
      case .object(let members):
        work += members.count
        guard let found = members.first(where: { $0.name == last }) else { throw Self.nothing(at: path) }
        parent[last] = nil
        return found.value
      case .array(var elements):
        guard let index = JSONPointer.index(last), elements.indices.contains(index) else {
          throw Self.nothing(at: path)
        }
        work += elements.count
        parent = .null
        let removed = elements.remove(at: index)
        parent = .array(elements)
        return removed
      case .scalar: throw Self.nothing(at: path)
      }
    }
  }

  /// Calls `change` with the value at the end of `steps`, without copying the containers on the way.
  private mutating func edit<Result>(
    _ path: JSONPointer, _ steps: ArraySlice<[UInt8]>, work: inout Int,
    _ change: (inout EditableJSON, inout Int) throws(PathError) -> Result
  ) throws(PathError) -> Result {
    guard let step = steps.first else { return try change(&self, &work) }
    switch self {
    case .object(var members):
      work += members.count
      guard let index = members.firstIndex(where: { $0.name == step }) else { throw Self.nothing(at: path) }
      self = .null
      defer { self = .object(members) }
      return try members[index].value.edit(path, steps.dropFirst(), work: &work, change)
    case .array(var elements):
      guard let index = JSONPointer.index(step), elements.indices.contains(index) else { throw Self.nothing(at: path) }
      self = .null
      defer { self = .array(elements) }
      return try elements[index].edit(path, steps.dropFirst(), work: &work, change)
    case .scalar: throw Self.nothing(at: path)
    }
  }

  private static func nothing(at path: JSONPointer) -> PathError { PathError("there is no value at \"\(path)\"") }
}

/// A JSON Pointer: `/items/0/a~1b` (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The unescaped steps.
  ///
  /// An array element has its index, or `-` for the position after the last element.
  package let steps: [[UInt8]]
  /// The pointer in its escaped form.
  package let description: String

  /// Parses a pointer; returns nil if its syntax is invalid.
  package init?(_ text: String) {
    description = text
    guard !text.isEmpty else {
      steps = []
      return
    }
    guard text.hasPrefix("/") else { return nil }
    var steps: [[UInt8]] = []
    for step in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in step {
        if isEscaped {
          // RFC 6901 §3: `~0` and `~1` are the only escape sequences.
          guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
          bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
          isEscaped = false
        } else if byte == UInt8(ascii: "~") {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      guard !isEscaped else { return nil }
      steps.append(bytes)
    }
    self.steps = steps
  }

  /// Creates a pointer from unescaped steps.
  init(steps: [[UInt8]]) {
    self.steps = steps
    description = steps.map { "/" + SchemaPointer.escaped(String(decoding: $0, as: UTF8.self)) }.joined()
  }

  /// Returns true if `other` refers to a value inside the value of this pointer.
  func contains(_ other: JSONPointer) -> Bool { other.steps.count > steps.count && other.steps.starts(with: steps) }

  /// Returns the array index in a step, or nil unless the step consists of digits without leading zeros (RFC 6901 §4).
  static func index(_ step: [UInt8]) -> Int? {
    guard !step.isEmpty, step.count < 10, step.allSatisfy({ (0x30...0x39).contains($0) }),
      step.count == 1 || step[0] != 0x30
    else { return nil }
    return Int(String(decoding: step, as: UTF8.self))
  }
}
