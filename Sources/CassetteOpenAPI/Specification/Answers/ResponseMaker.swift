internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Generates documented responses: the content from an example or a schema, and the header fields.
final class ResponseMaker: Sendable {
  /// The reason why a response cannot be generated.
  enum Failure: Error {
    /// The request accepts none of the documented media types.
    case notAcceptable([String])
    /// The document has no example with this name.
    case noExample(String)
    /// No content that conforms to the document was found.
    case impossible(String)
  }

  /// A cache of generated content.
  private struct Kept {
    var contents: [String: Result<[UInt8], Failure>] = [:]
    var bytes = 0
  }

  private static let mostKept = 32 << 20
  /// Header fields for the framing and coding of a message, which the server determines.
  private static let framing: Set = [
    "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "upgrade",
    "trailer", "te", "date",
  ]

  /// The schemas for responses.
  private let schemas: ContractSchemas
  private let check: ContractCheck
  let nodes: OpenAPINodes
  private let kept = Locked(Kept())

  init(_ check: ContractCheck) {
    self.check = check
    schemas = check.document.schemas.directed(.answer)
    nodes = schemas.nodes
  }

  /// Generates a response that conforms to the document.
  ///
  /// `example` selects an example by its name. With a seed in `random`, the content is generated at random.
  func response(
    _ response: OpenAPIOperation.Response, status: HTTPStatus, _ accepted: AcceptedTypes, example: String?,
    random: UInt64?
  ) throws(Failure) -> HTTPResponse {
    var made = HTTPResponse(status: status)
    if status.allowsContent, !response.content.isEmpty {
      let ranges = response.content.map(\.range)
      guard let choice = accepted.choice(of: ranges) else { throw .notAcceptable(ranges) }
      let entry = response.content[choice.index]
      made.headers.append("Content-Type", choice.type)
      made.body = try content(entry, of: response, choice.type, example: example, random: random)
    } else if let example {
      throw .noExample(example)
    }
    try addFields(response, random, &made.headers)
    return made
  }

  private func content(
    _ entry: (range: String, schema: String?), of response: OpenAPIOperation.Response, _ type: String, example: String?,
    random: UInt64?
  ) throws(Failure) -> [UInt8] {
    guard random == nil else { return try made(entry, of: response, type, example: example, random: random) }
    // The same response is requested repeatedly.
    let key = "\(response.pointer) \(entry.range) \(type) \(example ?? "")"
    if let known = kept.withLock({ $0.contents[key] }) { return try known.get() }
    let result: Result<[UInt8], Failure>
    do throws(Failure) {
      result = .success(try made(entry, of: response, type, example: example, random: nil))
    } catch {
      result = .failure(error)
    }
    kept.withLock { kept in
      let size = ((try? result.get().count) ?? 0) + key.utf8.count + 64
      if kept.bytes + size > Self.mostKept { kept = Kept() }
      kept.bytes += size
      kept.contents[key] = result
    }
    return try result.get()
  }

  private func made(
    _ entry: (range: String, schema: String?), of response: OpenAPIOperation.Response, _ type: String, example: String?,
    random: UInt64?
  ) throws(Failure) -> [UInt8] {
    guard let media = MediaType(type) else { throw .impossible("\(type) is not a media type") }
    let node = nodes.members(nodes["content", nodes.node(at: response.pointer) ?? nodes.tree.root])
      .first { $0.name.lowercased() == entry.range }?.value
    var maker = ValueMaker(schemas, random: random)
    let writer = ContentWriter(nodes: nodes)
    if random == nil || example != nil {
      var found = node.map(examples) ?? []
      if let example {
        found = found.filter { $0.name == example }
        if found.isEmpty { throw .noExample(example) }
      }
      for (_, value) in found {
        guard let json = json(of: value, entry.schema, media, maker) else { continue }
        if let content = writer.content(json, media, schema: entry.schema) { return content }
      }
    }
    guard let schema = entry.schema else {
      return media.isJSON ? Array("{}".utf8) : ContentWriter.isXML(media) ? Array("<xml/>".utf8) : []
    }
    switch maker.value(at: schema) {
    case .failed(let words): throw .impossible(words)
    case .made(let json):
      guard let content = writer.content(json, media, schema: schema) else {
        throw .impossible(ContentWriter.unwritable(type))
      }
      return content
    }
  }

  /// Returns the examples next to a schema, with their names.
  private func examples(of node: JSONTree.Node) -> [(name: String?, value: JSONTree.Node)] {
    let single = nodes["example", node].map { [(nil as String?, $0)] } ?? []
    return single
      + nodes.members(nodes["examples", node]).compactMap { name, entry in
        (try? nodes.followed(entry, "").node).flatMap { nodes["value", $0] }.map { (name, $0) }
      }
  }

  /// Returns an example as JSON, or nil if it violates its schema.
  ///
  /// A string for a format other than JSON is always valid.
  private func json(of value: JSONTree.Node, _ schema: String?, _ media: MediaType, _ maker: ValueMaker) -> [UInt8]? {
    guard let schema else { return maker.compact(value) }
    if let json = maker.example(value, at: schema) { return json }
    return !media.isJSON && nodes.text(value) != nil ? maker.compact(value) : nil
  }

  /// Returns true if `json` is valid JSON that conforms to a schema.
  func meets(_ json: [UInt8], _ schema: String) -> Bool {
    guard let tree = JSONTree(json), let schema = try? schemas.schema(at: schema) else { return false }
    var budget = MatchingBudget()
    return schema.violations(of: tree, limit: 1, &budget)?.isEmpty ?? false
  }

  private func addFields(
    _ response: OpenAPIOperation.Response, _ random: UInt64?, _ headers: inout HTTPHeaders
  ) throws(Failure) {
    let writer = ContentWriter(nodes: nodes)
    for header in response.headers where !Self.framing.contains(header.name.lowercased()) {
      guard header.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }), !header.name.isEmpty
      else { continue }
      let place = "\(response.pointer)/headers/\(SchemaPointer.escaped(header.name))"
      guard let value = fieldValue(header, place, random), let text = writer.field(value, explodes: header.explodes),
        check.allows(text, for: header)
      else {
        guard !header.isRequired else { throw .impossible("no value can be made for its field \(header.name)") }
        continue
      }
      headers.append(header.name, text)
    }
  }

  /// Returns the JSON value of a header field, or nil if none is known.
  private func fieldValue(_ header: OpenAPIOperation.Parameter, _ place: String, _ random: UInt64?) -> [UInt8]? {
    var maker = ValueMaker(schemas, random: random)
    if random == nil, let entry = nodes.node(at: place), let node = try? nodes.followed(entry, place).node {
      let example = examples(of: node).first { one in header.schema.map { maker.accepts(one.value, at: $0) } ?? true }
      if let example { return maker.compact(example.value) }
    }
    guard let schema = header.schema else { return header.isRequired ? JSONString.encode("string") : nil }
    guard case .made(let value) = maker.value(at: schema) else { return nil }
    return header.isJSON ? JSONString.encode(String(decoding: value, as: UTF8.self)) : value
  }
}
