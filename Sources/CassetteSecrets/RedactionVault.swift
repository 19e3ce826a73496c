internal import CassetteSystem

/// The secrets of one recording, and the number by which each is known.
package struct RedactionVault: Sendable {
  /// Shorter values are taken out where they stand, and nowhere else: they occur by chance.
  static let shortest = 6

  /// What each secret is, in every form it was met in.
  private var secrets: [[UInt8]: Int] = [:]
  private var count = 0
  private var patterns: [UInt32: [(bytes: [UInt8], secret: Int)]] = [:]
  /// The same in one list.
  package private(set) var all: [(bytes: [UInt8], secret: Int)] = []
  /// In hexadecimal and base32, where base64 of it is not looked for.
  private var coded: [(bytes: [UInt8], secret: Int)] = []
  /// How many secrets are looked for one after the other.
  static let few = 48
  /// A bit for each hash of four bytes that a pattern begins with.
  private var begins = [UInt64](repeating: 0, count: 1024)
  /// What each secret is as it was first met.
  private var values: [[UInt8]] = []
  /// What secrets are like, once that was asked.
  private var shapes: [Int: SecretType?] = [:]
  /// How the cassette that is recorded anew spells the secret of a number.
  package var spellings: [Int: SecretType] = [:]
  /// What a person puts in the place of secrets, and no alias.
  private var substitutes: [Int: [UInt8]] = [:]
  /// The numbers of aliases, by secret.
  package private(set) var numbers: [Int: Int] = [:]
  private var taken: Set<Int> = []
  private var next = 1

  var isEmpty: Bool { count == 0 }
  package var hasPatterns: Bool { !patterns.isEmpty }
  /// Whether a secret is looked for everywhere that might be a number of JSON.
  private(set) var hasNumbers = false

  /// Takes in a secret, or gives the one it already is.
  ///
  /// - Parameters:
  ///   - value: Its bytes, without any encoding.
  ///   - others: What else it may have meant, as `a+b` in a form means `a b`.
  ///   - isNamed: Whether it stands under a name that says it is a secret; a cookie does not.
  /// - Returns: Its place among the secrets.
  package mutating func secret(_ value: [UInt8], or others: [[UInt8]] = [], isNamed: Bool = true) -> Int {
    let known = ([value] + others).lazy.compactMap { [secrets] in secrets[$0] }.first
    let secret = known ?? count
    if known == nil {
      count += 1
      values.append(value)
    }
    for value in [value] + others {
      if secrets[value] == nil { secrets[value] = secret }
      if !Self.isTrivial(value, isNamed: isNamed) { addPatterns(value, secret) }
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

  /// The numbers of some secrets, by what they are.
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

  /// Where secrets stand in bytes: from left to right, the longest first.
  func search(_ bytes: [UInt8], _ found: (Range<Int>, Int) -> Void) {
    guard !patterns.isEmpty, bytes.count >= Self.shortest else { return }
    bytes.searching { text in
      if text.count > 4096, all.count <= Self.few {
        searchEach(text, found)
      } else {
        searchAll(text, found)
      }
    }
  }

  /// Where secrets stand in the base64 of some bytes, with every character that holds a bit of one.
  func searchBase64(in bytes: [UInt8], _ found: (Range<Int>, Int) -> Void) {
    guard !patterns.isEmpty, bytes.count >= RedactionBase64.shortest else { return }
    bytes.searching { text in
      if text.count > 4096, all.count <= Self.few { return RedactionBase64.search(for: all, in: text, found) }
      RedactionBase64.eachRun(in: text, 0..<text.count) { run in
        for shift in 0..<4 {
          guard let decoded = RedactionBase64.decode(text, run.lowerBound + shift..<run.upperBound) else { continue }
          search(decoded) { range, secret in
            let start = run.lowerBound + shift + range.lowerBound * 8 / 6
            let end = run.lowerBound + shift + (range.upperBound * 8 + 5) / 6
            found(start..<min(end, run.upperBound), secret)
          }
        }
      }
    }
  }

  /// Looks at each byte, for all secrets at once.
  private func searchAll(_ text: ByteSearch, _ found: (Range<Int>, Int) -> Void) {
    var at = 0
    let last = text.count - Self.shortest
    while at <= last {
      let key = Self.key(text, at)
      let hash = Self.hash(key)
      if begins[hash >> 6] >> UInt64(hash & 63) & 1 == 1, let candidates = patterns[key],
        let match = candidates.first(where: { $0.bytes.searching { text.has($0, at: at) } })
      {
        found(at..<at + match.bytes.count, match.secret)
        at += match.bytes.count
      } else {
        at += 1
      }
    }
  }

  /// Looks for each secret by the byte of it that is rarest: few secrets and a large body.
  private func searchEach(_ text: ByteSearch, _ found: (Range<Int>, Int) -> Void) {
    let counts = text.sample()
    var matches: [(range: Range<Int>, secret: Int)] = []
    for (bytes, secret) in all + coded {
      guard let mark = bytes.indices.min(by: { counts[Int(bytes[$0])] < counts[Int(bytes[$1])] }) else { continue }
      bytes.searching { pattern in
        var from = mark
        while let at = text.first(pattern[mark], from: from) {
          from = at + 1
          if text.has(pattern, at: at - mark) { matches.append((at - mark..<at - mark + pattern.count, secret)) }
        }
      }
    }
    matches.sort { ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count) }
    var end = 0
    for (range, secret) in matches where range.lowerBound >= end {
      found(range, secret)
      end = range.upperBound
    }
  }

  private mutating func addPatterns(_ value: [UInt8], _ secret: Int) {
    addPattern(value, secret)
    if value.allSatisfy({ (0x30...0x39).contains($0) }) { hasNumbers = true }
    // Spaces in forms, and what HTML escapes; percent, JSON and base64 are undone before looking.
    if value.contains(0x20) { addPattern(value.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }, secret) }
    var escaped: [UInt8] = []
    for byte in value {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      default: escaped.append(byte)
      }
    }
    if escaped != value { addPattern(escaped, secret) }
    guard value.count < 512 else { return }
    for letters in ["0123456789abcdef", "0123456789ABCDEF"] {
      let digits = Array(letters.utf8)
      addPattern(value.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, secret, isCoded: true)
    }
    addPattern(Self.base32(value), secret, isCoded: true)
  }

  /// Base32 (RFC 4648 §6), without the last character: what follows decides some of its bits.
  private static func base32(_ value: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var (bits, count) = (UInt32(0), 0)
    var output: [UInt8] = []
    for byte in value {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        output.append(alphabet[Int(bits >> UInt32(count) & 31)])
      }
    }
    return output
  }

  private mutating func addPattern(_ bytes: [UInt8], _ secret: Int, isCoded: Bool = false) {
    let key = bytes.searching { Self.key($0, 0) }
    var others = patterns[key] ?? []
    guard !others.contains(where: { $0.bytes == bytes }) else { return }
    others.append((bytes, secret))
    if isCoded { coded.append((bytes, secret)) } else { all.append((bytes, secret)) }
    others.sort { $0.bytes.count > $1.bytes.count }
    patterns[key] = others
    let hash = Self.hash(key)
    begins[hash >> 6] |= 1 << UInt64(hash & 63)
  }

  private static func key(_ bytes: ByteSearch, _ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
  }

  private static func hash(_ key: UInt32) -> Int { Int((key &* 0x9e37_79b1) >> 16) }

  /// Whether a value would be found where it is none of ours: short ones, numbers, plain words.
  static func isTrivial(_ value: [UInt8], isNamed: Bool) -> Bool {
    guard value.count >= shortest else { return true }
    let digits = value.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    if digits { return value.count < 14 }
    let word = String(decoding: value, as: UTF8.self).lowercased()
    if words.contains(word) { return true }
    // `theme=default`, `lang=english`: nothing says that a cookie is a secret, and words are everywhere.
    return !isNamed && value.count < 24
      && word.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  private static let words: Set<String> = [
    "undefined", "default", "anonymous", "password", "passwd", "secret", "bearer", "string", "redacted", "required",
    "unknown", "disabled", "enabled", "deleted", "example", "changeme", "expired", "invalid", "public", "private",
    "access_token", "refresh_token", "client_secret", "api_key", "number", "boolean", "object", "session", "cookie",
  ]
}
