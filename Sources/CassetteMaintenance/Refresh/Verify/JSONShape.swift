import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem

/// The shape of a JSON value: types, members, and the common shape of array elements.
///
/// A shape is the union of several values, such as the elements of an array. A member that some objects lack is
/// optional, and null next to other types makes a value nullable.
struct JSONShape: Equatable, Sendable {
  /// The types of values at one path.
  struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = Kinds(rawValue: 1)
    static let boolean = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)
    static let string = Kinds(rawValue: 8)
    static let object = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
  }

  /// A member, and the number of objects that contain it.
  struct Member: Equatable, Sendable {
    var shape = JSONShape()
    var count = 0
  }

  private(set) var kinds: Kinds = []
  /// True if a number had a fractional part.
  private(set) var hasFraction = false
  /// The number of objects at this path.
  private(set) var objects = 0
  private(set) var members: [String: Member] = [:]
  /// The names of the members, in the order of their first occurrence.
  private(set) var names: [String] = []
  /// The common shape of all elements; empty if all arrays were empty, otherwise one shape.
  private(set) var elements: [JSONShape] = []
  /// The common shape of members whose names are data: dates, numbers, random ids.
  ///
  /// At most one.
  private(set) var entries: [JSONShape] = []

  init() {}

  /// Creates the shape of a JSON document; fails if the bytes are not JSON.
  init?(_ bytes: [UInt8]) {
    guard let tree = JSONTree(bytes.withoutByteOrderMark) else { return nil }
    add(tree.root, of: tree)
  }

  /// True if the value is an object or an array; other text counts as JSON only if its media type is JSON.
  var isStructured: Bool { !kinds.isDisjoint(with: [.object, .array]) }

  private mutating func add(_ node: JSONTree.Node, of tree: JSONTree) {
    switch node.kind {
    case .object(let list):
      kinds.insert(.object)
      objects += 1
      // A repeated name in an object counts once.
      var seen: Set<[UInt8]> = []
      for member in list {
        let name = String(decoding: member.name, as: UTF8.self)
        if Self.isData(name) {
          Self.add(member.value, of: tree, to: &entries)
          continue
        }
        if members[name] == nil { names.append(name) }
        members[name, default: Member()].shape.add(member.value, of: tree)
        if seen.insert(member.name).inserted { members[name]?.count += 1 }
      }
    case .array(let list):
      kinds.insert(.array)
      for element in list { Self.add(element, of: tree, to: &elements) }
    case .scalar:
      add(scalar: tree.bytes[node.range])
    }
  }

  private static func add(_ node: JSONTree.Node, of tree: JSONTree, to shapes: inout [JSONShape]) {
    if shapes.isEmpty { shapes.append(JSONShape()) }
    shapes[0].add(node, of: tree)
  }

  private mutating func add(scalar token: ArraySlice<UInt8>) {
    switch token.first {
    case UInt8(ascii: "\""): kinds.insert(.string)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): kinds.insert(.boolean)
    case UInt8(ascii: "n"): kinds.insert(.null)
    default:
      kinds.insert(.number)
      // Some servers write integers as 1.0 or 1e3.
      if token.contains(UInt8(ascii: ".")) || token.contains(UInt8(ascii: "e")) || token.contains(UInt8(ascii: "E")),
        let value = Double(String(decoding: token, as: UTF8.self)), value != value.rounded()
      {
        hasFraction = true
      }
    }
  }

  /// Returns true if a member's name is data, because some objects are dictionaries.
  static func isData(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    if bytes.isEmpty { return false }
    // Numbers, dates and months: 42, 2026-11-21, 2026-11.
    if bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) { return true }
    return GeneratedValue.isRandom(bytes) || GeneratedValue.seconds(bytes) != nil
  }
}

extension JSONShape.Kinds {
  private static let words: [(JSONShape.Kinds, String)] = [
    (.string, "a string"), (.number, "a number"), (.boolean, "a boolean"), (.object, "an object"),
    (.array, "an array"), (.null, "null"),
  ]

  /// The types for messages: `a string or null`.
  var words: String {
    let names = Self.words.filter { contains($0.0) }.map(\.1)
    guard names.count > 2 else { return names.joined(separator: " or ") }
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}
