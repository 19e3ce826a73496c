/// Interprets the tags of nodes, and refuses unknown ones (YAML 1.2.2 §10.3).
struct YAMLTags {
  /// The interpretation of a scalar.
  enum Meaning {
    case text, binary
    /// Resolution like a plain scalar; an associated type must match the resolved one.
    case resolved(YAMLScalar.Kind?)
    case collection
  }

  private let policy: YAMLReader.Tags

  init(_ policy: YAMLReader.Tags) { self.policy = policy }

  private static let core = "tag:yaml.org,2002:"

  /// Returns the interpretation of a scalar by its tag, or by its style if it has no tag.
  func meaning(of tag: [UInt8]?, _ style: YAMLComposer.Style, at place: Int) throws(YAMLError) -> Meaning {
    guard let tag else { return style == .plain ? .resolved(nil) : .text }
    let name = String(decoding: tag, as: UTF8.self)
    switch name.hasPrefix(Self.core) ? String(name.dropFirst(Self.core.count)) : name {
    case "!", "str", "timestamp", "value", "merge": return .text
    case "null": return .resolved(.null)
    case "bool": return .resolved(.bool)
    case "int": return .resolved(.integer)
    case "float": return .resolved(.float)
    case "binary", "!binary": return policy == .aside ? .text : .binary
    case "map", "seq", "set", "omap", "pairs": return .collection
    case let python where policy == .ofRecorders && Self.ofPython[python] != nil:
      return Self.ofPython[python] ?? .text
    default:
      try allow(name, at: place)
      return .text
    }
  }

  /// Python tags for types of the core schema.
  private static let ofPython: [String: Meaning] = [
    "python/bytes": .binary, "python/none": .resolved(.null), "python/bool": .resolved(.bool),
    "python/int": .resolved(.integer), "python/long": .resolved(.integer), "python/float": .resolved(.float),
  ]

  /// Throws if a tag is unknown, or not allowed for a collection of this kind.
  func check(_ tag: [UInt8]?, _ kind: YAMLComposer.Kind, at place: Int) throws(YAMLError) {
    guard let tag else { return }
    let name = String(decoding: tag, as: UTF8.self)
    switch name.hasPrefix(Self.core) ? String(name.dropFirst(Self.core.count)) : name {
    case "!": return
    case "map", "set": if kind == .mapping { return }
    case "seq", "omap", "pairs": if kind == .sequence { return }
    case "str", "null", "bool", "int", "float", "binary", "timestamp": break
    default: return try allow(name, at: place)
    }
    throw YAMLError("the tag \(name) does not fit this node", at: place)
  }

  /// True if the last of two equal keys counts, as in readers based on libyaml; otherwise equal keys are an error.
  var takesLastOfKeys: Bool { policy == .ofRecorders }

  /// Returns the Python type that a tag names if JSON cannot represent its value; nil for any other tag.
  func object(of tag: [UInt8]?) -> String? {
    guard policy == .ofRecorders, let tag else { return nil }
    let name = String(decoding: tag, as: UTF8.self)
    let bare = name.hasPrefix(Self.core) ? name.dropFirst(Self.core.count) : name.drop { $0 == "!" }
    let isObject = ["python/object", "python/name", "python/module"].contains { bare.hasPrefix($0) }
    return isObject ? String(bare) : nil
  }

  /// Returns the name of a plain key: a Ruby symbol (`:method`) loses its colon.
  func key(_ content: [UInt8]) -> [UInt8] {
    guard policy == .ofRecorders, content.first == UInt8(ascii: ":"), content.count > 1 else { return content }
    return Array(content.dropFirst())
  }

  private func allow(_ name: String, at place: Int) throws(YAMLError) {
    switch policy {
    case .aside, .ofRecorders: return
    case .refused: throw YAMLError("the tag \(name) is not supported", at: place)
    }
  }
}
