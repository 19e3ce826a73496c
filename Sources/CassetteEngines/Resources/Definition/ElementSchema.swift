internal import CassetteJSON
internal import CassettePatterns

/// A violation of the schema by an element in a request.
struct ElementProblem: Hashable, Sendable {
  /// The names of the members that lead to the invalid value; empty for the whole element.
  let path: [String]
  /// A description of the problem, to be printed after the member's name: `is missing`.
  let message: String
}

/// Validates the elements of a resource against a JSON Schema.
struct ElementSchema: Sendable {
  private let schema: JSONSchema
  private let text: EditableJSON

  /// Compiles a schema.
  ///
  /// - Throws: The first error in the schema, with its offset.
  init(_ text: [UInt8]) throws(ResourceError) {
    do {
      schema = try JSONSchema(text)
    } catch {
      throw ResourceError(message: "\"schema\": \(error.message)", offset: error.offset)
    }
    self.text = EditableJSON(text) ?? .null
  }

  /// Returns the violations of an element, or an empty array if the element is valid.
  func problems(of element: EditableJSON) -> [ElementProblem] {
    guard let tree = JSONTree(element.bytes) else { return [] }
    var budget = MatchingBudget()
    guard let violations = schema.violations(of: tree, limit: 32, &budget) else {
      return [ElementProblem(path: [], message: "takes too long to check")]
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

  /// Returns the names that a `required` keyword lists and the element lacks, so that each is reported as its own
  /// problem.
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
