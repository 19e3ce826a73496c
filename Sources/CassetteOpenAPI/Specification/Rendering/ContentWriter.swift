internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Writes a JSON value in the format of a media type.
struct ContentWriter {
  let nodes: OpenAPINodes

  /// Returns the content, or nil if the media type cannot represent the value.
  func content(_ json: [UInt8], _ media: MediaType, schema: String?) -> [UInt8]? {
    if media.isJSON { return json }
    guard let tree = JSONTree(json) else { return nil }
    if case .scalar = tree.root.kind {
      // A string is the content itself, even for XML, because an example may consist of markup.
      let token = tree.bytes[tree.root.range]
      if token.first == UInt8(ascii: "\"") { return JSONTree.text(ofString: token) }
      guard !Self.isXML(media) else { return MarkupWriter(nodes, tree).document(schema) }
      return token.first == UInt8(ascii: "n") ? [] : Array(token)
    }
    if Self.isXML(media) { return MarkupWriter(nodes, tree).document(schema) }
    if media.isJSONSequence {
      // Each value of a sequence begins with a record separator (RFC 7464 §2.2).
      let mark: [UInt8] = media.subtype == "json-seq" ? [0x1e] : []
      return Self.rows(of: tree.root).flatMap { mark + tree.bytes[$0.range] + [10] }
    }
    switch (media.type, media.subtype) {
    case ("application", "x-www-form-urlencoded"): return form(tree)
    case ("text", "event-stream"): return Array("data: ".utf8) + json + Array("\n\n".utf8)
    case ("text", "csv"): return table(tree)
    case ("image", _), ("audio", _), ("video", _), ("multipart", _): return nil
    default: return json
    }
  }

  /// Returns the elements of a list, or another value as the only one.
  private static func rows(of node: JSONTree.Node) -> [JSONTree.Node] {
    if case .array(let elements) = node.kind { elements } else { [node] }
  }

  /// The maximum number of cells in a table, because each member adds one to every line.
  private static let mostCells = 1 << 20

  /// Returns comma-separated values: the names of the members, and a line for each value (RFC 4180 §2).
  private func table(_ tree: JSONTree) -> [UInt8]? {
    let nodes = OpenAPINodes(tree)
    let rows = Self.rows(of: tree.root)
    var columns: [String: Int] = [:]
    for name in rows.flatMap({ nodes.members($0).map(\.name) }) where columns[name] == nil {
      columns[name] = columns.count
    }
    guard rows.count <= Self.mostCells / max(1, columns.count) else { return nil }
    var lines = columns.isEmpty ? [] : [columns.sorted { $0.value < $1.value }.map(\.key)]
    for row in rows {
      guard case .object = row.kind else {
        lines.append(Self.rows(of: row).map(nodes.scalar))
        continue
      }
      var line = [String](repeating: "", count: columns.count)
      for (name, value) in nodes.members(row) { if let column = columns[name] { line[column] = nodes.scalar(value) } }
      lines.append(line)
    }
    return lines.flatMap { Array(($0.map(Self.cell).joined(separator: ",") + "\r\n").utf8) }
  }

  private static func cell(_ text: String) -> String {
    text.utf8.contains { ",\"\r\n".utf8.contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  /// Returns the reason why a response without an example cannot be generated.
  static func unwritable(_ type: String) -> String {
    "objects and lists cannot be written as \(type), and there is no example"
  }

  static func isXML(_ media: MediaType) -> Bool { media.subtype == "xml" || media.subtype.hasSuffix("+xml") }

  /// Returns a form; the elements of a list have the same name.
  private func form(_ tree: JSONTree) -> [UInt8]? {
    let nodes = OpenAPINodes(tree)
    var items: [String] = []
    for (name, value) in nodes.members(tree.root) {
      let values: [JSONTree.Node] = if case .array(let elements) = value.kind { elements } else { [value] }
      for value in values {
        items.append("\(Self.escaped(name))=\(Self.escaped(nodes.scalar(value)))")
      }
    }
    return Array(items.joined(separator: "&").utf8)
  }

  private static func escaped(_ text: String) -> String {
    PercentEncoding.encode(text, keeping: kept).replacing(" ", with: "+")
  }

  private static let kept = ByteSet.word.adding("-._* ")

  /// Returns a value in the syntax of a header field (`style: simple`), or nil if it contains invalid characters.
  func field(_ json: [UInt8], explodes: Bool) -> String? {
    guard let tree = JSONTree(json) else { return nil }
    let nodes = OpenAPINodes(tree)
    let parts =
      switch tree.root.kind {
      case .scalar: [nodes.scalar(tree.root)]
      case .array(let elements): elements.map(nodes.scalar)
      case .object: nodes.members(tree.root).map { "\($0.name)\(explodes ? "=" : ",")\(nodes.scalar($0.value))" }
      }
    let value = parts.joined(separator: ",")
    let isFine = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    return isFine && value == value.trimmingSpaces ? value : nil
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

/// Writes a JSON value as XML, with the names in its schema's `xml` (OpenAPI 3.1 §4.8.26).
struct MarkupWriter {
  private let nodes: OpenAPINodes
  private let tree: JSONTree

  init(_ nodes: OpenAPINodes, _ tree: JSONTree) { (self.nodes, self.tree) = (nodes, tree) }

  /// Returns the XML document.
  ///
  /// The root element is named in the schema, or after the schema's component.
  func document(_ schema: String?) -> [UInt8] {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    var places: [SchemaView.Place] = []
    var name = "xml"
    if let schema, let node = nodes.node(at: schema) {
      places = [SchemaView.Place(node: node, pointer: schema)]
      if let found = try? nodes.followed(node, schema), found.pointer.hasPrefix("/components/schemas/") {
        name = found.pointer.split(separator: "/").last.map(String.init) ?? name
      }
    }
    write(tree.root, places, Self.elementName(name), &text, 0)
    return Array(text.utf8)
  }

  private struct Markup {
    var name: String?
    var prefix: String?
    var namespace: String?
    var isAttribute = false
    var isWrapped = false

    init(_ places: [SchemaView.Place], _ nodes: OpenAPINodes) {
      for place in places {
        guard let schema = try? nodes.followed(place.node, "").node,
          let xml = nodes["xml", schema] ?? nodes["xml", place.node]
        else { continue }
        name = nodes["name", xml].flatMap(nodes.text) ?? name
        prefix = nodes["prefix", xml].flatMap(nodes.text) ?? prefix
        namespace = nodes["namespace", xml].flatMap(nodes.text) ?? namespace
        isAttribute = isAttribute || nodes.isTrue(nodes["attribute", xml])
        isWrapped = isWrapped || nodes.isTrue(nodes["wrapped", xml])
      }
    }
  }

  private func write(
    _ value: JSONTree.Node, _ places: [SchemaView.Place], _ given: String, _ text: inout String, _ depth: Int
  ) {
    let markup = Markup(places, nodes)
    let local = Self.elementName(markup.name ?? given)
    let name = markup.prefix.map { "\(Self.elementName($0)):\(local)" } ?? local
    let view = SchemaView(places, nodes)
    var open = name
    if let namespace = markup.namespace {
      open += " xmlns\(markup.prefix.map { ":\(Self.elementName($0))" } ?? "")=\"\(XMLText.escaped(namespace))\""
    }
    switch value.kind {
    case .scalar: text += "<\(open)>\(XMLText.escaped(scalar(value)))</\(name)>"
    case .array(let elements):
      // A list as root has an enclosing element.
      if depth == 0 { text += "<\(open)>" }
      for element in elements { write(element, view.items, depth == 0 ? "item" : name, &text, depth + 1) }
      if depth == 0 { text += "</\(name)>" }
    case .object(let members):
      text += "<\(open)"
      var below = ""
      for member in members {
        let title = String(decoding: member.name, as: UTF8.self)
        let schemas = view.places(of: title)
        let kind = Markup(schemas, nodes)
        if kind.isAttribute, case .scalar = member.value.kind {
          text += " \(Self.elementName(kind.name ?? title))=\"\(XMLText.escaped(scalar(member.value)))\""
        } else if kind.isWrapped, case .array(let elements) = member.value.kind {
          let wrapper = Self.elementName(kind.name ?? title)
          let items = SchemaView(schemas, nodes).items
          below += "<\(wrapper)>"
          for element in elements { write(element, items, wrapper, &below, depth + 1) }
          below += "</\(wrapper)>"
        } else if case .array(let elements) = member.value.kind {
          let items = SchemaView(schemas, nodes).items
          for element in elements { write(element, items, kind.name ?? title, &below, depth + 1) }
        } else {
          write(member.value, schemas, title, &below, depth + 1)
        }
      }
      text += ">\(below)</\(name)>"
    }
  }

  private func scalar(_ value: JSONTree.Node) -> String {
    tree.bytes[value.range].first == UInt8(ascii: "n") ? "" : OpenAPINodes(tree).scalar(value)
  }

  /// Returns a valid element name.
  private static func elementName(_ name: String) -> String {
    let allowed = name.unicodeScalars.map { scalar -> Character in
      let isFine =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_-.:".unicodeScalars.contains(scalar)
      return isFine ? Character(scalar) : "_"
    }
    let text = String(allowed)
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
      return "_" + text
    }
    return text
  }
}
