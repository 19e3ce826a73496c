internal import CassetteJSON
internal import CassettePatterns

/// A schema, compiled.
struct SchemaNode: Sendable {
  /// The place of the schema, for messages.
  let pointer: String
  /// The resource it belongs to: what one `$id` names.
  let resource: Int
  /// The result of a schema that is `true` or `false`; nil for others.
  var always: Bool?
  /// The assertions, in an order in which each finds what it needs.
  var assertions: [SchemaAssertion] = []
}

/// A keyword and what it asks.
struct SchemaAssertion: Sendable {
  let keyword: String
  let rule: SchemaRule
}

/// The rule of a keyword, or of several that belong together; schemas in it are given by number.
enum SchemaRule: Sendable {
  case type(SchemaTypes)
  /// The values that are allowed, in their canonical spelling.
  case oneOfValues(Set<[UInt8]>)
  case bound(JSONNumber, SchemaBound)
  case multiple(SchemaDivisor)
  case count(SchemaCount, Int)
  case pattern(TextPattern)
  case format(SchemaFormat)
  case required([[UInt8]])
  /// The names that are required once a member is there.
  case dependentRequired([(name: [UInt8], others: [[UInt8]])])
  case dependentSchemas([(name: [UInt8], schema: Int)])
  case members(SchemaMembers)
  case propertyNames(Int)
  case items(prefix: [Int], rest: Int?)
  case contains(Int, least: Int, most: Int?)
  case uniqueItems
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case condition(Int, then: Int?, otherwise: Int?)
  case reference(Int)
  /// The schema of that name in the outermost resource that has one.
  case dynamicReference(Int, name: String)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  var asksEvaluated: Bool {
    switch self {
    case .unevaluatedItems, .unevaluatedProperties: true
    default: false
    }
  }

  /// The schemas that are asked about the same value.
  var inPlace: [Int] {
    switch self {
    case .allOf(let all), .anyOf(let all), .oneOf(let all): all
    case .not(let one), .reference(let one): [one]
    case .condition(let one, let then, let otherwise): [one, then, otherwise].compactMap(\.self)
    case .dependentSchemas(let all): all.map(\.schema)
    default: []
    }
  }
}

/// JSON's types.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: Int

  static let names = ["null", "boolean", "object", "array", "number", "string", "integer"]
  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let object = SchemaTypes(rawValue: 4)
  static let array = SchemaTypes(rawValue: 8)
  static let number = SchemaTypes(rawValue: 16)
  static let string = SchemaTypes(rawValue: 32)
  static let integer = SchemaTypes(rawValue: 64)

  init(rawValue: Int) { self.rawValue = rawValue }

  init?(_ name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: 1 << index)
  }

  /// `integer or string`.
  var words: String {
    Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(separator: " or ")
  }
}

/// The kind of a bound: the side of it on which a number has to be.
enum SchemaBound: String, Sendable, CaseIterable {
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum

  func isMet(by number: JSONNumber, _ bound: JSONNumber) -> Bool {
    switch self {
    case .minimum: number >= bound
    case .maximum: number <= bound
    case .exclusiveMinimum: number > bound
    case .exclusiveMaximum: number < bound
    }
  }

  var words: String {
    switch self {
    case .minimum: "is less than"
    case .maximum: "is more than"
    case .exclusiveMinimum: "is not more than"
    case .exclusiveMaximum: "is not less than"
    }
  }
}

/// A limit on the length of texts or the number of elements or members.
enum SchemaCount: String, Sendable, CaseIterable {
  case minLength, maxLength, minItems, maxItems, minProperties, maxProperties

  var isLeast: Bool { rawValue.hasPrefix("min") }

  var words: String {
    switch self {
    case .minLength, .maxLength: "characters"
    case .minItems, .maxItems: "elements"
    case .minProperties, .maxProperties: "members"
    }
  }
}

/// `properties`, `patternProperties` and `additionalProperties`, which know of each other.
struct SchemaMembers: Sendable {
  var named: [[UInt8]: Int] = [:]
  var patterns: [(pattern: TextPattern, schema: Int)] = []
  var additional: Int?
}

/// A number that others are to be whole multiples of, exactly.
struct SchemaDivisor: Sendable {
  private let digits: UInt64
  private let exponent: Int
  /// The number as it was written.
  let text: String

  /// Takes a number above zero of at most 18 digits.
  init?(_ number: JSONNumber, text: String) {
    guard !number.isNegative, let digits = UInt64(String(decoding: number.digits, as: UTF8.self)), digits > 0,
      number.digits.count <= 18
    else { return nil }
    self.digits = digits
    exponent = number.exponent
    self.text = text
  }

  func divides(_ number: JSONNumber) -> Bool {
    // Digits do not end in zeros: what has a smaller unit is no multiple.
    guard number.exponent >= exponent || number.digits.isEmpty else { return number.digits.isEmpty }
    var rest: UInt64 = 0
    for digit in number.digits { rest = Self.product(rest, 10, plus: UInt64(digit - 0x30), modulo: digits) }
    var power = number.exponent - exponent
    var factor = 10 % digits
    while power > 0 {
      if power & 1 == 1 { rest = Self.product(rest, factor, modulo: digits) }
      factor = Self.product(factor, factor, modulo: digits)
      power >>= 1
    }
    return rest == 0
  }

  /// The divisor has 18 digits at most, and so has each factor.
  private static func product(_ one: UInt64, _ other: UInt64, plus digit: UInt64 = 0, modulo: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    let rest = modulo.dividingFullWidth((high % modulo, low)).remainder
    return (rest + digit) % modulo
  }
}
