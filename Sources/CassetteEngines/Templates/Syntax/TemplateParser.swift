import CassetteSystem

/// Parses a template: text with expressions and blocks between double braces.
///
/// `{{secret:1}}` is the placeholder of a redacted secret and is copied unchanged. A backslash before the braces, as in
/// `\{{`, makes them literal.
struct TemplateParser {
  /// The maximum nesting depth of blocks and parentheses.
  static let depthLimit = 32

  let text: [UInt8]
  var at = 0
  /// The block parameters of the enclosing loops.
  var names: [String] = []
  var loops = 0
  var depth = 0

  init(_ text: [UInt8]) { self.text = text }

  /// Parses a whole template into nodes.
  static func parse(_ text: [UInt8]) throws(TemplateError) -> [TemplateNode] {
    var parser = TemplateParser(text)
    return try parser.parts()
  }

  /// Parses the text up to its end.
  mutating func parts() throws(TemplateError) -> [TemplateNode] {
    let (nodes, end) = try nodes()
    if let end { throw TemplateError("\(end.words) does not follow a block", at: end.offset) }
    return nodes
  }

  /// Returns true if the text contains `{{`, without which nothing has to be rendered.
  static func isTemplate(_ text: some Collection<UInt8>) -> Bool {
    var last: UInt8 = 0
    for byte in text {
      if byte == UInt8(ascii: "{"), last == byte { return true }
      last = byte
    }
    return false
  }

  /// The tag that ends a sequence of nodes: `{{else}}`, `{{/if}}`.
  private enum End {
    case otherwise(Int)
    /// `{{else if …}}`, with the head of the block that it opens.
    case otherwiseIf(TemplateBlockHead, Int)
    case close(String, Int)

    var offset: Int {
      switch self {
      case .otherwise(let offset), .otherwiseIf(_, let offset), .close(_, let offset): offset
      }
    }

    var words: String {
      switch self {
      case .otherwise, .otherwiseIf: "{{else}}"
      case .close(let name, _): "{{/\(name)}}"
      }
    }
  }

  private mutating func nodes() throws(TemplateError) -> ([TemplateNode], End?) {
    var nodes: [TemplateNode] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { nodes.append(.literal(literal)) }
      literal = []
    }
    while at < text.count {
      guard text[at] == UInt8(ascii: "{"), byte(1) == UInt8(ascii: "{"), !takeAlias(into: &literal) else {
        if at < text.count, !takeEscape(into: &literal) {
          literal.append(text[at])
          at += 1
        }
        continue
      }
      let start = at
      let isTriple = byte(2) == UInt8(ascii: "{")
      at += isTriple ? 3 : 2
      if take("~") { while let last = literal.last, last <= 0x20 { literal.removeLast() } }
      if take("!") {
        try skipComment(start)
        continue
      }
      flush()
      if take("#") {
        nodes.append(try block(start))
      } else if take("/") {
        skipBlanks()
        let name = word()
        try close(start)
        return (nodes, .close(name, start))
      } else if isAt("else") {
        _ = word()
        skipBlanks()
        if isAt("if") || isAt("unless") {
          let head = try self.head()
          try close(start)
          return (nodes, .otherwiseIf(head, start))
        }
        try close(start)
        return (nodes, .otherwise(start))
      } else {
        nodes.append(.value(try expression(), isRaw: isTriple))
        try close(start, isTriple: isTriple)
      }
    }
    flush()
    return (nodes, nil)
  }

  // MARK: Blocks

  private mutating func block(_ start: Int) throws(TemplateError) -> TemplateNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw TemplateError("blocks are nested more than \(Self.depthLimit) levels deep", at: start)
    }
    let head = try self.head()
    try close(start)
    return .block(try rest(of: head, start))
  }

  /// Parses the head of a block: its kind, its subject and its block parameters.
  mutating func head() throws(TemplateError) -> TemplateBlockHead {
    let start = at
    let name = word()
    guard let kind = TemplateBlockHead.Kind(rawValue: name) else {
      let known = TemplateBlockHead.Kind.allCases.map(\.rawValue)
      throw TemplateError(
        "unknown block \"#\(name)\"", at: start, unknown: name, known: known,
        "use \(known.map { "#\($0)" }.joined(separator: ", "))")
    }
    var head = TemplateBlockHead(kind: kind, subject: try expression())
    skipBlanks()
    guard isAt("as") else { return head }
    let place = at
    _ = word()
    skipBlanks()
    guard kind == .each || kind == .with, take("|") else {
      throw TemplateError("\"as |name|\" is valid only in #each and #with", at: place)
    }
    skipBlanks()
    head.name = word()
    skipBlanks()
    if !take("|") {
      head.indexName = word()
      skipBlanks()
      guard take("|") else { throw TemplateError("\"as |name|\" is not closed", at: place) }
    }
    guard head.name?.isEmpty == false, head.indexName?.isEmpty != true else {
      throw TemplateError("\"as |name|\" has no name", at: place)
    }
    return head
  }

  private mutating func rest(of head: TemplateBlockHead, _ start: Int) throws(TemplateError) -> TemplateBlock {
    enter(head)
    let (body, end) = try nodes()
    leave(head)
    var block = TemplateBlock(head: head, body: body, otherwise: [])
    switch end {
    case .otherwiseIf(let next, let offset):
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.depthLimit else {
        throw TemplateError("blocks are nested more than \(Self.depthLimit) levels deep", at: offset)
      }
      block.otherwise = [.block(try rest(of: next, start))]
      return block
    case .otherwise:
      let (otherwise, end) = try nodes()
      block.otherwise = otherwise
      try check(end, closes: head, start)
    default: try check(end, closes: head, start)
    }
    return block
  }

  /// Adds the block parameters of a loop to the names in scope.
  mutating func enter(_ head: TemplateBlockHead) {
    guard head.kind == .each || head.kind == .with else { return }
    loops += 1
    names += [head.name ?? "", head.indexName ?? ""]
  }

  mutating func leave(_ head: TemplateBlockHead) {
    guard head.kind == .each || head.kind == .with else { return }
    loops -= 1
    names.removeLast(2)
  }

  private func check(_ end: End?, closes head: TemplateBlockHead, _ start: Int) throws(TemplateError) {
    // A chain of `{{else if}}` may have begun with `{{#unless}}`, and the closing tag names the first block.
    let wanted: Set<String> = head.kind == .if || head.kind == .unless ? ["if", "unless"] : [head.kind.rawValue]
    switch end {
    case .close(let name, _) where wanted.contains(name): return
    case .close(let name, let offset):
      throw TemplateError("{{/\(name)}} closes {{#\(head.kind.rawValue)}}", at: offset)
    case .otherwise(let offset), .otherwiseIf(_, let offset):
      throw TemplateError("a second {{else}} in {{#\(head.kind.rawValue)}}", at: offset)
    case nil: throw TemplateError("{{#\(head.kind.rawValue)}} is not closed", at: start)
    }
  }

  // MARK: Braces

  /// Consumes the closing braces of an expression, and whitespace after `~`.
  mutating func close(_ start: Int, isTriple: Bool = false) throws(TemplateError) {
    skipBlanks()
    let trims = take("~")
    guard take(isTriple ? "}}}" : "}}") else {
      if at >= text.count { throw TemplateError("\"{{\" is not closed", at: start) }
      throw TemplateError("expected \"}}\"", at: at)
    }
    if trims { while at < text.count, text[at] <= 0x20 { at += 1 } }
  }

  /// Skips a comment: `{{! … }}`, or `{{!-- … --}}`, which may contain braces.
  private mutating func skipComment(_ start: Int) throws(TemplateError) {
    let end = Array((take("--") ? "--}}" : "}}").utf8)
    guard let found = text.firstIndex(of: end, from: at) else {
      throw TemplateError("a comment is not closed", at: start)
    }
    at = found + end.count
  }

  private mutating func takeEscape(into literal: inout [UInt8]) -> Bool {
    guard text[at] == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "{"), byte(2) == UInt8(ascii: "{") else {
      return false
    }
    literal += [UInt8(ascii: "{"), UInt8(ascii: "{")]
    at += 3
    return true
  }

  /// Copies the placeholder of a redacted secret to the literal.
  ///
  /// Returns false if the text does not continue with a placeholder.
  private mutating func takeAlias(into literal: inout [UInt8]) -> Bool {
    let prefix = Array("{{secret:".utf8)
    guard text[at...].starts(with: prefix), byte(prefix.count) &- 0x30 < 10,
      let end = text.firstIndex(of: Array("}}".utf8), from: at), end - at < 64
    else { return false }
    literal += text[at..<end + 2]
    at = end + 2
    return true
  }

  // MARK: Characters

  func byte(_ ahead: Int) -> UInt8 { at + ahead < text.count ? text[at + ahead] : 0 }

  mutating func take(_ wanted: String) -> Bool {
    guard has(wanted) else { return false }
    at += wanted.utf8.count
    return true
  }

  func has(_ wanted: String) -> Bool { text[at...].starts(with: wanted.utf8) }

  /// Returns true if the text continues with the whole word `wanted`.
  func isAt(_ wanted: String) -> Bool { has(wanted) && !Self.letters.contains(byte(wanted.utf8.count)) }

  mutating func skipBlanks() { while at < text.count, text[at] <= 0x20 { at += 1 } }

  mutating func word() -> String {
    let start = at
    while at < text.count, Self.letters.contains(text[at]) || text[at] >= 0x80 { at += 1 }
    return String(decoding: text[start..<at], as: UTF8.self)
  }

  static let letters = ByteSet.word.adding("_-")
}
