import CassetteHTTP
import CassetteSecrets
import CassetteSystem
import Testing

/// Tests base64 that a language model's stream delivers in pieces.
@Suite struct JoinedBase64Tests {
  private static let token = "ghp" + "_" + "aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gY"

  /// Returns a stream with a string in deltas of a given size, between two other strings.
  private static func stream(_ text: String, by size: Int) -> String {
    let pieces = stride(from: 0, to: text.utf8.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
    return (["see "] + pieces + [" or so"]).map {
      "data: {\"delta\": {\"content\": \"\($0.replacing("\n", with: "\\n"))\"}}\n\n"
    }.joined()
  }

  private static func said(by stream: String) -> String {
    stream.split(separator: "\n").map { $0.dropFirst(29).dropLast(3) }.joined().replacing("\\n", with: "\n")
  }

  private static func base64(_ text: String) -> String {
    String(decoding: BodyBase64.encode(Array(text.utf8)), as: UTF8.self)
  }

  @Test(
    arguments: [
      "{\"password\": \"Zk8vQ2xTw9Lm4s\", \"user\": \"ada\"}", "the key is \(token), keep it",
      String(repeating: "This line of a letter is long enough. ", count: 4) + "\npassword: Zk8vQ2xTw9Lm4s\n",
    ], [4, 7, 30])
  func `secrets in base64 split over several deltas are redacted, and the result is base64`(_ text: String, size: Int)
    throws
  {
    let stream = Self.stream(Self.base64(text), by: size)
    #expect(!SecretScanner(.standard).findings(in: Array(stream.utf8), .body).isEmpty)
    let kept = PlantedText.redacted(stream, .body)
    let said = Self.said(by: kept)
    #expect(said.hasPrefix("see ") && said.hasSuffix(" or so"), "\(said)")
    let decoded = try #require(RedactionBase64.decode(Array(said.dropFirst(4).dropLast(6).utf8)[...]))
    #expect(String(decoding: decoded, as: UTF8.self) == PlantedText.redacted(text, .text))
    #expect(kept.split(separator: "\n").count == stream.split(separator: "\n").count)
  }

  @Test func `redacted base64 in lines keeps the length of its lines`() throws {
    let text = String(repeating: "This line of a letter is long enough. ", count: 5) + "\npassword: Zk8vQ2xTw9Lm4s\n"
    let lines = stride(from: 0, to: Self.base64(text).count, by: 76).map { Self.base64(text).dropFirst($0).prefix(76) }
    let said = Self.said(by: PlantedText.redacted(Self.stream(lines.joined(separator: "\n"), by: 11), .body))
    let kept = said.dropFirst(4).dropLast(6).split(separator: "\n")
    #expect(kept.dropLast().allSatisfy { $0.count == 76 } && kept.count == lines.count, "\(said)")
    let decoded = try #require(RedactionBase64.decode(Array(kept.joined().utf8)[...]))
    #expect(String(decoding: decoded, as: UTF8.self) == PlantedText.redacted(text, .text))
  }

  @Test func `a value redacted elsewhere is redacted in split base64`() {
    let named = "data: {\"token\": \"Zk8vQ2xTw9Lm4s\"}\n\n"
    let kept = PlantedText.redacted(named + Self.stream(Self.base64("\0\u{1} Zk8vQ2xTw9Lm4s \0"), by: 6), .body)
    #expect(Self.said(by: kept).contains("{{secret:1}}") && !kept.contains("azh2UTJ4"), "\(kept)")
  }
}
