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

  /// Returns true if a value meets an assertion, and records a violation otherwise.
  mutating func isMet(
    _ assertion: SchemaAssertion, _ value: JSONTree.Node, _ node: SchemaNode, _ own: inout Evaluated
  ) -> Bool {
    switch assertion.rule {
    case .reference(let index): return isValid(value, index, &own)
    case .dynamicReference(let index, let name): return isValid(value, dynamicTarget(index, name), &own)
    case .allOf(let schemas):
      var isMet = true
      for schema in schemas where goesOn && (isMet || !isQuiet) {
        if !isValid(value, schema, &own) { isMet = false }
      }
      return isMet
    case .anyOf(let schemas), .oneOf(let schemas): return isAny(value, schemas, node, assertion.keyword, &own)
    case .not(let schema):
      var ignored = Evaluated()
      guard isQuietlyValid(value, schema, &ignored) else { return !isUndecided }
      return fail(assertion, node, "matches the schema in \"not\"")
    case .condition(let test, let then, let otherwise):
      let isThen = isQuietlyValid(value, test, &own)
      guard !isUndecided, let next = isThen ? then : otherwise else { return !isUndecided }
      return isValid(value, next, &own)
    default: break
    }
    switch value.kind {
    case .object(let members): return isMet(assertion, members, value, node, &own)
    case .array(let elements): return isMet(assertion, elements, value, node, &own)
    case .scalar: return isMet(assertion, scalar: value, node)
    }
  }

  mutating func fail(_ assertion: SchemaAssertion, _ node: SchemaNode, _ words: String) -> Bool {
    add("\(node.pointer)/\(assertion.keyword)", assertion.keyword, words)
    return false
  }

  /// Returns true if a value meets an assertion that applies to values of every type.
  private mutating func isMetByAny(
    _ assertion: SchemaAssertion, _ value: JSONTree.Node, _ type: SchemaTypes, _ node: SchemaNode
  ) -> Bool {
    switch assertion.rule {
    case .type(let types):
      if !types.isDisjoint(with: type) { return true }
      let words = type == [.integer, .number] ? "integer" : type.words
      return fail(assertion, node, "must be \(types.words), is \(words)")
    case .oneOfValues(let values):
      budget.left -= value.range.count / 4
      if values.contains(tree.canonical(value)) { return true }
      return fail(
        assertion, node,
        assertion.keyword == "const"
          ? "differs from the required value" : "is not one of the \(values.count) allowed values")
    default: return true
    }
  }

  // MARK: Scalars

  private mutating func isMet(_ assertion: SchemaAssertion, scalar value: JSONTree.Node, _ node: SchemaNode) -> Bool {
    let token = tree.bytes[value.range]
    switch token.first {
    case UInt8(ascii: "\""): return isMet(assertion, string: value, node)
    case UInt8(ascii: "n"): return isMetByAny(assertion, value, .null, node)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return isMetByAny(assertion, value, .boolean, node)
    default: break
    }
    guard let number = JSONNumber(token) else {
      // `JSONNumber` does not represent numbers with very large exponents.
      if case .bound = assertion.rule { return fail(assertion, node, "is too large or small to compare") }
      if case .multiple = assertion.rule { return fail(assertion, node, "is too large or small to divide") }
      return isMetByAny(assertion, value, .number, node)
    }
    switch assertion.rule {
    case .bound(let bound, let side):
      if side.isMet(by: number, bound) { return true }
      return fail(assertion, node, "\(side.words) \(Self.text(of: bound))")
    case .multiple(let divisor):
      return divisor.divides(number) || fail(assertion, node, "is not a multiple of \(divisor.text)")
    default: return isMetByAny(assertion, value, number.isInteger ? [.number, .integer] : .number, node)
    }
  }

  private static func text(of number: JSONNumber) -> String {
    let digits = String(decoding: number.digits, as: UTF8.self)
    let sign = number.isNegative ? "-" : ""
    if digits.isEmpty { return "0" }
    if 0...20 ~= number.exponent { return sign + digits + String(repeating: "0", count: number.exponent) }
    let point = digits.count + number.exponent
    if number.exponent < 0, -6...20 ~= point {
      let padded = String(repeating: "0", count: max(0, 1 - point)) + digits
      return "\(sign)\(padded.dropLast(-number.exponent)).\(padded.suffix(-number.exponent))"
    }
    return "\(sign)\(digits)e\(number.exponent)"
  }

  private mutating func isMet(_ assertion: SchemaAssertion, string value: JSONTree.Node, _ node: SchemaNode) -> Bool {
    switch assertion.rule {
    case .count(let count, let wanted) where count == .minLength || count == .maxLength:
      budget.left -= value.range.count / 16
      return isMet(assertion, count, string(value).count { $0 & 0xc0 != 0x80 }, wanted, node)
    case .pattern(let pattern):
      guard let isMatch = pattern.matches(ConditionText(string(value)), &budget) else {
        leaveUndecided()
        return false
      }
      return isMatch || fail(assertion, node, "does not match \"\(pattern.source)\"")
    case .format(let format):
      budget.left -= value.range.count / 4
      return format.accepts(string(value)) || fail(assertion, node, "is not a valid \(format.rawValue)")
    default: return isMetByAny(assertion, value, .string, node)
    }
  }

  private func string(_ value: JSONTree.Node) -> [UInt8] { JSONTree.text(ofString: tree.bytes[value.range]) }

  private mutating func isMet(
    _ assertion: SchemaAssertion, _ count: SchemaCount, _ found: Int, _ wanted: Int, _ node: SchemaNode
  ) -> Bool {
    if count.isLeast ? found >= wanted : found <= wanted { return true }
    return fail(assertion, node, "has \(found) \(count.words), \(count.isLeast ? "fewer" : "more") than \(wanted)")
  }

  // MARK: Objects

  private mutating func isMet(
    _ assertion: SchemaAssertion, _ members: [JSONTree.Member], _ value: JSONTree.Node, _ node: SchemaNode,
    _ own: inout Evaluated
  ) -> Bool {
    budget.left -= members.count / 4
    func has(_ name: [UInt8]) -> Bool { members.contains { $0.name == name } }
    switch assertion.rule {
    case .count(let count, let wanted) where count == .minProperties || count == .maxProperties:
      return isMet(assertion, count, Set(members.map(\.name)).count, wanted, node)
    case .required(let names):
      budget.left -= members.count * names.count / 4
      let missing = names.filter { !has($0) }
      if missing.isEmpty { return true }
      return fail(assertion, node, "\(Self.list(missing)) \(missing.count == 1 ? "is" : "are") missing")
    case .dependentRequired(let dependencies):
      for dependency in dependencies where has(dependency.name) {
        let missing = dependency.others.filter { !has($0) }
        if missing.isEmpty { continue }
        let words = "\(Self.list(missing)) \(missing.count == 1 ? "is" : "are") required with"
        return fail(assertion, node, "\(words) \(Self.list([dependency.name]))")
      }
      return true
    case .dependentSchemas(let dependencies):
      var isMet = true
      for dependency in dependencies where has(dependency.name) && goesOn {
        if !isValid(value, dependency.schema, &own) { isMet = false }
      }
      return isMet
    case .members(let rule): return isMet(rule, members, &own)
    case .propertyNames(let schema): return areNames(members, schema)
    case .unevaluatedProperties(let schema):
      return eachUnevaluated(of: members.map(\.value), own, schema) { .member(members[$0].text) } && own.takeAll()
    default: return isMetByAny(assertion, value, .object, node)
    }
  }

  private mutating func isMet(_ rule: SchemaMembers, _ members: [JSONTree.Member], _ own: inout Evaluated) -> Bool {
    var isMet = true
    for (number, member) in members.enumerated() where goesOn && (isMet || !isQuiet) {
      var schemas = [rule.named[member.name]].compactMap(\.self)
      for (pattern, schema) in rule.patterns {
        guard let isMatch = pattern.matches(ConditionText(member.name), &budget) else {
          leaveUndecided()
          return false
        }
        if isMatch { schemas.append(schema) }
      }
      if schemas.isEmpty, let additional = rule.additional { schemas = [additional] }
      guard !schemas.isEmpty else { continue }
      own.parts.insert(number)
      for schema in schemas where !isPart(member.value, at: .member(member.text), schema) { isMet = false }
    }
    return isMet
  }

  /// Returns true if the names of all members, as strings, meet the schema of `propertyNames`.
  private mutating func areNames(_ members: [JSONTree.Member], _ schema: Int) -> Bool {
    let whole = tree
    defer { tree = whole }
    for member in members where goesOn {
      guard let name = JSONTree(JSONString.encode(member.text)) else { continue }
      tree = name
      if !isPart(name.root, at: .member(member.text), schema) { return false }
    }
    return true
  }

  private mutating func isPart(_ value: JSONTree.Node, at step: JSONPath.Step, _ schema: Int) -> Bool {
    path.append(step)
    defer { path.removeLast() }
    var evaluated = Evaluated()
    return isValid(value, schema, &evaluated)
  }

  /// Returns true if every member or element that no other keyword has evaluated meets a schema.
  private mutating func eachUnevaluated(
    of values: [JSONTree.Node], _ own: Evaluated, _ schema: Int, _ step: (Int) -> JSONPath.Step
  ) -> Bool {
    guard !own.isAll else { return true }
    var isMet = true
    for (number, value) in values.enumerated() where goesOn && !own.parts.contains(number) {
      if !isPart(value, at: step(number), schema) { isMet = false }
    }
    return isMet
  }

  private static func list(_ names: [[UInt8]]) -> String {
    names.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: ", ")
  }

  // MARK: Arrays

  private mutating func isMet(
    _ assertion: SchemaAssertion, _ elements: [JSONTree.Node], _ value: JSONTree.Node, _ node: SchemaNode,
    _ own: inout Evaluated
  ) -> Bool {
    switch assertion.rule {
    case .count(let count, let wanted) where count == .minItems || count == .maxItems:
      return isMet(assertion, count, elements.count, wanted, node)
    case .items(let prefix, let rest):
      var isMet = true
      for (number, element) in elements.enumerated() where goesOn && (isMet || !isQuiet) {
        guard let schema = number < prefix.count ? prefix[number] : rest else { break }
        own.parts.insert(number)
        if !isPart(element, at: .element(number), schema) { isMet = false }
      }
      return isMet
    case .contains(let schema, let least, let most):
      var found = 0
      for (number, element) in elements.enumerated() where goesOn {
        var ignored = Evaluated()
        guard isQuietlyValid(element, schema, &ignored) else { continue }
        found += 1
        own.parts.insert(number)
      }
      guard goesOn, found < least || found > most ?? .max else { return goesOn }
      let words = found < least ? "fewer than \(least)" : "more than \(most ?? 0)"
      return fail(assertion, node, "has \(found) elements that match \"contains\", \(words)")
    case .uniqueItems:
      budget.left -= value.range.count / 2
      var seen: [[UInt8]: Int] = [:]
      for (number, element) in elements.enumerated() {
        guard let other = seen.updateValue(number, forKey: tree.canonical(element)) else { continue }
        return fail(assertion, node, "has equal elements: \(other) and \(number)")
      }
      return true
    case .unevaluatedItems(let schema):
      return eachUnevaluated(of: elements, own, schema) { .element($0) } && own.takeAll()
    default: return isMetByAny(assertion, value, .array, node)
    }
  }
}

extension SchemaEvaluation.Evaluated {
  /// Marks all members or elements as evaluated.
  fileprivate mutating func takeAll() -> Bool {
    isAll = true
    return true
  }
}
