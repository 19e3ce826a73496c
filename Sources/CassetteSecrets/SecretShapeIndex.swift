/// The parsed table: an automaton that finds all keywords at once, and the patterns of each keyword.
struct SecretShapeIndex: Sendable {
  static let block = SecretShape(kind: "PEM private key", evidence: .block)
  private(set) var patterns: [SecretPattern] = []
  /// The keywords; the first one is the start of a private key.
  private(set) var words = [Word(bytes: Array(SecretKeyBlock.begin.utf8))]
  private(set) var automaton = KeywordAutomaton([])
  /// The lines of the table that could not be parsed; a test verifies that the list is empty.
  private(set) var problems: [String] = []

  /// A keyword.
  struct Word: Sendable {
    var bytes: [UInt8]
    /// The patterns that contain the word.
    var forms: [Int] = []
    /// The patterns whose values follow the word.
    var names: [Int] = []
  }

  static let shared = SecretShapeIndex(SecretShapeTable.forms + SecretShapeTable.names)

  init(_ table: String) {
    var numbers: [[UInt8]: Int] = [:]
    for entry in Self.unquoted(Substring(table), { $0 == ";" }) {
      let parts = entry.split(separator: ":", maxSplits: 1)
      let head = parts[0].split(separator: "~")
      // The kind without the source in brackets.
      let kind = head[0].prefix { $0 != "[" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let before = head.count > 1 ? Self.words(head[1]) : []
      guard parts.count > 1, !kind.isEmpty else {
        if !kind.isEmpty { problems.append(kind) }
        continue
      }
      let evidence: SecretShape.Evidence = before.isEmpty ? .form : .name
      let texts = Self.unquoted(parts[1]) { $0 == "|" }.flatMap(Self.expansions)
      for words in kind.hasPrefix("_") ? before.map({ [$0] }) : [before] {
        let shape = SecretShape(kind: kind.hasPrefix("_") ? words[0] + kind.dropFirst() : kind, evidence: evidence)
        for text in texts { add(text, shape, before: words, &numbers) }
      }
    }
    automaton = KeywordAutomaton(words.map(\.bytes))
  }

  private mutating func number(of word: [UInt8], _ numbers: inout [[UInt8]: Int]) -> Int {
    let word = word.map(SecretPattern.folded)
    if let number = numbers[word] { return number }
    numbers[word] = words.count
    words.append(Word(bytes: word))
    return words.count - 1
  }

  private mutating func add(
    _ text: String, _ shape: SecretShape, before: [String], _ numbers: inout [[UInt8]: Int]
  ) {
    guard var pattern = SecretPattern(text, shape) else { return problems.append(text) }
    if before.isEmpty {
      pattern.chooseKeyword()
      guard let keyword = pattern.keyword else { return problems.append(text) }
      let word = number(of: pattern.pieces[keyword.piece].literal, &numbers)
      words[word].forms.append(patterns.count)
    }
    for word in before {
      let word = number(of: Array(word.utf8), &numbers)
      words[word].names.append(patterns.count)
    }
    if pattern.bits == 0 { pattern.bits = before.isEmpty ? 1.5 : 2 }
    patterns.append(pattern)
  }

  /// Returns the words of a list, with braces expanded; a plus sign is a space.
  static func words(_ text: some StringProtocol) -> [String] {
    text.split(whereSeparator: \.isWhitespace).flatMap { expansions(Substring($0)) }
      .map { String($0.map { $0 == "+" ? " " : $0 }) }
  }

  private static func expansions(_ text: Substring) -> [String] {
    guard let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}")
    else { return [String(text)] }
    let rest = expansions(text[text.index(after: close)...])
    return text[text.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false).flatMap {
      choice in rest.map { text[..<open] + choice + $0 }
    }
  }

  /// Splits a string at separators that are not in quotation marks.
  static func unquoted(_ text: Substring, _ isSeparator: (Character) -> Bool) -> [Substring] {
    var isQuoted = false
    return text.split {
      if $0 == "'" { isQuoted.toggle() }
      return isSeparator($0) && !isQuoted
    }
  }
}

extension SecretPattern {
  /// Parses a pattern of the table.
  init?(_ text: String, _ shape: SecretShape) {
    self.init(shape: shape)
    for token in SecretShapeIndex.unquoted(Substring(text), \.isWhitespace) where !add(token) { return nil }
    if pieces.isEmpty { return nil }
  }

  private mutating func add(_ token: Substring) -> Bool {
    let quoted = Array(token.drop { $0 != "'" }.dropFirst().dropLast().utf8)
    switch token.first {
    case "*": isAnywhere = true
    case "#": needsDigit = true
    case "[": secret = pieces.count..<Int.max
    case "]": secret = secret.lowerBound..<pieces.count
    case ">": bits = Double(token.dropFirst()) ?? 0
    case "^": word = quoted
    case "'": pieces.append(Piece(literal: quoted))
    case "~": pieces.append(Piece(literal: quoted.map(Self.folded), folds: true))
    default:
      if token == "uuid" {
        return ["word8", "'-'", "word4", "'-'", "word4", "'-'", "word4", "'-'", "word12"].allSatisfy { add($0) }
      }
      let name = token.prefix { $0.isLetter }
      let counts = token.dropFirst(name.count).split(separator: "-").map { Int($0.prefix { $0.isNumber }) }
      guard let set = SecretText.sets.firstIndex(where: { $0.key == name }), let least = counts.first ?? nil
      else { return false }
      pieces.append(Piece(set: set, least: least, most: token.last == "+" ? Int.max : (counts.last ?? nil) ?? least))
    }
    return true
  }
}
