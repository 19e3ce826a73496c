internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSchemas
internal import CassetteSystem

/// Reads the fields of a form as the JSON object that its schema speaks of (OpenAPI 3.1 §4.8.14.4).
struct ContractForm {
  private let nodes: OpenAPINodes
  /// The place of the media type, which has `encoding` beside `schema`.
  private let pointer: String
  private var properties: [String: JSONTree.Node] = [:]

  /// Looks at the properties that the schema at a place has.
  init(_ nodes: OpenAPINodes, _ pointer: String) {
    (self.nodes, self.pointer) = (nodes, pointer)
    for node in nodes.node(at: pointer).map(nodes.whole) ?? [] {
      for (name, value) in nodes.members(nodes["properties", node]) where properties[name] == nil {
        properties[name] = value
      }
    }
  }

  /// The form as JSON; nil when the body is no form of its media type.
  func json(of body: [UInt8], _ media: MediaType) -> [UInt8]? {
    guard let items = media.type == "multipart" ? Self.parts(of: body, media) : QueryItem.parse(body) else {
      return nil
    }
    var order: [String] = []
    var values: [String: [String]] = [:]
    for item in items {
      if values[item.name] == nil { order.append(item.name) }
      values[item.name, default: []].append(item.value ?? "")
    }
    var members: [[UInt8]] = []
    for name in order {
      let list = values[name] ?? []
      // `tags[]=a&tags[]=b` is how PHP and Rails write a list.
      let isList = name.hasSuffix("[]") && properties[name] == nil
      let property = isList ? String(name.dropLast(2)) : name
      members.append(JSONString.encode(property) + [UInt8(ascii: ":")] + value(of: property, list, isList: isList))
    }
    return Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
  }

  private func value(of name: String, _ values: [String], isList: Bool) -> [UInt8] {
    let schema = properties[name]
    let types = schema.map { self.types(of: $0) } ?? []
    guard types.contains("array") || isList || values.count > 1 else { return token(values[0], types) }
    var items: Set<String> = []
    if let schema, let node = try? nodes.followed(schema, "").node, let element = nodes["items", node] {
      items = self.types(of: element)
    }
    var elements = values
    if values.count == 1, !isList, let tree = JSONTree(Array(values[0].utf8)), case .array = tree.root.kind {
      return Array(values[0].utf8)
    }
    if values.count == 1, isJoined(name) { elements = values[0].split(separator: ",").map(String.init) }
    let list = elements.map { token($0, items) }.joined(separator: [UInt8(ascii: ",")])
    return Array("[".utf8) + list + Array("]".utf8)
  }

  private func isJoined(_ name: String) -> Bool {
    encoding(of: name).flatMap { nodes["explode", $0] }.map { !nodes.isTrue($0) } ?? false
  }

  private func encoding(of name: String) -> JSONTree.Node? {
    nodes.node(at: "\(pointer.dropLast("/schema".count))/encoding/\(SchemaPointer.escaped(name))")
  }

  /// A value as what its schema says it is, where its text can be that.
  private func token(_ text: String, _ types: Set<String>) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard !types.isEmpty, let tree = JSONTree(bytes), tree.root.range == bytes.indices else {
      return JSONString.encode(text)
    }
    let type: Set<String> =
      switch bytes.first {
      case UInt8(ascii: "{"): ["object"]
      case UInt8(ascii: "["): ["array"]
      case UInt8(ascii: "t"), UInt8(ascii: "f"): ["boolean"]
      case UInt8(ascii: "n"): ["null"]
      case UInt8(ascii: "\""): ["string"]
      default: ["integer", "number"]
      }
    return type.isDisjoint(with: types) || bytes.first == UInt8(ascii: "\"") ? JSONString.encode(text) : bytes
  }

  private func types(of schema: JSONTree.Node) -> Set<String> {
    var seen: Set<Int> = []
    return types(of: schema, &seen)
  }

  private func types(of schema: JSONTree.Node, _ seen: inout Set<Int>) -> Set<String> {
    guard let node = nodes.unseen(schema, &seen) else { return [] }
    if let type = nodes["type", node] { return nodes.types(type) }
    return nodes.parts(of: node).reduce(into: []) { $0.formUnion(types(of: $1, &seen)) }
  }

  /// The fields that have reserved characters unescaped although their encoding says that they must not.
  func unescaped(in body: [UInt8], _ media: MediaType) -> [String] {
    guard media.type == "application" else { return [] }
    let reserved = Set(":/?#[]@!$'()*,;".utf8)
    return body.split(separator: UInt8(ascii: "&")).compactMap { item in
      guard let mark = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = PercentEncoding.decodeText(item[..<mark], plusIsSpace: true)
      guard let allows = encoding(of: name).flatMap({ nodes["allowReserved", $0] }), !nodes.isTrue(allows) else {
        return nil
      }
      return item[mark...].contains(where: reserved.contains) ? name : nil
    }
  }

  // MARK: multipart/form-data (RFC 7578)

  private static func parts(of body: [UInt8], _ media: MediaType) -> [QueryItem]? {
    guard let boundary = media.parameter("boundary"), !boundary.isEmpty else { return nil }
    let (mark, blank) = (Array("--\(boundary)".utf8), Array("\r\n\r\n".utf8))
    guard var start = MultipartDelimiter.next(mark, in: body).map({ $0 + mark.count }) else { return nil }
    var items: [QueryItem] = []
    while start + 1 < body.count, body[start] != UInt8(ascii: "-") {
      guard let end = MultipartDelimiter.next(mark, in: body, from: start),
        let head = body.firstIndex(of: blank, from: start - 2), head + blank.count <= end
      else { return nil }
      let lines = String(decoding: body[start..<max(start, head)], as: UTF8.self)
      if let name = name(in: lines) {
        let content = body[(head + blank.count)..<max(head + blank.count, end - 2)]
        items.append(QueryItem(name: name, value: String(decoding: content, as: UTF8.self)))
      }
      start = end + mark.count
    }
    return items
  }

  private static func name(in head: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-disposition:") {
      let value = line.drop { $0 != ":" }.dropFirst()
      // The same form as a media type's parameters.
      return MediaType("form-data/x" + value.drop { $0 != ";" })?.parameter("name")
    }
    return nil
  }
}

extension MediaType {
  /// True if the content is a form.
  var isForm: Bool {
    type == "application" && subtype == "x-www-form-urlencoded" || type == "multipart" && subtype == "form-data"
  }
}
