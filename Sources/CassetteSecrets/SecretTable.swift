package import CassetteShapes
internal import CassetteSystem

/// The secrets of one recording, and the number by which each is known.
package struct SecretTable: Sendable {
  /// The length from which values are looked for everywhere: shorter ones occur by chance, and are taken out in place.
  static let shortest = SecretPatterns.shortest

  /// The numbers of secrets, by every form they were met in.
  private var secrets: [[UInt8]: Int] = [:]
  private var count = 0
  /// The values that are looked for, in each way to write them.
  private var sought: Set<[UInt8]> = []
  private(set) var patterns = SecretPatterns()
  /// The secrets as they were first met.
  private var values: [[UInt8]] = []
  /// The types of secrets, once they were asked for.
  private var shapes: [Int: SecretType?] = [:]
  /// The spellings of secrets, by number, in the cassette that is recorded anew.
  package var spellings: [Int: SecretType] = [:]
  /// The texts that a person puts in the place of secrets, instead of aliases.
  private var substitutes: [Int: [UInt8]] = [:]
  /// The numbers of aliases, by secret.
  package private(set) var numbers: [Int: Int] = [:]
  private var taken: Set<Int> = []
  private var next = 1

  package var hasPatterns: Bool { patterns.count > 0 }
  /// True if a secret is looked for everywhere that might be a number of JSON.
  private(set) var hasNumbers = false

  /// Takes in a secret without its encoding, or gives the one it already is; `a+b` in a form may mean `a b` as well.
  package mutating func secret(_ value: [UInt8], or others: [[UInt8]] = [], isNamed: Bool = true) -> Int {
    let known = ([value] + others).lazy.compactMap { [secrets] in secrets[$0] }.first
    let secret = known ?? count
    if known == nil {
      count += 1
      values.append(value)
    }
    for value in [value] + others {
      if secrets[value] == nil { secrets[value] = secret }
      guard !sought.contains(value), !Self.isTrivial(value, isNamed: isNamed) else { continue }
      sought.insert(value)
      patterns.add(value, secret)
      if value.allSatisfy({ (0x30...0x39).contains($0) }) { hasNumbers = true }
    }
    return secret
  }

  /// The secret a value is, if it is one.
  func known(_ value: [UInt8]) -> Int? { secrets[value] }

  /// `{{secret:1}}`, or `{{secret:1:int}}` in the place of a number; its number is given when it is first asked for.
  mutating func alias(of secret: Int, asNumber: Bool = false) -> [UInt8] {
    let number: Int
    if let given = numbers[secret] {
      number = given
    } else {
      while taken.contains(next) { next += 1 }
      number = next
      taken.insert(number)
      numbers[secret] = number
    }
    var shape = shape(of: secret)
    if let known = shape, let before = spellings[number], known.isLike(before) { shape = before }
    return Array("{{secret:\(number)\(shape?.placed(asNumber: asNumber).notation ?? "")}}".utf8)
  }

  private mutating func shape(of secret: Int) -> SecretType? {
    if let known = shapes[secret] { return known }
    let shape = SecretType(of: values[secret])
    shapes[secret] = shape
    return shape
  }

  /// Says what a secret is like that is not there to be looked at.
  mutating func declare(_ secret: Int, _ shape: SecretType) { shapes[secret] = shape }

  /// Says what comes in the place of a secret, and no alias.
  mutating func substitute(_ text: String, for secret: Int) { substitutes[secret] = Array(text.utf8) }

  func substitute(for secret: Int) -> [UInt8]? { substitutes[secret] }

  /// The numbers of the secrets that are looked for everywhere, by what they are.
  package var pins: [[UInt8]: Int] {
    sought.reduce(into: [:]) { pins, value in pins[value] = secrets[value].flatMap { numbers[$0] } }
  }

  /// Returns the numbers of some secrets, by their values.
  package func pins(of chosen: Set<Int>) -> [[UInt8]: Int] {
    var pins: [[UInt8]: Int] = [:]
    for (value, secret) in secrets where chosen.contains(secret) { pins[value] = numbers[secret] }
    return pins
  }

  /// Never gives these numbers.
  package mutating func reserve(_ numbers: some Sequence<Int>) { taken.formUnion(numbers) }

  /// Begins numbering anew, with some numbers given.
  package mutating func renumber(_ given: [Int: Int], reserved: Set<Int>) {
    numbers = given
    taken = reserved.union(given.values)
    next = 1
  }

  /// Tells whether a value would be found where it is none of ours: short ones, numbers, plain words.
  static func isTrivial(_ value: [UInt8], isNamed: Bool) -> Bool {
    guard value.count >= shortest else { return true }
    let digits = value.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    // A date that is a secret would be asked for by its stand-in.
    if digits { return value.count < 14 && SecretType(of: value)?.kind != .date }
    let word = String(decoding: value, as: UTF8.self).lowercased().trimmed(" :.,;\t\n\r\"'")
    if words.contains(word) || word.utf8.count < shortest || Prose.isSentence(value) { return true }
    // A plain word stands elsewhere as well, `change`; a secret's name, `Access token:`, is none itself.
    if value.count < 16, value.allSatisfy(ByteSet.letter.contains), ReadableText.isOfWords(value) { return true }
    if word.allSatisfy({ $0.isLetter || $0 == " " }), SecretNames.isParameter(word) { return true }
    // `theme=default`, `lang=english`: nothing says that a cookie is a secret, and words are everywhere.
    return !isNamed && value.count < 24
      && word.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  private static let words: Set<String> = [
    "undefined", "default", "anonymous", "password", "passwd", "secret", "bearer", "string", "redacted", "required",
    "unknown", "disabled", "enabled", "deleted", "example", "changeme", "expired", "invalid", "public", "private",
    "access_token", "refresh_token", "client_secret", "api_key", "number", "boolean", "object", "session", "cookie",
    "negotiate", "digest", "username", "msgstr", "email", "address", "account",
  ]
}

extension String {
  /// Returns the text without some characters around it.
  fileprivate func trimmed(_ characters: String) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
