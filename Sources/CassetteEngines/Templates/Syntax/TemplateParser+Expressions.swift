import CassetteJSON
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

  // MARK: Parses paths to values of the request, the session and the enclosing loops

  private static let roots: [String: TemplatePath.Root] = [
    "path": .path, "query": .query, "header": .header, "cookie": .cookie, "form": .form, "parts": .parts,
    "body": .body, "state": .state, "method": .method, "url": .url, "base": .base, "host": .host, "session": .session,
  ]

  /// Parses a path such as `query.page`, `body.$.items[0].id` or `item.name`.
  ///
  /// If `isWord` is true, another word is a string.
  mutating func path(isWord: Bool) throws(TemplateError) -> TemplateExpression {
    let start = at
    let name = word()
    guard !name.isEmpty else { throw TemplateError("expected a value or a helper", at: start) }
    var path: TemplatePath
    if names.contains(name) {
      path = TemplatePath(root: .variable(name))
    } else if name == "this" {
      guard loops > 0 else { throw TemplateError("\"this\" is valid only in #each and #with", at: start) }
      path = TemplatePath(root: .item(up: 0))
    } else if let root = Self.roots[name], !isWord || byte(0) == UInt8(ascii: ".") || byte(0) == UInt8(ascii: "[") {
      path = TemplatePath(root: root)
    } else if isWord {
      return .literal(.text(name))
    } else {
      let known = Self.roots.keys.sorted() + TemplateHelper.allCases.map(\.rawValue)
      if TemplateHelper(rawValue: name) != nil {
        throw TemplateError("a helper must be in parentheses if it is an argument", at: start, "write (\(name) …)")
      }
      throw TemplateError("unknown helper or value \"\(name)\"", at: start, unknown: name, known: known)
    }
    try steps(into: &path, start)
    return .path(path)
  }

  mutating func loopPath() throws(TemplateError) -> TemplatePath {
    let start = at
    at += 1
    let known: [String: TemplatePath.Root] = ["index": .index, "first": .first, "last": .last, "key": .key]
    let name = word()
    guard let root = known[name] else {
      throw TemplateError("unknown \"@\(name)\"", at: start, "use @index, @first, @last or @key")
    }
    guard loops > 0 else { throw TemplateError("\"@\(name)\" is valid only in #each", at: start) }
    return TemplatePath(root: root)
  }

  /// Parses a path that starts at the item of an outer loop: `../name`.
  mutating func upwards() throws(TemplateError) -> TemplatePath {
    let start = at
    var path = TemplatePath(root: .item(up: 0))
    var levels = 0
    while take("../") { levels += 1 }
    guard levels > 0 || take("./") else { throw TemplateError("expected a value or a helper", at: start) }
    guard levels < loops else { throw TemplateError("\"../\" is used outside of a loop", at: start) }
    path.root = .item(up: levels)
    if isAt("this") {
      _ = word()
    } else {
      path.steps = [.member(word())]
    }
    try steps(into: &path, start)
    return path
  }

  private mutating func steps(into path: inout TemplatePath, _ start: Int) throws(TemplateError) {
    if path.root == .body, has(".$") {
      at += 1
      path.place = try place()
      return
    }
    while byte(0) == UInt8(ascii: ".") || byte(0) == UInt8(ascii: "[") {
      let isDotted = take(".")
      if byte(0) == UInt8(ascii: "[") {
        let end = text[at...].firstIndex(of: UInt8(ascii: "]")) ?? text.count
        guard end < text.count else { throw TemplateError("\"[\" is not closed", at: at) }
        var name = text[at + 1..<end]
        if let quote = name.first, quote == name.last, name.count > 1, quote == 0x22 || quote == 0x27 {
          name = name.dropFirst().dropLast()
        }
        path.steps.append(.member(String(decoding: name, as: UTF8.self)))
        at = end + 1
      } else {
        let name = word()
        guard isDotted, !name.isEmpty else { throw TemplateError("expected a name after the dot", at: at) }
        path.steps.append(.member(name))
      }
      if case .member(let name)? = path.steps.last, let index = Int(name) {
        path.steps[path.steps.count - 1] = .element(index)
      }
    }
    switch path.root {
    case .query, .header, .cookie, .form, .state:
      guard path.steps.isEmpty else { return }
      let name = String(decoding: text[start..<at], as: UTF8.self)
      throw TemplateError("\(name) needs a name", at: start, "write \(name).NAME")
    case .body where !path.steps.isEmpty:
      throw TemplateError("a value of a JSON body needs a path", at: start, "write body.$.NAME")
    case .method, .url, .base, .host, .session, .index, .first, .last, .key:
      if !path.steps.isEmpty { throw TemplateError("this value has no members", at: start) }
    default: break
    }
  }

  /// Parses a JSON path, up to a space or closing braces outside of its brackets and quotes.
  private mutating func place() throws(TemplateError) -> JSONQuery {
    let start = at
    var open = 0
    var quote: UInt8?
    while at < text.count {
      let byte = text[at]
      if let closing = quote {
        if byte == UInt8(ascii: "\\") { at += 1 } else if byte == closing { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), open > 0 {
        quote = byte
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "(") {
        open += 1
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: ")") {
        if open == 0 { break }
        open -= 1
      } else if open == 0, byte <= 0x20 || has("}}") || has("~}}") {
        break
      }
      at += 1
    }
    at = min(at, text.count)
    let written = String(decoding: text[start..<at], as: UTF8.self)
    do throws(JSONQuery.Problem) {
      return try JSONQuery(written)
    } catch {
      throw TemplateError("\"\(written)\" is not a JSON path: \(error.words)", at: start)
    }
  }
}
