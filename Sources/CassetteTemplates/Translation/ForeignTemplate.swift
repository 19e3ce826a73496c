internal import CassetteSystem

/// A template of another tool, written anew as one of ours.
///
/// Both tools' languages are Handlebars, with helpers and values of their own. What has no counterpart is refused by its
/// name, so that an import can say it.
package enum ForeignTemplate: Sendable {
  case wireMock, hoverfly

  /// Translates a template for a cassette.
  ///
  /// - Parameter text: The body, or a field's value, as the tool has it.
  /// - Returns: The text with our expressions.
  /// - Throws: The expression that has no counterpart, and where it stands.
  package func translated(_ text: [UInt8]) throws(TemplateError) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    var loops: [String?] = []
    while let open = text.firstIndex(of: Array("{{".utf8), from: at) {
      output += text[at..<open]
      let isTriple = open + 2 < text.count && text[open + 2] == UInt8(ascii: "{")
      let start = open + (isTriple ? 3 : 2)
      guard let end = Self.end(of: text, from: start) else { throw TemplateError("\"{{\" is not closed", at: open) }
      let inner = String(decoding: text[start..<end], as: UTF8.self)
      at = end + (isTriple ? 3 : 2)
      // Alone in a JSON string a value would keep its type here, and is a text there.
      let isAlone =
        open > 0 && text[open - 1] == UInt8(ascii: "\"") && at < text.count && text[at] == UInt8(ascii: "\"")
      output += try expression(inner, at: open, &loops, isAlone: isAlone).utf8
    }
    let whole = output + text[min(at, text.count)...]
    // What was written has to be read again.
    _ = try TemplateParser.parse(whole)
    return whole
  }

  /// Finds the braces that close an expression, outside of its texts.
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

  private func expression(
    _ text: String, at offset: Int, _ loops: inout [String?], isAlone: Bool
  ) throws(TemplateError) -> String {
    var words = try ForeignWord.list(text, at: offset)
    guard case .word(let first)? = words.first else {
      throw TemplateError("{{\(text)}} has no counterpart in a cassette", at: offset)
    }
    if first.hasPrefix("/") {
      if ["/each", "/with"].contains(first), !loops.isEmpty { loops.removeLast() }
      return "{{\(first)}}"
    }
    if first == "else", words.count == 1 { return "{{else}}" }
    if first == "!" || first.hasPrefix("!") { return "" }
    guard first.hasPrefix("#") else {
      let value = try value(words, at: offset, loops)
      return isAlone ? "{{string (\(value))}}" : "{{\(value)}}"
    }
    guard ["#each", "#if", "#unless", "#with", "#eq"].contains(first) else {
      throw TemplateError("the block {{\(first)}} has no counterpart in a cassette", at: offset)
    }
    var name: String?
    var suffix = ""
    if let place = words.firstIndex(of: .word("as")), place > 1 {
      suffix = " " + words[place...].map(\.text).joined(separator: " ")
      if place + 1 < words.count { name = words[place + 1].text.filter { $0 != "|" } }
      words.removeSubrange(place...)
    }
    let subject = try value(Array(words.dropFirst()), at: offset, loops)
    if first == "#each" || first == "#with" { loops.append(name) }
    return "{{\(first) \(subject)\(suffix)}}"
  }

  /// A value, or a call of a helper with its arguments.
  private func value(
    _ words: [ForeignWord], at offset: Int, _ loops: [String?]
  ) throws(TemplateError) -> String {
    guard let first = words.first else { throw TemplateError("an empty expression has no counterpart", at: offset) }
    var arguments: [String] = []
    var named: [(String, String)] = []
    for word in words.dropFirst() {
      switch word {
      case .named(let name, let inner): named.append((name, try value([inner], at: offset, loops)))
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

/// A word of an expression.
enum ForeignWord: Equatable {
  case word(String)
  /// In its quotes.
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
    guard depth < TemplateParser.depthLimit else { throw TemplateError("it is nested too deep", at: offset) }
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
    guard let first = rest.first else { throw TemplateError("an expression breaks off", at: offset) }
    if first == "(" {
      rest.removeFirst()
      return .group(try list(&rest, at: offset, depth: depth + 1))
    }
    if first == "'" || first == "\"" {
      guard let end = rest.dropFirst().firstIndex(of: first) else {
        throw TemplateError("a text is not closed", at: offset)
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
