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
    switch (media.type, media.subtype) {
    case ("application", "x-www-form-urlencoded"): return form(tree)
    case ("text", "event-stream"): return Array("data: ".utf8) + json + Array("\n\n".utf8)
    case ("application", "x-ndjson"), ("application", "jsonl"), ("application", "json-seq"):
      return OpenAPINodes(tree).elements(tree.root).flatMap { tree.bytes[$0.range] + [10] }
    case ("text", _), ("image", _), ("audio", _), ("video", _), ("multipart", _): return nil
    default: return json
    }
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
