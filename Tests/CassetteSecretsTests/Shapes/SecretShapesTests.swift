import CassetteSystem
import TestSupport
import Testing

@testable import CassetteSecrets

@Suite struct SecretShapesTests {
  struct Found: Hashable, CustomStringConvertible {
    var kind: String
    var range: Range<Int>
    var evidence: SecretShape.Evidence
    var description: String { "\(kind) at \(range)" }
  }

  private func found(_ text: [UInt8]) -> [Found] {
    var found: [Found] = []
    text.searching { bytes in
      SecretShapes.eachMatch(in: bytes) {
        found.append(Found(kind: $0.kind, range: $1, evidence: $0.evidence))
      }
    }
    return found
  }

  private func texts(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return found(bytes).map { "\($0.kind): \(String(decoding: bytes[$0.range], as: UTF8.self))" }
  }

  @Test func `every line of the table of shapes is parsed`() {
    #expect(SecretShapeIndex.shared.problems == [])
    #expect(SecretShapeIndex.shared.patterns.count > 280)
  }

  /// Tokens that consist of base64 characters.
  private static let tokens = [
    ("EAA", 61), ("AKIA", 16), ("AIza", 35), ("SK", 32), ("dapi", 32), ("ghp_", 36), ("npm_", 36), ("hf_", 34),
    ("LTAI", 20),
  ].map { prefix, count in
    var random = Seeded(UInt64(count))
    let digits = Array(
      ["AKIA": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "SK": "0123456789abcdef", "dapi": "0123456789abcdef"][
        prefix, default: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"])
    return prefix + String((0..<count).map { _ in digits.randomElement(using: &random) ?? "a" })
  }

  @Test(arguments: tokens)
  func `the shape of a token within a longer run of base64 is not a token`(_ token: String) {
    #expect(texts(token).count == 1)
    for text in [
      "{\"b64\": \"iVBORw0KGgoAAA/\(token)/9b+wvC=\"}", "iVBORw0KGgoAAAANSUhEUgAA_\(token)-x9Kq3LmZ8",
      "UklGR\(String(repeating: "A", count: 90))/\(token)/\(String(repeating: "A", count: 90))",
    ] {
      #expect(texts(text) == [], "\(text)")
    }
  }

  @Test(arguments: tokens)
  func `a token next to words of a path or a form is a token`(_ token: String) {
    for text in [
      "/v1/files/\(token)/download", "https://a.test/Users/\(token)", "deployed+with+\(token)+by+ada",
      "build.\(token).prod", "/7f3c2a91-4b5d-4e6f-8a7b-1c2d3e4f5a6b/\(token)/x",
    ] {
      #expect(texts(text).map { $0.hasSuffix(": \(token)") } == [true], "\(text)")
    }
  }

  /// Returns a string that matches a pattern, with letters and digits of each of its sets if possible.
  private func sample(_ pattern: SecretPattern, _ random: inout Seeded) -> [UInt8] {
    pattern.pieces.flatMap { piece -> [UInt8] in
      guard piece.literal.isEmpty else { return piece.literal }
      let all = (0..<128 as Range<UInt8>).filter(SecretText.sets[piece.set].value.contains)
      let words = all.filter(ByteSet.word.contains)
      let more = piece.most > piece.least ? Int.random(in: 0...min(20, piece.most - piece.least), using: &random) : 0
      return (0..<(piece.least + more)).compactMap { _ in (words.isEmpty ? all : words).randomElement(using: &random) }
    }
  }

  /// Returns a string that contains a sample in the context that its pattern requires.
  private func place(_ pattern: Int, _ sample: [UInt8]) -> [UInt8] {
    let index = SecretShapeIndex.shared
    if let word = index.words.first(where: { $0.names.contains(pattern) }) {
      return Array("{\"my_".utf8) + word.bytes + Array("\" : \"".utf8) + sample + Array("\"}".utf8)
    }
    return index.patterns[pattern].word + [0x20] + sample + [0x20]
  }

  @Test(arguments: SecretShapeIndex.shared.patterns.indices)
  func `a sample of each shape's pattern is found`(_ number: Int) {
    let pattern = SecretShapeIndex.shared.patterns[number]
    let shape = pattern.shape
    var random = Seeded(UInt64(number))
    var missed: [String] = []
    for _ in 0..<40 {
      let sample = sample(pattern, &random)
      let isFound = found(place(number, sample)).contains { $0.evidence.rawValue <= shape.evidence.rawValue }
      if !isFound { missed.append(String(decoding: sample, as: UTF8.self)) }
    }
    // A sample may have no digit, or too little entropy.
    #expect(missed.count <= 12, "\(shape.kind): \(missed.first ?? "")")
  }

  @Test(arguments: [
    (
      "see " + "ghp" + "_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h.",
      ["GitHub token: ghp_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h"]
    ),
    ("a=" + "AKIA" + "IOSFODNN7SAMPLE1&b=1", ["AWS access key: AKIAIOSFODNN7SAMPLE1"]),
    ("<t>" + "AKIA" + "IOSFODNN7SAMPLE1</t>", ["AWS access key: AKIAIOSFODNN7SAMPLE1"]),
    // Names, and the forms of assignments.
    (
      "adafruit_io = '0123456789abcdefghij0123456789ab'", ["Adafruit key: 0123456789abcdefghij0123456789ab"]
    ),
    ("a da2-0123456789abcdefghijklmnop b", ["AppSync key: da2-0123456789abcdefghijklmnop"]),
    ("AVNS_0a1b2c3d4e5f6g7h8i9", ["Aiven password: AVNS_0a1b2c3d4e5f6g7h8i9"]),
    ("aio_abCD0123efGH4567ijKL8901mnOP", ["Adafruit key: aio_abCD0123efGH4567ijKL8901mnOP"]),
    ("ADAFRUIT-KEY=>0123456789abcdefghij0123456789ab;", ["Adafruit key: 0123456789abcdefghij0123456789ab"]),
    ("<adafruit>0123456789abcdefghij0123456789ab</adafruit>", ["Adafruit key: 0123456789abcdefghij0123456789ab"]),
    ("\\\"adafruit\\\": \\\"0123456789abcdefghij0123456789ab\\\"", ["Adafruit key: 0123456789abcdefghij0123456789ab"]),
    ("env[\"ADAFRUIT\"] = \"0123456789abcdefghij0123456789ab\"", ["Adafruit key: 0123456789abcdefghij0123456789ab"]),
    // The match with the strongest evidence.
    (
      "token: " + "ghp" + "_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h",
      ["GitHub token: ghp_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h"]
    ),
    ("adafruit ='=`0123456789abcdefghij0123456789ab`", ["Adafruit key: 0123456789abcdefghij0123456789ab"]),
    // A value starts after its quote, and a word in it is ignored.
    ("GITTER='=0trueNULLghij0123456789ab-0123456789abc'", ["Gitter key: =0trueNULLghij0123456789ab-0123456789abc"]),
    ("curl -u me:q8Zk20fJw3Rt https://a.test", ["Password of a curl command: me:q8Zk20fJw3Rt"]),
  ])
  func `a secret's range excludes the characters around it`(_ text: String, _ expected: [String]) {
    #expect(texts(text) == expected)
  }

  @Test(arguments: [
    // Too short, too long, or part of a longer word.
    "ghp" + "_0a1b2c3d4e5f", "AKIA" + "IOSFODNN7SAMPLE12", "x" + "AKIA" + "IOSFODNN7SAMPLE1",
    "AKIA" + "iosfodnn7sample1",
    "pul" + "-0123456789abcdef0123456789abcdef0123456", "pul" + "-0123456789abcdef0123456789abcdef012345678",
    "adafruit = 0123456789abcdefghij0123456789a", "adafruit = 0123456789abcdefghij0123456789abc",
    "adafruit is made of 0123456789abcdefghij0123456789ab", "heroku: 0123-4567",
    "the adafruit key that stands too far away = 0123456789abcdefghij0123456789ab",
    // Placeholders.
    "ghp" + "_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "AKIA" + "IOSFODNN7EXAMPLE", "AKIA" + "AAAAAAAAAAAAAAAA",
    "ghp" + "_0123456789abcdefghijklmnopqrstuvwxyz", "curl -u user:password https://a.test",
    "docker run -u 1000:1000 image",
    "-----BEGIN " + "PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "-----BEGIN " + "CERTIFICATE-----\nMIIB",
    "-----BEGIN " + "PGP SIGNATURE-----\niQE\n-----END PGP SIGNATURE-----",
    "-----BEGIN " + "PGP PUBLIC KEY BLOCK-----\nx",
    "the word eyJustice", "npm_install", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "{{secret:1}}",
  ])
  func `a value that only resembles a secret is not found`(_ text: String) {
    #expect(texts(text) == [])
  }

  @Test(arguments: [
    ("a -----BEGIN " + "RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY----- b", 2, 2),
    ("-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\nlQ=\n-----END PGP PRIVATE KEY BLOCK-----", 0, 0),
    // A block without an end extends over characters of a key, but not into the next block.
    ("-----BEGIN " + "PRIVATE KEY-----\nMIIB+/=\n\"}", 0, 2),
    ("-----BEGIN " + "EC PRIVATE KEY-----\nMIIB-----BEGIN CERTIFICATE-----\nMI\n-----END CERTIFICATE-----", 0, 56),
    ("-----BEGIN " + "OPENSSH PRIVATE KEY-----\\nb3Bl\\n-----END OPENSSH PRIVATE KEY-----\\n", 0, 2),
  ])
  func `a private key is found from its BEGIN line to its END line`(_ text: String, _ before: Int, _ behind: Int) {
    let all = found(Array(text.utf8))
    #expect(all.map(\.kind) == ["PEM private key"])
    #expect(all.first?.range == before..<(text.utf8.count - behind))
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `matches in random input are in order and do not overlap`(_ seed: UInt64) {
    var random = Seeded(seed)
    let index = SecretShapeIndex.shared
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      switch Int.random(in: 0...5, using: &random) {
      case 0: text += index.words.dropFirst().randomElement(using: &random)?.bytes ?? []
      case 1, 2:
        let number = Int.random(in: index.patterns.indices, using: &random)
        text += place(number, sample(index.patterns[number], &random))
      default:
        text += (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
      }
      text += [0x20, 0x0a, 0x22, 0x3d].randomElement(using: &random).map { [$0] } ?? []
    }
    let whole = found(text)
    for (one, next) in zip(whole, whole.dropFirst()) { #expect(one.range.upperBound <= next.range.lowerBound) }
    #expect(whole.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= text.count })
  }

  @Test func `a long run of repeated keywords is scanned once`() {
    // Scanning the rest of the input for each match would take hours.
    #expect(found(Array(String(repeating: "ey-", count: 500_000).utf8)) == [])
    #expect(found(Array(String(repeating: "xoxb-", count: 10_000).utf8)).map(\.range) == [0..<50_000])
  }

  @Test(arguments: ["\\n%S", "x%3D%S%26", "\\u003d%S", "a&#61;%S&amp;"])
  func `a secret is found next to an escape`(_ text: String) {
    let token = "AKIA" + "IOSFODNN7SAMPLE1"
    let bytes = Array(text.replacing("%S", with: token).utf8)
    let tokens = SecretScanner().tokens(in: bytes)
    #expect(tokens.map(\.kind) == ["AWS access key"])
    #expect(tokens.first.map { String(decoding: bytes[$0.range], as: UTF8.self) } == token)
  }

  @Test func `a token directly before a private key is found`() {
    let token = "xoxb" + "-0a1b2c3d4e"
    #expect(
      texts("\(token)-----BEGIN " + "PRIVATE KEY-----\nMIIB").map { $0.prefix(11) } == ["Slack token", "PEM private"])
  }

  @Test func `a token shape matches a whole value, not a part of it`() {
    let token = "npm" + "_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h"
    #expect(SecretShapes.isToken(Array(token.utf8)))
    #expect(!SecretShapes.isToken(Array("a \(token)".utf8)))
    #expect(!SecretShapes.isToken(Array("token: q8Zk20fJw3RtY7uXbN5m".utf8)))
    #expect(!SecretShapes.isToken([]))
  }
}
