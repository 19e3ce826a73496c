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

/// Parses escape sequences and character classes.
extension PatternParser {
  mutating func escape(from start: Int) throws(TextPattern.Problem) -> PatternNode {
    guard at < scalars.count else { throw problem("a backslash at the end", at: start) }
    switch Unicode.Scalar(scalars[at]) {
    case "b":
      at += 1
      return .wordBoundary(true)
    case "B":
      at += 1
      return .wordBoundary(false)
    case "A" where dialect != .ecmaScript:
      at += 1
      return .start
    case "z" where dialect != .ecmaScript, "Z" where dialect != .ecmaScript:
      at += 1
      return .end
    default: return characters(try escapedClass(from: start))
    }
  }

  /// Parses the class after a backslash, inside or outside of brackets.
  private mutating func escapedClass(from start: Int) throws(TextPattern.Problem) -> CharacterClass {
    guard at < scalars.count else { throw problem("a backslash at the end", at: start) }
    let scalar = scalars[at]
    at += 1
    func negated(_ set: CharacterClass) -> CharacterClass { CharacterClass(ranges: set.ranges, isNegated: true) }
    switch Unicode.Scalar(scalar) {
    case "d": return .digit
    case "D": return negated(.digit)
    case "w": return .word
    case "W": return negated(.word)
    case "s": return dialect.space
    case "S": return negated(dialect.space)
    case "t": return .one(0x09)
    case "n": return .one(0x0a)
    case "r": return .one(0x0d)
    case "f": return .one(0x0c)
    case "v": return .one(0x0b)
    case "p": return try property(from: start)
    case "P": return negated(try property(from: start))
    case "c" where dialect == .ecmaScript && at < scalars.count && (0x41...0x5a).contains(scalars[at] & 0x5f):
      at += 1
      return .one(scalars[at - 1] & 0x1f)
    case "0" where at == scalars.count || !(0x30...0x39).contains(scalars[at]): return .one(0)
    case "x": return .one(try hexadecimal(2, from: start))
    case "u": return .one(try isNext("{") ? longHexadecimal(from: start) : codePoint(from: start))
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k":
      throw problem("back references are not supported", at: start)
    case let letter? where letter.isASCII && letter.properties.isAlphabetic || letter == "0":
      throw problem("\\\(letter) is not supported", at: start)
    default: return .one(scalar)
    }
  }

  /// Parses the category after `\p`: `{Lu}`.
  private mutating func property(from start: Int) throws(TextPattern.Problem) -> CharacterClass {
    guard take("{"), let end = scalars[at...].firstIndex(of: 0x7d) else {
      throw problem("write a category such as \\p{L}", at: start)
    }
    let name = String(String.UnicodeScalarView(scalars[at..<end].compactMap { Unicode.Scalar($0) }))
    at = end + 1
    guard let set = UnicodeCategory.characters(named: name) else {
      throw problem("\\p{\(name)} is not supported: use a general category of Unicode", at: start)
    }
    return set
  }

  /// Parses four hexadecimal digits, or a surrogate pair of two escape sequences.
  private mutating func codePoint(from start: Int) throws(TextPattern.Problem) -> UInt32 {
    let high = try hexadecimal(4, from: start)
    let after = at
    guard high & 0xfc00 == 0xd800, take("\\u"), let low = try? hexadecimal(4, from: start), low & 0xfc00 == 0xdc00
    else {
      at = after
      return high
    }
    return 0x10000 + (high & 0x3ff) << 10 + low & 0x3ff
  }

  /// Parses one to six hexadecimal digits in braces: `{1F600}`.
  private mutating func longHexadecimal(from start: Int) throws(TextPattern.Problem) -> UInt32 {
    at += 1
    let count = scalars[at...].prefix(7).firstIndex(of: 0x7d).map { $0 - at } ?? 0
    guard count > 0 else { throw problem("too few hexadecimal digits", at: start) }
    let value = try hexadecimal(count, from: start)
    guard value <= 0x10ffff else { throw problem("the escape sequence is not a valid character", at: start) }
    at += 1
    return value
  }

  private mutating func hexadecimal(_ count: Int, from start: Int) throws(TextPattern.Problem) -> UInt32 {
    guard scalars.count - at >= count else { throw problem("too few hexadecimal digits", at: start) }
    var value: UInt32 = 0
    for scalar in scalars[at..<at + count] {
      guard let digit = Unicode.Scalar(scalar).flatMap({ Character($0).hexDigitValue }) else {
        throw problem("too few hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
    }
    at += count
    return value
  }

  mutating func characterClass(from start: Int) throws(TextPattern.Problem) -> CharacterClass {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while true {
      guard at < scalars.count else { throw problem("the class is not closed: \"]\" is missing", at: start) }
      if isNext("]"), !isFirst { break }
      isFirst = false
      if isNext("[") { throw problem("nested classes are not supported: write \\[ for a bracket") }
      if isNext("&&") { throw problem("&& in a class is not supported") }
      let place = at
      let first = try classMember()
      guard isNext("-"), at + 1 < scalars.count, scalars[at + 1] != 0x5d else {
        ranges += first.positive
        continue
      }
      at += 1
      let last = try classMember()
      guard let low = single(first), let high = single(last), low <= high else {
        throw problem("the end of the range is below its start", at: place)
      }
      ranges.append(low...high)
    }
    at += 1
    return CharacterClass(ranges: ranges, isNegated: isNegated)
  }

  private mutating func classMember() throws(TextPattern.Problem) -> CharacterClass {
    let start = at
    guard at < scalars.count else { throw problem("the class is not closed: \"]\" is missing", at: start) }
    at += 1
    if scalars[start] == 0x5c { return try escapedClass(from: start) }
    return .one(scalars[start])
  }

  private func single(_ set: CharacterClass) -> UInt32? {
    guard !set.isNegated, set.ranges.count == 1, let range = set.ranges.first, range.count == 1 else { return nil }
    return range.lowerBound
  }
}
