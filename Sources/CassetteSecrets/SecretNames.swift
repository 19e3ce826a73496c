internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Decides by name whether a value is a secret, using `SecretNameTable`.
package enum SecretNames {
  /// The text displayed instead of a secret.
  package static let mask = "{{secret}}"

  /// The classification of a name.
  package enum Verdict: Sendable {
    case harmless
    case secret
    /// The value is a secret in the parameters of a URL or form: `code`.
    case parameter
    /// The value is a secret unless it is a number, because plural names are also used for counts: `tokens`.
    case several
    /// The value is itself a name, such as `password` in `"name": "password"`.
    case holder
    /// The value belongs to the name in a neighboring member: `"value": "…"` next to `"name": "password"`.
    case value
  }

  /// True if the text is an alias or a mask: `{{secret:1}}`.
  package static func isPlaceholder(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("{{secret") && text.hasSuffix("}}")
  }

  /// True if a value is an alias or a mask: `{{secret:1}}`.
  static func isPlaceholder(_ value: [UInt8]) -> Bool {
    value.searching { $0.has("{{secret", at: 0) && $0.has("}}", at: $0.count - 2) }
  }

  /// True if the value of the header field is a secret.
  package static func isField(_ name: String) -> Bool {
    Array(name.utf8).searching { index.isField($0) || verdict(on: $0, 0..<$0.count) == .secret }
  }

  /// True if the value of a query parameter or form field with this name is a secret.
  package static func isParameter(_ name: some StringProtocol) -> Bool {
    let verdict = verdict(on: String(name))
    return verdict == .secret || verdict == .parameter
  }

  /// Classifies a name, in any context.
  package static func verdict(on name: String) -> Verdict {
    Array(name.utf8).searching { verdict(on: $0, 0..<$0.count) }
  }

  /// Classifies the name in a range, after decoding its escapes.
  static func verdict(on text: ByteSearch, _ range: Range<Int>) -> Verdict {
    // The paths in a document of OpenAPI are members.
    guard range.count <= 128, text.at(range.lowerBound) != UInt8(ascii: "/") else { return .harmless }
    for at in range where text[at] == UInt8(ascii: "%") || text[at] == UInt8(ascii: "\\") {
      let name = Array(SecretNames.text(text, range).utf8)
      return name.searching { index.verdict(on: $0, 0..<$0.count) }
    }
    return index.verdict(on: text, range)
  }

  /// Returns a name with its escapes decoded.
  static func text(_ text: ByteSearch, _ range: Range<Int>) -> String {
    if text.first(UInt8(ascii: "%"), in: range) != nil {
      return PercentEncoding.decodeText(text.bytes(range)[...], plusIsSpace: true)
    }
    if text.first(UInt8(ascii: "\\"), in: range) != nil {
      return String(decoding: JSONString.decodeLoosely(text.bytes(range).span), as: UTF8.self)
    }
    return text.uncheckedBytes(in: range) {
      String(decoding: UnsafeBufferPointer(start: $0, count: range.count), as: UTF8.self)
    }
  }

  static func words(_ table: String) -> [String] { table.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// The names of members below `credentials` whose values are not secrets.
  static let kinds = Set(words(SecretNameTable.kinds))

  private static let index = NameIndex()
}

/// The tables of names, and of all ends of these names, by the hash of their letters from last to first.
private struct NameIndex: Sendable {
  private struct Flags: OptionSet {
    let rawValue: UInt16
    static let name = Flags(rawValue: 1)
    static let ending = Flags(rawValue: 2)
    static let word = Flags(rawValue: 4)
    static let parameter = Flags(rawValue: 8)
    static let exception = Flags(rawValue: 16)
    static let tail = Flags(rawValue: 32)
    static let holder = Flags(rawValue: 64)
    static let value = Flags(rawValue: 128)
    static let field = Flags(rawValue: 256)
    /// The end of a name.
    static let end = Flags(rawValue: 512)
  }

  /// A hash table with open addressing: a dictionary would hash the hashes again.
  private var slots = [(hash: UInt64, flags: Flags)](repeating: (0, []), count: 8192)

  private func slot(_ hash: UInt64) -> Int {
    var at = Int(hash & 8191)
    while slots[at].hash != hash, slots[at].hash != 0 { at = (at + 1) & 8191 }
    return at
  }

  init() {
    let tables: [(String, Flags)] = [
      (SecretNameTable.names, .name), (SecretNameTable.endings, .ending), (SecretNameTable.words, .word),
      (SecretNameTable.parameters, .parameter), (SecretNameTable.exceptions, .exception),
      (SecretNameTable.tails, .tail), (SecretNameTable.holders, .holder), (SecretNameTable.values, .value),
      (SecretNameTable.fields, .field),
    ]
    for (table, flag) in tables {
      for word in SecretNames.words(table) {
        var hash: UInt64 = 0
        for byte in word.utf8.reversed() where Self.isCompared(byte) {
          hash = Self.step(hash, byte)
          let slot = slot(hash)
          slots[slot] = (hash, slots[slot].flags.union(.end))
        }
        slots[slot(hash)].flags.insert(flag)
      }
    }
  }

  @inline(__always)
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    let next = (hash ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
    return next ^ next &>> 29
  }

  /// True if a byte of a name is part of its hash: a letter, a digit, or a part of another character.
  private static func isCompared(_ byte: UInt8) -> Bool { byte >= 0x80 || ByteSet.word.contains(byte) }

  /// True if a header field with this name is secret, although other values with this name are not.
  func isField(_ name: ByteSearch) -> Bool {
    var hash: UInt64 = 0
    for at in (0..<name.count).reversed() where Self.isCompared(name[at]) {
      hash = Self.step(hash, SecretPattern.folded(name[at]))
    }
    return slots[slot(hash)].flags.contains(.field)
  }

  func verdict(on text: ByteSearch, _ range: Range<Int>) -> SecretNames.Verdict {
    // The plural of an exception is an exception as well.
    guard let verdict = name(text, range) else { return .harmless }
    guard verdict == .harmless, let last = range.last, text[last] | 0x20 == UInt8(ascii: "s") else { return verdict }
    return name(text, range.lowerBound..<last) == .secret ? .several : .harmless
  }

  /// Classifies a name in the singular; returns nil for an exception.
  private func name(_ text: ByteSearch, _ range: Range<Int>) -> SecretNames.Verdict? {
    var (hash, at): (UInt64, Int) = (0, range.upperBound)
    var (isLast, isSecret) = (true, false)
    var whole: Flags = []
    var tail: Int?
    let (word, separators) = (ByteSet.word, Self.separators)
    while at > range.lowerBound {
      at -= 1
      let byte = text[at]
      guard byte >= 0x80 || word.contains(byte) else {
        guard separators.contains(byte) else { continue }
        // The last part of a name, or the part after `X-`.
        if hash != 0, isLast { whole.formUnion(slots[slot(hash)].flags) }
        isLast = isLast && hash == 0
        continue
      }
      hash = Self.step(hash, SecretPattern.folded(byte))
      let found = slots[slot(hash)].flags
      if found.isEmpty { break }
      guard isLast else { continue }
      if found.contains(.exception) { return nil }
      if found.contains(.ending) || found.contains(.word) && Self.isWord(text, at, range) { isSecret = true }
      if found.contains(.tail), tail == nil, at > range.lowerBound { tail = at }
      if at == range.lowerBound + 2, text[at - 1] == UInt8(ascii: "-"), text[at - 2] | 0x20 == UInt8(ascii: "x") {
        whole.formUnion(found)
      }
    }
    whole.formUnion(slots[slot(hash)].flags)
    if isSecret || whole.contains(.name) { return .secret }
    if whole.contains(.parameter) { return .parameter }
    if whole.contains(.holder) { return .holder }
    if whole.contains(.value) { return .value }
    if let tail, name(text, range.lowerBound..<tail) == .secret { return .secret }
    return .harmless
  }

  /// True if a word starts at an offset within a name, after a separator or with a capital letter.
  private static func isWord(_ text: ByteSearch, _ at: Int, _ range: Range<Int>) -> Bool {
    guard at > range.lowerBound else { return false }
    let before = text[at - 1]
    if !ByteSet.word.contains(before) { return before < 0x80 }
    // `dbPass`, `DBPass`
    return text[at] & 0x20 == 0 && (before & 0x20 != 0 || text[at + 1] & 0x20 != 0)
  }

  private static let separators = ByteSet(adding: "[].:/")
}
