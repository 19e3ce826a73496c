/// A parser of interoperable regular expressions (RFC 9485 §4), which JSON paths use.
struct InteroperablePattern {
  private let scalars: [UInt32]
  private var at = 0

  /// Returns true if a string is a valid expression.
  static func accepts(_ source: String) -> Bool {
    var pattern = InteroperablePattern(scalars: source.unicodeScalars.map(\.value))
    return pattern.alternatives()
  }

  private init(scalars: [UInt32]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { at < scalars.count ? Unicode.Scalar(scalars[at]) : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    at += 1
    return true
  }

  /// Parses alternatives.
  ///
  /// Groups are counted rather than parsed recursively, so that nesting does not use the stack.
  private mutating func alternatives() -> Bool {
    var depth = 0
    while let scalar = next {
      at += 1
      switch scalar {
      case "|": continue
      case "(":
        depth += 1
        continue
      case ")":
        depth -= 1
        if depth < 0 { return false }
      case "[": if !characterClass() { return false }
      case "\\": if !escape() { return false }
      case "*", "+", "?", "]", "{", "}": return false
      default: break
      }
      if !quantifier() { return false }
    }
    return depth == 0
  }

  private mutating func quantifier() -> Bool {
    if take("*") || take("+") || take("?") { return true }
    guard take("{") else { return true }
    guard digits() else { return false }
    if take(",") { _ = digits() }
    return take("}")
  }

  private mutating func digits() -> Bool {
    let start = at
    while let scalar = next, ("0"..."9").contains(scalar) { at += 1 }
    return at > start
  }

  /// Parses the character or category after a backslash.
  private mutating func escape() -> Bool {
    guard let scalar = next else { return false }
    at += 1
    switch scalar {
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "n", "r", "t", "{", "|", "}": return true
    case "p", "P":
      guard take("{"), let end = scalars[at...].firstIndex(of: 0x7d) else { return false }
      let name = String(String.UnicodeScalarView(scalars[at..<end].compactMap { Unicode.Scalar($0) }))
      at = end + 1
      return UnicodeCategory.characters(named: name, isAbbreviated: true) != nil && name != "Cs"
    default: return false
    }
  }

  private mutating func characterClass() -> Bool {
    _ = take("^")
    var isFirst = true
    while let scalar = next {
      at += 1
      switch scalar {
      case "]": return !isFirst
      case "[": return false
      // An unescaped hyphen must be the first or last character.
      case "-": if !isFirst, next != "]" { return false }
      case "\\":
        let isCategory = next == "p" || next == "P"
        guard escape(), isCategory || range() else { return false }
      default: if !range() { return false }
      }
      isFirst = false
    }
    return false
  }

  /// Parses the rest of a range, of which the first character was parsed; a hyphen at the end is not a range.
  private mutating func range() -> Bool {
    guard next == "-", at + 1 < scalars.count, scalars[at + 1] != 0x5d else { return true }
    at += 1
    guard let last = next else { return false }
    at += 1
    switch last {
    case "[", "]", "-": return false
    case "\\": return next != "p" && next != "P" && escape()
    default: return true
    }
  }
}
