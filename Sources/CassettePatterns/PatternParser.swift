/// Reads a regular expression.
struct PatternParser {
  private let scalars: [UInt32]
  private var at = 0
  private var ignoresCase = false
  private var dotIsAll = false
  private var depth = 0

  init(_ source: String) { scalars = source.unicodeScalars.map(\.value) }

  mutating func parse() throws(TextPattern.Problem) -> PatternNode {
    let node = try alternatives()
    guard at == scalars.count else { throw problem("there is no \"(\" for this \")\"") }
    return node
  }

  private func problem(_ message: String, at place: Int? = nil) -> TextPattern.Problem {
    TextPattern.Problem(message: message, column: (place ?? at) + 1)
  }

  private func isNext(_ text: String) -> Bool {
    let wanted = text.unicodeScalars.map(\.value)
    return scalars.count - at >= wanted.count && Array(scalars[at..<at + wanted.count]) == wanted
  }

  private mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    at += text.unicodeScalars.count
    return true
  }

  private mutating func alternatives() throws(TextPattern.Problem) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth < 100 else { throw problem("groups are too deep") }
    // A flag counts until its group ends.
    let flags = (ignoresCase, dotIsAll)
    defer { (ignoresCase, dotIsAll) = flags }
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .either(nodes)
  }

  private mutating func sequence() throws(TextPattern.Problem) -> PatternNode {
    var nodes: [PatternNode] = []
    while at < scalars.count, !isNext("|"), !isNext(")") {
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

  private func literal(_ scalar: UInt32) -> PatternNode { characters(.one(scalar)) }

  private func characters(_ set: CharacterClass) -> PatternNode {
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
      // Lazy or not: whether it matches is the same.
      _ = take("?")
      if isNext("+") { throw problem("possessive quantifiers are not supported", at: start) }
      if isNext("*") || isNext("?") { throw problem("a quantifier follows a quantifier") }
    }
    return node
  }

  /// `{2}`, `{2,}` or `{2,5}`; nil where a brace is only a brace.
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
    guard isOpen || (most ?? 0) >= least else { throw problem("the second number is the smaller one", at: start) }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = at
    while at < scalars.count, (0x30...0x39).contains(scalars[at]), at - start < 6 { at += 1 }
    return at == start ? nil : Int(scalars[start..<at].reduce(0) { $0 * 10 + ($1 - 0x30) })
  }

  /// One thing that may be repeated; nil for what is nothing, as `(?i)`.
  private mutating func atom() throws(TextPattern.Problem) -> PatternNode? {
    let start = at
    if take("(") { return try group(from: start) }
    if take("[") { return characters(try characterClass(from: start)) }
    if take("^") { return .start }
    if take("$") { return .end }
    if take(".") {
      return .characters(
        dotIsAll ? .all : CharacterClass(ranges: CharacterClass.lineEnds.ranges, isNegated: true))
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
        guard take(">") else { throw problem("the group's name has no end", at: start) }
      } else if isNext(">") {
        throw problem("atomic groups are not supported", at: start)
      } else if !take(":") {
        return try flags(from: start)
      }
    }
    let node = try alternatives()
    guard take(")") else { throw problem("the group has no end: \")\" is missing", at: start) }
    return ahead.map { .ahead(node, isNegated: $0) } ?? node
  }

  /// `(?i)` for what follows, or `(?i:…)` for what is in it.
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
    guard take(":") else { throw problem("the group has no end: \")\" is missing", at: start) }
    let node = try alternatives()
    (ignoresCase, dotIsAll) = before
    guard take(")") else { throw problem("the group has no end: \")\" is missing", at: start) }
    return node
  }

  private mutating func escape(from start: Int) throws(TextPattern.Problem) -> PatternNode {
    guard at < scalars.count else { throw problem("a backslash at the end", at: start) }
    switch Unicode.Scalar(scalars[at]) {
    case "b":
      at += 1
      return .wordBoundary(true)
    case "B":
      at += 1
      return .wordBoundary(false)
    case "A":
      at += 1
      return .start
    case "z", "Z":
      at += 1
      return .end
    default: return characters(try escapedClass(from: start))
    }
  }

  /// What stands after a backslash, in a class or outside.
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
    case "s": return .space
    case "S": return negated(.space)
    case "t": return .one(0x09)
    case "n": return .one(0x0a)
    case "r": return .one(0x0d)
    case "f": return .one(0x0c)
    case "v": return .one(0x0b)
    case "x": return .one(try hexadecimal(2, from: start))
    case "u": return .one(try hexadecimal(4, from: start))
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k":
      throw problem("back references are not supported", at: start)
    case let letter? where letter.isASCII && letter.properties.isAlphabetic || letter == "0":
      throw problem("\\\(letter) is not supported", at: start)
    default: return .one(scalar)
    }
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

  private mutating func characterClass(from start: Int) throws(TextPattern.Problem) -> CharacterClass {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while true {
      guard at < scalars.count else { throw problem("the class has no end: \"]\" is missing", at: start) }
      if isNext("]"), !isFirst { break }
      isFirst = false
      if isNext("[") { throw problem("a class in a class is not supported: write \\[ for a bracket") }
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
        throw problem("this is no range", at: place)
      }
      ranges.append(low...high)
    }
    at += 1
    return CharacterClass(ranges: ranges, isNegated: isNegated)
  }

  private mutating func classMember() throws(TextPattern.Problem) -> CharacterClass {
    let start = at
    guard at < scalars.count else { throw problem("the class has no end: \"]\" is missing", at: start) }
    at += 1
    if scalars[start] == 0x5c { return try escapedClass(from: start) }
    return .one(scalars[start])
  }

  private func single(_ set: CharacterClass) -> UInt32? {
    guard !set.isNegated, set.ranges.count == 1, let range = set.ranges.first, range.count == 1 else { return nil }
    return range.lowerBound
  }
}
