internal import CassetteJSON

/// A JSON Patch (RFC 6902), which is applied as a whole or not at all.
struct JSONPatch: Sendable {
  /// An error in a patch, or a failure to apply it.
  struct Failure: Error, Equatable, Sendable {
    /// The index of the operation; nil for the whole patch.
    let operation: Int?
    let message: String
    /// True if the patch is invalid for any value.
    let isMalformed: Bool
  }

  /// The limits of a patch: number of operations, size and depth of the value, and total work.
  struct Limits: Sendable {
    package var operations = 10_000
    var size = 16 << 20
    var depth: Int
    /// The number of bytes and elements that all operations may read, move or copy.
    package var work = 64 << 20

    init() { depth = JSONScanner.depthLimit }
  }

  private enum Action {
    case add(EditableJSON)
    case remove
    case replace(EditableJSON)
    case move(JSONPointer)
    case copy(JSONPointer)
    case test(EditableJSON)
  }

  private typealias Operation = (path: JSONPointer, action: Action)

  private let operations: [Operation]
  private let limits: Limits

  /// Parses a patch, which is an array of operations.
  ///
  /// - `limits`: The limits for parsing and applying the patch. Default: 10,000 operations, 16 MiB, and 64 MiB of work.
  init(_ patch: EditableJSON, limits: Limits = Limits()) throws(Failure) {
    guard case .array(let elements) = patch else {
      throw Failure(operation: nil, message: "a patch must be an array of operations", isMalformed: true)
    }
    guard elements.count <= limits.operations else {
      throw Failure(operation: nil, message: "more than \(limits.operations) operations", isMalformed: true)
    }
    self.limits = limits
    var operations: [Operation] = []
    for (number, element) in elements.enumerated() {
      operations.append(try Self.operation(element, number))
    }
    self.operations = operations
  }

  private static func operation(_ element: EditableJSON, _ number: Int) throws(Failure) -> Operation {
    func failure(_ message: String) -> Failure { Failure(operation: number, message: message, isMalformed: true) }
    guard case .object(let members) = element else { throw failure("an operation must be an object") }
    var known: [String: EditableJSON] = [:]
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      guard ["op", "path", "from", "value"].contains(name) else { continue }
      guard known.updateValue(member.value, forKey: name) == nil else { throw failure("\"\(name)\" occurs twice") }
    }
    func pointer(_ name: String) throws(Failure) -> JSONPointer {
      guard let text = known[name]?.string else { throw failure("\"\(name)\" is missing") }
      guard let pointer = JSONPointer(text) else { throw failure("\"\(text)\" is not a JSON pointer") }
      return pointer
    }
    func value() throws(Failure) -> EditableJSON {
      guard let value = known["value"] else { throw failure("\"value\" is missing") }
      return value
    }
    let path = try pointer("path")
    switch known["op"]?.string {
    case "add": return (path, .add(try value()))
    case "remove": return (path, .remove)
    case "replace": return (path, .replace(try value()))
    case "move":
      let from = try pointer("from")
      // RFC 6902 §4.4
      guard !from.contains(path) else { throw failure("\"\(from)\" cannot be moved into itself") }
      return (path, .move(from))
    case "copy": return (path, .copy(try pointer("from")))
    case "test": return (path, .test(try value()))
    case nil: throw failure("\"op\" is missing")
    case let name?: throw failure("unknown operation \"\(name)\"")
    }
  }

  /// Applies the operations to a value, or leaves the value unchanged if an operation fails.
  func apply(to value: inout EditableJSON) throws(Failure) {
    var run = Run(value: value, size: value.measure.size, limits: limits)
    for (number, operation) in operations.enumerated() {
      do throws(EditableJSON.PathError) {
        try run.perform(operation.action, at: operation.path)
      } catch {
        throw Failure(operation: number, message: error.message, isMalformed: false)
      }
    }
    value = run.value
  }

  /// The state of a patch while it is applied.
  private struct Run {
    var value: EditableJSON
    var size: Int
    var work = 0
    let limits: Limits

    mutating func perform(_ action: Action, at path: JSONPointer) throws(EditableJSON.PathError) {
      switch action {
      case .add(let added): try add(added, at: path)
      case .remove: size -= try take(path).measure.size
      case .replace(let new):
        let old = try value.replace(at: path, with: new, work: &work)
        try grow(new, at: path)
        size -= old.measure.size
      case .move(let from):
        if from == path {
          _ = try value.value(at: from, work: &work)
          return
        }
        let moved = try take(from)
        size -= moved.measure.size
        try add(moved, at: path)
      case .copy(let from): try add(try value.value(at: from, work: &work), at: path)
      case .test(let expected):
        work += expected.measure.size
        guard try value.value(at: path, work: &work).saysTheSame(as: expected) else {
          throw EditableJSON.PathError("the value at \"\(path)\" differs")
        }
      }
      guard work <= limits.work else { throw EditableJSON.PathError("the patch takes too many steps") }
    }

    private mutating func take(_ path: JSONPointer) throws(EditableJSON.PathError) -> EditableJSON {
      try value.remove(at: path, work: &work)
    }

    private mutating func add(_ added: EditableJSON, at path: JSONPointer) throws(EditableJSON.PathError) {
      try grow(added, at: path)
      try value.add(added, at: path, work: &work)
    }

    /// Adds a value to the size, depth and work, and throws if a limit is exceeded.
    private mutating func grow(_ added: EditableJSON, at path: JSONPointer) throws(EditableJSON.PathError) {
      let measure = added.measure
      size += measure.size + (path.steps.last?.count ?? 0)
      work += measure.size
      guard path.steps.count + measure.depth <= limits.depth else {
        throw EditableJSON.PathError("more than \(limits.depth) levels")
      }
      guard size <= limits.size else { throw EditableJSON.PathError("more than \(limits.size) bytes") }
    }
  }
}

extension EditableJSON {
  /// Applies a merge patch (RFC 7396), in time linear in both sizes.
  ///
  /// `null` removes a member, an object is merged recursively, and any other value replaces the old one.
  mutating func merge(_ patch: EditableJSON) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var members: [Member] = []
    if case .object(let own) = self { members = own }
    self = .null
    var places: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() where places[member.name] == nil { places[member.name] = index }
    var removed: Set<[UInt8]> = []
    for change in changes {
      if change.value.isNull {
        removed.insert(change.name)
        continue
      }
      removed.remove(change.name)
      if let index = places[change.name] {
        members[index].value.merge(change.value)
      } else {
        places[change.name] = members.count
        var value = EditableJSON.null
        value.merge(change.value)
        members.append(Member(change.name, value))
      }
    }
    if !removed.isEmpty { members.removeAll { removed.contains($0.name) } }
    self = .object(members)
  }
}
