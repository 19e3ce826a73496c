internal import CassetteSystem

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
