internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Converts the values of parameters to the JSON that they represent (OpenAPI 3.1 §4.8.12.2).
struct ContractParameters {
  let path: [String: String]
  let query: [QueryItem]
  let headers: HTTPHeaders
  /// All parameters of the operation: the name of a parameter is not a member of another parameter's object.
  var all: [OpenAPIOperation.Parameter] = []

  /// Returns the JSON values that a parameter's value may represent, or nil if the parameter was not sent.
  ///
  /// `7` may be a number, a string or a list with one element: the schema decides which of them is valid. The result is
  /// empty if the parameter is empty and may be empty, so that there is nothing to check.
  func candidates(for parameter: OpenAPIOperation.Parameter) -> [[UInt8]]? {
    let text = raw(parameter)
    if parameter.isJSON { return text.map { [Array($0.utf8)] } }
    if parameter.allowsEmpty, text == "" { return [] }
    let form = parameter.form
    let list = form.isList ? list(parameter) : nil
    let isNested = parameter.style == "deepObject"
    let pairs = (form.isObject ? pairs(parameter) : nil)?.map { name, value in
      (steps: isNested ? NamedTexts.steps(of: name) : [name], text: value)
    }
    let isOne = form.isText && (list?.count ?? 1 <= 1 || !isRepeated(parameter))
    var found: [[UInt8]] = []
    for isTyped in [true, false] {
      if let pairs {
        found.append(form.object(pairs, isTyped: isTyped))
      }
      if let list { found.append(form.list(list, isTyped: isTyped)) }
      if isOne, let text { found.append(form.token(text, isTyped: isTyped)) }
    }
    // A list without elements is serialized as an empty string.
    if list == [""], !parameter.explodes { found.append(Array("[]".utf8)) }
    if found.isEmpty, let text, form.isObject || form.isList { found.append(JSONString.encode(text)) }
    return found.isEmpty ? nil : found
  }

  private func isRepeated(_ parameter: OpenAPIOperation.Parameter) -> Bool {
    parameter.location == .query && query.count { Self.isNamed($0.name, parameter) } > 1
  }

  private static func isNamed(_ name: String, _ parameter: OpenAPIOperation.Parameter) -> Bool {
    name == parameter.name || name == parameter.name + "[]"
  }

  /// Returns true if a query item belongs to a parameter.
  static func owns(_ parameter: OpenAPIOperation.Parameter, _ name: String) -> Bool {
    guard parameter.location == .query else { return false }
    if isNamed(name, parameter) { return true }
    if parameter.style == "deepObject" { return name.hasPrefix("\(parameter.name)[") }
    guard parameter.form.isObject, parameter.explodes else { return false }
    return parameter.form.members[name] != nil || !parameter.form.others.isEmpty
  }

  /// Returns the value of a parameter in the request, without decoding.
  private func raw(_ parameter: OpenAPIOperation.Parameter) -> String? {
    switch parameter.location {
    case .path:
      guard let value = path[parameter.name] else { return nil }
      if parameter.style == "label" { return String(value.trimmingPrefix(".")) }
      return parameter.style == "matrix" ? String(value.trimmingPrefix(";\(parameter.name)=")) : value
    case .query: return query.last { $0.name == parameter.name }.map { $0.value ?? "" }
    case .header:
      let values = headers.values(of: parameter.name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    case .cookie: return cookies(parameter.name).first
    }
  }

  private func cookies(_ name: String) -> [String] {
    headers.values(of: "Cookie").flatMap { field in
      field.split(separator: ";").compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].trimmingPrefix(" ") == name ? String(parts[1]) : nil
      }
    }
  }

  // MARK: Lists and objects

  private func list(_ parameter: OpenAPIOperation.Parameter) -> [String]? {
    if parameter.location == .query, parameter.explodes || parameter.style == "deepObject" {
      let values = query.filter { Self.isNamed($0.name, parameter) }.map { $0.value ?? "" }
      return values.isEmpty ? nil : values
    }
    if parameter.location == .cookie, parameter.explodes {
      // The style `form` joins the values in one cookie, `id=3&id=4`; some clients send one cookie for each value.
      let values = cookies(parameter.name).flatMap { parts(of: $0, separator: "&", without: "\(parameter.name)=") }
      if values.count > 1 { return values }
    }
    return raw(parameter).map { parts(of: $0, parameter) }
  }

  /// Splits a value that contains all elements of a list, by the separator of the parameter's location and style.
  private func parts(of value: String, _ parameter: OpenAPIOperation.Parameter) -> [String] {
    if parameter.location == .header {
      return parts(of: value, separator: ",").map { String($0.trimmingPrefix(" ")) }
    }
    switch parameter.style {
    case "spaceDelimited": return parts(of: value, separator: " ")
    case "pipeDelimited": return parts(of: value, separator: "|")
    case "matrix" where parameter.explodes:
      return parts(of: String(value.trimmingPrefix(";")), separator: ";", without: "\(parameter.name)=")
    // The examples of OpenAPI up to 3.0.3 separate the values with dots, later ones with commas (RFC 6570 §3.2.5).
    case "label" where parameter.explodes || !value.contains(","): return parts(of: value, separator: ".")
    default: return parts(of: value, separator: ",")
    }
  }

  private func parts(of value: String, separator: Character, without prefix: String = "") -> [String] {
    value.split(separator: separator, omittingEmptySubsequences: false).map { String($0.trimmingPrefix(prefix)) }
  }

  /// Returns the members of an object by name, or nil if there are no members, or if a name has no value.
  private func pairs(_ parameter: OpenAPIOperation.Parameter) -> [(String, String)]? {
    if parameter.style == "deepObject" {
      let found = query.compactMap { item -> (String, String)? in
        guard item.name.hasPrefix("\(parameter.name)["), item.name.hasSuffix("]"),
          let end = item.name.firstIndex(of: "]")
        else { return nil }
        let name = item.name[..<end].dropFirst(parameter.name.count + 1)
        return (String(name) + String(item.name[end...].dropFirst()), item.value ?? "")
      }
      return found.isEmpty ? nil : found
    }
    if parameter.location == .query, parameter.explodes {
      let found = query.compactMap { item -> (String, String)? in
        let name = item.name.hasSuffix("[]") ? String(item.name.dropLast(2)) : item.name
        let isMember = parameter.form.members[name] != nil
        guard isMember || !parameter.form.others.isEmpty && !isNamedElsewhere(item.name, parameter) else { return nil }
        return (name, item.value ?? "")
      }
      return found.isEmpty ? nil : found
    }
    guard let value = raw(parameter) else { return nil }
    let parts = parts(of: value, parameter)
    if parameter.explodes {
      return parts.map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (pair[0], pair.count > 1 ? pair[1] : "")
      }
    }
    guard parts.count % 2 == 0 else { return nil }
    return stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }

  private func isNamedElsewhere(_ name: String, _ parameter: OpenAPIOperation.Parameter) -> Bool {
    all.contains { other in
      other.location == .query && other.name != parameter.name
        && (Self.isNamed(name, other) || other.form.members[name] != nil && other.explodes)
    }
  }
}

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

/// A security scheme (OpenAPI 3.1 §4.8.27).
package struct SecurityScheme: Hashable, Sendable {
  /// The type of a scheme.
  package enum Kind: Hashable, Sendable {
    /// An API key in the parameter with this name.
    case key(OpenAPIOperation.Location, String)
    /// An `Authorization` field with this scheme: `basic`, `bearer`.
    case authorization(String)
    /// Credentials outside of the request, such as a client certificate.
    case elsewhere
  }

  /// The name in the document.
  var name: String
  var kind: Kind

  /// Returns true if a request has credentials for the scheme, with any value.
  func isMet(by headers: HTTPHeaders, query: [QueryItem]) -> Bool {
    switch kind {
    case .elsewhere: return true
    case .authorization(let scheme):
      return headers.values(of: "Authorization").contains {
        $0.prefix { $0 != " " }.lowercased() == scheme && $0.utf8.count > scheme.utf8.count + 1
      }
    case .key(let location, let name):
      let parameter = OpenAPIOperation.Parameter(
        name: name, location: location, isRequired: true, style: "form", explodes: true)
      return ContractParameters(path: [:], query: query, headers: headers).candidates(for: parameter) != nil
    }
  }

  /// The challenge for a `WWW-Authenticate` field (RFC 9110 §11.6.1); nil if the scheme does not define a challenge.
  var challenge: String? {
    switch kind {
    case .authorization("basic"): "Basic realm=\"*\""
    case .authorization(let scheme): scheme.prefix(1).uppercased() + scheme.dropFirst()
    case .key, .elsewhere: nil
    }
  }

  /// The required credentials, for messages.
  var words: String {
    switch kind {
    case .key(let location, let name): "\(location.rawValue) \(name)"
    case .authorization(let scheme): "Authorization: \(scheme.prefix(1).uppercased() + scheme.dropFirst())"
    case .elsewhere: name
    }
  }
}

extension OpenAPIReader {
  /// Returns the security schemes of an operation: its own lists, or those of the document.
  mutating func security(of operation: JSONTree.Node) -> [[SecurityScheme]] {
    let lists = nodes.elements(nodes["security", operation] ?? nodes["security", nodes.tree.root])
    var read: [[SecurityScheme]] = []
    for list in lists {
      var schemes: [SecurityScheme] = []
      for (name, _) in nodes.members(list) {
        // A scheme that the document does not define is ignored, because no request could meet it.
        guard let entry = nodes.node(at: "/components/securitySchemes/\(SchemaPointer.escaped(name))") else { continue }
        guard let node = followed(entry, "")?.node else { continue }
        let nodes = nodes
        func text(_ member: String) -> String? { nodes[member, node].flatMap(nodes.text) }
        let kind: SecurityScheme.Kind =
          switch text("type") {
          case "apiKey":
            text("in").flatMap(OpenAPIOperation.Location.init).map { .key($0, text("name") ?? name) } ?? .elsewhere
          case "http": .authorization((text("scheme") ?? "basic").lowercased())
          case "oauth2", "openIdConnect": .authorization("bearer")
          default: .elsewhere
          }
        schemes.append(SecurityScheme(name: name, kind: kind))
      }
      read.append(schemes)
    }
    return read
  }
}
