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
      // What looks like an escape in a value is undone with those around it.
      var view = DecodedView(value)
      for _ in 0..<3 {
        guard let edits = view.undoing(.all) else { break }
        view = DecodedView(value, edits)
        if view.bytes.count >= Self.shortest { patterns.add(view.bytes, secret) }
      }
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

  /// Says what comes in the place of a secret, and no alias.
  mutating func substitute(_ text: String, for secret: Int) { substitutes[secret] = Array(text.utf8) }

  func substitute(for secret: Int) -> [UInt8]? { substitutes[secret] }

  /// The numbers of the secrets that are looked for everywhere, by what they are.
  package var pins: [[UInt8]: Int] {
    sought.reduce(into: [:]) { pins, value in pins[value] = secrets[value].flatMap { numbers[$0] } }
  }

  /// Never gives these numbers.
  package mutating func reserve(_ numbers: some Sequence<Int>) { taken.formUnion(numbers) }

  /// Looks also for secrets of which a part was replaced by its alias, when that was known and the whole was not.
  package mutating func seekRedacted() {
    for value in sought {
      var parts = Replacements()
      patterns.searchWithin(value) { if numbers[$1] != nil { parts.insert($0, .alias($1)) } }
      parts.settle()
      if !parts.isEmpty, let secret = secrets[value] { patterns.add(parts.applied(to: value, &self), secret) }
    }
  }

  /// Gives a secret that has no number yet one that a cassette has for it, unless another secret has it.
  package mutating func adopt(_ number: Int, for secret: Int) {
    guard numbers[secret] == nil, !numbers.values.contains(number) else { return }
    numbers[secret] = number
    taken.insert(number)
  }

  /// Begins numbering anew, with some numbers given.
  package mutating func renumber(_ given: [Int: Int], reserved: Set<Int>) {
    numbers = given
    taken = reserved.union(given.values)
    next = 1
  }

  /// Returns true for a value that stands in texts by chance, and is taken out only where it is named: a short one, a
  /// number, a date, a plain word.
  static func isTrivial(_ value: [UInt8], isNamed: Bool) -> Bool {
    guard value.count >= shortest else { return true }
    if value.allSatisfy({ (0x2d...0x39).contains($0) && $0 != 0x2f }) {
      return value.count < 14 && SecretType(of: value)?.kind != .date
    }
    return value.count < (isNamed ? 12 : 24)
      && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f || $0 == 0x20 }
  }
}
