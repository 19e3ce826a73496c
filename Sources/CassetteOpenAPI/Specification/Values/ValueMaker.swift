internal import CassetteEngines
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Generates values that conform to a schema, from its examples, defaults and constraints.
///
/// Each value is validated. If it violates the schema, the invalid parts are generated differently, for a limited
/// number of attempts. The same seed generates the same values.
package struct ValueMaker {
  /// A value, or the reason why none was found.
  package enum Outcome: Sendable {
    case made([UInt8])
    case failed(String)
  }

  /// The maximum number of attempts.
  private static let rounds = 40
  /// The number of values after which optional members are omitted.
  private static let plenty = 4_000
  /// The maximum number of values in one attempt.
  private static let most = 20_000
  private static let depthLimit = 60
  /// The maximum number of schemas visited in all attempts together.
  static let mostSchemas = 100_000
  /// The maximum nesting depth of optional members.
  private static let optionalDepth = 9

  let schemas: ContractSchemas
  let nodes: OpenAPINodes
  /// True to generate random values, ignoring examples.
  let isRandom: Bool
  private let seed: UInt64
  /// The number of times that the value at a path was invalid.
  var attempts: [String: Int] = [:]
  private var made = 0
  private var entered: [String: Int] = [:]
  var bytesLeft = 0
  /// The number of schemas that may still be visited.
  var schemasLeft = 0

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - schemas: The schemas of the document.
  ///   - random: The seed for random values; nil to use examples, and plain values for schemas without examples.
  package init(_ schemas: ContractSchemas, random: UInt64? = nil) {
    self.schemas = schemas
    nodes = schemas.nodes
    isRandom = random != nil
    seed = random ?? 0
  }

  /// Generates a value for the schema at a pointer.
  package mutating func value(at pointer: String) -> Outcome {
    guard let node = nodes.node(at: pointer) else {
      return .failed("there is no schema at \(OpenAPINodes.shown("#" + pointer))")
    }
    let schema: JSONSchema
    do {
      schema = try schemas.schema(at: pointer)
    } catch {
      return .failed("the schema cannot be used: \(error.message) (\(OpenAPINodes.shown(error.pointer)))")
    }
    var words = "no matching value was found"
    attempts = [:]
    schemasLeft = Self.mostSchemas
    var isTooLong = false
    for _ in 0..<Self.rounds {
      guard schemasLeft > 0, !isTooLong else {
        let place = OpenAPINodes.shown("#" + pointer)
        return .failed("\(place) requires a value that is too long or takes too long to find")
      }
      (made, entered, bytesLeft) = (0, [:], 4 << 20)
      guard let bytes = value([SchemaView.Place(node: node, pointer: pointer)], path: "", ordinal: 0, depth: 0),
        let tree = JSONTree(bytes)
      else {
        attempts["", default: 0] += 1
        // Other attempts would exceed the same limit, because the required parts have the same size.
        isTooLong = made >= Self.most || bytesLeft <= 0
        continue
      }
      var budget = MatchingBudget()
      guard let found = schema.violations(of: tree, limit: 16, &budget) else {
        return .failed("checking a value against the schema \(OpenAPINodes.shown("#" + pointer)) takes too long")
      }
      if found.isEmpty { return .made(bytes) }
      words = "\(found[0].instance): \(found[0].words)"
      for violation in found { refuse(violation.instance.pointer) }
    }
    return .failed("no value matches the schema \(OpenAPINodes.shown("#" + pointer)): \(words)")
  }

  private mutating func refuse(_ path: String) {
    attempts[path, default: 0] += 1
    // If changing a value does not help, its parent is changed, because another alternative may have other constraints.
    if let count = attempts[path], count % 5 == 0, let slash = path.lastIndex(of: "/") {
      refuse(String(path[..<slash]))
    }
  }

  // MARK: Values

  /// Returns the random numbers for a path, which do not depend on other values.
  func random(_ path: String, _ attempt: Int) -> SeededRandom {
    SeededRandom(seed: seed, Array(path.utf8), [UInt8(truncatingIfNeeded: attempt)])
  }

  /// Generates a value, or returns nil if no value is possible.
  mutating func value(_ places: [SchemaView.Place], path: String, ordinal: Int, depth: Int) -> [UInt8]? {
    made += 1
    guard made < Self.most, depth < Self.depthLimit, bytesLeft > 0, schemasLeft > 0 else { return nil }
    let attempt = attempts[path] ?? 0
    var random = random(path, attempt)
    let start = isRandom ? random.below(1 << 16) : 0
    let view = SchemaView(places, nodes, attempt: attempt, start: start)
    schemasLeft -= view.count
    guard !view.isImpossible else { return nil }
    let inside = view.references.union(places.map(\.pointer))
    for pointer in inside { entered[pointer, default: 0] += 1 }
    defer { for pointer in inside { entered[pointer, default: 1] -= 1 } }
    if attempt == 0, !isRandom, let example = example(view, ordinal) { return example }
    if let values = view.values, !values.isEmpty {
      let fitting = values.filter { view.types?.contains(type(of: $0)) ?? true }
      guard !fitting.isEmpty else { return nil }
      return compact(fitting[(isRandom ? random.below(fitting.count) : ordinal + attempt) % fitting.count])
    }
    let bytes: [UInt8]? =
      switch type(view, attempt) {
      case "object": object(view, path: path, attempt: attempt, ordinal: ordinal, depth: depth)
      case "array": array(view, path: path, attempt: attempt, ordinal: ordinal, depth: depth)
      case "integer", "number": number(view, attempt, ordinal, &random)
      case "boolean": Array((isRandom ? random.below(2) == 0 : ordinal + attempt % 2 != 0) ? "false".utf8 : "true".utf8)
      case "null": Array("null".utf8)
      default: string(view, attempt, ordinal, &random).map { JSONString.encode($0) }
      }
    bytesLeft -= bytes?.count ?? 0
    return bytes
  }

  func type(of node: JSONTree.Node) -> String {
    switch node.kind {
    case .object: return "object"
    case .array: return "array"
    case .scalar: break
    }
    switch nodes.tree.bytes[node.range].first {
    case UInt8(ascii: "\""): return "string"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return "boolean"
    case UInt8(ascii: "n"): return "null"
    default: return JSONNumber(nodes.tree.bytes[node.range])?.isInteger ?? false ? "integer" : "number"
    }
  }

  /// Returns the type to generate: the first one other than `null`, or the one that the other keywords imply.
  private func type(_ view: SchemaView, _ attempt: Int) -> String {
    var guess = "string"
    if !view.properties.isEmpty || !view.required.isEmpty || !view.additional.isEmpty || view.minProperties > 0
      || !view.patternProperties.isEmpty || view.isClosed
    {
      guess = "object"
    } else if !view.items.isEmpty || !view.prefix.isEmpty || view.minItems > 0 || !view.contains.isEmpty {
      guess = "array"
    } else if view.minimum != nil || view.maximum != nil || !view.divisors.isEmpty {
      guess = "number"
    }
    guard let types = view.types else { return guess }
    if types.contains(guess), guess != "string" || attempt < 3 { return guess }
    let order = ["object", "array", "string", "integer", "number", "boolean", "null"].filter(types.contains)
    // If several types are allowed, the other keywords may apply to another one.
    return order.isEmpty ? guess : order[(attempt < 4 ? 0 : attempt) % order.count]
  }

  /// Returns true if an optional member is omitted.
  func leavesOut(_ places: [SchemaView.Place], _ depth: Int) -> Bool {
    if depth > Self.optionalDepth || made > Self.plenty { return true }
    return places.contains { leadsBack($0) }
  }

  /// Returns true if the schema is an ancestor of the value being generated.
  func leadsBack(_ place: SchemaView.Place) -> Bool {
    guard let pointer = try? nodes.followed(place.node, place.pointer).pointer else { return true }
    return (entered[pointer] ?? 0) > 0
  }
}
