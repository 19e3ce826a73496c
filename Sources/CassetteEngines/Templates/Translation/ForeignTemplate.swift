internal import CassetteSystem

/// Translates a template of another tool to the template syntax of cassettes.
///
/// Both supported tools use Handlebars, with different helpers and values. Constructs without an equivalent throw an
/// error that contains their name, so that an import can report them.
package struct ForeignTemplate: Sendable {
  enum Tool: Sendable { case wireMock, hoverfly }

  package static let wireMock = ForeignTemplate(tool: .wireMock)
  package static let hoverfly = ForeignTemplate(tool: .hoverfly)

  let tool: Tool
  /// True if values are inserted without escaping by default.
  ///
  /// WireMock does not escape values.
  private var isRaw = false
  /// True if the format escapes values, so that three braces make a difference.
  private var escapes = false
  /// The `parameters` of the stub mapping, by name, as JSON.
  package var parameters: [String: [UInt8]] = [:]
  /// The indices of path segments by their names in the `urlPathTemplate`; nil without a path template.
  package var pathNames: [String: Int]?
  /// The roots (`form` or `body`) of the variables that `formData` and `parseJson` have assigned.
  var named: [String: String] = [:]
  /// The expressions that replace the variables of `assign` and `val`.
  var variables: [String: String] = [:]

  private init(tool: Tool) { self.tool = tool }

  /// Translates a template.
  ///
  /// - `content`: The format of the text. In markup, forms and links, three braces prevent escaping. Default: plain
  ///   text.
  package func translated(_ text: [UInt8], as content: TemplateContent = .text) throws(TemplateError) -> [UInt8] {
    var translation = self
    let escapes = content == .markup || content == .form || content == .link
    (translation.escapes, translation.isRaw) = (escapes, escapes && tool == .wireMock)
    return try translation.translate(text)
  }

  /// An open `each` or `with` block.
  struct Loop {
    var names: [String] = []
    /// True if the items of the loop are parts of a multipart body.
    var isOfParts = false
  }

  private mutating func translate(_ text: [UInt8]) throws(TemplateError) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    var loops: [Loop] = []
    while let open = text.firstIndex(of: Array("{{".utf8), from: at) {
      output += text[at..<open]
      let isTriple = open + 2 < text.count && text[open + 2] == UInt8(ascii: "{")
      let start = open + (isTriple ? 3 : 2)
      if let end = Self.endOfComment(in: text, from: start) {
        at = end
        continue
      }
      guard let end = Self.end(of: text, from: start) else { throw TemplateError("\"{{\" is not closed", at: open) }
      let inner = String(decoding: text[start..<end], as: UTF8.self)
      at = end + (isTriple ? 3 : 2)
      if try assign(inner, text, &at, loops) { continue }
      // An expression that is the whole of a JSON string keeps its type in a cassette, but is a string in the other
      // tools.
      let isAlone =
        open > 0 && text[open - 1] == UInt8(ascii: "\"") && at < text.count && text[at] == UInt8(ascii: "\"")
      let isPlain = isRaw || isTriple && escapes
      output += try expression(inner, at: open, &loops, isAlone: isAlone, isPlain: isPlain).utf8
    }
    let whole = output + text[min(at, text.count)...]
    // The translated template must parse.
    _ = try TemplateParser.parse(whole)
    return whole
  }

  /// Returns the offset after a comment, or nil if the expression is not a comment.
  private static func endOfComment(in text: [UInt8], from start: Int) -> Int? {
    guard start < text.count, text[start] == UInt8(ascii: "!") else { return nil }
    let close = Array((text[start...].starts(with: "!--".utf8) ? "--}}" : "}}").utf8)
    return text.firstIndex(of: close, from: start).map { $0 + close.count }
  }

  /// Returns the offset of the closing braces of an expression, ignoring those within quoted strings.
  private static func end(of text: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    for at in start..<text.count {
      if let open = quote {
        if text[at] == open { quote = nil }
      } else if text[at] == UInt8(ascii: "'") || text[at] == UInt8(ascii: "\"") {
        quote = text[at]
      } else if text[at] == UInt8(ascii: "}"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "}") {
        return at
      }
    }
    return nil
  }

  // MARK: Expressions

  private mutating func expression(
    _ text: String, at offset: Int, _ loops: inout [Loop], isAlone: Bool, isPlain: Bool
  ) throws(TemplateError) -> String {
    // A tilde trims the adjacent whitespace.
    let (open, close) = (text.hasPrefix("~") ? "{{~" : "{{", text.hasSuffix("~") ? "~}}" : "}}")
    let words = try ForeignWord.list(text, at: offset)
    guard case .word(let first)? = words.first else {
      throw TemplateError("{{\(text)}} has no counterpart in a cassette", at: offset)
    }
    if first.hasPrefix("/") {
      if ["/each", "/with"].contains(first), !loops.isEmpty { loops.removeLast() }
      return "\(open)\(["/each", "/with", "/unless"].contains(first) ? first : "/if")\(close)"
    }
    if first == "else" {
      guard words.count > 1 else { return "\(open)else\(close)" }
      return "\(open)else \(try block(Array(words.dropFirst()), at: offset, loops).head)\(close)"
    }
    guard first.hasPrefix("#") else {
      if try takeName(words, at: offset) { return "" }
      let value = try value(words, at: offset, loops)
      let written = isAlone ? "\(open)string (\(value))\(close)" : "\(open)\(value)\(close)"
      return isPlain ? "{\(written)}" : written
    }
    var head = words
    head[0] = .word(String(first.dropFirst()))
    let (written, loop) = try block(head, at: offset, loops)
    if first == "#each" || first == "#with" { loops.append(loop) }
    return "\(open)#\(written)\(close)"
  }

  /// Conditions that other tools also accept as block helpers.
  private static let conditions: Set<String> = [
    "eq", "equal", "neq", "gt", "gte", "lt", "lte", "and", "or", "not", "contains", "matches",
  ]

  /// Translates the head of a block that opens or continues, and returns the block parameters that it introduces.
  private func block(
    _ words: [ForeignWord], at offset: Int, _ loops: [Loop]
  ) throws(TemplateError) -> (head: String, loop: Loop) {
    guard case .word(let kind)? = words.first else { throw TemplateError("a block has no name", at: offset) }
    if Self.conditions.contains(kind) { return ("if (\(try value(words, at: offset, loops)))", Loop()) }
    guard ["each", "if", "unless", "with"].contains(kind) else {
      throw TemplateError("the block {{#\(kind)}} has no counterpart in a cassette", at: offset)
    }
    var words = words
    var loop = Loop()
    var suffix = ""
    if let place = words.firstIndex(of: .word("as")), place > 1 {
      suffix = " " + words[place...].map(\.text).joined(separator: " ")
      loop.names = words[(place + 1)...].map { $0.text.filter { $0 != "|" } }
      words.removeSubrange(place...)
    }
    let over = Array(words.dropFirst())
    loop.isOfParts = kind == "each" && over == [.word("request.parts")] || kind == "with" && isPart(over)
    if kind == "each", let segments = try segments(over, at: offset) { return ("each \(segments)\(suffix)", loop) }
    return ("\(kind) \(try value(over, at: offset, loops))\(suffix)", loop)
  }

  /// Translates `request.path`, which is a list of segments in WireMock.
  ///
  /// Returns nil for any other value.
  func segments(_ words: [ForeignWord], at offset: Int) throws(TemplateError) -> String? {
    guard tool == .wireMock, words == [.word("request.path")] || words == [.word("request.pathSegments")] else {
      return nil
    }
    guard pathNames == nil else {
      throw TemplateError("the list of segments of a urlPathTemplate has no counterpart in a cassette", at: offset)
    }
    return "(split (substring path 1) '/')"
  }

  private func isPart(_ words: [ForeignWord]) -> Bool {
    guard words.count == 1, case .word(let word) = words[0] else { return false }
    return word.hasPrefix("request.parts.") && word.split(separator: ".").count == 3
  }

  /// Stores the variable that `formData request.body 'form'` or `parseJson request.body 'name'` assigns.
  ///
  /// Returns false for any other helper.
  private mutating func takeName(_ words: [ForeignWord], at offset: Int) throws(TemplateError) -> Bool {
    let roots = ["formData": "form", "parseJson": "body"]
    guard tool == .wireMock, case .word(let helper)? = words.first, let root = roots[helper], words.count > 2,
      case .quoted(let quoted) = words[2]
    else { return false }
    guard words[1] == .word("request.body") else {
      throw TemplateError("\(helper) of \(words[1].text) has no counterpart in a cassette", at: offset)
    }
    named[String(quoted.dropFirst().dropLast())] = root
    return true
  }

  /// Stores the variable of `{{#assign 'a'}}…{{/assign}}`, `{{assign 'a' value}}` or `{{val value assign='a'}}`.
  ///
  /// - `at`: The offset after the expression, which is moved to the end of the block.
  ///
  /// Returns false for any other expression.
  private mutating func assign(
    _ inner: String, _ text: [UInt8], _ at: inout Int, _ loops: [Loop]
  ) throws(TemplateError) -> Bool {
    guard tool == .wireMock, ["#assign ", "assign ", "val "].contains(where: inner.hasPrefix) else { return false }
    let words = try ForeignWord.list(inner, at: at)
    var expression = ""
    var name = words.dropFirst().first?.text ?? ""
    switch (words[0].text, words.last) {
    case ("#assign", _):
      guard let end = text.firstIndex(of: Array("{{/assign}}".utf8), from: at) else { return false }
      expression = try joined(Array(text[at..<end]), at: at, loops)
      at = end + "{{/assign}}".utf8.count
    case ("val", .named("assign", let variable)?) where words.count == 3:
      (name, expression) = (variable.text, try value([.group([words[1]])], at: at, loops))
    case ("assign", let last?) where words.count == 3: expression = try value([.group([last])], at: at, loops)
    default: return false
    }
    name = name.filter { $0 != "'" && $0 != "\"" }
    // A variable may use another one several times, so that expressions grow exponentially.
    guard !name.isEmpty, variables.count < 100, expression.utf8.count <= 4 << 10 else {
      throw TemplateError("so many or such long variables have no counterpart in a cassette", at: at)
    }
    let uses = String(decoding: text[at...], as: UTF8.self).ranges(of: name).count
    guard uses < 2 || !["random", "uuid", "fake"].contains(where: expression.contains) else {
      throw TemplateError("a random value that is used several times has no counterpart in a cassette", at: at)
    }
    variables[name] = expression
    return true
  }

  /// Returns a text with expressions, but without blocks, as one expression.
  private func joined(_ text: [UInt8], at offset: Int, _ loops: [Loop]) throws(TemplateError) -> String {
    var parts: [String] = []
    var at = 0
    while at < text.count || parts.isEmpty {
      let open = text.firstIndex(of: Array("{{".utf8), from: at) ?? text.count
      if open > at || text.isEmpty {
        let literal = String(decoding: text[at..<open], as: UTF8.self)
        parts.append("'\(literal.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'")
      }
      guard open < text.count else { break }
      guard let end = Self.end(of: text, from: open + 2) else {
        throw TemplateError("\"{{\" is not closed", at: offset)
      }
      let words = try ForeignWord.list(String(decoding: text[(open + 2)..<end], as: UTF8.self), at: offset)
      parts.append(try value([.group(words)], at: offset, loops))
      at = end + 2
    }
    return parts.count == 1 ? parts[0] : "(concat \(parts.joined(separator: " ")))"
  }

  /// Helpers whose argument may be a list.
  private static let ofLists: Set = ["size", "length", "join", "first", "last", "contains"]

  /// Translates a value, or a helper call with its arguments.
  private func value(_ words: [ForeignWord], at offset: Int, _ loops: [Loop]) throws(TemplateError) -> String {
    guard let first = words.first else {
      throw TemplateError("an empty expression has no counterpart in a cassette", at: offset)
    }
    var arguments: [String] = []
    var named: [(String, String)] = []
    for word in words.dropFirst() {
      switch word {
      case .named(let name, let inner): named.append((name, try value([inner], at: offset, loops)))
      case _ where Self.ofLists.contains(first.text):
        if let list = try segments([word], at: offset) {
          arguments.append(list)
        } else {
          arguments.append(try value([word], at: offset, loops))
        }
      default: arguments.append(try value([word], at: offset, loops))
      }
    }
    switch first {
    case .quoted: return first.text
    case .group(let inner): return "(\(try value(inner, at: offset, loops)))"
    case .named(let name, _):
      throw TemplateError("\(name)= has no counterpart in a cassette", at: offset)
    case .word(let word):
      if let call = try helper(word, arguments, named, at: offset) { return call }
      guard arguments.isEmpty, named.isEmpty else {
        throw TemplateError("the helper \(word) has no counterpart in a cassette", at: offset)
      }
      return try path(word, at: offset, loops)
    }
  }
}

/// A token of an expression.
enum ForeignWord: Equatable {
  case word(String)
  /// A string, including its quotes.
  case quoted(String)
  indirect case group([ForeignWord])
  indirect case named(String, ForeignWord)

  var text: String {
    switch self {
    case .word(let text), .quoted(let text): text
    case .group(let words): "(\(words.map(\.text).joined(separator: " ")))"
    case .named(let name, let value): "\(name)=\(value.text)"
    }
  }

  static func list(_ text: String, at offset: Int) throws(TemplateError) -> [ForeignWord] {
    var rest = Array(text.unicodeScalars.map(Character.init))[...]
    let words = try list(&rest, at: offset, depth: 0)
    guard rest.isEmpty else { throw TemplateError("{{\(text)}} is not balanced", at: offset) }
    return words
  }

  private static func list(
    _ rest: inout ArraySlice<Character>, at offset: Int, depth: Int
  ) throws(TemplateError) -> [ForeignWord] {
    guard depth < TemplateParser.depthLimit else {
      throw TemplateError("the expression is nested too deeply", at: offset)
    }
    var words: [ForeignWord] = []
    while let first = rest.first {
      if first.isWhitespace || first == "~" {
        rest.removeFirst()
      } else if first == ")" {
        if depth > 0 { rest.removeFirst() }
        return words
      } else {
        words.append(try word(&rest, at: offset, depth: depth))
      }
    }
    return words
  }

  private static func word(
    _ rest: inout ArraySlice<Character>, at offset: Int, depth: Int
  ) throws(TemplateError) -> ForeignWord {
    guard let first = rest.first else { throw TemplateError("an expression is incomplete", at: offset) }
    if first == "(" {
      rest.removeFirst()
      return .group(try list(&rest, at: offset, depth: depth + 1))
    }
    if first == "'" || first == "\"" {
      guard let end = rest.dropFirst().firstIndex(of: first) else {
        throw TemplateError("a string is not closed", at: offset)
      }
      defer { rest = rest[(end + 1)...] }
      return .quoted(String(rest[...end]))
    }
    var text = ""
    var brackets = 0
    while let next = rest.first, brackets > 0 || !(next.isWhitespace || next == ")" || next == "~") {
      if next == "[" { brackets += 1 } else if next == "]" { brackets -= 1 }
      text.append(next)
      rest.removeFirst()
      if next == "=", brackets == 0, text.count > 1, !text.hasPrefix("|") {
        return .named(String(text.dropLast()), try word(&rest, at: offset, depth: depth + 1))
      }
    }
    return .word(text)
  }
}
