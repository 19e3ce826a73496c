import Testing

@testable import CassetteMatching

struct PlaceholderPatternTests {
  private func equal(_ sent: String, _ recorded: String, _ type: String? = nil) -> Bool {
    let recorded = body(recorded, type)
    #expect(recorded.hasPlaceholders)
    return recorded.differences(from: body(sent, type)).isEmpty
  }

  @Test(arguments: [
    (#"{"token":"abc","n":1}"#, #"{"token":"{{secret:1}}","n":1}"#),
    (#"{"a":"Bearer x"}"#, #"{"a":"Bearer {{secret:12}}"}"#),
    (#"{"pin":1234}"#, #"{"pin":0}"#), (#"{"pins":1,"pin":[1,2]}"#, #"{"pins":1,"pin":[0,0]}"#),
    (#"{"a":12}"#, #"{"a":"{{secret:1}}"}"#),
    (#"{"a":"x","b":"y"}"#, #"{"a":"{{secret}}","b":"{{secret:2}}"}"#),
    (#"{"a":"u:p@h"}"#, #"{"a":"{{secret:1}}:{{secret:2}}@h"}"#),
    (#"{"a":"xy"}"#, #"{"a":"{{secret:1}}{{secret:2}}"}"#), (#"{"sk_1":true}"#, #"{"{{secret:1}}":true}"#),
    (#"{"u":"/a?t=x%2Fy&b=1"}"#, #"{"u":"/a?t=%7B%7Bsecret:1%7D%7D&b=1"}"#), ("a=1&t=x%26y", "a=1&t={{secret:1}}"),
    ("a=1&t=x", "t=%7B%7Bsecret%3A1%7D%7D&a=1"), ("<t>x</t><n>1</n>", "<t>{{secret:1}}</t><n>1</n>"),
    (#"{"query":"{ a(t: \"x\", n: 5) { b c } }"}"#, #"{"query":"{a(n:5 t:\"{{secret:1}}\"){c b}}"}"#),
    (#"{"query":"{ a(n: 55) { b c } }"}"#, #"{"query":"{a(n:{{secret:1}}){c b}}"}"#),
    (#"{"x":"YTpodW50ZXIy"}"#, #"{"x":"YTp7e3NlY3JldDoxfX0="}"#),
    (#"{"x":"Basic YTpodW50ZXIy!"}"#, #"{"x":"Basic YTp7e3NlY3JldDoxfX0=!"}"#),
    ("a {{secret:1}} b\nk", "a {{secret:1}} b\nk"),
  ])
  func `a redacted secret equals the sent value`(sent: String, recorded: String) {
    #expect(equal(sent, recorded), "\(recorded)")
  }

  @Test(arguments: [
    (#"{"token":"abc","n":2}"#, #"{"token":"{{secret:1}}","n":1}"#), (#"{"token":""}"#, #"{"token":"{{secret:1}}"}"#),
    (#"{"a":"Basic x"}"#, #"{"a":"Bearer {{secret:1}}"}"#), (#"{"token":{"a":1}}"#, #"{"token":"{{secret:1}}"}"#),
    (#"{"token":"x","admin":"yes"}"#, #"{"token":"{{secret:1}}"}"#), ("t=x&a=2", "t={{secret:1}}&a=1"),
    ("t=x&u=1", "t={{secret:1}}"),
    ("<t>x</t><n>2</n><n>1</n>", "<t>{{secret:1}}</t><n>1</n>"), ("<t></t><n>1</n>", "<t>{{secret:1}}</t><n>1</n>"),
    (#"{"x":"YjpodW50ZXIy"}"#, #"{"x":"YTp7e3NlY3JldDoxfX0="}"#), (#"{"pin":"1"}"#, #"{"pin":0}"#),
    (#"{"n":1,"pin":1}"#, #"{"n":0,"pin":0}"#),
    (#"{"query":"{ a(t: \"x\", n: 6) { b } }"}"#, #"{"query":"{a(n:5 t:\"{{secret:1}}\"){b}}"}"#),
  ])
  func `a value other than a redacted secret counts as a difference`(sent: String, recorded: String) {
    #expect(!equal(sent, recorded), "\(recorded)")
  }

  @Test(arguments: [
    #"{"n":0}"#, #"{"code":0}"#, "a=1", "{{name}}", "{{secretary}}", "{{secrets}}", "{{secret_x}}", "{{secret1}}",
    "{{secret:x}}", "{{secret:1x}}", "{{secret:1:a b}}", "{{secret.1}}", "a=%7B%7Bsecrets%7D%7D", "{{secret:1}",
    #"{"a":"{{secret:1:x","b":"y}}"}"#, "{{ secret }}", "%7B%7Bx", "{{secret", "secrets", #"{"pin":1}"#,
  ])
  func `a body with an ordinary zero or other double braces has no placeholders`(text: String) {
    #expect(!body(text).hasPlaceholders)
  }

  @Test(arguments: ["{{secretary}}", "{{secret_x}}", "{{secret:x}}", "{{secrets}} {{secretary}}"])
  func `a string that only resembles a placeholder equals itself only`(text: String) {
    #expect(!SecretPlaceholders.matches("anything", placeholderIn: text))
    #expect(SecretPlaceholders.matches("\(text) x", placeholderIn: "\(text) {{secret:1}}"))
    #expect(!SecretPlaceholders.matches("y x", placeholderIn: "\(text) {{secret:1}}"))
    #expect(!body("{\"a\":\"\(text)\"}").differences(from: body(#"{"a":"anything"}"#)).isEmpty)
    #expect(!ParameterComparison.equal("a=anything", "a=\(text)"))
  }

  @Test(arguments: ["{{secret}}", "{{secret:12}}", "{{secret:1:uuid}}", "{{secret:1:date,0000-00-00_00:00}}"])
  func `a placeholder with or without number and type equals any string`(text: String) {
    #expect(SecretPlaceholders.matches("Bearer x", placeholderIn: "Bearer \(text)"))
    #expect(equal(#"{"a":"Bearer x"}"#, "{\"a\":\"Bearer \(text)\"}"))
    #expect(ParameterComparison.equal("a=x", "a=\(text)"))
  }

  private static let otherKinds: [(String, String?, String, String?, Bool)] = [
    ("user=bob&token=x&admin=true&amount=999", "text/plain", "user=bob&token={{secret:1}}", form, false),
    ("user=bob&token=x y&admin=true&amount=999", nil, "user=bob&token={{secret:1}}", form, false),
    ("user=bob&token=x&admin=true", form, "user=bob&token={{secret:1}}", "text/plain", false),
    ("user=bob&token=x", "text/plain", "user=bob&token={{secret:1}}", form, true),
    ("user=bob&token=YWJjZA==", "text/plain", "user=bob&token={{secret:1}}", form, true),
    (#"{"a":12,"b":5}"#, nil, #"{"a":{{secret:1}},"b":5}"#, "application/json", true),
    (#"{"a":1,"admin":true,"b":5}"#, nil, #"{"a":{{secret:1}},"b":5}"#, "application/json", false),
    (#"[1,2,3]"#, nil, #"[{{secret:1}}]"#, nil, false), (#"{"a":1}"#, nil, "{{secret:1}}", "text/plain", true),
    (#"{"a":"x","admin":true,} b"}"#, nil, #"{"a":"{{secret:1}} b"}"#, nil, false),
    (
      "--b\r\nA: b\r\n\r\nx\r\n--b\r\nC: d\r\n\r\ny z\r\n--b--\r\n", "text/plain",
      "--b\r\nA: b\r\n\r\n{{secret:1}} z\r\n--b--\r\n", multipart("b"), false
    ),
  ]

  @Test(arguments: otherKinds)
  func `a placeholder in a body of another kind equals one value only`(
    sent: String, type: String?, recorded: String, recordedType: String?, isEqual: Bool
  ) {
    let (sent, recorded) = (body(sent, type), body(recorded, recordedType))
    #expect(sent.kind != recorded.kind)
    let differences = recorded.differences(from: sent)
    #expect(differences.isEmpty == isEqual)
    #expect(!differences.contains { $0.isGenerated })
  }

  @Test func `a generated value in a body with a placeholder is marked`() {
    let recorded = body(#"{"a":"{{secret:1}} at 2026-11-22T01:00:00Z","id":"550e8400-e29b-41d4-a716-446655440000"}"#)
    let sent = body(#"{"a":"xyz at 2026-11-22T02:00:00Z","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}"#)
    #expect(recorded.differences(from: sent).map(\.isGenerated) == [true, true])
    let other = body(#"{"a":"xyz on 2026-11-22T02:00:00Z","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}"#)
    #expect(recorded.differences(from: other).map(\.isGenerated) == [false, true])
  }
}
