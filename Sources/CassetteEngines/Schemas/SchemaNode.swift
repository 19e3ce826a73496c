internal import CassetteJSON
internal import CassettePatterns

/// A compiled schema.
struct SchemaNode: Sendable {
  /// The location of the schema, for error messages.
  let pointer: String
  /// The index of the schema resource that contains the schema.
  let resource: Int
  /// The result of a schema that is `true` or `false`; nil for other schemas.
  var always: Bool?
  /// The assertions, ordered so that each finds the results of the assertions that it depends on.
  var assertions: [SchemaAssertion] = []
}

/// A compiled keyword.
struct SchemaAssertion: Sendable {
  let keyword: String
  let rule: SchemaRule
}

/// The compiled value of a keyword, or of several related keywords.
///
/// Subschemas are indices in `JSONSchema.nodes`.
enum SchemaRule: Sendable {
  case type(SchemaTypes)
  /// The allowed values, as canonical JSON.
  case oneOfValues(Set<[UInt8]>)
  case bound(JSONNumber, SchemaBound)
  case multiple(SchemaDivisor)
  case count(SchemaCount, Int)
  case pattern(TextPattern)
  case format(SchemaFormat)
  case required([[UInt8]])
  /// The members that are required if another member is present.
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
  /// A reference to the schema with a dynamic anchor in the outermost resource that has such an anchor.
  case dynamicReference(Int, name: String)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  var asksEvaluated: Bool {
    switch self {
    case .unevaluatedItems, .unevaluatedProperties: true
    default: false
    }
  }

  /// The subschemas that apply to the same value, not to a member or element.
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

/// The types of JSON Schema.
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

  /// The names of the types, for messages: `integer or string`.
  var words: String {
    Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(separator: " or ")
  }
}

/// The keywords that limit numbers.
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

/// The keywords that limit the length of strings and the number of elements or members.
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

/// `properties`, `patternProperties` and `additionalProperties`, which are evaluated together.
struct SchemaMembers: Sendable {
  var named: [[UInt8]: Int] = [:]
  var patterns: [(pattern: TextPattern, schema: Int)] = []
  var additional: Int?
}

/// The value of `multipleOf`, for exact arithmetic.
struct SchemaDivisor: Sendable {
  private let digits: UInt64
  private let exponent: Int
  /// The JSON source of the number.
  let text: String

  /// Creates a divisor from a positive number of at most 18 digits; fails for any other number.
  init?(_ number: JSONNumber, text: String) {
    guard !number.isNegative, let digits = UInt64(String(decoding: number.digits, as: UTF8.self)), digits > 0,
      number.digits.count <= 18
    else { return nil }
    self.digits = digits
    exponent = number.exponent
    self.text = text
  }

  func divides(_ number: JSONNumber) -> Bool {
    // The digits have no trailing zeros, so a number with a smaller exponent cannot be a multiple.
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

  /// Returns `(one * other + digit) % modulo`.
  ///
  /// All arguments have at most 18 digits, so the sum does not overflow.
  private static func product(_ one: UInt64, _ other: UInt64, plus digit: UInt64 = 0, modulo: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    let rest = modulo.dividingFullWidth((high % modulo, low)).remainder
    return (rest + digit) % modulo
  }
}

/// The keywords that contain subschemas.
enum SchemaKeyword {
  /// The structure of the subschemas in a keyword's value.
  enum Children {
    case none, one, list, map, oneOrList
  }

  static func children(of name: String, _ draft: JSONSchema.Draft) -> Children {
    switch name {
    case "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties": .one
    case "allOf", "anyOf", "oneOf": .list
    case "properties", "patternProperties", "definitions": .map
    case "items": draft == .draft7 ? .oneOrList : .one
    case "additionalItems": draft == .draft7 ? .one : .none
    case "dependencies": draft == .draft7 ? .map : .none
    case "prefixItems": draft == .draft2020 ? .list : .none
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": draft == .draft2020 ? .one : .none
    case "$defs", "dependentSchemas": draft == .draft2020 ? .map : .none
    default: .none
    }
  }
}
