import CassetteJSON
import CassetteSecrets
import Foundation
import Testing

/// Tests that redacting secrets in JSON strings leaves the rest unchanged.
@Suite struct EscapedTextTests {
  private static let texts = [
    #"with "X-Api-Key: %S" and more"#, #"["PASSWORD=%S","b"]"#, #"say "password: %S""#, "password=%S\r\nx=1",
    "a\npassword=%S\nb=1", "password: %S\n\nend", "user: a\npassword: %S\nport: 1\n",
    "<password><![CDATA[%S]]></password>", "<a>\n<password>\n  %S\n</password>\n</a>",
    "export DB_PASSWORD=%S\nexport A=1\n", "curl -H 'X-Api-Key: %S' https://a.example\ndone",
    "Cookie: sid=%S; a=1\r\nAccept: */*\r\n", #"{"password":"%S","a":"b"}"#,
    #"{"a":1,"token":["%S"],"b":{"c":"\n"}}"#, #"const apiKey = "%S";"# + "\nf()\n",
    "[a]\npassword = \"%S\"\n[b]\nc = 1\n", "see https://a.example/x?access_token=%S&b=1\nend",
    "postgres://u:%S@h:5/d\nend", #"<input name="password" value="%S">"# + "\n<p>\n",
    "level=info password=%S user=a\n", #"level=info msg="password=%S" user=a"#, "PASSWORD='%S'\tB=1\n",
  ]

  private static let spelled = [#"p\ss9w4Kz2Lm"#, #"p\new9w4Kz2"#, "R&dé9w4Kz2Lm", #"é\\9w4Kz2Lm"#]

  private static func json(_ text: String, _ depth: Int) throws -> String {
    let value = depth > 1 ? try json(text, depth - 1) : text
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return
      "{\"id\":1,\"log\":\(String(decoding: try encoder.encode(value), as: UTF8.self)),\"list\":[1,\"a\\n\"],\"end\":\"z\"}"
  }

  @Test(arguments: texts, 1...3)
  private func `the bytes around a redacted secret are unchanged`(text: String, depth: Int) throws {
    for secret in PlantedText.secrets {
      let body = try Self.json(text.replacing("%S", with: secret), depth)
      let clean = text.replacing("u:%S", with: "%S").replacing("%S", with: "{{secret:1}}")
      let expected = try Self.json(clean, depth)
      let kept = PlantedText.redacted(body, .body)
      #expect(kept == expected, "\(kept)")
    }
  }

  /// The templates in which a secret may contain unescaped backslashes and punctuation.
  private static let lines = texts.filter { text in
    !["://", ",", "level=", "@", "-p ", "is:", "$ ", "-b "].contains { text.contains($0) }
  }

  @Test(arguments: lines, spelled)
  private func `a secret with escapes is redacted, and the body stays valid JSON`(text: String, secret: String) throws {
    let kept = PlantedText.redacted(try Self.json(text.replacing("%S", with: secret), 1), .body)
    let decoded = try #require(try? JSONSerialization.jsonObject(with: Data(kept.utf8)) as? [String: Any], "\(kept)")
    #expect(decoded.keys.sorted() == ["end", "id", "list", "log"] && decoded["end"] as? String == "z")
    #expect((decoded["log"] as? String)?.contains("9w4Kz2") == false, "\(kept)")
  }

  @Test func `a tag in a CDATA section is part of the secret`() {
    let text = "<a><password><![CDATA[a<b>&1]x]9]]></password><b/></a>"
    #expect(
      PlantedText.redacted(text, .body) == "<a><password><![CDATA[{{secret:1}}]]></password><b/></a>")
  }
}
