/// The secrets of one recording, and their numbers.
package struct SecretTable: Sendable {
  /// The minimum length of values that are searched for everywhere; shorter values are replaced only where they were
  /// found.
  static let shortest = SecretPatterns.shortest

  private struct Secret: Sendable {
    /// The value in the form found first, and whether a name identified it.
    var value: [UInt8]
    var isSettled = false
    /// The type, computed on first use.
    var type: SecretType??
    /// The alias in a string, computed on first use.
    var alias: [UInt8]?
    /// The user-defined replacement, which is used instead of the alias.
    var substitute: [UInt8]?
  }

  private var all: [Secret] = []
  /// The index of each secret, by every known form of its value.
  private var secrets: [SecretBytes: Int] = [:]
  var count: Int { all.count }
  /// The values that are searched for, in all spellings.
  private var sought: Set<SecretBytes> = []
  private(set) var patterns = SecretPatterns()
  /// The types of secrets by alias number, from the existing cassette that is recorded again.
  package var spellings: [Int: SecretType] = [:]
  /// The alias numbers, by secret.
  package private(set) var numbers: [Int: Int] = [:]
  private var taken: Set<Int> = []
  private var next = 1
  /// The secrets whose numbers were assigned by ``alias(of:asNumber:)``, in order.
  private(set) var assigned: [Int] = []

  /// True if all secrets get the same mask instead of aliases.
  var masks = false
  package var hasPatterns: Bool { !patterns.isEmpty }
  /// True if a secret that is searched for everywhere may be a JSON number.
  private(set) var hasNumbers = false

  /// Adds a decoded secret or returns its existing index; `others` are alternative decodings, such as `a b` for `a+b`.
  package mutating func secret(_ value: [UInt8], or others: [[UInt8]] = [], isNamed: Bool = true) -> Int {
    if others.isEmpty, let known = secrets[SecretBytes(bytes: value)], all[known].isSettled || !isNamed { return known }
    let known = ([value] + others).lazy.compactMap { [secrets] in secrets[SecretBytes(bytes: $0)] }.first
    let secret = known ?? count
    if known == nil { all.append(Secret(value: value)) }
    if isNamed { all[secret].isSettled = true }
    for value in [value] + others {
      let key = SecretBytes(bytes: value)
      if secrets[key] == nil { secrets[key] = secret }
      guard !Self.isTrivial(value, isNamed: isNamed), sought.insert(key).inserted else { continue }
      patterns.add(value, secret)
      // Sequences in a value that look like escapes are decoded together with the escapes around them.
      if let deepest = DecodedView(value).deepest?.bytes, deepest.count >= Self.shortest {
        patterns.add(deepest, secret)
      }
      if value.allSatisfy({ (0x30...0x39).contains($0) }) { hasNumbers = true }
    }
    return secret
  }

  /// Returns the index of the secret with a value, or nil if the value is unknown.
  func known(_ value: [UInt8]) -> Int? { secrets[SecretBytes(bytes: value)] }

  /// Returns the alias: `{{secret:1}}`, or `{{secret:1:int}}` for a number; alias numbers are assigned on first use.
  mutating func alias(of secret: Int, asNumber: Bool = false) -> [UInt8] {
    if masks { return Array(SecretNames.mask.utf8) }
    if !asNumber, let known = all[secret].alias { return known }
    while numbers[secret] == nil {
      if taken.insert(next).inserted {
        numbers[secret] = next
        assigned.append(secret)
      }
      next += 1
    }
    let (number, known) = (numbers[secret] ?? 0, all[secret].type ?? SecretType(of: all[secret].value))
    all[secret].type = .some(known)
    var shape = known
    if let known, let before = spellings[number], known.isLike(before) { shape = before }
    let alias = Array("{{secret:\(number)\(shape?.placed(asNumber: asNumber).notation ?? "")}}".utf8)
    if !asNumber { all[secret].alias = alias }
    return alias
  }

  /// Withdraws all assigned numbers but the first `count`.
  mutating func withdrawNumbers(after count: Int) {
    for secret in assigned[count...] {
      guard let number = numbers.removeValue(forKey: secret) else { continue }
      taken.remove(number)
      all[secret].alias = nil
      next = min(next, number)
    }
    assigned.removeSubrange(count...)
  }

  /// Sets the replacement for a secret, which is used instead of its alias.
  mutating func substitute(_ text: String, for secret: Int) { all[secret].substitute = Array(text.utf8) }

  func substitute(for secret: Int) -> [UInt8]? { all[secret].substitute }

  /// The alias numbers of the secrets that are searched for everywhere, by value.
  package var pins: [[UInt8]: Int] {
    sought.reduce(into: [:]) { pins, value in pins[value.bytes] = secrets[value].flatMap { numbers[$0] } }
  }

  /// Excludes the given numbers from assignment.
  package mutating func reserve(_ numbers: some Sequence<Int>) { taken.formUnion(numbers) }

  /// Also searches for secrets in which a part has been replaced: the part is a secret that was known before the whole.
  package mutating func seekRedacted() {
    for value in sought {
      var parts = Replacements()
      patterns.searchWithin(value.bytes) { if numbers[$1] != nil { parts.insert($0, .alias($1)) } }
      parts.settle()
      if !parts.isEmpty, let secret = secrets[value] {
        patterns.add(parts.applied(to: value.bytes, in: value.bytes.indices, &self), secret)
      }
    }
  }

  /// Assigns a number from a cassette to a secret without a number, unless another secret has this number.
  package mutating func adopt(_ number: Int, for secret: Int) {
    guard numbers[secret] == nil, !numbers.values.contains(number) else { return }
    numbers[secret] = number
    taken.insert(number)
  }

  /// Restarts the numbering with some numbers assigned.
  package mutating func renumber(_ given: [Int: Int], reserved: Set<Int>) {
    numbers = given
    for secret in all.indices { all[secret].alias = nil }
    taken = reserved.union(given.values)
    (assigned, next) = ([], 1)
  }

  /// True if a value often occurs by chance and is replaced only at its own place: a short value, a number, a date, a
  /// plain word.
  static func isTrivial(_ value: [UInt8], isNamed: Bool) -> Bool {
    guard value.count >= shortest else { return true }
    if value.allSatisfy({ (0x2d...0x39).contains($0) && $0 != 0x2f }) {
      return value.count < 14 && SecretType(of: value)?.kind != .date
    }
    return value.count < (isNamed ? 12 : 24)
      && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x5f || $0 == 0x20 }
  }
}
