internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Combines a specification and the files that it refers to into one document.
///
/// Each file becomes a member, and references are changed accordingly. A reference in place of a list of names
/// (`paths`, `schemas`) or of an example is replaced by the content of the file.
struct SpecificationBundle {
  /// The member that contains the files.
  static let member = "x-mockserver-files"
  /// The maximum size of all files together, in bytes.
  static let mostBytes = 256 << 20
  /// The minimum size that each file counts for, in bytes, which also limits the number of small files.
  private static let fewestBytes = 8 << 10
  private static let depthLimit = 64

  /// A location in one of the files.
  private struct Target {
    var source: Int
    var pointer: String
  }

  /// A replacement in a copied file.
  private enum Change {
    case text(Range<Int>, String)
    /// A reference that is replaced by the value it refers to.
    case value(Range<Int>, Target, SpecificationWords.Context)

    var range: Range<Int> {
      switch self {
      case .text(let range, _), .value(let range, _, _): range
      }
    }
  }

  private let files: OpenAPIDocument.Files
  private var sources: [SpecificationText.Source] = []
  private var nodes: [OpenAPINodes] = []
  private var contexts: [SpecificationWords.Context] = []
  private var numbers: [String: Int] = [:]
  private var text: [UInt8] = []
  private var parts: [SpecificationText.Part] = []
  /// Files that cannot be read, with the error of each.
  private var unread: [String: OpenAPIError] = [:]
  private var bytesRead = 0
  private var problems: [OpenAPIError] = []

  /// Combines a specification and the files it refers to into one document; throws if it cannot be read.
  ///
  /// References to missing targets or outside of the folder stay unchanged, and are added to the problems of the text.
  static func text(
    _ bytes: [UInt8], name: String, files: @escaping OpenAPIDocument.Files
  ) throws(OpenAPIError) -> SpecificationText {
    let source = try SpecificationText.Source("", bytes, isYAML: SpecificationText.Source.isYAML(name))
    let json = source.json
    guard hasFiles(json), let tree = JSONTree(json), case .object = tree.root.kind else {
      return SpecificationText(
        sources: [source], parts: [SpecificationText.Part(start: 0, source: 0, offset: 0)], bytes: json)
    }
    var bundle = SpecificationBundle(files: files)
    bundle.add(source, tree, SpecificationWords.Context())
    bundle.numbers[name] = 0
    return try bundle.bundled()
  }

  private init(files: @escaping OpenAPIDocument.Files) { self.files = files }

  /// Returns true if a reference may lead to a file.
  private static func hasFiles(_ json: [UInt8]) -> Bool {
    let word = Array("\"$ref\"".utf8)
    let span = json.span
    var at = 0
    while at + word.count < span.count {
      guard span[at] == UInt8(ascii: "\""), span[at + 1] == UInt8(ascii: "$"),
        word.indices.allSatisfy({ span[at + $0] == word[$0] })
      else {
        at += 1
        continue
      }
      at += word.count
      while at < span.count, span[at] <= 0x20 || span[at] == UInt8(ascii: ":") { at += 1 }
      guard at + 1 < span.count, span[at] == UInt8(ascii: "\""), span[at + 1] != UInt8(ascii: "#") else { continue }
      // Examples often contain many references to other servers.
      let isRemote = ["http://", "https://"].contains { prefix in
        prefix.utf8.enumerated().allSatisfy { index, byte in
          at + 1 + index < span.count && span[at + 1 + index] == byte
        }
      }
      if !isRemote { return true }
    }
    return false
  }

  private mutating func add(
    _ source: SpecificationText.Source, _ tree: JSONTree, _ context: SpecificationWords.Context
  ) {
    sources.append(source)
    nodes.append(OpenAPINodes(tree))
    contexts.append(context)
  }

  private mutating func bundled() throws(OpenAPIError) -> SpecificationText {
    try write(nodes[0].tree.root, 0, contexts[0], depth: 0, isFile: false)
    text.removeLast()
    var number = 1
    // Each file may refer to further files.
    while number < sources.count {
      text += Array((number == 1 ? ",\"\(Self.member)\":{" : ",").utf8)
      text += JSONString.encode(sources[number].path) + [UInt8(ascii: ":")]
      try write(nodes[number].tree.root, number, contexts[number], depth: 0, isFile: true)
      number += 1
    }
    text += Array(number > 1 ? "}}".utf8 : "}".utf8)
    return SpecificationText(sources: sources, parts: parts, bytes: text, problems: problems)
  }

  // MARK: Writing

  private mutating func write(
    _ node: JSONTree.Node, _ source: Int, _ context: SpecificationWords.Context, depth: Int, isFile: Bool
  ) throws(OpenAPIError) {
    var changes: [Change] = isFile ? renamed(node, source) : []
    try find(node, source, context, &changes)
    changes.sort { $0.range.lowerBound < $1.range.lowerBound }
    var at = node.range.lowerBound
    for change in changes {
      copy(at..<change.range.lowerBound, of: source)
      at = change.range.upperBound
      parts.append(SpecificationText.Part(start: text.count, source: source, offset: change.range.lowerBound))
      switch change {
      case .text(_, let words): text += JSONString.encode(words)
      case .value(_, let target, let context):
        guard depth < Self.depthLimit, let value = nodes[target.source].node(at: target.pointer) else {
          throw error("the references between files form a cycle", change.range.lowerBound, source)
        }
        try write(value, target.source, context, depth: depth + 1, isFile: false)
      }
    }
    copy(at..<node.range.upperBound, of: source)
    guard text.count <= Self.mostBytes else {
      throw error("the files together are larger than \(Self.mostBytes >> 20) MB", node.range.lowerBound, source)
    }
  }

  private mutating func copy(_ range: Range<Int>, of source: Int) {
    parts.append(SpecificationText.Part(start: text.count, source: source, offset: range.lowerBound))
    text += nodes[source].tree.bytes[range]
  }

  /// Renames `$id` and `$schema` in a schema file, because its location identifies the schema in the combined document.
  private func renamed(_ node: JSONTree.Node, _ source: Int) -> [Change] {
    let bytes = nodes[source].tree.bytes
    return ["$id", "$schema"].compactMap { name in
      guard let value = nodes[source][name, node] else { return nil }
      var end = value.range.lowerBound
      while end > 0, bytes[end - 1] != UInt8(ascii: "\"") { end -= 1 }
      let start = end - name.utf8.count - 2
      guard start >= 0, Array(bytes[start..<end]) == Array("\"\(name)\"".utf8) else { return nil }
      return .text(start..<end, "x-\(name)")
    }
  }

  // MARK: References

  private mutating func find(
    _ node: JSONTree.Node, _ source: Int, _ context: SpecificationWords.Context, _ changes: inout [Change]
  ) throws(OpenAPIError) {
    switch node.kind {
    case .scalar: return
    case .array(let elements):
      for element in elements { try find(element, source, context.element, &changes) }
    case .object(let members):
      if let value = nodes[source]["$ref", node], let reference = nodes[source].text(value),
        source > 0 || !reference.hasPrefix("#")
      {
        if !context.isPlain {
          if let target = noted({ bundle throws(OpenAPIError) in
            try bundle.target(reference, source, value, SpecificationWords.Context())
          }) {
            changes.append(.text(value.range, self.reference(to: target)))
          }
        } else if members.count == 1, !reference.hasPrefix("#") {
          // In an example, a value that does not refer to a file may be intended.
          let count = problems.count
          let target = noted { bundle throws(OpenAPIError) in
            try bundle.target(reference, source, value, context)
          }
          if context.isExample { problems.removeSubrange(count...) }
          if let target { return changes.append(.value(node.range, target, context)) }
        }
      }
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        if name == "mapping", !context.isPlain { try findMapped(member.value, source, &changes) }
        try find(member.value, source, context.member(name, member.value), &changes)
      }
    }
  }

  /// Changes the schemas that a discriminator refers to by their files.
  private mutating func findMapped(
    _ node: JSONTree.Node, _ source: Int, _ changes: inout [Change]
  ) throws(OpenAPIError) {
    for (_, value) in nodes[source].members(node) {
      guard let reference = nodes[source].text(value) else { continue }
      let isFile = [".yaml", ".yml", ".json"].contains { reference.contains($0) }
      guard isFile || source > 0 && reference.hasPrefix("#"),
        let target = noted({ bundle throws(OpenAPIError) in
          try bundle.target(reference, source, value, SpecificationWords.Context())
        })
      else { continue }
      changes.append(.text(value.range, self.reference(to: target)))
    }
  }

  private func reference(to target: Target) -> String {
    let place = target.source == 0 ? "" : "/\(Self.member)/\(SchemaPointer.escaped(sources[target.source].path))"
    return "#" + OpenAPINodes.fragment(place + target.pointer)
  }

  /// Returns the target of a reference; adds an error to `problems` and returns nil if it cannot be resolved.
  private mutating func noted(_ target: (inout SpecificationBundle) throws(OpenAPIError) -> Target?) -> Target? {
    do throws(OpenAPIError) {
      return try target(&self)
    } catch {
      problems.append(error)
      return nil
    }
  }

  /// Returns the target of a reference, or nil for a reference to another server, which is refused where it is used.
  private mutating func target(
    _ reference: String, _ source: Int, _ node: JSONTree.Node, _ context: SpecificationWords.Context
  ) throws(OpenAPIError) -> Target? {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let pointer = parts.count > 1 ? PercentEncoding.decodeText(parts[1].utf8) : ""
    let offset = node.range.lowerBound
    var number = source
    if let file = parts.first, !file.isEmpty {
      let beforeSlash = file.prefix { $0 != "/" }
      guard !beforeSlash.isEmpty, !beforeSlash.contains(":") else { return nil }
      guard let path = Self.path(PercentEncoding.decodeText(file.utf8), from: sources[source].path) else {
        throw error(
          "a reference to a file outside of the specification's folder is not followed: \(reference)", offset, source)
      }
      number = try self.number(of: path, reference, offset, source, context)
    }
    guard pointer.isEmpty || pointer.hasPrefix("/") else {
      throw error(
        "a reference to an anchor in another file is not followed; use a JSON pointer: \(reference)", offset, source)
    }
    guard nodes[number].node(at: pointer) != nil else {
      throw error("the target of the reference does not exist: \(reference)", offset, source)
    }
    return Target(source: number, pointer: pointer)
  }

  /// Returns a path relative to the folder of the specification, or nil if it leads outside.
  private static func path(_ file: String, from other: String) -> String? {
    var steps = other.split(separator: "/").dropLast().map(String.init)
    for step in file.split(separator: "/").map(String.init) {
      switch step {
      case ".": continue
      case "..": if steps.popLast() == nil { return nil }
      default: steps.append(step)
      }
    }
    return steps.joined(separator: "/")
  }

  private mutating func number(
    of path: String, _ reference: String, _ offset: Int, _ source: Int, _ context: SpecificationWords.Context
  ) throws(OpenAPIError) -> Int {
    if let known = numbers[path] { return known }
    if let known = unread[path] { throw error("\(known.message): \(reference)", offset, source) }
    do throws(OpenAPIError) {
      let bytes: [UInt8]
      switch files(path) {
      case .success(let read): bytes = read
      case .failure(let problem): throw error("\(problem.message): \(reference)", offset, source)
      }
      bytesRead += max(bytes.count, Self.fewestBytes)
      guard bytesRead <= Self.mostBytes else {
        throw error("the files together are larger than \(Self.mostBytes >> 20) MB: \(reference)", offset, source)
      }
      let file = try SpecificationText.Source(path, bytes, isYAML: SpecificationText.Source.isYAML(path))
      guard let tree = JSONTree(file.json) else { throw error("\(path) is not JSON", offset, source) }
      numbers[path] = sources.count
      add(file, tree, context)
    } catch {
      unread[path] = OpenAPIError(message: "the file could not be read", offset: 0)
      throw error
    }
    return sources.count - 1
  }

  private func error(_ message: String, _ offset: Int, _ source: Int) -> OpenAPIError {
    OpenAPIError(
      OpenAPIError(message: message, offset: offset), at: sources[source].place(of: offset), file: sources[source].path)
  }
}
