internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
package import Cassettes

/// The problems of a specification: examples that violate their schemas, unusable schemas, and responses that cannot be
/// generated.
package struct SpecificationAudit: Sendable {
  /// The number of operations.
  package private(set) var operations = 0
  /// The problems, with their locations.
  package private(set) var problems: [CassetteError] = []

  /// Checks a specification; fails if the file does not exist or is not an OpenAPI document.
  package init?(_ path: String) {
    guard let bytes = try? CassetteFileBytes.read(path: path), OpenAPIDocument.isMeant(by: bytes) else { return nil }
    do throws(CassetteError) {
      var mistakes: [CassetteError] = []
      let file = try SpecificationFile(path, problems: &mistakes)
      operations = file.document.operations.count
      problems = AuditWalk(file, mistakes)?.found ?? mistakes
    } catch {
      problems = [error]
    }
  }
}

/// Visits the values of a document, and checks examples against their schemas.
private struct AuditWalk {
  private static let schemaWords = [
    "type", "properties", "items", "allOf", "anyOf", "oneOf", "enum", "const", "format", "pattern",
    "additionalProperties",
  ]

  private let file: SpecificationFile
  /// The document before the conversion of older keywords, which determines the locations of problems.
  private let nodes: OpenAPINodes
  private let document: OpenAPIDocument
  private(set) var found: [CassetteError] = []
  private var told: Set<CassetteError> = []
  /// The locations with an error; a second error at the same location would have the same cause.
  private var wrong: Set<String> = []
  /// The pointers of all schemas.
  private var schemas: [String] = []
  private var references: [(pointer: String, text: String)] = []
  /// The number of schemas that may still be visited for answers that cannot be generated.
  private var schemasLeft = 2 * ValueMaker.mostSchemas

  init?(_ file: SpecificationFile, _ mistakes: [CassetteError]) {
    guard let written = file.written else { return nil }
    (self.file, nodes, document) = (file, written, file.document)
    for problem in mistakes + file.outdated { add(problem) }
    walk(nodes.tree.root, "", SpecificationWords.Context(), isNamed: false)
    // The schemas are read from the parsed document, because their keywords were converted there.
    for problem in JSONSchema.problems(of: document.schemas.nodes.tree, at: schemas) {
      add(String(problem.pointer.dropFirst()), "the schema cannot be used: \(problem.message)", severity: .error)
    }
    for (pointer, text) in references {
      add(pointer, "the target of the reference does not exist: \(OpenAPINodes.shown(text))", severity: .error)
    }
    for operation in document.operations { checkAnswers(of: operation) }
    found.sort { ($0.file, $0.line, $0.column, $0.message) < ($1.file, $1.line, $1.column, $1.message) }
  }

  private mutating func add(_ pointer: String, _ message: String, severity: CassetteError.Severity = .warning) {
    let place = file.place(of: pointer, in: nodes)
    add(
      CassetteError(file: place.file, line: place.line, column: place.column, message: message, severity: severity))
  }

  private mutating func add(_ problem: CassetteError) {
    guard told.insert(problem).inserted else { return }
    if problem.severity == .error {
      guard wrong.insert("\(problem.line):\(problem.column):\(problem.file)").inserted else { return }
    }
    found.append(problem)
  }

  // MARK: Examples

  /// Visits a value; `isNamed` is true within a schema with an `$id`, against which references are resolved.
  private mutating func walk(
    _ node: JSONTree.Node, _ pointer: String, _ context: SpecificationWords.Context, isNamed: Bool
  ) {
    guard !context.isExample else { return }
    switch node.kind {
    case .scalar: return
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        walk(element, "\(pointer)/\(index)", context.element, isNamed: isNamed)
      }
    case .object(let members):
      let isNamed = isNamed || !context.isPlain && nodes["$id", node] != nil
      if !context.isPlain {
        if !isNamed { checkReferences(of: node, pointer) }
        if nodes["schema", node] != nil {
          schemas.append("\(pointer)/schema")
          checkExamples(of: node, pointer)
        } else if nodes["$ref", node] == nil, Self.schemaWords.contains(where: { nodes[$0, node] != nil }) {
          checkSchema(node, pointer)
        }
      }
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        if !context.isPlain, name == "servers" || name.hasPrefix("x-") && name != OpenAPIDocument.filesMember {
          continue
        }
        let place = "\(pointer)/\(SchemaPointer.escaped(name))"
        if pointer == "/components/schemas" { schemas.append(place) }
        walk(member.value, place, context.member(name, member.value), isNamed: isNamed)
      }
    }
  }

  /// Collects the references of an object, to report those without a target.
  private mutating func checkReferences(of node: JSONTree.Node, _ pointer: String) {
    var all = [("\(pointer)/$ref", nodes["$ref", node])]
    if let discriminator = nodes["discriminator", node] {
      for (name, value) in nodes.members(nodes["mapping", discriminator]) {
        all.append(("\(pointer)/discriminator/mapping/\(SchemaPointer.escaped(name))", value))
      }
    }
    for (place, value) in all {
      guard let text = value.flatMap(nodes.text), text == "#" || text.hasPrefix("#/") else { continue }
      if nodes.node(at: OpenAPINodes.pointer(ofFragment: text)) == nil { references.append((place, text)) }
    }
  }

  /// Checks the examples next to a schema: of a media type, a parameter, or a header field.
  private mutating func checkExamples(of node: JSONTree.Node, _ pointer: String) {
    let schema = "\(pointer)/schema"
    let isText = pointer.split(separator: "/").last.map { $0.contains("~1") && !$0.contains("json") } ?? false
    if nodes["example", node] != nil { check("\(pointer)/example", "the example", by: schema, isText) }
    for (name, entry) in nodes.members(nodes["examples", node]) {
      let place = "\(pointer)/examples/\(SchemaPointer.escaped(name))"
      guard let followed = try? nodes.followed(entry, place), nodes["value", followed.node] != nil else { continue }
      check("\(followed.pointer)/value", "the example \"\(name)\"", by: schema, isText)
    }
  }

  /// Checks the examples and the default of a schema.
  private mutating func checkSchema(_ node: JSONTree.Node, _ pointer: String) {
    if nodes["example", node] != nil { check("\(pointer)/example", "the example", by: pointer, false) }
    for index in nodes.elements(nodes["examples", node]).indices {
      check("\(pointer)/examples/\(index)", "the example", by: pointer, false)
    }
    if nodes["default", node] != nil { check("\(pointer)/default", "the default", by: pointer, false) }
  }

  private mutating func check(_ pointer: String, _ what: String, by schema: String, _ isText: Bool) {
    guard let value = document.schemas.nodes.node(at: pointer) else { return }
    // A string for a format other than JSON is always valid.
    if isText, document.schemas.nodes.text(value) != nil { return }
    var first: JSONSchemaViolation?
    for direction in [ContractDirection.answer, .request] {
      let schemas = document.schemas.directed(direction)
      guard let compiled = try? schemas.schema(at: schema) else { return }
      var budget = MatchingBudget()
      let tree = JSONTree(document.schemas.nodes.tree.bytes, root: value)
      guard let violations = compiled.violations(of: tree, limit: 4, &budget) else { return }
      let real = violations.filter { !schemas.isWriteOnly($0) }
      guard let violation = real.first else { return }
      if first == nil { first = violation }
    }
    guard let first else { return }
    let place = first.instance.steps.isEmpty ? "" : "\(first.instance): "
    add(pointer + first.instance.pointer, "\(what) violates its schema and is not served: \(place)\(first.words)")
  }

  // MARK: Schemas

  private mutating func checkAnswers(of operation: OpenAPIOperation) {
    let responses = nodes.node(at: operation.pointer).flatMap { nodes["responses", $0] }
    if nodes.members(responses).isEmpty {
      add(operation.pointer, "\(operation.name) does not document a response: it is answered with 200 and no content")
    }
    for response in operation.responses {
      for entry in response.content where isUsable(entry.schema) {
        guard let schema = entry.schema else { continue }
        guard schemasLeft > 0 else {
          add(
            schema, "the response \(response.status) of \(operation.name) was not checked: others take too long to make"
          )
          continue
        }
        var maker = ValueMaker(document.schemas.directed(.answer))
        let words: String
        switch maker.value(at: schema) {
        case .failed(let failure): words = failure
        case .made(let json):
          let writer = ContentWriter(nodes: document.schemas.nodes)
          let entryNode = nodes.node(at: String(schema.dropLast("/schema".utf8.count)))
          guard ["example", "examples"].allSatisfy({ nodes[$0, entryNode ?? nodes.tree.root] == nil }),
            let media = MediaType(entry.range), writer.content(json, media, schema: schema) == nil
          else { continue }
          words = ContentWriter.unwritable(entry.range)
        }
        schemasLeft -= ValueMaker.mostSchemas - maker.schemasLeft
        add(schema, "the response \(response.status) of \(operation.name) cannot be made: \(words)")
      }
    }
  }

  private func isUsable(_ pointer: String?) -> Bool {
    guard let pointer else { return true }
    return (try? document.schemas.schema(at: pointer)) != nil
  }
}
