internal import CassetteJSON
internal import CassettePatterns

/// Evaluates a schema against a value.
struct SchemaEvaluation {
  /// The maximum nesting depth of evaluated schemas, which keeps the recursion within the stack.
  private static let depthLimit = 400

  /// The evaluated members or elements of a value, by index.
  struct Evaluated {
    var isAll = false
    var parts: Set<Int> = []

    mutating func formUnion(_ other: Evaluated) {
      isAll = isAll || other.isAll
      if parts.isEmpty { parts = other.parts } else { parts.formUnion(other.parts) }
    }
  }

  let schema: JSONSchema
  var tree: JSONTree
  var budget: MatchingBudget
  private let limit: Int
  var violations: [JSONSchemaViolation] = []
  /// True if violations are not recorded because only validity matters.
  var isQuiet = false
  /// True if the budget or the nesting limit was exceeded.
  private(set) var isUndecided = false
  var path: [JSONPath.Step] = []
  /// The schema resources on the path of references to the current schema, outermost first, for `$dynamicRef`.
  private var scope: [Int] = []
  private var depth = 0

  init(_ schema: JSONSchema, _ tree: JSONTree, _ budget: MatchingBudget, limit: Int) {
    self.schema = schema
    self.tree = tree
    self.budget = budget
    self.limit = max(limit, 1)
  }

  mutating func run() -> Bool {
    var evaluated = Evaluated()
    return isValid(tree.root, schema.root, &evaluated)
  }

  /// True unless the result is undecided or the maximum number of violations is reached.
  var goesOn: Bool { !isUndecided && (isQuiet || violations.count < limit) }

  mutating func leaveUndecided() { isUndecided = true }

  /// Returns true if a value is valid; in that case the evaluated members or elements are added to `evaluated`.
  mutating func isValid(_ value: JSONTree.Node, _ index: Int, _ evaluated: inout Evaluated) -> Bool {
    let node = schema.nodes[index]
    if let always = node.always {
      if !always {
        add(node.pointer, node.pointer.split(separator: "/").last.map(String.init) ?? "#", "is not allowed")
      }
      return always
    }
    // Evaluating a schema takes about as long as four steps of a pattern.
    budget.left -= 4
    guard !budget.isSpent, depth < Self.depthLimit else {
      isUndecided = true
      return false
    }
    depth += 1
    let isEntered = scope.last != node.resource
    if isEntered { scope.append(node.resource) }
    defer {
      depth -= 1
      if isEntered { scope.removeLast() }
    }
    var own = Evaluated()
    var isValid = true
    for assertion in node.assertions where isValid || !isQuiet {
      guard goesOn else { return false }
      if !isMet(assertion, value, node, &own) { isValid = false }
    }
    if isValid, schema.tracksEvaluated { evaluated.formUnion(own) }
    return isValid
  }

  /// Returns true if a value is valid, without recording violations.
  mutating func isQuietlyValid(_ value: JSONTree.Node, _ index: Int, _ evaluated: inout Evaluated) -> Bool {
    let before = isQuiet
    isQuiet = true
    defer { isQuiet = before }
    return isValid(value, index, &evaluated)
  }

  /// Returns the schema that `$dynamicRef` refers to in the current dynamic scope.
  func dynamicTarget(_ index: Int, _ name: String) -> Int {
    for resource in scope {
      if let target = schema.dynamicAnchors[resource][name] { return target }
    }
    return index
  }

  mutating func add(_ pointer: String, _ keyword: String, _ words: String) {
    guard !isQuiet, violations.count < limit else { return }
    violations.append(JSONSchemaViolation(instance: JSONPath(path), schema: pointer, keyword: keyword, words: words))
  }

  // MARK: Several schemas

  /// Evaluates `anyOf` or `oneOf`.
  ///
  /// If no schema matches, the violations of the closest schema are recorded.
  mutating func isAny(
    _ value: JSONTree.Node, _ schemas: [Int], _ node: SchemaNode, _ keyword: String, _ own: inout Evaluated
  ) -> Bool {
    var matching: [Int] = []
    for (number, schema) in schemas.enumerated() where goesOn {
      guard isQuietlyValid(value, schema, &own) else { continue }
      matching.append(number)
      // Later schemas may evaluate more members or elements.
      if keyword == "anyOf", !self.schema.tracksEvaluated { break }
      if keyword == "oneOf", matching.count > 1 { break }
    }
    guard !isUndecided else { return false }
    switch (keyword, matching.count) {
    case (_, 0):
      add("\(node.pointer)/\(keyword)", keyword, "matches none of the \(schemas.count) schemas")
      addNearest(value, schemas)
      return false
    case ("oneOf", 2...):
      let numbers = matching.map(String.init).joined(separator: " and ")
      add("\(node.pointer)/\(keyword)", keyword, "matches more than one schema: \(numbers)")
      return false
    default: return true
    }
  }

  /// Records the violations of the schema that matched the value to the greatest depth.
  private mutating func addNearest(_ value: JSONTree.Node, _ schemas: [Int]) {
    guard !isQuiet, violations.count < limit else { return }
    let before = violations
    var nearest: [JSONSchemaViolation] = []
    for schema in schemas where !isUndecided {
      violations = []
      var ignored = Evaluated()
      _ = isValid(value, schema, &ignored)
      let depth = violations.map(\.instance.steps.count).max() ?? 0
      if nearest.isEmpty || depth > nearest.map(\.instance.steps.count).max() ?? 0 { nearest = violations }
    }
    violations = before + nearest.prefix(limit - before.count)
  }
}
