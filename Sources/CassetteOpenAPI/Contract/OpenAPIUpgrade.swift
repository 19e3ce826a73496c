internal import CassetteJSON
internal import CassetteSystem

/// Converts keywords of other versions to JSON Schema 2020-12, which OpenAPI 3.1 uses.
///
/// In OpenAPI 3.0, `nullable` and `exclusiveMinimum: true` are keywords, and all keywords next to a `$ref` are ignored.
/// `nullable` does not add null to an `enum`: the list has to contain null (OpenAPI 3.0.3 §4.7.24.1). Documents of
/// either version may use keywords of older drafts, which keep their meaning of that draft.
struct OpenAPIUpgrade {
  private static let schemaWords = [
    "type", "properties", "items", "allOf", "anyOf", "oneOf", "$ref", "enum", "additionalProperties", "definitions",
  ]
  /// URL prefixes of dialects whose keywords mean the same as those of 2020-12 here.
  private static let dialects = ["https://spec.openapis.org/oas/3.", "https://json-schema.org/draft/2019-09/"]
  private static let draft4 = "http://json-schema.org/draft-04/"

  private let nodes: OpenAPINodes
  /// True if the document is OpenAPI 3.0, in which these keywords are valid.
  private let isOld: Bool
  private var text: [UInt8] = []
  private var isAnother = false
  /// The offsets of schema examples.
  private var examples: [Int] = []
  /// The keywords that are not part of the document's OpenAPI version, each with its location.
  private(set) var notes: [OpenAPIError] = []

  init(_ nodes: OpenAPINodes, isOld: Bool) { (self.nodes, self.isOld) = (nodes, isOld) }

  /// Returns the document converted to 3.1; JSON pointers stay valid unless a schema had to be wrapped in another one.
  mutating func upgraded() -> JSONTree {
    text.reserveCapacity(nodes.tree.bytes.count)
    write(nodes.tree.root, SpecificationWords.Context())
    if let first = examples.first {
      let more = examples.count > 1 ? " (in \(examples.count) schemas)" : ""
      notes.append(
        OpenAPIError(
          message: "\"example\" in a schema is a keyword of OpenAPI 3.0\(more); it is read as one of \"examples\"",
          offset: first))
    }
    let tree = isAnother ? JSONTree(text) : nil
    text = []
    return tree ?? nodes.tree
  }

  private mutating func note(_ node: JSONTree.Node, _ words: String) {
    notes.append(OpenAPIError(message: words, offset: node.range.lowerBound))
  }

  // MARK: Writing

  private mutating func write(
    _ node: JSONTree.Node, _ context: SpecificationWords.Context, isProperty: Bool = false
  ) {
    switch node.kind {
    case .scalar: text += nodes.tree.bytes[node.range]
    case .array(let elements): writeList(elements.count) { $0.write(elements[$1], context.element) }
    case .object(let members):
      guard !context.isPlain else {
        return writeObject(members) { upgrade, member in
          let name = Self.name(member)
          upgrade.write(member.value, context.member(name, member.value), isProperty: context.isProperties)
        }
      }
      writeWords(Words(node: node, members: members, isProperty: isProperty), context)
    }
  }

  private mutating func writeList(_ count: Int, _ write: (inout OpenAPIUpgrade, Int) -> Void) {
    text.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      write(&self, index)
    }
    text.append(UInt8(ascii: "]"))
  }

  private mutating func writeObject(
    _ members: [JSONTree.Member], _ write: (inout OpenAPIUpgrade, JSONTree.Member) -> Void
  ) {
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      writeName(Self.name(member))
      write(&self, member)
    }
    text.append(UInt8(ascii: "}"))
  }

  private mutating func writeName(_ name: String) {
    JSONString.append(Array(name.utf8).span, to: &text)
    text.append(UInt8(ascii: ":"))
  }

  private static func name(_ member: JSONTree.Member) -> String { String(decoding: member.name, as: UTF8.self) }

  // MARK: Schemas, and other objects whose members are OpenAPI keywords

  /// An object whose members are keywords.
  private struct Words {
    let node: JSONTree.Node
    let members: [JSONTree.Member]
    /// True if the object is the schema of a property.
    let isProperty: Bool
  }

  private mutating func writeWords(_ words: Words, _ context: SpecificationWords.Context) {
    let node = words.node
    let isReference = isOld && nodes["$ref", node].flatMap(nodes.text) != nil
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    func mark(_ text: inout [UInt8]) {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
    }
    let wrapped = isReference ? nil : wrappedForNull(node)
    for member in words.members {
      let name = Self.name(member)
      if isReference, name != "$ref" {
        isAnother = true
        continue
      }
      if wrapped == name {
        isAnother = true
        mark(&text)
        text += Array("\"anyOf\":[{".utf8)
        writeName(name)
        write(member.value, context.member(name, member.value))
        text += Array("},{\"type\":\"null\"}]".utf8)
        continue
      }
      if let other = replacement(of: member, name, words) {
        isAnother = true
        for (key, value) in other {
          mark(&text)
          writeName(key)
          switch value {
          case .text(let bytes): text += bytes
          case .list(let elements): writeList(elements.count) { $0.write(elements[$1], context.element) }
          case .map(let members): writeObject(members) { $0.write($1.value, SpecificationWords.Context()) }
          case .node(let node): write(node, context.member(key, node))
          }
        }
        continue
      }
      mark(&text)
      writeName(name)
      write(member.value, context.member(name, member.value))
    }
    if let names = requiredNames(node) {
      isAnother = true
      mark(&text)
      writeName("required")
      text += list(names)
    }
    text.append(UInt8(ascii: "}"))
  }

  /// The value of a converted member.
  private enum Value {
    case text([UInt8])
    case list([JSONTree.Node])
    case map([JSONTree.Member])
    case node(JSONTree.Node)
  }

  /// Returns the members that replace a member of an older version, or nil if the member does not change.
  private mutating func replacement(
    of member: JSONTree.Member, _ name: String, _ words: Words
  ) -> [(String, Value)]? {
    let (node, value) = (words.node, member.value)
    let isFlag = ["true", "false"].contains(nodes.written(value))
    switch name {
    case "nullable" where isFlag:
      if !isOld { note(value, "\"nullable\" is a keyword of OpenAPI 3.0; it is read as the additional type \"null\"") }
      return []
    case "exclusiveMinimum" where isFlag, "exclusiveMaximum" where isFlag:
      let bound = name == "exclusiveMinimum" ? "minimum" : "maximum"
      if !isOld {
        note(
          value,
          "\"\(name)\": \(nodes.written(value)) is a form of draft-04; it is read with \"\(bound)\" as in draft-04")
      }
      return []
    case "minimum", "maximum":
      let other = name == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
      guard let flag = nodes[other, node], nodes.written(flag) == "true" else { return nil }
      return [(other, .node(value))]
    case "type": return type(value, node)
    case "anyOf", "oneOf":
      guard !isOld, nodes.isTrue(nodes["nullable", node]), nodes["type", node] == nil, case .array = value.kind,
        name == "oneOf" || nodes["oneOf", node] == nil
      else { return nil }
      var list = Array("[".utf8)
      swap(&list, &text)
      for element in nodes.elements(value) {
        write(element, SpecificationWords.Context())
        text.append(UInt8(ascii: ","))
      }
      swap(&list, &text)
      return [(name, .text(list + Array("{\"type\":\"null\"}]".utf8)))]
    case "items":
      guard case .array(let elements) = value.kind, isSchema(node) else { return nil }
      note(value, "\"items\" with a list is a form of draft-07; it is read as \"prefixItems\"")
      return [("prefixItems", .list(elements))] + (nodes["additionalItems", node].map { [("items", .node($0))] } ?? [])
    case "additionalItems": if case .array? = nodes["items", node]?.kind { return [] } else { return nil }
    case "dependencies":
      guard case .object(let members) = value.kind, isSchema(node) else { return nil }
      note(
        value, "\"dependencies\" is a keyword of draft-07; it is read as \"dependentRequired\" and \"dependentSchemas\""
      )
      let isList = { (member: JSONTree.Member) in if case .array = member.value.kind { true } else { false } }
      return [
        ("dependentRequired", .map(members.filter(isList))),
        ("dependentSchemas", .map(members.filter { !isList($0) })),
      ].filter { if case .map(let members) = $0.1 { !members.isEmpty } else { true } }
    case "example":
      if !isOld, isSchema(node) { examples.append(value.range.lowerBound) }
      return nil
    case "divisibleBy":
      note(value, "\"divisibleBy\" is a keyword of draft-03; it is read as \"multipleOf\"")
      return nodes["multipleOf", node] == nil ? [("multipleOf", .node(value))] : []
    case "id":
      guard isSchema(node), nodes["$id", node] == nil, let name = nodes.text(value) else { return nil }
      note(value, "\"id\" is a keyword of draft-04 and is ignored: write \"$id\"")
      return name.hasPrefix("#") && name.utf8.count > 1
        ? [("$anchor", .text(JSONString.encode(String(name.dropFirst()))))] : []
    case "required" where !isFlag: return requiredNames(node) == nil ? nil : []
    case "required" where words.isProperty || isSchema(node):
      note(
        value,
        "\"required\": \(nodes.written(value)) is a form of draft-03; it is read as an element of the object's \"required\""
      )
      return []
    case "$schema":
      guard let name = nodes.text(value) else { return nil }
      if name.hasPrefix(Self.draft4) {
        note(value, "the schema declares draft-04; it is read as a schema of 2020-12")
        return []
      }
      return Self.dialects.contains { name.hasPrefix($0) } ? [] : nil
    default: return nil
    }
  }

  /// Returns the `type` of 2020-12 and the members it adds, or nil if the type does not change.
  private mutating func type(_ value: JSONTree.Node, _ node: JSONTree.Node) -> [(String, Value)]? {
    let isList = if case .array = value.kind { true } else { false }
    var names = (isList ? nodes.elements(value) : [value]).map { nodes.scalar($0) }
    var isOther = (isList ? nodes.elements(value) : [value]).contains { nodes.written($0) == "null" }
    if isOther { note(value, "the type null must be the string \"null\"; it is read as such") }
    var more: [(String, Value)] = []
    if names.contains("file") {
      note(value, "\"type\": \"file\" is a form of Swagger 2.0; it is read as a string of the format binary")
      names = names.map { $0 == "file" ? "string" : $0 }
      if nodes["format", node] == nil { more = [("format", .text(Array("\"binary\"".utf8)))] }
      isOther = true
    }
    if names.contains("any") {
      note(value, "\"type\": \"any\" is a form of draft-03; it is read as every type")
      return []
    }
    if nodes.isTrue(nodes["nullable", node]), !names.contains("null"), !isOld || !isList {
      names.append("null")
      isOther = true
    }
    guard isOther else { return nil }
    let texts = names.map { JSONString.encode($0) }
    if texts.count == 1 { return [("type", .text(texts[0]))] + more }
    return [("type", .text(list(texts)))] + more
  }

  /// Returns the keyword of a nullable schema without a type that has to be wrapped in an `anyOf` with null.
  private func wrappedForNull(_ node: JSONTree.Node) -> String? {
    guard !isOld, nodes.isTrue(nodes["nullable", node]), nodes["type", node] == nil, nodes["anyOf", node] == nil,
      nodes["oneOf", node] == nil
    else { return nil }
    return ["$ref", "allOf"].first { nodes[$0, node] != nil }
  }

  /// Returns the required names: those listed in `required`, followed by the properties with `required: true`.
  private func requiredNames(_ node: JSONTree.Node) -> [[UInt8]]? {
    let flagged = nodes.members(nodes["properties", node]).filter { property in
      nodes["required", property.value].map { nodes.written($0) == "true" } ?? false
    }
    guard !flagged.isEmpty else { return nil }
    let listed = nodes.elements(nodes["required", node]).compactMap(nodes.text)
    return (listed + flagged.map(\.name).filter { !listed.contains($0) }).map { JSONString.encode($0) }
  }

  private func list(_ texts: [[UInt8]]) -> [UInt8] {
    Array("[".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  /// Returns true if an object looks like a schema, and not like another object of OpenAPI.
  private func isSchema(_ node: JSONTree.Node) -> Bool {
    nodes["in", node] == nil && Self.schemaWords.contains { nodes[$0, node] != nil }
  }
}
