/// Parses regular expressions.
struct PatternParser {
  let scalars: [UInt32]
  var at = 0
  let dialect: TextPattern.Dialect
  private var ignoresCase = false
  private var dotIsAll = false
  private var depth = 0

  init(_ source: String, _ dialect: TextPattern.Dialect = .rule) {
    scalars = source.unicodeScalars.map(\.value)
    self.dialect = dialect
  }

  mutating func parse() throws(TextPattern.Problem) -> PatternNode {
    let node = try alternatives()
    guard at == scalars.count else { throw problem("\")\" without \"(\"") }
    return node
  }

  func problem(_ message: String, at place: Int? = nil) -> TextPattern.Problem {
    TextPattern.Problem(message: message, column: (place ?? at) + 1)
  }

  func isNext(_ text: String) -> Bool {
    scalars[at...].starts(with: text.unicodeScalars.lazy.map(\.value))
  }

  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    at += text.unicodeScalars.count
    return true
  }

  private mutating func alternatives() throws(TextPattern.Problem) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth < 100 else { throw problem("groups are nested too deeply") }
    // A flag is valid until the end of its group.
    let flags = (ignoresCase, dotIsAll)
    defer { (ignoresCase, dotIsAll) = flags }
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .either(nodes)
  }

  private mutating func sequence() throws(TextPattern.Problem) -> PatternNode {
    var nodes: [PatternNode] = []
    while at < scalars.count, !isNext("|"), !isNext(")") {
      // A fast path for literal characters, of which long lists of words consist.
      if !Self.isSpecial(scalars[at]), at + 1 == scalars.count || !Self.isSpecial(scalars[at + 1]) {
        nodes.append(literal(scalars[at]))
        at += 1
        continue
      }
      if take("\\Q") {
        while at < scalars.count, !take("\\E") {
          nodes.append(literal(scalars[at]))
          at += 1
        }
        if let last = nodes.popLast() { nodes.append(try quantified(last)) }
        continue
      }
      guard let atom = try atom() else { continue }
      nodes.append(try quantified(atom))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// Returns true if a character may have a special meaning.
  private static func isSpecial(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x24, 0x28...0x2b, 0x2e, 0x3f, 0x5b...0x5e, 0x7b...0x7d: true  // $ ()*+ . ? [\]^ {|}
    default: false
    }
  }

  private func literal(_ scalar: UInt32) -> PatternNode {
    guard scalar < 128 else { return characters(.one(scalar)) }
    return .characters((ignoresCase ? CharacterClass.inEitherCase : CharacterClass.inASCII)[Int(scalar)])
  }

  func characters(_ set: CharacterClass) -> PatternNode {
    .characters(ignoresCase ? set.ignoringCase() : set)
  }

  private mutating func quantified(_ atom: PatternNode) throws(TextPattern.Problem) -> PatternNode {
    var node = atom
    while at < scalars.count {
      let start = at
      if take("*") {
        node = .repeated(node, least: 0, most: nil)
      } else if take("+") {
        node = .repeated(node, least: 1, most: nil)
      } else if take("?") {
        node = .repeated(node, least: 0, most: 1)
      } else if let (least, most) = try counts() {
        node = .repeated(node, least: least, most: most)
      } else {
        return node
      }
      // Lazy and greedy quantifiers accept the same strings.
      _ = take("?")
      if isNext("+") { throw problem("possessive quantifiers are not supported", at: start) }
      if isNext("*") || isNext("?") { throw problem("a quantifier follows a quantifier") }
    }
    return node
  }

  /// Parses `{2}`, `{2,}` or `{2,5}`; returns nil if the brace is a literal character.
  private mutating func counts() throws(TextPattern.Problem) -> (Int, Int?)? {
    guard isNext("{") else { return nil }
    let start = at
    at += 1
    let least = number()
    var most = least
    if take(",") { most = number() }
    guard let least, take("}") else {
      at = start
      return nil
    }
    let isOpen = most == nil
    guard least <= 1_000, most ?? 0 <= 1_000 else { throw problem("at most 1000 repetitions", at: start) }
    guard isOpen || (most ?? 0) >= least else {
      throw problem("the second number must not be less than the first", at: start)
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = at
    var number = 0
    while at < scalars.count, (0x30...0x39).contains(scalars[at]), at - start < 6 {
      number = number * 10 + Int(scalars[at] - 0x30)
      at += 1
    }
    return at == start ? nil : number
  }

  /// Parses an expression that may be repeated; returns nil for flags such as `(?i)`, which match nothing.
  private mutating func atom() throws(TextPattern.Problem) -> PatternNode? {
    let start = at
    if take("(") { return try group(from: start) }
    if take("[") { return characters(try characterClass(from: start)) }
    if take("^") { return .start }
    if take("$") { return .end }
    if take(".") {
      return .characters(dotIsAll ? .all : CharacterClass(ranges: dialect.lineEnds, isNegated: true))
    }
    if take("\\") { return try escape(from: start) }
    if isNext("*") || isNext("+") || isNext("?") { throw problem("there is nothing to repeat") }
    at += 1
    return literal(scalars[start])
  }

  private mutating func group(from start: Int) throws(TextPattern.Problem) -> PatternNode? {
    var ahead: Bool?
    if take("?") {
      if take("=") {
        ahead = false
      } else if take("!") {
        ahead = true
      } else if isNext("<=") || isNext("<!") {
        throw problem("look-behind is not supported", at: start)
      } else if take("<") || take("P<") {
        while at < scalars.count, !isNext(">") { at += 1 }
        guard take(">") else { throw problem("the name of the group is not closed: \">\" is missing", at: start) }
      } else if isNext(">") {
        throw problem("atomic groups are not supported", at: start)
      } else if !take(":") {
        return try flags(from: start)
      }
    }
    let node = try alternatives()
    guard take(")") else { throw problem("the group is not closed: \")\" is missing", at: start) }
    return ahead.map { .ahead(node, isNegated: $0) } ?? node
  }

  /// Parses flags for the rest of the group, `(?i)`, or for a new group, `(?i:…)`.
  private mutating func flags(from start: Int) throws(TextPattern.Problem) -> PatternNode? {
    let before = (ignoresCase, dotIsAll)
    var isOn = true
    while at < scalars.count, !isNext(":"), !isNext(")") {
      switch Unicode.Scalar(scalars[at]) {
      case "-": isOn = false
      case "i": ignoresCase = isOn
      case "s": dotIsAll = isOn
      case "u", "U", "d": break
      default: throw problem("only the flags i and s are supported", at: start)
      }
      at += 1
    }
    if take(")") { return nil }
    guard take(":") else { throw problem("the group is not closed: \")\" is missing", at: start) }
    let node = try alternatives()
    (ignoresCase, dotIsAll) = before
    guard take(")") else { throw problem("the group is not closed: \")\" is missing", at: start) }
    return node
  }
}
