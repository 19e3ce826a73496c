internal import CassetteHTTP
internal import CassetteJSON

/// Evaluates helpers that depend only on their arguments.
extension TemplateScope {
  func plain(_ helper: TemplateHelper, _ arguments: [TemplateValue]) throws(TemplateError) -> TemplateValue {
    let value = arguments[0]
    var other: TemplateValue { arguments.count > 1 ? arguments[1] : .absent }
    switch helper {
    case .upper: return .text(value.text.uppercased())
    case .lower: return .text(value.text.lowercased())
    case .capitalize: return .text(value.text.prefix(1).uppercased() + value.text.dropFirst())
    case .trim: return .text(Self.trimmed(value.text))
    case .replace: return .text(try Self.replace(value.text, other.text, arguments[2].text))
    case .substring: return .text(Self.part(of: value.text, arguments.dropFirst().map { Self.integer($0) }))
    case .split: return .list(Self.split(value.text, arguments.count > 1 ? other.text : ","))
    case .join: return .text(try Self.join(value, arguments.count > 1 ? other.text : ","))
    case .concat: return .text(arguments.map(\.text).joined())
    case .size: return .integer(Self.size(value))
    case .first: return value.element(0)
    case .last: return value.items.last?.value ?? value.element(0)
    case .lookup: return value.member(other.text)
    case .number:
      let token = Array(Self.trimmed(value.text).utf8)
      return JSONNumber(token[...]) != nil && JSONValue(token) != nil ? TemplateValue(token: token) : .absent
    case .string: return .text(value.text)
    case .json: return .text(String(decoding: value.json, as: UTF8.self))
    case .parse: return JSONValue(Array(value.text.utf8)).map { TemplateValue(token: $0.compact) } ?? .absent
    case .urlencode: return .text(String(decoding: TemplateEscaping.component(value.text), as: UTF8.self))
    case .eq: return .bool(Self.areEqual(value, other))
    case .ne: return .bool(!Self.areEqual(value, other))
    case .lt: return .bool(Self.isLess(value, other))
    case .gt: return .bool(Self.isLess(other, value))
    case .le: return .bool(!Self.isLess(other, value))
    case .ge: return .bool(!Self.isLess(value, other))
    case .not: return .bool(!value.isTrue)
    case .contains:
      if case .text(let text) = value { return .bool(other.text.isEmpty || text.contains(other.text)) }
      let (number, wanted) = (other.number, other.text)
      return .bool(value.items.contains { $0.value.number.map { $0 == number } ?? ($0.value.text == wanted) })
    case .startsWith: return .bool(value.text.hasPrefix(other.text))
    case .endsWith: return .bool(value.text.hasSuffix(other.text))
    case .add, .subtract, .multiply, .divide, .modulo: return Self.arithmetic(helper, value, other)
    case .round:
      guard let number = value.number else { return .absent }
      let scale = Self.powers[min(max(0, Self.integer(other) ?? 0), 9)]
      return TemplateValue((number * scale).rounded() / scale)
    // These helpers need the request context and are evaluated elsewhere.
    case .now, .date, .uuid, .random, .fake, .counter, .jwt, .base64, .sha256, .range, .and, .or: return .absent
    }
  }

  private static let powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (character: Character) in character.isWhitespace }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  private static func replace(_ text: String, _ part: String, _ replacement: String) throws(TemplateError) -> String {
    guard !part.isEmpty else { return text }
    let parts = text.utf8.count / part.utf8.count
    guard parts <= TemplateBudget.longest / max(1, replacement.utf8.count) else { throw .tooLong }
    return text.replacing(part, with: replacement)
  }

  private static func join(_ value: TemplateValue, _ separator: String) throws(TemplateError) -> String {
    let parts = value.items
    if parts.isEmpty { return value.text }
    guard parts.count <= TemplateBudget.longest / max(1, separator.utf8.count) else { throw .tooLong }
    return parts.map(\.value.text).joined(separator: separator)
  }

  private static func part(of text: String, _ bounds: [Int?]) -> String {
    let characters = Array(text)
    func place(_ bound: Int?, else standard: Int) -> Int {
      guard let bound else { return standard }
      return min(max(0, bound < 0 ? characters.count + bound : bound), characters.count)
    }
    let start = place(bounds[0], else: 0)
    let end = place(bounds.count > 1 ? bounds[1] : nil, else: characters.count)
    return start < end ? String(characters[start..<end]) : ""
  }

  private static func split(_ text: String, _ separator: String) -> [TemplateValue] {
    guard !separator.isEmpty else { return text.map { .text(String($0)) } }
    return text.split(separator: separator, omittingEmptySubsequences: false).map { .text(String($0)) }
  }

  private static func size(_ value: TemplateValue) -> Int {
    switch value {
    case .absent: 0
    case .text(let text): text.count
    case .bool, .integer, .decimal: value.text.count
    case .several, .json, .list: value.items.count
    }
  }

  static func areEqual(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
    if let first = one.number, let second = other.number { return first == second }
    if one.isAbsent || other.isAbsent { return one.isAbsent && other.isAbsent }
    return one.text == other.text
  }

  private static func isLess(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
    if let first = one.number, let second = other.number { return first < second }
    return one.text < other.text
  }

  private static func arithmetic(
    _ helper: TemplateHelper, _ one: TemplateValue, _ other: TemplateValue
  ) -> TemplateValue {
    guard let first = one.number, let second = other.number else { return .absent }
    switch helper {
    case .add: return TemplateValue(first + second)
    case .subtract: return TemplateValue(first - second)
    case .multiply: return TemplateValue(first * second)
    case .divide: return TemplateValue(first / second)
    default: return TemplateValue(first.truncatingRemainder(dividingBy: second))
    }
  }
}

/// Parses the times that template values contain.
enum TemplateTime {
  /// Parses a number of seconds or milliseconds, an RFC 3339 time, or an HTTP date (RFC 9110).
  ///
  /// Returns nil for any other value.
  static func nanoseconds(of value: TemplateValue) -> Int? {
    if let number = value.number {
      let seconds = abs(number) >= 1e11 ? number / 1000 : number
      return abs(seconds) < 9e9 ? Int(seconds * 1e9) : nil
    }
    let text = value.text
    if let seconds = HTTPDate.parse(text) { return seconds * 1_000_000_000 }
    return ISOTime(Array(text.utf8)[...]).flatMap { $0.isWhole ? $0.nanoseconds : nil }
  }
}
