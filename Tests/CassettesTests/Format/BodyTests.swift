import CassetteJSON
internal import CassetteSystem
import TestSupport
import Testing

@testable import Cassettes

@Suite struct BodyTests {
  @Test(
    arguments: [
      (#"{"a":1}"#, .json(style: .compact, newline: false)), ("{\"a\": 1}\n", .json(style: .spaced, newline: true)),
      ("{\n  \"a\": 1\n}", .json(style: .indent2, newline: false)),
      ("{\n    \"a\": 1\n}\n", .json(style: .indent4, newline: true)),
      ("{ }", .text), ("{\"a\":1}\r\n", .text), ("hello", .text), ("a\tb\r\nc\n", .text), ("", .text), ("é😀", .text),
      ("a\0b", .base64), ("\u{1b}[1m", .base64), ("\u{7f}", .base64), ("\u{85}", .base64), ("\u{a0}", .text),
    ] as [(String, Body.Form)])
  func `a body is stored in the first form that restores its bytes`(_ body: String, _ form: Body.Form) throws {
    #expect(Body.storing(Array(body.utf8)).form == form)
    try expectSame(Array(body.utf8))
  }

  @Test(arguments: 0..<30)
  func `random JSON is restored byte for byte`(_ seed: Int) throws {
    var json = RandomJSON(random: Seeded(UInt64(seed)), space: seed % 2 == 0 ? [""] : ["", " ", "\n  ", "\t", "\r\n"])
    try expectSame(
      (0..<20).map { _ in
        let text = Array(json.value().utf8)
        guard Bool.random(using: &json.random), let style = JSONStyle.allCases.randomElement(using: &json.random) else {
          return text
        }
        var styled: [UInt8] = []
        style.render(text.span, into: &styled)
        return styled + (Bool.random(using: &json.random) ? [0x0a] : [])
      })
  }

  @Test(arguments: 0..<20)
  func `random text is restored byte for byte`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let pieces = [
      "a", "\n", "\r\n", "\t", "\"", "\\", "é", "日", "😀", "\u{2028}", "\u{0}", "\u{feff}", "{", " ", "\u{9f}",
    ]
    try expectSame(
      (0..<20).map { _ in
        Array(
          (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            .utf8)
      })
  }

  @Test(arguments: 0..<20)
  func `random bytes are restored byte for byte`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    try expectSame(
      (0..<20).map { _ in
        (0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      })
  }

  @Test func `JSON that is nested too deeply for a cassette is stored as text`() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(Body.storing(Array(deep.utf8)).form == .text)
    try expectSame(Array(deep.utf8))
    let less = String(repeating: "[", count: 480) + String(repeating: "]", count: 480)
    #expect(Body.storing(Array(less.utf8)).form == .json(style: .compact, newline: false))
    try expectSame(Array(less.utf8))
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is encoded and decoded as in RFC 4648`(_ bytes: String, _ text: String) {
    #expect(BodyBase64.encode(Array(bytes.utf8)) == Array(text.utf8))
    #expect(BodyBase64.decode(Array(text.utf8)) == Array(bytes.utf8))
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm-v", "Zm 9v", "=Zg=", "Zm9v\n"])
  func `invalid base64 is not decoded`(_ text: String) {
    #expect(BodyBase64.decode(Array(text.utf8)) == nil)
  }

  private func expectSame(_ bodies: [UInt8]...) throws { try expectSame(bodies) }

  /// Writes and reads request and response bodies, and expects the same bytes and the same file when written again.
  private func expectSame(_ bodies: [[UInt8]]) throws {
    let cassette = Cassette(
      name: "test",
      interactions: bodies.map { bytes in
        var interaction = Interaction.answering(.storing(bytes))
        interaction.requestBody = .storing(bytes)
        return interaction
      })
    let written = try CassetteFile.bytes(of: cassette)
    let read = try CassetteFile.read(bytes: written, name: "test", file: nil)
    for (interaction, bytes) in zip(read.interactions, bodies) {
      #expect(try (interaction.response?.body?.bytes() ?? []) == bytes)
      #expect(try (interaction.requestBody?.bytes() ?? []) == bytes)
    }
    #expect(try CassetteFile.bytes(of: read) == written)
  }
}
