/// What the tokens of a known issuer look like.
struct SecretShape: Sendable {
  /// What to call it.
  let kind: String
  /// How many bytes from an offset on are such a token; nil when they are none.
  let match: @Sendable (_ bytes: Span<UInt8>, _ at: Int) -> Int?

  /// Whether such a token can begin with this byte.
  let canBegin: @Sendable (UInt8) -> Bool

  /// The shapes that can begin with a byte, as places in `all`.
  static func beginning(with byte: UInt8) -> [Int] { byFirstByte[Int(byte)] }

  /// What a token's first byte must not follow: it would be the middle of a word.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  static let all: [SecretShape] = [
    prefixed("GitHub token", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", atLeast: 30, isLetterOrDigit),
    prefixed("GitHub token", "github_pat_", atLeast: 22, isWordByte),
    prefixed("AWS access key", "AKIA", "ASIA", atLeast: 16, atMost: 16, isCapitalOrDigit),
    SecretShape(kind: "AWS secret key", match: awsSecret, canBegin: isBase64),
    prefixed(
      "Slack token", "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-",
      atLeast: 10, isWordOrHyphen),
    prefixed("Google API key", "AIza", atLeast: 35, isWordOrHyphen),
    prefixed("Google token", "ya29.", "GOCSPX-", atLeast: 20, isWordOrHyphen),
    prefixed("Stripe key", "sk_live_", "rk_live_", "whsec_", atLeast: 16, isWordByte),
    prefixed("npm token", "npm_", atLeast: 36, isLetterOrDigit),
    prefixed("GitLab token", "glpat-", atLeast: 20, isWordOrHyphen),
    prefixed("API key of a language model", "sk-ant-", "sk-proj-", atLeast: 20, isWordOrHyphen),
    SecretShape(kind: "JWT", match: jwt, canBegin: { $0 == UInt8(ascii: "e") }),
    SecretShape(kind: "PEM private key", match: privateKey, canBegin: { $0 == UInt8(ascii: "-") }),
  ]

  private static let byFirstByte: [[Int]] = (UInt8.min ... .max).map { byte in
    all.indices.filter { all[$0].canBegin(byte) }
  }

  private static func prefixed(
    _ kind: String, _ prefixes: StaticString..., atLeast: Int, atMost: Int = .max,
    _ isPart: @escaping @Sendable (UInt8) -> Bool
  ) -> SecretShape {
    let firstBytes = prefixes.map { $0.utf8Start.pointee }
    return SecretShape(kind: kind) { bytes, at in
      for prefix in prefixes {
        guard starts(bytes, at, prefix) else { continue }
        let count = run(bytes, at + prefix.utf8CodeUnitCount, isPart)
        if count >= atLeast, count <= atMost { return prefix.utf8CodeUnitCount + count }
      }
      return nil
    } canBegin: {
      firstBytes.contains($0)
    }
  }

  /// Three parts of base64, of which two are JSON objects (RFC 7519).
  private static func jwt(_ bytes: Span<UInt8>, _ at: Int) -> Int? {
    var end = at
    for part in 0..<3 {
      if part > 0 {
        guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return nil }
        end += 1
      }
      if part < 2 { guard starts(bytes, end, "eyJ") else { return nil } }
      let count = run(bytes, end, isWordOrHyphen)
      guard part == 2 || count >= 10 else { return nil }
      end += count
    }
    return end - at
  }

  private static func privateKey(_ bytes: Span<UInt8>, _ at: Int) -> Int? {
    guard starts(bytes, at, "-----BEGIN ") else { return nil }
    var end = at + 11
    while end < bytes.count, end < at + 64, isCapitalOrDigit(bytes[end]) || bytes[end] == 0x20 { end += 1 }
    guard starts(bytes, end, "-----"), starts(bytes, end - 11, "PRIVATE KEY") || starts(bytes, end - 17, "PRIVATE KEY")
    else { return nil }
    return end + 5 - at
  }

  /// Forty characters of base64 soon after a name that says what they are.
  private static func awsSecret(_ bytes: Span<UInt8>, _ at: Int) -> Int? {
    if at > 0, isBase64(bytes[at - 1]) { return nil }
    guard run(bytes, at, isBase64) == 40 else { return nil }
    var letters: [UInt8] = []
    for index in max(0, at - 40)..<at where isWord(bytes[index]) { letters.append(bytes[index] | 0x20) }
    let name = String(decoding: letters, as: UTF8.self)
    guard name.contains("secretaccesskey") || name.contains("awssecret") || name.contains("secretkey") else {
      return nil
    }
    return 40
  }

  private static func starts(_ bytes: Span<UInt8>, _ at: Int, _ prefix: StaticString) -> Bool {
    guard at >= 0, at + prefix.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where bytes[at + index] != prefix.utf8Start[index] { return false }
    return true
  }

  private static func run(_ bytes: Span<UInt8>, _ at: Int, _ isPart: (UInt8) -> Bool) -> Int {
    var end = at
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return end - at
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isWord(byte) }
  private static func isWordByte(_ byte: UInt8) -> Bool { isWord(byte) || byte == UInt8(ascii: "_") }
  private static func isWordOrHyphen(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == UInt8(ascii: "-") }
  private static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
  }
  private static func isBase64(_ byte: UInt8) -> Bool {
    isWord(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "+")
  }
}
