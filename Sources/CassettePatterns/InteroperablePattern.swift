/// The grammar of interoperable regular expressions (RFC 9485 §4), which JSON paths match with.
struct InteroperablePattern {
  private let scalars: [UInt32]
  private var at = 0

  /// Tells whether a text is one.
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

  /// Groups are counted, not recursed into: `(`, an expression, `)` and what repeats it.
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

  /// Reads the character or category behind a backslash.
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
      // A hyphen is first or last.
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

  /// Reads the rest of a range, which begins with the character before; nothing where the hyphen is the last.
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
