internal import CassetteEngines
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Generates values that conform to a schema, from its examples, defaults and constraints.
///
/// Each value is validated. If it violates the schema, the invalid parts are generated differently, for a limited
/// number of attempts. The same seed generates the same values.
struct ValueMaker {
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
  /// - `random`: The seed for random values; nil to use examples, and plain values for schemas without examples.
  init(_ schemas: ContractSchemas, random: UInt64? = nil) {
    self.schemas = schemas
    nodes = schemas.nodes
    isRandom = random != nil
    seed = random ?? 0
  }

  /// Generates a value for the schema at a pointer.
  mutating func value(at pointer: String) -> Outcome {
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

  // MARK: Generates numbers and strings

  /// The maximum length of strings.
  private static let longest = 1 << 20
  /// The maximum integer that `Double` represents exactly.
  private static let exact = 9_007_199_254_740_991.0

  func number(_ view: SchemaView, _ attempt: Int, _ ordinal: Int, _ random: inout SeededRandom) -> [UInt8]? {
    let isInteger =
      !(view.types?.contains("number") ?? true) || view.types == nil && view.divisors.contains { $0.value >= 1 }
    let (low, high) = (view.minimum?.value ?? -.infinity, view.maximum?.value ?? .infinity)
    guard low <= high else { return nil }
    if let divisor = view.divisors.max(by: { $0.value < $1.value }) {
      return multiple(of: divisor, view, attempt, isRandom ? random.below(50) : ordinal, isInteger)
    }
    // Numbers beyond the exact range are copied from the limit's JSON form.
    for bound in [view.minimum, view.maximum].compactMap(\.self) where abs(bound.value) > Self.exact {
      if low > Self.exact || high < -Self.exact, !bound.isExclusive { return Array(bound.token.utf8) }
    }
    // Few large numbers may be valid: after several attempts, every other attempt uses a small number.
    let most = attempt >= 8 && attempt % 2 == 1 ? 10 : 1_000
    var offset = Double(isRandom ? random.below(most) : ordinal + attempt)
    if isInteger {
      let first =
        low.isFinite ? low.rounded(.up) + (view.minimum?.isExclusive ?? false && low == low.rounded(.up) ? 1 : 0) : low
      let last =
        high.isFinite
        ? high.rounded(.down) - (view.maximum?.isExclusive ?? false && high == high.rounded(.down) ? 1 : 0) : high
      guard first <= last else { return nil }
      if first.isFinite, last.isFinite, last - first < offset {
        offset = offset.truncatingRemainder(dividingBy: last - first + 1)
      }
      let start = first <= 0 && last >= 0 && !(last < offset) ? 0 : first.isFinite ? first : last - offset
      return Array(Self.text(whole: start + offset).utf8)
    }
    let isOpen = view.minimum?.isExclusive ?? false || view.maximum?.isExclusive ?? false
    if low.isFinite, high.isFinite {
      if low == high { return isOpen ? nil : Array(view.minimum?.token.utf8 ?? "0".utf8) }
      if !isRandom, offset == 0, !isOpen {
        return Array(low <= 0 && high >= 0 ? "0".utf8 : (view.minimum?.token ?? "0").utf8)
      }
      let part = isRandom ? random.fraction() : (offset + 1) / (offset + 2)
      return Array(Self.text(low + (high - low) * max(0.001, min(part, 0.999))).utf8)
    }
    if low.isFinite { return Array(Self.text(max(low + (isOpen ? 1 : 0), low < 0 ? 0 : low) + offset).utf8) }
    if high.isFinite {
      return Array(
        Self.text(min(high - (isOpen ? 1 : 0), high > offset ? 0 : high) - (high > offset ? -offset : offset)).utf8)
    }
    return Array((isRandom ? Self.text((Double(random.below(100_000)) / 100)) : Self.text(offset)).utf8)
  }

  private static func text(whole value: Double) -> String { abs(value) <= exact ? "\(Int64(value))" : "\(value)" }

  private static func text(_ value: Double) -> String { value == value.rounded() ? text(whole: value) : "\(value)" }

  /// Returns a multiple of a divisor within the limits, computed with integers so that it is exact.
  private func multiple(
    of divisor: (value: Double, token: String), _ view: SchemaView, _ attempt: Int, _ offset: Int, _ isInteger: Bool
  ) -> [UInt8]? {
    guard let number = JSONNumber(Array(divisor.token.utf8)[...]), number.digits.count <= 15,
      let unit = Int64(String(decoding: number.digits, as: UTF8.self)), abs(number.exponent) <= 15
    else { return nil }
    var factor = 0.0
    if let minimum = view.minimum, minimum.value > 0 || minimum.isExclusive && minimum.value == 0 {
      factor = (minimum.value / divisor.value).rounded(.up)
      if minimum.isExclusive, factor * divisor.value <= minimum.value { factor += 1 }
    } else if let maximum = view.maximum, maximum.value < 0 || maximum.isExclusive && maximum.value == 0 {
      factor = (maximum.value / divisor.value).rounded(.down)
      if maximum.isExclusive, factor * divisor.value >= maximum.value { factor -= 1 }
    }
    let step = Double(offset + attempt)
    if let maximum = view.maximum, (factor + step) * divisor.value > maximum.value {} else { factor += step }
    // The multiple of a fraction is not always an integer, but 10,000 times the multiple is for most divisors.
    if isInteger, number.exponent < 0 { factor *= 10_000 }
    guard abs(factor) * Double(unit) < Self.exact, number.exponent > -16 else { return nil }
    let digits = Int64(factor) * unit
    if number.exponent >= 0 {
      return Array((String(digits) + String(repeating: "0", count: digits == 0 ? 0 : number.exponent)).utf8)
    }
    let sign = digits < 0 ? "-" : ""
    let text = String(digits.magnitude)
    let padded = String(repeating: "0", count: max(0, 1 - number.exponent - text.count)) + text
    let whole = padded.dropLast(-number.exponent)
    let fraction = padded.suffix(-number.exponent).reversed().drop { $0 == "0" }.reversed()
    return Array((sign + whole + (fraction.isEmpty ? "" : "." + String(fraction))).utf8)
  }

  // MARK: Texts

  func string(_ view: SchemaView, _ attempt: Int, _ ordinal: Int, _ random: inout SeededRandom) -> String? {
    guard view.minLength <= Self.longest, view.minLength <= view.maxLength ?? .max else { return nil }
    let length = view.minLength...max(view.minLength, min(view.maxLength ?? Self.longest, Self.longest))
    if !view.patterns.isEmpty {
      let patterns = view.patterns.compactMap { try? TextPattern($0, in: .ecmaScript, ofPart: true) }
      guard patterns.count == view.patterns.count else { return nil }
      let number = ordinal + attempt
      let known = view.format.flatMap { FormatSample.text(of: $0, number) }
      return text(of: patterns, length, number, known, &random)
    }
    var text: String
    if let format = view.format, let known = FormatSample.text(of: format, number(ordinal, attempt, &random)) {
      text = known
      // The length of a sample is given by its format; some formats allow longer strings.
      return text.unicodeScalars.count < view.minLength ? FormatSample.lengthened(text, format, view.minLength) : text
    }
    let count = number(ordinal, attempt, &random)
    text = isRandom ? FormatSample.words(&random) : "string\(count == 0 ? "" : "\(count + 1)")"
    if view.isBase64 { text = BodyBase64.text(of: Array(text.utf8)) }
    if text.utf8.count < length.lowerBound {
      let short = length.lowerBound - text.utf8.count
      text += String(repeating: "string", count: short / 6 + 1).prefix(short)
    }
    if text.utf8.count > length.upperBound {
      // The end of the string contains the number that distinguishes elements.
      text = count == 0 || isRandom ? String(text.prefix(length.upperBound)) : String(text.suffix(length.upperBound))
    }
    return text
  }

  /// Returns a string that matches all patterns, a different one for each number if the patterns allow it.
  func text(
    of patterns: [TextPattern], _ length: ClosedRange<Int>, _ number: Int, _ known: String? = nil,
    _ random: inout SeededRandom
  ) -> String? {
    func suits(_ text: String) -> Bool {
      length.contains(text.unicodeScalars.count) && patterns.allSatisfy { $0.matches(text) }
    }
    if let known, suits(known) { return known }
    var plain = patterns.compactMap { $0.sample(length: length, attempt: 0, &random) }
    if plain.count > 1 { plain += [plain.joined(), plain.reversed().joined()] }
    if number > 0 {
      // A pattern without `^` or `$` allows extra characters, which make strings different.
      let letters = String(Self.letters(number))
      for text in plain {
        for other in ["\(text)\(number)", text + letters, "\(number)\(text)", letters + text] where suits(other) {
          return other
        }
      }
    }
    if number > 0 || isRandom {
      for pattern in patterns {
        if let text = pattern.sample(length: length, attempt: 1 + number, &random), suits(text) { return text }
      }
    }
    return plain.first(where: suits) ?? Self.guesses(length, number).first(where: suits)
  }

  /// Returns a number in letters: `b`, `c`, … `ba`.
  private static func letters(_ number: Int) -> [Character] {
    var (rest, letters) = (number, [Character]())
    repeat {
      letters.insert(Character(Unicode.Scalar(UInt8(97 + rest % 26))), at: 0)
      rest /= 26
    } while rest > 0
    return letters
  }

  /// Returns strings with several kinds of characters, for patterns with lookahead such as those of passwords.
  private static func guesses(_ length: ClosedRange<Int>, _ number: Int) -> [String] {
    let parts = ["Aa1!", "Aa1", "aA1-", "Aa1_", "a1", "A1", "a", "A", "1", "a-", "a.b", "/a", "a@example.com"]
    return parts.flatMap { part in
      [length.lowerBound, 8, 12, 16, 20, part.utf8.count].filter { $0 <= 1 << 12 }.map { size in
        let tail = number > 0 ? "\(number)" : ""
        let count = max(1, size - tail.utf8.count)
        return String(repeating: part, count: count / part.utf8.count + 1).prefix(count) + tail
      }
    }
  }

  private func number(_ ordinal: Int, _ attempt: Int, _ random: inout SeededRandom) -> Int {
    isRandom ? random.below(10_000) : ordinal + max(0, attempt - 1)
  }

  // MARK: Selects examples of the document that conform to their schemas

  /// The maximum number of passes to remove `writeOnly` members from an example.
  private static let mostRounds = 8

  /// Returns true if a value in the document conforms to a schema.
  func accepts(_ value: JSONTree.Node, at pointer: String) -> Bool {
    guard let schema = try? schemas.schema(at: pointer) else { return false }
    var budget = MatchingBudget()
    return schema.violations(of: JSONTree(nodes.tree.bytes, root: value), limit: 1, &budget)?.isEmpty ?? false
  }

  /// Returns an example without its `writeOnly` members, or nil if it violates its schema in another way.
  func example(_ value: JSONTree.Node, at pointer: String) -> [UInt8]? {
    var text = compact(value)
    guard let schema = try? schemas.schema(at: pointer) else { return nil }
    for _ in 0..<Self.mostRounds {
      guard let tree = JSONTree(text) else { return nil }
      var budget = MatchingBudget()
      guard let found = schema.violations(of: tree, limit: 32, &budget) else { return nil }
      if found.isEmpty { return text }
      let hidden = Set(found.filter(schemas.isWriteOnly).map(\.instance))
      guard !hidden.isEmpty else { return nil }
      text = []
      Self.write(tree.root, tree, without: hidden, [], &text)
    }
    return nil
  }

  private static func write(
    _ node: JSONTree.Node, _ tree: JSONTree, without hidden: Set<JSONPath>, _ path: [JSONPath.Step],
    _ text: inout [UInt8]
  ) {
    func list<Part>(_ parts: [Part], _ marks: String, _ write: (Part, inout [UInt8]) -> Void) {
      text += Array(marks.utf8.prefix(1))
      for (index, part) in parts.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        write(part, &text)
      }
      text += Array(marks.utf8.suffix(1))
    }
    switch node.kind {
    case .scalar: text += tree.bytes[node.range]
    case .array(let elements):
      list(Array(elements.enumerated()), "[]") { element, text in
        write(element.element, tree, without: hidden, path + [.element(element.offset)], &text)
      }
    case .object(let members):
      let named = members.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
      list(named.filter { !hidden.contains(JSONPath(path + [.member($0.0)])) }, "{}") { member, text in
        text += JSONString.encode(member.0) + [UInt8(ascii: ":")]
        write(member.1, tree, without: hidden, path + [.member(member.0)], &text)
      }
    }
  }

  /// Returns an example of the schema for the element at an index.
  func example(_ view: SchemaView, _ ordinal: Int) -> [UInt8]? {
    // Elements that must differ cannot all be the same example.
    let examples = ordinal == 0 ? view.examples[...] : view.examples.dropFirst(ordinal).prefix(1)
    return examples.lazy.compactMap { example in
      guard view.types?.contains(type(of: example.value)) ?? true else { return nil }
      return self.example(example.value, at: example.schema)
    }.first
  }

  func compact(_ node: JSONTree.Node) -> [UInt8] {
    var output: [UInt8] = []
    let bytes = Array(nodes.tree.bytes[node.range])
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }
}
