import CassetteJSON

extension CassetteStub.JSON {
  /// Parses JSON; returns nil if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard let tree = JSONTree(bytes) else { return nil }
    self = Self.value(tree.root, in: tree.bytes)
  }

  private static func value(_ node: JSONTree.Node, in bytes: [UInt8]) -> CassetteStub.JSON {
    switch node.kind {
    case .object(let members):
      return .object(members.map { (String(decoding: $0.name, as: UTF8.self), value($0.value, in: bytes)) })
    case .array(let elements): return .array(elements.map { value($0, in: bytes) })
    case .scalar:
      let token = bytes[node.range]
      switch token.first {
      case UInt8(ascii: "\""): return .string(String(decoding: JSONTree.text(ofString: token), as: UTF8.self))
      case UInt8(ascii: "t"): return .bool(true)
      case UInt8(ascii: "f"): return .bool(false)
      case UInt8(ascii: "n"): return .null
      default: return .number(String(decoding: token, as: UTF8.self))
      }
    }
  }

  /// Returns the value of a member; nil if the value is not an object or has no such member.
  public subscript(name: String) -> CassetteStub.JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  /// Returns the element at an index; nil if the value is not an array or has fewer elements.
  public subscript(index: Int) -> CassetteStub.JSON? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// The number of members or elements; 0 for other values.
  public var count: Int {
    switch self {
    case .object(let members): members.count
    case .array(let values): values.count
    case .string, .number, .bool, .null: 0
    }
  }

  /// The string; nil for other values.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number if it is an integer in the range of `Int`; nil for other values.
  public var int: Int? {
    if case .number(let text) = self { Int(text) ?? Double(text).flatMap(Int.init(exactly:)) } else { nil }
  }
  /// The number; nil for other values.
  public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  /// The Boolean value; nil for other values.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}

extension CassetteStub.JSON: Equatable {
  /// Returns true if two values are equal, ignoring the order of members and the representation of numbers.
  public static func == (one: CassetteStub.JSON, other: CassetteStub.JSON) -> Bool {
    switch (one, other) {
    case (.object(let members), .object(let others)):
      members.count == others.count && members.allSatisfy { other[$0.0] == $0.1 }
        && others.allSatisfy { one[$0.0] == $0.1 }
    case (.array(let values), .array(let others)): values == others
    case (.string(let text), .string(let other)): text == other
    case (.number(let text), .number(let other)): text == other || isEqual(text, other)
    case (.bool(let bool), .bool(let other)): bool == other
    case (.null, .null): true
    default: false
    }
  }

  private static func isEqual(_ number: String, _ other: String) -> Bool {
    guard let number = JSONNumber(Array(number.utf8)[...]), let other = JSONNumber(Array(other.utf8)[...]) else {
      return false
    }
    return number == other
  }
}

extension CassetteStub.JSON: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { text }
}

extension Optional where Wrapped == CassetteStub.JSON {
  /// Returns the value of a member if there is an object: `json["user"]["name"]`.
  public subscript(name: String) -> CassetteStub.JSON? { self.flatMap { $0[name] } }

  /// Returns an element if there is an array: `json["items"][0]`.
  public subscript(index: Int) -> CassetteStub.JSON? { self.flatMap { $0[index] } }
}
