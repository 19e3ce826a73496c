internal import CassetteSystem

/// Parses the expressions between braces: values, helper calls and paths.
extension TemplateParser {
  /// Parses a complete expression, including a helper call without parentheses.
  mutating func expression() throws(TemplateError) -> TemplateExpression {
    skipBlanks()
    let start = at
    guard at < text.count, !has("}}"), !has("~}}"), text[at] != UInt8(ascii: ")") else {
      throw TemplateError("expected a value or a helper", at: start)
    }
    if let call = try call() { return call }
    let value = try operand()
    let named = try namedArguments()
    guard let first = named.first else { return value }
    guard first.name == "default", named.count == 1 else {
      throw TemplateError("a value supports only the argument \"default=\"", at: start)
    }
    return .defaulted(value, first.value)
  }

  /// Parses a helper call.
  ///
  /// Returns nil if the next word is not the name of a helper.
  private mutating func call() throws(TemplateError) -> TemplateExpression? {
    let start = at
    let name = word()
    let isPath = byte(0) == UInt8(ascii: ".") || byte(0) == UInt8(ascii: "[") || names.contains(name)
    guard let helper = TemplateHelper(rawValue: name), !isPath, byte(0) != UInt8(ascii: "=") else {
      at = start
      return nil
    }
    let signature = helper.signature
    var call = TemplateCall(helper: helper, arguments: [], named: [], offset: start)
    while true {
      skipBlanks()
      guard at < text.count, !has("}}"), !has("~}}"), text[at] != UInt8(ascii: ")"), !isAt("as"), !isNamed else {
        break
      }
      let place = at
      let argument = try operand(isWord: call.arguments.count < signature.words)
      if call.arguments.isEmpty, let choices = signature.choices, case .literal(let value) = argument {
        try check(value.text, isQuoted: [0x22, 0x27].contains(text[place]), among: choices, for: helper, at: place)
      }
      call.arguments.append(argument)
    }
    guard signature.arguments.contains(call.arguments.count) else {
      let (least, most) = (signature.arguments.lowerBound, signature.arguments.upperBound)
      let wanted = least == most ? "\(least)" : most >= 1000 ? "at least \(least)" : "\(least) to \(most)"
      throw TemplateError("\(name) takes \(wanted) arguments, not \(call.arguments.count)", at: start)
    }
    let place = at
    call.named = try namedArguments()
    var expression = TemplateExpression.call(call)
    for (index, argument) in call.named.enumerated() where argument.name == "default" && signature.named != nil {
      call.named.remove(at: index)
      expression = .defaulted(.call(call), argument.value)
      break
    }
    if let known = signature.named, let wrong = call.named.first(where: { !known.contains($0.name) }) {
      let names = known + ["default"]
      throw TemplateError(
        "\(name) has no argument \"\(wrong.name)\"", at: place, unknown: wrong.name, known: names,
        "use \(names.joined(separator: ", "))")
    }
    try TemplateTimeFormat.check(call)
    return expression
  }

  private func check(
    _ word: String, isQuoted: Bool, among choices: [String], for helper: TemplateHelper, at place: Int
  ) throws(TemplateError) {
    // A date pattern must be quoted.
    if choices.contains(word) || isQuoted && helper == .now { return }
    throw TemplateError(
      "\(helper.rawValue) does not support \"\(word)\"", at: place, unknown: word, known: choices,
      "use \(choices.joined(separator: ", "))")
  }

  private mutating func namedArguments() throws(TemplateError) -> [(name: String, value: TemplateExpression)] {
    var named: [(name: String, value: TemplateExpression)] = []
    while true {
      skipBlanks()
      guard isNamed else { return named }
      let start = at
      let name = word()
      _ = take("=")
      if named.contains(where: { $0.name == name }) { throw TemplateError("\"\(name)\" occurs twice", at: start) }
      named.append((name, try operand(isWord: true)))
    }
  }

  /// True if a named argument (`name=`) follows.
  private var isNamed: Bool {
    var end = at
    while end < text.count, Self.letters.contains(text[end]) { end += 1 }
    return end > at && end < text.count && text[end] == UInt8(ascii: "=")
  }

  /// Parses a value that is one token, or an expression in parentheses.
  ///
  /// If `isWord` is true, a word that is not a path is a string.
  private mutating func operand(isWord: Bool = false) throws(TemplateError) -> TemplateExpression {
    let start = at
    switch byte(0) {
    case UInt8(ascii: "("):
      at += 1
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.depthLimit else {
        throw TemplateError("parentheses are nested more than \(Self.depthLimit) levels deep", at: start)
      }
      let inner = try expression()
      skipBlanks()
      guard take(")") else { throw TemplateError("\"(\" is not closed", at: start) }
      return inner
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .literal(.text(try quoted()))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(isWord: isWord)
    case UInt8(ascii: "-"), UInt8(ascii: "+"):
      if byte(1) &- 0x30 < 10 { return try number(isWord: isWord) }
    case UInt8(ascii: "@"): return .path(try loopPath())
    case UInt8(ascii: "."): return .path(try upwards())
    default: break
    }
    for (name, value) in [("true", TemplateValue.bool(true)), ("false", .bool(false)), ("null", .absent)] {
      let end = at + name.utf8.count
      let ends = end >= text.count || !Self.letters.contains(text[end]) && text[end] != UInt8(ascii: ".")
      guard ends, text[at...].starts(with: name.utf8) else { continue }
      at = end
      return .literal(value)
    }
    return try path(isWord: isWord)
  }

  private mutating func quoted() throws(TemplateError) -> String {
    let (start, quote) = (at, byte(0))
    at += 1
    var content: [UInt8] = []
    while at < text.count, text[at] != quote {
      if text[at] == UInt8(ascii: "\\"), byte(1) == quote || byte(1) == UInt8(ascii: "\\") { at += 1 }
      content.append(text[at])
      at += 1
    }
    guard at < text.count else { throw TemplateError("a string is not closed", at: start) }
    at += 1
    return String(decoding: content, as: UTF8.self)
  }

  /// Parses `5`, `0.5` or `1..6`.
  ///
  /// If `isWord` is true, strings such as `-1d` and `2026-11-22` are allowed, too.
  private mutating func number(isWord: Bool) throws(TemplateError) -> TemplateExpression {
    let start = at
    let first = try numeral(start)
    if has(".."), byte(2) &- 0x30 < 10 || byte(2) == UInt8(ascii: "-") {
      at += 2
      let second = try numeral(at)
      guard first.value <= second.value else {
        throw TemplateError("the first bound must not be greater than the second", at: start)
      }
      return .range(
        TemplateRange(lower: first.value, upper: second.value, decimals: max(first.decimals, second.decimals)))
    }
    if at < text.count, text[at] > 0x20, !has("}}"), !has("~}}"), text[at] != UInt8(ascii: ")") {
      guard isWord else { throw TemplateError("unexpected \"\(Character(.init(text[at])))\" after a number", at: at) }
      while at < text.count, text[at] > 0x20, !has("}}"), text[at] != UInt8(ascii: ")") { at += 1 }
      return .literal(.text(String(decoding: text[start..<at], as: UTF8.self)))
    }
    return .literal(TemplateValue(first.value))
  }

  private mutating func numeral(_ start: Int) throws(TemplateError) -> (value: Double, decimals: Int) {
    if byte(0) == UInt8(ascii: "-") || byte(0) == UInt8(ascii: "+") { at += 1 }
    while byte(0) &- 0x30 < 10 { at += 1 }
    var decimals = 0
    if byte(0) == UInt8(ascii: "."), byte(1) &- 0x30 < 10 {
      at += 1
      while byte(0) &- 0x30 < 10 {
        at += 1
        decimals += 1
      }
    }
    guard at - start <= 300, let value = Double(String(decoding: text[start..<at], as: UTF8.self)) else {
      throw TemplateError("expected a number", at: start)
    }
    return (value, decimals)
  }
}
