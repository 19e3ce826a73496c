internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSchemas

/// A problem of an element that was sent.
struct ElementProblem: Hashable, Sendable {
  /// The names of the members that lead to it; none for the whole element.
  let path: [String]
  /// A description of the problem, in words that follow the member's name: `is missing`.
  let message: String
}

/// A check of a resource's elements against a JSON Schema.
struct ElementSchema: Sendable {
  private let schema: JSONSchema
  private let text: EditableJSON

  /// Compiles a schema; throws the error in it, with its byte.
  init(_ text: [UInt8]) throws(ResourceError) {
    do {
      schema = try JSONSchema(text)
    } catch {
      throw ResourceError(message: "\"schema\": \(error.message)", offset: error.offset)
    }
    self.text = EditableJSON(text) ?? .null
  }

  /// Returns the problems of an element; nothing when it meets the schema.
  func problems(of element: EditableJSON) -> [ElementProblem] {
    guard let tree = JSONTree(element.bytes) else { return [] }
    var budget = MatchingBudget()
    guard let violations = schema.violations(of: tree, limit: 32, &budget) else {
      return [ElementProblem(path: [], message: "takes too long to be checked")]
    }
    return violations.flatMap { violation -> [ElementProblem] in
      let path = violation.instance.steps.map { step in
        switch step {
        case .member(let name): name
        case .element(let index): "\(index)"
        }
      }
      let missing = violation.keyword == "required" ? lacking(violation.schema, at: path, of: element) : []
      if missing.isEmpty { return [ElementProblem(path: path, message: violation.words)] }
      return missing.map { ElementProblem(path: path + [$0], message: "is missing") }
    }
  }

  /// The members that a `required` names and an element does not have: each is a problem of its own.
  private func lacking(_ keyword: String, at path: [String], of element: EditableJSON) -> [String] {
    var work = 0
    let place = JSONPointer(steps: path.map { Array($0.utf8) })
    guard let pointer = JSONPointer(String(keyword.drop { $0 == "#" })),
      case .array(let names)? = try? text.value(at: pointer, work: &work),
      let value = try? element.value(at: place, work: &work)
    else { return [] }
    return names.compactMap(\.string).filter { value[$0] == nil }
  }
}
