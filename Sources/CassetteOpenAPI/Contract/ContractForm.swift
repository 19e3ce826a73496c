internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Converts the fields of a form to the JSON object that the schema describes (OpenAPI 3.1 §4.8.14.4).
struct ContractForm {
  private let nodes: OpenAPINodes
  /// The location of the schema; the same media type object may contain `encoding`.
  private let pointer: String
  private let form: ParameterForm

  /// Reads the properties of the schema at a location.
  init(_ nodes: OpenAPINodes, _ pointer: String) {
    (self.nodes, self.pointer) = (nodes, pointer)
    form = nodes.node(at: pointer).map { ParameterForm($0, nodes, depth: 4) } ?? ParameterForm()
  }

  /// Returns the JSON values that a form body may represent, or nil if the body is not a form of its media type.
  ///
  /// The value of a field may be a string, a number or a list with one element. The schema decides, as it does for
  /// parameters.
  func candidates(of body: [UInt8], _ media: MediaType) -> [[UInt8]]? {
    guard let items = media.type == "multipart" ? Self.parts(of: body, media) : QueryItem.parse(body) else {
      return nil
    }
    let counts = items.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    let texts = items.flatMap { item -> [(steps: [String], text: String)] in
      let (name, value) = (item.name, item.value ?? "")
      // PHP and Rails encode lists and objects as `tags[]=a&tags[]=b` and `card[number]=1`.
      let steps = form.members[name] == nil ? NamedTexts.steps(of: name) : [name]
      guard counts[name] == 1, let mark = mark(name) else { return [(steps, value)] }
      return value.split(separator: mark).map { (steps + [""], String($0)) }
    }
    let (typed, text) = (
      form.object(texts, isTyped: true, takesJSON: true), form.object(texts, isTyped: false, takesJSON: true)
    )
    return typed == text ? [typed] : [typed, text]
  }

  /// Returns the separator of a list in a single field, or nil if each element has its own field.
  private func mark(_ name: String) -> Character? {
    guard let encoding = encoding(of: name), form.members[name]?.isList ?? false else { return nil }
    let style = nodes["style", encoding].flatMap(nodes.text) ?? "form"
    guard nodes["explode", encoding].map({ !nodes.isTrue($0) }) ?? (style != "form") else { return nil }
    return ["spaceDelimited": " ", "pipeDelimited": "|"][style] ?? ","
  }

  private func encoding(of name: String) -> JSONTree.Node? {
    nodes.node(at: "\(pointer.dropLast("/schema".count))/encoding/\(SchemaPointer.escaped(name))")
  }

  /// Returns the names of fields with unescaped reserved characters although their encoding has `allowReserved: false`.
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
      // The syntax of the parameters is the same as in a media type.
      return MediaType("form-data/x" + value.drop { $0 != ";" })?.parameter("name")
    }
    return nil
  }
}

extension MediaType {
  var isForm: Bool {
    type == "application" && subtype == "x-www-form-urlencoded" || type == "multipart" && subtype == "form-data"
  }
}
