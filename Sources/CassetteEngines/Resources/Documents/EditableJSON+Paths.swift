extension EditableJSON {
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
