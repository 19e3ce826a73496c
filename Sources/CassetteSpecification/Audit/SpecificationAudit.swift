internal import CassetteContract
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSchemas
package import Cassettes

/// The problems of a specification: examples that break their own schemas, schemas that cannot be used, answers that
/// cannot be made.
package struct SpecificationAudit: Sendable {
  /// Problems beyond these are not told.
  private static let most = 200

  /// The number of operations.
  package private(set) var operations = 0
  /// The problems, each at its place in the file that it is in.
  package private(set) var problems: [CassetteError] = []

  /// Looks a specification through; nil for a file that is none, or is not there.
  package init?(_ path: String) {
    guard let bytes = try? CassetteFileBytes.read(path: path), OpenAPIDocument.isMeant(by: bytes) else { return nil }
    do throws(CassetteError) {
      let file = try SpecificationFile(path)
      operations = file.document.operations.count
      problems = AuditWalk(file).map { Array($0.found.prefix(Self.most)) } ?? []
    } catch {
      problems = [error]
    }
  }
}

/// Walks through a document, and holds its examples to their schemas.
private struct AuditWalk {
  private static let schemaWords = [
    "type", "properties", "items", "allOf", "anyOf", "oneOf", "enum", "const", "format", "pattern",
    "additionalProperties",
  ]

  private let file: SpecificationFile
  /// The document as it was written: what tells places.
  private let nodes: OpenAPINodes
  private let document: OpenAPIDocument
  private(set) var found: [CassetteError] = []

  init?(_ file: SpecificationFile) {
    guard let written = file.written else { return nil }
    (self.file, nodes, document) = (file, written, file.document)
    walk(nodes.tree.root, "", SpecificationWords.Context())
    for operation in document.operations { checkAnswers(of: operation) }
    found.sort { ($0.file, $0.line, $0.column, $0.message) < ($1.file, $1.line, $1.column, $1.message) }
  }

  private mutating func add(_ pointer: String, _ message: String, severity: CassetteError.Severity = .warning) {
    let place = file.place(of: pointer, in: nodes)
    let error = CassetteError(
      file: place.file, line: place.line, column: place.column, message: message, severity: severity)
    if !found.contains(error) { found.append(error) }
  }

  // MARK: Examples

  private mutating func walk(_ node: JSONTree.Node, _ pointer: String, _ context: SpecificationWords.Context) {
    guard !context.isExample else { return }
    switch node.kind {
    case .scalar: return
    case .array(let elements):
      for (index, element) in elements.enumerated() { walk(element, "\(pointer)/\(index)", context.element) }
    case .object(let members):
      if !context.isPlain {
        if nodes["schema", node] != nil {
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
        walk(member.value, "\(pointer)/\(SchemaPointer.escaped(name))", context.member(name, member.value))
      }
    }
  }

  /// The examples beside a schema: of a media type, a parameter, a field.
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

  /// The examples of a schema itself.
  private mutating func checkSchema(_ node: JSONTree.Node, _ pointer: String) {
    if nodes["example", node] != nil { check("\(pointer)/example", "the example", by: pointer, false) }
    for index in nodes.elements(nodes["examples", node]).indices {
      check("\(pointer)/examples/\(index)", "the example", by: pointer, false)
    }
    if nodes["default", node] != nil { check("\(pointer)/default", "the default", by: pointer, false) }
  }

  private mutating func check(_ pointer: String, _ what: String, by schema: String, _ isText: Bool) {
    guard let value = document.schemas.nodes.node(at: pointer) else { return }
    // A text of another format than JSON is what it is.
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
    add(pointer + first.instance.pointer, "\(what) breaks its schema, and is not served: \(place)\(first.words)")
  }

  // MARK: Schemas

  private mutating func checkAnswers(of operation: OpenAPIOperation) {
    if operation.responses.isEmpty {
      add(operation.pointer, "\(operation.name) documents no answer: it is answered 200, without content")
    }
    for parameter in operation.parameters { compile(parameter.schema) }
    for entry in operation.requestBody?.content ?? [] { compile(entry.schema) }
    for response in operation.responses {
      for header in response.headers { compile(header.schema) }
      for entry in response.content where compile(entry.schema) {
        guard let schema = entry.schema else { continue }
        var maker = ValueMaker(document.schemas.directed(.answer))
        guard case .failed(let words) = maker.value(at: schema) else { continue }
        add(schema, "the answer \(response.status) of \(operation.name) cannot be made: \(words)")
      }
    }
  }

  @discardableResult
  private mutating func compile(_ pointer: String?) -> Bool {
    guard let pointer else { return true }
    do {
      _ = try document.schemas.schema(at: pointer)
      return true
    } catch {
      // Its words come from the document too, as it is written in.
      add(String(error.pointer.dropFirst()), "the schema cannot be used: \(error.message)", severity: .error)
      return false
    }
  }
}
