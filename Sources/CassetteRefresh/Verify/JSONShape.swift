import CassetteJSON
internal import CassetteMatching

/// The shape of a JSON value: kinds, members, and what the elements of arrays have in common.
///
/// It is a union: several values can be added, as the elements of an array are. A member that some objects lack is
/// optional, and a null among other kinds makes a value that may be null.
package struct JSONShape: Equatable, Sendable {
  /// The kinds of values that were seen in one place.
  struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = Kinds(rawValue: 1)
    static let boolean = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)
    static let string = Kinds(rawValue: 8)
    static let object = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
  }

  /// A member by its name, and in how many of the objects it was.
  struct Member: Equatable, Sendable {
    var shape = JSONShape()
    var count = 0
  }

  private(set) var kinds: Kinds = []
  /// True if a number was not whole.
  private(set) var hasFraction = false
  /// The number of objects that were seen in this place.
  private(set) var objects = 0
  private(set) var members: [String: Member] = [:]
  /// The names of the members in the order they were first seen.
  private(set) var names: [String] = []
  /// The common shape of all elements; at most one, none while only empty arrays were seen.
  private(set) var elements: [JSONShape] = []
  /// The shapes of members whose names are data: dates, numbers, random ids.
  private(set) var entries: [JSONShape] = []

  init() {}

  /// Creates the shape of a text; nil when it is not JSON.
  package init?(_ bytes: [UInt8]) {
    // RFC 8259 §8.1 lets a reader ignore a byte order mark.
    let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
    guard let tree = JSONTree(hasMark ? Array(bytes.dropFirst(3)) : bytes) else { return nil }
    add(tree.root, of: tree)
  }

  /// True if the value has parts: texts whose type does not say so are JSON only if they do.
  package var isStructured: Bool { !kinds.isDisjoint(with: [.object, .array]) }

  private mutating func add(_ node: JSONTree.Node, of tree: JSONTree) {
    switch node.kind {
    case .object(let list):
      kinds.insert(.object)
      objects += 1
      // A name that is there twice is one member.
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
      // 1.0 and 1e3 are spelled so by servers that know no whole numbers.
      if token.contains(UInt8(ascii: ".")) || token.contains(UInt8(ascii: "e")) || token.contains(UInt8(ascii: "E")),
        let value = Double(String(decoding: token, as: UTF8.self)), value != value.rounded()
      {
        hasFraction = true
      }
    }
  }

  /// Tells whether a member's name is a value of its own: objects are used as tables, too.
  static func isData(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    if bytes.isEmpty { return false }
    // Numbers, dates, months: 42, 2026-11-21, 2026-11.
    if bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) { return true }
    return GeneratedValue.isRandom(bytes) || GeneratedValue.seconds(bytes) != nil
  }
}

extension JSONShape.Kinds {
  private static let words: [(JSONShape.Kinds, String)] = [
    (.string, "a string"), (.number, "a number"), (.boolean, "a boolean"), (.object, "an object"),
    (.array, "an array"), (.null, "null"),
  ]

  /// `a string or null`.
  var words: String {
    let names = Self.words.filter { contains($0.0) }.map(\.1)
    guard names.count > 2 else { return names.joined(separator: " or ") }
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}
