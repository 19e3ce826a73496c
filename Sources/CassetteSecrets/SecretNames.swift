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

  /// True if the value of the header field is a secret.
  package static func isField(_ name: String) -> Bool {
    // Most exchanges have the same few field names.
    if let seen = seenFields.withLock({ $0[name] }) { return seen }
    let isSecret = fields.contains(name.lowercased()) || verdict(on: name) == .secret
    seenFields.withLock { seen in
      if seen.count > 1024 { seen.removeAll() }
      seen[name] = isSecret
    }
    return isSecret
  }

  private static let seenFields = Locked<[String: Bool]>([:])
  private static let fields = Set(words(SecretNameTable.fields))

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
    guard range.count <= 128 else { return .harmless }
    for at in range where text[at] == UInt8(ascii: "%") || text[at] == UInt8(ascii: "\\") {
      let name = Array(SecretNames.text(text, range).utf8)
      return name.searching { index.verdict(on: $0, 0..<$0.count) }
    }
    return index.verdict(on: text, range)
  }

  /// Returns a name with its escapes decoded.
  static func text(_ bytes: ByteSearch, _ range: Range<Int>) -> String {
    let name = bytes.bytes(range)
    if name.contains(UInt8(ascii: "%")) { return PercentEncoding.decodeText(name[...], plusIsSpace: true) }
    return String(decoding: JSONString.decodeLoosely(name.span), as: UTF8.self)
  }

  static func words(_ table: String) -> [String] { table.split(whereSeparator: \.isWhitespace).map(String.init) }

  private static let index = NameIndex()
}

/// A hash table of names, keyed by the hash of a name's letters from last to first.
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
  }

  private static let size = 2048
  private var hashes = [UInt64](repeating: 0, count: size)
  private var flags = [UInt16](repeating: 0, count: size)

  init() {
    let tables: [(String, Flags)] = [
      (SecretNameTable.names, .name), (SecretNameTable.endings, .ending), (SecretNameTable.words, .word),
      (SecretNameTable.parameters, .parameter), (SecretNameTable.exceptions, .exception),
      (SecretNameTable.tails, .tail), (SecretNameTable.holders, .holder), (SecretNameTable.values, .value),
    ]
    for (table, flag) in tables {
      for word in SecretNames.words(table) {
        let hash = word.utf8.reversed().reduce(0, Self.step)
        var slot = Int(hash % UInt64(Self.size))
        while hashes[slot] != 0, hashes[slot] != hash { slot = (slot + 1) % Self.size }
        hashes[slot] = hash
        flags[slot] |= flag.rawValue
      }
    }
  }

  @inline(__always)
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    let next = (hash ^ UInt64(byte)) &* 0x9e37_79b9_7f4a_7c15
    return next ^ next &>> 29
  }

  func verdict(on text: ByteSearch, _ range: Range<Int>) -> SecretNames.Verdict {
    hashes.withUnsafeBufferPointer { hashes in
      flags.withUnsafeBufferPointer { flags in
        func look(_ hash: UInt64) -> Flags {
          var slot = Int(hash % UInt64(Self.size))
          while hashes[slot] != 0 {
            if hashes[slot] == hash { return Flags(rawValue: flags[slot]) }
            slot = (slot + 1) % Self.size
          }
          return []
        }
        // The plural of an exception is an exception as well.
        guard let verdict = Self.verdict(on: text, range, look) else { return .harmless }
        guard verdict == .harmless, let last = range.last, text[last] | 0x20 == UInt8(ascii: "s") else {
          return verdict
        }
        return Self.verdict(on: text, range.lowerBound..<last, look) == .secret ? .several : .harmless
      }
    }
  }

  private static func verdict(
    on text: ByteSearch, _ range: Range<Int>, _ look: (UInt64) -> Flags
  ) -> SecretNames.Verdict? {
    var (hash, at): (UInt64, Int) = (0, range.upperBound)
    var (isLast, isSecret) = (true, false)
    var whole: Flags = []
    var tail: Int?
    while at > range.lowerBound {
      at -= 1
      let byte = text[at]
      guard byte >= 0x80 || ByteSet.word.contains(byte) else {
        guard separators.contains(byte) else { continue }
        // The last part of a name, or the part after `X-`.
        if hash != 0, isLast { whole.formUnion(look(hash)) }
        isLast = isLast && hash == 0
        continue
      }
      hash = step(hash, SecretPattern.folded(byte))
      guard isLast else { continue }
      let found = look(hash)
      if found.rawValue == 0 { continue }
      if found.contains(.exception) { return nil }
      if found.contains(.ending) || found.contains(.word) && isWord(text, at, range) { isSecret = true }
      if found.contains(.tail), tail == nil, at > range.lowerBound { tail = at }
      if at == range.lowerBound + 2, text[at - 1] == UInt8(ascii: "-"), text[at - 2] | 0x20 == UInt8(ascii: "x") {
        whole.formUnion(found)
      }
    }
    whole.formUnion(look(hash))
    if isSecret || whole.contains(.name) { return .secret }
    if whole.contains(.parameter) { return .parameter }
    if whole.contains(.holder) { return .holder }
    if whole.contains(.value) { return .value }
    if let tail, verdict(on: text, range.lowerBound..<tail, look) == .secret { return .secret }
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
