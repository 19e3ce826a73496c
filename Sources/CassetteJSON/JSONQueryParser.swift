internal import CassetteSystem

/// Parses queries by the grammar of RFC 9535.
struct JSONQueryParser {
  /// The maximum nesting depth of filters, groups and functions.
  static let depthLimit = 50

  let bytes: [UInt8]
  var at = 0
  var depth = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parse() throws(JSONQuery.Problem) -> [JSONQuerySegment] {
    guard take("$") else { throw problem("a path begins with \"$\"") }
    let segments = try segments()
    guard at == bytes.count else { throw problem("unexpected character in the path") }
    return segments
  }

  // MARK: Segments

  /// Parses segments, which may be preceded by white space.
  mutating func segments() throws(JSONQuery.Problem) -> [JSONQuerySegment] {
    var segments: [JSONQuerySegment] = []
    while true {
      let start = at
      skipSpace()
      guard isNext(".") || isNext("[") else {
        // White space after the last segment is not part of the query.
        at = start
        return segments
      }
      segments.append(try segment())
    }
  }

  private mutating func segment() throws(JSONQuery.Problem) -> JSONQuerySegment {
    if take("[") { return JSONQuerySegment(selectors: try selectors()) }
    at += 1
    let isDescendant = take(".")
    if isDescendant, take("[") { return JSONQuerySegment(isDescendant: true, selectors: try selectors()) }
    return JSONQuerySegment(
      isDescendant: isDescendant, selectors: [take("*") ? .wildcard : .name(Array(try shorthand()))])
  }

  /// Parses a name after a dot.
  private mutating func shorthand() throws(JSONQuery.Problem) -> ArraySlice<UInt8> {
    let start = at
    while at < bytes.count, JSONQuery.isNameByte(bytes[at]) { at += 1 }
    let name = bytes[start..<at]
    guard let first = name.first else { throw problem("expected a name") }
    guard !first.isDigit, at == bytes.count || bytes[at] != UInt8(ascii: "-") else {
      while at < bytes.count, JSONQuery.isNameByte(bytes[at]) || bytes[at] == UInt8(ascii: "-") { at += 1 }
      let whole = String(decoding: bytes[start..<at], as: UTF8.self)
      throw problem("this name must be quoted in brackets: write ['\(whole)']", at: start)
    }
    return name
  }

  /// Parses the selectors between brackets.
  private mutating func selectors() throws(JSONQuery.Problem) -> [JSONQuerySelector] {
    var selectors: [JSONQuerySelector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw problem("expected \",\" or \"]\"") }
    return selectors
  }

  private mutating func selector() throws(JSONQuery.Problem) -> JSONQuerySelector {
    if take("*") { return .wildcard }
    if isNext("'") || isNext("\"") { return .name(try string()) }
    if take("?") {
      skipSpace()
      return .filter(try condition())
    }
    let start = isNext(":") ? nil : try integer()
    let afterStart = at
    skipSpace()
    guard take(":") else {
      at = afterStart
      guard let start else { throw problem("expected a selector") }
      return .index(start)
    }
    skipSpace()
    let end = isNumberNext ? try integer() : nil
    let afterEnd = at
    skipSpace()
    guard take(":") else {
      at = afterEnd
      return .slice(start: start, end: end, step: 1)
    }
    let afterColon = at
    skipSpace()
    guard isNumberNext else {
      at = afterColon
      return .slice(start: start, end: end, step: 1)
    }
    return .slice(start: start, end: end, step: try integer())
  }

  private var isNumberNext: Bool { at < bytes.count && (bytes[at].isDigit || isNext("-")) }

  /// Parses an integer that `Double` represents exactly, without leading zeros (RFC 9535 §2.1).
  private mutating func integer() throws(JSONQuery.Problem) -> Int {
    let start = at
    _ = take("-")
    let digits = at
    while at < bytes.count, bytes[at].isDigit { at += 1 }
    let most = 9_007_199_254_740_991
    guard at > digits else {
      throw problem("expected a name in quotes, an index, a slice, \"*\" or a filter", at: start)
    }
    guard bytes[digits] != UInt8(ascii: "0") || at == digits + 1 && digits == start else {
      throw problem("a number must not begin with a zero", at: start)
    }
    guard let number = Int(String(decoding: bytes[start..<at], as: UTF8.self)), -most...most ~= number else {
      throw problem("the number is greater than 9007199254740991", at: start)
    }
    return number
  }

  // MARK: Texts

  /// Parses and decodes a quoted string.
  mutating func string() throws(JSONQuery.Problem) -> [UInt8] {
    let start = at
    let quote = bytes[at]
    at += 1
    // The content in JSON syntax, in which single quotes are not escaped.
    var content: [UInt8] = []
    while at < bytes.count, bytes[at] != quote {
      guard bytes[at] >= 0x20 else { throw problem("a control character must be escaped") }
      guard bytes[at] == UInt8(ascii: "\\") else {
        content.append(bytes[at])
        at += 1
        continue
      }
      guard at + 1 < bytes.count else { break }
      let escaped = bytes[at + 1]
      guard escaped == quote || Self.escapes.contains(escaped) else { throw problem("unknown escape sequence") }
      if escaped != UInt8(ascii: "'") { content.append(UInt8(ascii: "\\")) }
      content.append(escaped)
      at += 2
    }
    guard at < bytes.count else { throw problem("the closing quote is missing", at: start) }
    at += 1
    guard let text = JSONString.decode(content.span) else {
      throw problem("the escape sequence is not a valid character", at: start)
    }
    return Array(text.utf8)
  }

  private static let escapes = Array("bfnrt/\\u".utf8)

  // MARK: Bytes

  func isNext(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    at += text.utf8.count
    return true
  }

  mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[at]) { at += 1 }
  }

  func problem(_ message: String, at place: Int? = nil) -> JSONQuery.Problem {
    JSONQuery.Problem(message: message, column: bytes[..<(place ?? at)].count { $0 & 0xc0 != 0x80 } + 1)
  }
}

/// Parses filters and checks their types (RFC 9535 §2.3.5 and §2.4.3).
extension JSONQueryParser {
  /// Parses alternatives and conjunctions: `a || b && c`.
  mutating func condition() throws(JSONQuery.Problem) -> JSONQueryCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit else { throw problem("the expression is nested too deeply") }
    var either: [JSONQueryCondition] = []
    repeat {
      skipSpace()
      var both: [JSONQueryCondition] = []
      repeat {
        skipSpace()
        both.append(try basicCondition())
      } while takeSpaced("&&")
      either.append(both.count == 1 ? both[0] : .and(both))
    } while takeSpaced("||")
    return either.count == 1 ? either[0] : .or(either)
  }

  /// Parses a group, a comparison, an existence test, or a function that returns a condition.
  private mutating func basicCondition() throws(JSONQuery.Problem) -> JSONQueryCondition {
    if take("!") {
      skipSpace()
      return .not(try isNext("(") ? group() : test(try expression(), at))
    }
    if isNext("(") { return try group() }
    let start = at
    let left = try expression()
    let end = at
    skipSpace()
    guard let sign = JSONQueryComparison.allCases.first(where: { take($0.rawValue) }) else {
      at = end
      return try test(left, start)
    }
    let one = try operand(left, start)
    skipSpace()
    let next = at
    return .comparison(one, sign, try operand(try expression(), next))
  }

  private mutating func takeSpaced(_ sign: String) -> Bool {
    let start = at
    skipSpace()
    if take(sign) { return true }
    at = start
    return false
  }

  private mutating func group() throws(JSONQuery.Problem) -> JSONQueryCondition {
    at += 1
    let condition = try condition()
    skipSpace()
    guard take(")") else { throw problem("expected \")\"") }
    return condition
  }

  // MARK: Expressions

  /// An expression, before it is known whether it is compared, tested, or an argument.
  private enum Expression {
    case operand(JSONQueryOperand)
    case part(JSONQueryPart)
    case condition(JSONQueryCondition)
  }

  private mutating func expression() throws(JSONQuery.Problem) -> Expression {
    guard at < bytes.count else { throw problem("expected a condition") }
    switch bytes[at] {
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      let isRelative = take("@")
      if !isRelative { at += 1 }
      depth += 1
      defer { depth -= 1 }
      return .part(JSONQueryPart(isRelative: isRelative, segments: try segments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .operand(.literal(.text(try string())))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = at
      var end = at
      do { try JSONScanner.skipValue(in: bytes.span, at: &end) } catch {
        throw problem(error.message, at: error.offset)
      }
      at = end
      return .operand(.literal(JSONQueryValue(token: bytes[start..<end])))
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      return try word()
    default:
      throw problem("expected a path, a value or a function")
    }
  }

  /// Parses a literal such as `true`, or a function call.
  private mutating func word() throws(JSONQuery.Problem) -> Expression {
    let start = at
    while at < bytes.count, bytes[at].isDigit || (0x61...0x7a).contains(bytes[at]) || isNext("_") { at += 1 }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    guard take("(") else {
      guard ["true", "false", "null"].contains(word) else {
        throw problem("unknown value or function \"\(word)\"", at: start)
      }
      return .operand(.literal(JSONQueryValue(token: bytes[start..<at])))
    }
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit else { throw problem("the expression is nested too deeply") }
    let count = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2][word]
    guard let count else { throw problem("unknown function \"\(word)\"", at: start) }
    var arguments: [(value: Expression, at: Int)] = []
    skipSpace()
    while arguments.count < count {
      guard arguments.isEmpty || take(",") else { throw problem("\"\(word)\" takes \(count) values") }
      skipSpace()
      let place = at
      arguments.append((try expression(), place))
      skipSpace()
    }
    guard take(")") else { throw problem("expected \")\": \"\(word)\" takes \(count) value\(count == 1 ? "" : "s")") }
    switch word {
    case "length": return .operand(.length(try operand(arguments[0].value, arguments[0].at)))
    case "count": return .operand(.count(try path(arguments[0].value, arguments[0].at)))
    case "value": return .operand(.only(try path(arguments[0].value, arguments[0].at)))
    default:
      return .condition(
        .matches(
          try operand(arguments[0].value, arguments[0].at), try operand(arguments[1].value, arguments[1].at),
          isPart: word == "search"))
    }
  }

  // MARK: Types

  private func operand(_ expression: Expression, _ place: Int) throws(JSONQuery.Problem) -> JSONQueryOperand {
    switch expression {
    case .operand(let operand): return operand
    case .part(let part):
      guard part.isSingular else { throw problem("a path that selects several values cannot be compared", at: place) }
      return .part(part)
    case .condition: throw problem("a condition cannot be used as a value", at: place)
    }
  }

  private func path(_ expression: Expression, _ place: Int) throws(JSONQuery.Problem) -> JSONQueryPart {
    guard case .part(let part) = expression else { throw problem("expected a path", at: place) }
    return part
  }

  private func test(_ expression: Expression, _ place: Int) throws(JSONQuery.Problem) -> JSONQueryCondition {
    switch expression {
    case .condition(let condition): return condition
    case .part(let part): return .exists(part)
    case .operand: throw problem("expected a comparison after the value", at: place)
    }
  }
}
