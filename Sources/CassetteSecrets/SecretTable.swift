package import CassetteShapes

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
  /// The part that aliases of a journal play in the texts: they are written, or they become those of a cassette.
  enum Journal { case written, folded }
  private(set) var journal: Journal?
  /// The secrets by the numbers that a journal gave them.
  private var journaled: [Int: Int] = [:]

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

  /// Begins numbers that no cassette has.
  package mutating func beginJournal() { (next, journal) = (SecretAlias.firstOfJournal + 1, .written) }

  /// Begins to give numbers that stay: to what is no journal's, or to the secrets of this one as well.
  package mutating func endJournal(folding isFolding: Bool) {
    journal = nil
    if isFolding {
      // An alias stands within a secret of which a part was known before the whole.
      for value in sought { if let form = journaled(value), let secret = secrets[value] { patterns.add(form, secret) } }
      journal = .folded
      for (secret, number) in numbers { journaled[number] = secret }
    }
    renumber([:], reserved: [])
  }

  /// A secret as a journal has it that knew a part of it alone; nil where it did not.
  private mutating func journaled(_ value: [UInt8]) -> [UInt8]? {
    var parts = Replacements()
    patterns.searchWithin(value) { if numbers[$1] != nil { parts.insert($0, .alias($1)) } }
    return parts.isEmpty ? nil : parts.applied(to: value, &self)
  }

  /// The secret that an alias of a journal stands for; one that is not there to be looked at is what the alias says.
  mutating func secret(_ alias: SecretAlias) -> Int {
    if let known = journaled[alias.number] { return known }
    defer { count += 1 }
    values.append([])
    (journaled[alias.number], shapes[count]) = (count, alias.shape)
    return count
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

  /// Begins numbering anew, with some numbers given.
  package mutating func renumber(_ given: [Int: Int], reserved: Set<Int>) {
    numbers = given
    taken = reserved.union(given.values)
    next = 1
  }

  /// Tells whether a value would be found where it is none of ours: short ones, numbers, plain words.
  static func isTrivial(_ value: [UInt8], isNamed: Bool) -> Bool {
    guard value.count >= shortest, !CommonText.isLikely(value, isNamed: isNamed) else { return true }
    // A secret's name, `Access token:`, is none itself.
    let word = CommonText.word(value)
    return word.allSatisfy { $0.isLetter || $0 == " " } && SecretNames.isParameter(word)
  }
}
