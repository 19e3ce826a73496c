package import CassetteContract
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSchemas
internal import CassetteSystem
internal import CassetteTemplates

/// Makes values that meet a schema: from its examples and defaults, and from what it asks for.
///
/// Every value is held to its schema before it is given away. Where it does not meet it, what is wrong is made in another
/// way, a few times; then there is none. The same seed makes the same values.
package struct ValueMaker {
  /// A value, or why there is none.
  package enum Outcome: Sendable {
    case made([UInt8])
    case failed(String)
  }

  /// The most attempts to make a value that meets its schema.
  private static let rounds = 40
  /// After so many values, members that need not be there are left out.
  private static let plenty = 4_000
  /// More values are not made.
  private static let most = 20_000
  private static let depthLimit = 60
  /// The maximum number of schemas visited in all attempts together.
  static let mostSchemas = 100_000
  /// Members that need not be there are not this deep.
  private static let optionalDepth = 9

  let schemas: ContractSchemas
  let nodes: OpenAPINodes
  /// True if values are made at random, without looking at examples.
  let isRandom: Bool
  private let seed: UInt64
  /// The number of refusals of the value at a place.
  var attempts: [String: Int] = [:]
  private var made = 0
  private var entered: [String: Int] = [:]
  var bytesLeft = 0
  /// The number of schemas that may still be visited.
  var schemasLeft = 0

  /// Creates a maker of values at random where there is a seed, else of examples, or plain values where there are none.
  package init(_ schemas: ContractSchemas, random: UInt64? = nil) {
    self.schemas = schemas
    nodes = schemas.nodes
    isRandom = random != nil
    seed = random ?? 0
  }

  /// Makes a value of the schema at a place of the document.
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
    var words = "no value was found that meets it"
    attempts = [:]
    schemasLeft = Self.mostSchemas
    var isTooLong = false
    for _ in 0..<Self.rounds {
      guard schemasLeft > 0, !isTooLong else {
        let place = OpenAPINodes.shown("#" + pointer)
        return .failed("\(place) asks for a value that is too long, or takes too long to find")
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
        return .failed("a value takes too long to be held to the schema \(OpenAPINodes.shown("#" + pointer))")
      }
      if found.isEmpty { return .made(bytes) }
      words = "\(found[0].instance): \(found[0].words)"
      for violation in found { refuse(violation.instance.pointer) }
    }
    return .failed("no value meets the schema \(OpenAPINodes.shown("#" + pointer)): \(words)")
  }

  private mutating func refuse(_ path: String) {
    attempts[path, default: 0] += 1
    // What is not mended in its place is mended above it: another alternative may ask for other things.
    if let count = attempts[path], count % 5 == 0, let slash = path.lastIndex(of: "/") {
      refuse(String(path[..<slash]))
    }
  }

  // MARK: Values

  /// The random numbers of a place: the same whatever was made before.
  func random(_ path: String, _ attempt: Int) -> SeededRandom {
    SeededRandom(seed: seed, Array(path.utf8), [UInt8(truncatingIfNeeded: attempt)])
  }

  /// Makes one value; nil when none can be.
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

  /// The type to make: the first that is no `null`, or what the other keywords are about.
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
    // A schema of several types may mean another by its other keywords.
    return order.isEmpty ? guess : order[(attempt < 4 ? 0 : attempt) % order.count]
  }

  /// Tells whether an optional member is left out.
  func leavesOut(_ places: [SchemaView.Place], _ depth: Int) -> Bool {
    if depth > Self.optionalDepth || made > Self.plenty { return true }
    return places.contains { leadsBack($0) }
  }

  /// Tells whether a value of the schema is being made already.
  func leadsBack(_ place: SchemaView.Place) -> Bool {
    guard let pointer = try? nodes.followed(place.node, place.pointer).pointer else { return true }
    return (entered[pointer] ?? 0) > 0
  }
}
