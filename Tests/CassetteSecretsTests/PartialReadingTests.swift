internal import CassetteShapes
internal import CassetteSystem
import TestSupport
import Testing

@testable import CassetteSecrets

/// Only a part of most texts is read: not where no name can be, nor where an escape undone changes nothing.
@Suite struct PartialReadingTests {
  private static let token = "ghp" + "_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h"
  private static let secrets = [
    "\"password\": \"hunter-2-Zx9\"", "?access_token=q8Zk20fJw3RtY7uXbN5m&x=1", "https://me:pa55-Wd@a.test/",
    "<client_secret>kq7-Bz3\n</client_secret>", "\n  DB_PASSWORD: zz9-plural-Z\n", " \(token) ", "API_KEY=k3y-Of-The-9",
    "[[\"Authorization\", \"Bearer mF_9.B5f-4.1JqM\"]]", "{\"name\": \"password\", \"value\": \"s3cr3t-Value\"}",
    "<input name='password' value='inp-Ut9-x'>",
  ]
  private static let noise = [
    "\"login\": \"kean\", ", "the quick brown fox ", "\\n", "\\u00e9", "%20", "%2F", "&amp;", "&#39;", "\\\"", "\\\\",
    "{\"a\": [1, 2]}\n", "https://a.test/b?c=d&e=f ", "AAAAAAAA", "\"state\": \"open\", ", "<p>x</p>", "%", "\\", "&",
  ]

  private static func percent(_ text: String) -> String {
    text.utf8.reduce(into: "") { $0 += "%" + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
  }

  private static func json(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// Noise, and in it secrets in one coding or two.
  private func text(_ random: inout Seeded) -> [UInt8] {
    var text = ""
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      // Some far from the next.
      let count = Bool.random(using: &random) ? Int.random(in: 0...4, using: &random) : 40
      for _ in 0..<count { text += Self.noise.randomElement(using: &random) ?? "" }
      var secret = Self.secrets.randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        secret = [Self.percent, Self.json, Self.html].randomElement(using: &random)?(secret) ?? secret
      }
      text += secret
    }
    return Array(text.utf8)
  }

  /// What all of every view says, each read from its beginning to its end, and each name judged.
  private func slow(_ bytes: [UInt8], _ rules: RedactionRules) -> Set<[UInt8]> {
    var values: Set<[UInt8]> = []
    DecodedView.each(of: bytes) { view in
      view.bytes.searching { text in
        let whole = 0..<text.count
        func take(_ found: SecretFinder.Found) { values.insert(found.value) }
        let anywhere = NamePlaces([], in: text, whole, isAnywhere: true)
        rules.finder.assignments(in: text, whole, anywhere, .inText, take)
        rules.finder.elements(in: text, whole, anywhere, take)
        rules.finder.fields(in: text, whole, take)
        rules.finder.userInformation(in: text, whole, take)
        _ = rules.scanner.eachToken(in: text, whole) { values.insert(Array($2.utf8)) }
      }
    }
    return values
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a text that is read in parts says what it says when all of it is read`(_ seed: UInt64) {
    var random = Seeded(seed)
    let bytes = text(&random)
    let rules = RedactionRules(.standard)
    let reading = ScannedText(bytes, .text, rules)
    var values = Set(reading.allTokens.map(\.value))
    reading.each { found, _ in values.insert(found.value) }
    let missed = slow(bytes, rules).subtracting(values).map { String(decoding: $0, as: UTF8.self) }
    #expect(missed == [], "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test func `an escaped quote within leads out of no container`() {
    let text =
      #"{"a":{"password":{"hint":"no \"/\", \"\"\", or \"@\"","is":"hunter2-Blue"},"b":{"c":"Other9-x"}},"d":"x"}"#
    let values = SecretSearch(.standard).findings(in: Array(text.utf8), .body).map {
      String(decoding: $0.value, as: UTF8.self)
    }
    #expect(values.contains("hunter2-Blue") && !values.contains { $0.contains("ther9") || $0 == "x" }, "\(values)")
  }

  @Test(arguments: [0, 100, 1000, 100_000])
  func `what is escaped is found however far the next escape is`(_ distance: Int) {
    let fill = String(repeating: "lorem ipsum ", count: distance / 12)
    for secret in Self.secrets {
      for coding in [Self.percent, Self.json, Self.html] {
        let text = "%41 \\n \(fill) \(coding(secret)) \(fill) &amp;"
        #expect(!SecretSearch(.standard).findings(in: Array(text.utf8), .text).isEmpty, "\(coding(secret))")
      }
    }
  }

  @Test(arguments: [(8_000, true), (8_192, false), (100_000, false)])
  func `a command's word is read so far that a text without a blank is not read for each of its names`(
    length: Int, isRead: Bool
  ) {
    let text = Array(String(repeating: "setPassword(", count: length / 12 + 1).utf8.prefix(length))
    let finder = SecretFinder(redaction: .standard)
    #expect(text.searching { finder.word(0, in: $0)?.range } == (isRead ? 0..<length : nil))
  }
}
