internal import CassetteSystem

/// What the tokens of a known issuer look like.
package struct SecretShape: Sendable {
  /// What to call it.
  package let kind: String
  /// What it begins with, if that is always one of these.
  let prefixes: [Prefix]
  /// How many bytes from an offset on are such a token; nil when they are none.
  let match: @Sendable (_ bytes: ByteSearch, _ at: Int) -> Int?

  /// The beginning of a token, and the byte of it that is found rarely in other text.
  struct Prefix: Sendable {
    let bytes: [UInt8]
    /// Where in it; the byte before it is looked at first.
    let mark: Int

    init(_ text: String, mark: Character) {
      bytes = Array(text.utf8)
      self.mark = bytes.lastIndex { $0 == mark.asciiValue } ?? 0
    }
  }

  /// The bytes that tokens are made of.
  static let partBytes = ByteSet.word.adding("-_./+")

  static let all: [SecretShape] = [
    prefixed("GitHub token", "_", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], atLeast: 30, .word),
    prefixed("GitHub token", "_", ["github_pat_"], atLeast: 22, wordBytes),
    prefixed("AWS access key", "I", ["ASIA"], atLeast: 16, atMost: 16, capitals),
    prefixed("AWS access key", "K", ["AKIA"], atLeast: 16, atMost: 16, capitals),
    SecretShape(kind: "AWS secret key", prefixes: [], match: awsSecret),
    prefixed(
      "Slack token", "-",
      ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
      atLeast: 10, wordAndHyphen),
    prefixed("Google API key", "z", ["AIza"], atLeast: 35, wordAndHyphen),
    prefixed("Google token", ".", ["ya29."], atLeast: 20, wordAndHyphen),
    prefixed("Google token", "-", ["GOCSPX-"], atLeast: 20, wordAndHyphen),
    prefixed("Stripe key", "_", ["sk_live_", "rk_live_", "whsec_"], atLeast: 16, wordBytes),
    prefixed("npm token", "_", ["npm_"], atLeast: 36, .word),
    prefixed("GitLab token", "-", ["glpat-"], atLeast: 20, wordAndHyphen),
    prefixed("API key of a language model", "-", ["sk-ant-", "sk-proj-"], atLeast: 20, wordAndHyphen),
    SecretShape(kind: "JWT", prefixes: [Prefix("eyJ", mark: "J")], match: jwt),
    SecretShape(kind: "PEM private key", prefixes: [Prefix("-----BEGIN ", mark: "G")], match: privateKey),
  ]

  /// Which prefixes have a byte as their mark, by the byte before it.
  private struct Mark: Sendable {
    var byte: UInt8
    var before: [[(shape: Int, prefix: Prefix)]]
  }

  private static let marks: [Mark] = {
    var marks: [Mark] = []
    for (index, shape) in all.enumerated() {
      for prefix in shape.prefixes {
        let byte = prefix.bytes[prefix.mark]
        if !marks.contains(where: { $0.byte == byte }) {
          marks.append(Mark(byte: byte, before: Array(repeating: [], count: 256)))
        }
        for mark in marks.indices where marks[mark].byte == byte {
          marks[mark].before[Int(prefix.bytes[prefix.mark - 1])].append((index, prefix))
        }
      }
    }
    return marks
  }()

  /// Calls back with each place at which a token may begin, and the shape that begins so.
  static func eachCandidate(in text: ByteSearch, _ part: Range<Int>, _ use: (_ shape: Int, _ at: Int) -> Void) {
    for mark in marks {
      var from = part.lowerBound + 1
      while from < part.upperBound, let at = text.first(mark.byte, in: from..<part.upperBound) {
        from = at + 1
        for (shape, prefix) in mark.before[Int(text[at - 1])] where at - prefix.mark >= part.lowerBound {
          if prefix.bytes.searching({ text.has($0, at: at - prefix.mark) }) { use(shape, at - prefix.mark) }
        }
      }
    }
  }

  /// The same for the shape that begins with nothing of its own, in a run of base64.
  static func eachCandidate(in text: ByteSearch, run: Range<Int>, _ use: (_ shape: Int, _ at: Int) -> Void) {
    guard run.count >= 40 else { return }
    // A hyphen or an underscore is of the other alphabet.
    var start = run.lowerBound
    var hyphen = start - 1
    while start < run.upperBound {
      if hyphen < start { hyphen = text.first(UInt8(ascii: "-"), in: start..<run.upperBound) ?? run.upperBound }
      let end = text.first(UInt8(ascii: "_"), in: start..<hyphen) ?? hyphen
      // Padding may follow.
      if (40...42).contains(end - start) {
        for shape in all.indices where all[shape].prefixes.isEmpty { use(shape, start) }
      }
      start = end + 1
    }
  }

  private static func prefixed(
    _ kind: String, _ mark: Character, _ prefixes: [String], atLeast: Int, atMost: Int = .max, _ parts: ByteSet
  ) -> SecretShape {
    let prefixes = prefixes.map { Prefix($0, mark: mark) }
    return SecretShape(kind: kind, prefixes: prefixes) { bytes, at in
      for prefix in prefixes where prefix.bytes.searching({ bytes.has($0, at: at) }) {
        let count = run(bytes, at + prefix.bytes.count, parts)
        if count >= atLeast, count <= atMost { return prefix.bytes.count + count }
      }
      return nil
    }
  }

  /// Three parts of base64, of which two are JSON objects (RFC 7519).
  private static func jwt(_ bytes: ByteSearch, _ at: Int) -> Int? {
    var end = at
    for part in 0..<3 {
      if part > 0 {
        guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return nil }
        end += 1
      }
      if part < 2 { guard has("eyJ", bytes, end) else { return nil } }
      let count = run(bytes, end, wordAndHyphen)
      guard part == 2 || count >= 10 else { return nil }
      end += count
    }
    return end - at
  }

  private static func privateKey(_ bytes: ByteSearch, _ at: Int) -> Int? {
    guard has("-----BEGIN ", bytes, at) else { return nil }
    var end = at + 11
    while end < bytes.count, end < at + 64, capitals.contains(bytes[end]) || bytes[end] == 0x20 { end += 1 }
    guard has("-----", bytes, end), has("PRIVATE KEY", bytes, end - 11) || has("PRIVATE KEY", bytes, end - 17)
    else { return nil }
    return end + 5 - at
  }

  /// Forty characters of base64 soon after a name that says what they are.
  private static func awsSecret(_ bytes: ByteSearch, _ at: Int) -> Int? {
    if at > 0, at - 1 < bytes.count, base64.contains(bytes[at - 1]) { return nil }
    guard run(bytes, at, base64) == 40 else { return nil }
    var letters: [UInt8] = []
    for index in max(0, at - 40)..<at where ByteSet.word.contains(bytes[index]) { letters.append(bytes[index] | 0x20) }
    let name = String(decoding: letters, as: UTF8.self)
    guard name.contains("secretaccesskey") || name.contains("awssecret") || name.contains("secretkey") else {
      return nil
    }
    return 40
  }

  private static func has(_ text: String, _ bytes: ByteSearch, _ at: Int) -> Bool {
    Array(text.utf8).searching { bytes.has($0, at: at) }
  }

  private static func run(_ bytes: ByteSearch, _ at: Int, _ parts: ByteSet) -> Int {
    var end = at
    while end < bytes.count, parts.contains(bytes[end]) { end += 1 }
    return end - at
  }

  private static let wordBytes = ByteSet.word.adding("_")
  private static let wordAndHyphen = ByteSet.word.adding("_-")
  private static let capitals = ByteSet(0x30...0x39, 0x41...0x5a)
  private static let base64 = ByteSet.word.adding("/+")
}
