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
