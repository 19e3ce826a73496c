internal import CassetteSystem

/// Tells sentences from secrets, where no quotes do.
package enum Prose {
  private static let words: Set = [
    "must", "is", "be", "the", "not", "should", "required", "invalid", "at", "too", "for", "has", "was", "with",
    "cannot", "and", "or", "you", "your", "this", "of", "in", "to", "a", "an", "are", "can", "if", "may", "will",
    "when", "from", "that", "which", "have",
  ]
  private static let types: Set = [
    "string", "int", "integer", "float", "boolean", "bool", "id", "number", "object", "array", "null", "true", "false",
    "none", "nil", "undefined", "required", "optional", "invalid", "missing", "incorrect", "expired", "hidden", "yes",
    "no", "string!", "id!", "int!", "bearer", "basic", "any", "data", "self", "text", "password", "token", "read",
    "write", "str", "bytes", "dict", "list", "tuple", "callable", "incomplete",
  ]

  /// Tells whether a value reads as a part of a sentence: `must be at least 8 characters`.
  package static func isSentence(_ value: [UInt8]) -> Bool {
    guard value.contains(0x20)
    else { return types.contains(String(decoding: value.prefix(16), as: UTF8.self).lowercased()) }
    let parts = String(decoding: value.prefix(200), as: UTF8.self).lowercased().split(separator: " ")
    return parts.count > 1 && parts.contains { words.contains(String($0)) }
  }

  /// Tells whether a value is words in a row as a person makes them a password, and no sentence about one.
  package static func isPhrase(_ value: [UInt8]) -> Bool {
    guard value.count < 100, value.allSatisfy({ $0 == 0x20 || (0x61...0x7a).contains($0) }) else { return false }
    let parts = value.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    return parts.count > 3 && parts.allSatisfy { !words.contains($0) || articles.contains($0) }
  }

  private static let articles: Set = ["the", "a", "an", "of", "in", "and", "with", "from", "at"]

  /// Tells whether a value is an expression of a program: `service.token(user)`, `os.environ["TOKEN"]`.
  package static func isExpression(_ value: [UInt8]) -> Bool {
    if value.last == UInt8(ascii: ")"), value.contains(UInt8(ascii: "(")) { return true }
    // `secret: 42,`
    if value.count < 4, value.last == UInt8(ascii: ","), value.dropLast().allSatisfy(\.isDigit) { return true }
    // `.token:hover{`
    if value.starts(with: "await ".utf8) || value.last == UInt8(ascii: "{") { return true }
    if [[0x7c, 0x7c], [0x26, 0x26], [0x3d, 0x3e]].contains(Array(value.suffix(2))) { return true }
    let name = value.prefix(while: nameBytes.contains)
    guard name.contains(0x2e), let first = name.first, first > 0x39 else { return false }
    // `var.db_password`, `n.apiKey`, `process.env.KEY;`
    let rest = value[name.count...]
    if operators.contains(where: rest.starts) { return true }
    if rest.isEmpty || rest.elementsEqual([0x3b]) || rest.elementsEqual([0x2c]) {
      return !name.contains { (0x30...0x39).contains($0) } && name.last != 0x2e
        && name.split(separator: 0x2e).allSatisfy(ReadableText.isReadable)
    }
    return value[name.count] == UInt8(ascii: "(") || value[name.count] == UInt8(ascii: "[")
  }

  private static let operators = [" || ", " && ", " ?? ", " ? ", " = ", " == ", " != "].map { Array($0.utf8) }
  private static let nameBytes = ByteSet.word.adding("_.")

  /// Tells whether a value is the type of a program's name: `Optional[str] = None`, `_Auth | None`.
  package static func isType(_ value: [UInt8]) -> Bool {
    let name = value.prefix(while: nameBytes.contains)
    let rest = value[name.count...]
    guard let first = name.first(where: { $0 != 0x5f }), ReadableText.isReadable(name),
      (0x41...0x5a).contains(first) || types.contains(String(decoding: name, as: UTF8.self))
    else { return false }
    if rest.first == UInt8(ascii: "[") { return rest.prefix { $0 != 0x5d }.allSatisfy(typeBytes.contains) }
    return [" | ", " = ", " }", "?"].contains { rest.starts(with: $0.utf8) }
  }

  private static let typeBytes = ByteSet.letter.adding("[]|_.,'\" ")

  /// Tells whether a value is another name of a program's with the same last word: `sin_signature = cos_signature`.
  package static func isReference(_ value: [UInt8], to name: String) -> Bool {
    guard let last = name.split(whereSeparator: { $0 == "_" || $0 == "." }).last, value.contains(0x5f),
      !value.contains(where: \.isDigit), value.allSatisfy(nameBytes.contains)
    else { return false }
    return String(decoding: value, as: UTF8.self).lowercased().hasSuffix("_\(last)")
  }

  /// Tells whether a value is a call or an element: `tokens[0]`, `require(`; behind a colon as far as its end.
  package static func isCall(_ value: [UInt8], isAssigned: Bool) -> Bool {
    let name = value.prefix(while: nameBytes.contains)
    guard name.count < value.count, [0x28, 0x5b].contains(value[name.count]), ReadableText.isReadable(name)
    else { return false }
    let last = value.last { $0 != 0x2c && $0 != 0x3b } ?? 0
    return isAssigned || [0x28, 0x29, 0x5b, 0x5d].contains(last)
  }

  /// Tells whether a value is the type of a parameter: `tokens: ParseResults)`, `code: PydanticErrorCodes,`.
  package static func isParameter(_ value: [UInt8], of name: String) -> Bool {
    let word = value.prefix(while: ByteSet.letter.adding("._").contains)
    guard word.count > 3, ReadableText.isReadable(word), !word.contains(where: \.isDigit) else { return false }
    let rest = value[word.count...]
    if rest.first == 0x29 { return rest.count == 1 || rest.dropFirst().first == 0x3a || rest.dropFirst().first == 0x20 }
    guard rest.isEmpty || rest.elementsEqual([0x2c]), let first = word.first, (0x41...0x5a).contains(first),
      word.dropFirst().contains(where: { (0x41...0x5a).contains($0) }), !name.contains("pass"),
      let last = name.split(whereSeparator: { $0 == "_" || $0 == "." }).last
    else { return false }
    return String(decoding: word, as: UTF8.self).lowercased().contains(last.hasSuffix("s") ? last.dropLast() : last)
  }

  /// Tells whether a value is a word as any other.
  package static func isWord(_ value: [UInt8]) -> Bool {
    guard value.count < 24 else { return false }
    var letters = value[...]
    if let last = letters.last, [0x2e, 0x21, 0x3f, 0x3a].contains(last) { letters = letters.dropLast() }
    // `(required`
    if let first = letters.first, first < 0x41 { letters = letters.dropFirst() }
    if letters.count > 7, !ReadableText.isReadable(letters) { return false }
    return letters.dropFirst().allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x27 || $0 == 0x5f }
      || letters.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x5f }
      || types.contains(String(decoding: letters, as: UTF8.self).lowercased())
  }

  private static let wordMarks = ByteSet(adding: "-_!*$~+=@")

  /// Tells if a value has letters of both cases and digits, or is hexadecimal: no word.
  package static func isMixed(_ value: [UInt8]) -> Bool {
    value.contains(where: \.isDigit) && value.contains(where: ByteSet.letter.contains)
      && value.allSatisfy { ByteSet.word.contains($0) || wordMarks.contains($0) }
  }

  /// Tells if a value has small letters, capitals and digits: `UmbraFlicker75`.
  package static func hasAllKinds(_ value: [UInt8]) -> Bool {
    value.contains(where: \.isDigit) && value.contains { (0x41...0x5a).contains($0) }
      && value.contains { (0x61...0x7a).contains($0) }
  }

  /// Tells if a value is of words with a few numbers: `RecoveryPolicy3`, `BSD-3-clause`.
  package static func isOfWords(_ value: [UInt8]) -> Bool {
    value.count(where: \.isDigit) * 8 <= value.count && ReadableText.isReadable(value.map { $0.isDigit ? 0x20 : $0 })
  }

  /// Tells if a value is a word with a number behind it: `version2`, `sha-256`, `2026-01`.
  package static func isNumbered(_ value: [UInt8]) -> Bool {
    let rest = value.drop { !$0.isDigit }
    return rest.count <= 4 && rest.allSatisfy { $0.isDigit || wordMarks.contains($0) }
  }
}
