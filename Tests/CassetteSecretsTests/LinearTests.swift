import CassetteSystem
import Testing

@testable import CassetteSecrets

/// Tests that the work is proportional to the length of the input, even for hostile input.
@Suite struct LinearTests {
  /// Repeated pieces, in which `#` is replaced by a number.
  static let hostile = [
    "{\"credentials\":[", "{\"a\":{\"b\":[", "[", "{\"name_#\":\"value\",", "API_TOKEN_#: value\n", "name_#: value_#\n",
    "token=a&", "?token=a;", "password", "\"password\":\"", "'token': '", "{\"name\":\"password\",\"value\":[",
    "<input name=password ", "<token>", "<token#>", "<a b='", "user:a@", "http://a:b@", "AKIA", "ghp_a1B2c3D4",
    "-----BEGIN PRIVATE KEY-----", "eyJhbGciOiJI.eyJ", "QUFBQUFBQUFBQUFB", "cGFzc3dvcmQ9YWJj\n", "\\\"token\\\":\\\"",
    "%74oken%3D", "&#116;oken=&quot;", "\\u0074oken\\\\", "data: {\"delta\":\"tok\"}\n\n",
    "{\"index\":#,\"text\":\"tok\"}\n", "{{secret:#}}", "<script>", "<script>f(){token=a}</script>",
    "a.token=b||\"\";f(){", "machine a login b password c\n", "token:`", "user,password\n", "a,password\n\"",
    "password: \"\"\"", "[\"--token\",", "?token=a1b2c3d4,", "token   ", "    ", "- - - ", "xoxb-", "\n", "<![CDATA[",
  ]

  private static func text(_ piece: String, _ size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var number = 0
    while bytes.count < size {
      bytes += piece.replacing("#", with: "\(number)").utf8
      number += 1
    }
    return bytes
  }

  @Test(arguments: hostile)
  private func `reading hostile input takes at most 16 steps per byte`(piece: String) {
    for size in [4_000, 16_000] {
      let bytes = Self.text(piece, size)
      bytes.searching { text in
        let finder = SecretFinder(.standard)
        let budget = SecretReader.budget(for: text.count)
        var reader = SecretReader(finder, text, steps: budget)
        reader.read(0..<text.count)
        #expect(budget - reader.steps <= 16 * text.count, "\(budget - reader.steps) for \(text.count)")
      }
    }
  }

  @Test func `a body that takes too many steps is replaced by a message`() {
    var pass = RedactionPass(.standard)
    pass.finder = SecretFinder(.standard, steps: 40)
    let text = "{\"a\": 1, \"note\": \"see the password\", \"password\": \"hunter2-Blue\"}"
    pass.collect(Array(text.utf8), .body)
    #expect(pass.isGivenUp)
    let kept = pass.redacting(text, as: .body)
    #expect(kept == "{{secret}}: looking for secrets in this body took too many steps; it is not kept")
  }

  @Test func `secrets in and after thousands of unclosed lists are redacted`() {
    let text =
      String(repeating: "{\"credentials\":[", count: 3_000) + "\"Zk8vQ2xTw9Lm4s\",{\"password\":\"hunter2-Blue\"}"
    let kept = PlantedText.redacted(text, .body)
    #expect(!kept.contains("hunter2-Blue") && !kept.contains("Zk8vQ2xTw9Lm4s"))
    let items = (0..<1_000).map { "DATABASE_PASSWORD: Zk8vQ2xTw9Lm\($0 + 1_000)s\n" }
    let lines = PlantedText.redacted(items.joined(), .body)
    #expect(!lines.contains("Zk8vQ2xTw9Lm"))
  }
}
