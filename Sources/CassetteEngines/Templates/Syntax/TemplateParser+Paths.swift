import CassetteJSON

/// Parses paths to values of the request, the session and the enclosing loops.
extension TemplateParser {
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
