import CassetteHTTP
import CassetteJSON
import CassetteSecrets
import CassetteSystem
import Testing

private let token = "ghp" + "_" + "aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gY"

private func redacted(_ bytes: [UInt8]) -> [UInt8] {
  var pass = RedactionPass(.standard)
  pass.collect(bytes, .body)
  pass.beginReplacing()
  return pass.replacing(in: bytes, .body)?.first ?? bytes
}

private func utf16(_ text: String) -> [UInt8] {
  [0xff, 0xfe] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
}

@Suite struct CodedTextTests {
  private static let text = "{\"note\": \"see \(token)\", \"password\": \"Zk8vQ2xTw9Lm4s\"}"
  private static let cleaned = "{\"note\": \"see {{secret:1}}\", \"password\": \"{{secret:2}}\"}"

  @Test func `secrets in a compressed file are redacted, and the file is compressed again`() throws {
    let once = try #require(BodyCoding.gzip.wrap(Array(Self.text.utf8)))
    let twice = try #require(BodyCoding.gzip.wrap(once))
    for (bytes, depth) in [(once, 1), (twice, 2)] {
      var kept = redacted(bytes)
      for _ in 0..<depth {
        let (coding, content) = try #require(BodyCoding.unwrapping(kept, charset: nil))
        #expect(coding == .gzip)
        kept = content
      }
      #expect(String(decoding: kept, as: UTF8.self) == Self.cleaned)
    }
  }

  @Test func `in binary content, a value of fewer than four bytes after a secret name is not redacted`() {
    let lead = Array("abcdefgh".utf8) + [0, 0xf2, 0xdb]
    let chance = lead + Array("pw=Wx".utf8) + [0x7f, 0xd4]
    #expect(redacted(chance) == chance)
    let end: [UInt8] = [0] + lead
    #expect(redacted(lead + Array("pw=Wx5q".utf8) + end) == lead + Array("pw={{secret:1}}".utf8) + end)
    #expect(redacted(Array("a pw=Wx".utf8)) == Array("a pw={{secret:1}}".utf8))
  }

  @Test func `secrets in UTF-16 are redacted`() throws {
    let (_, content) = try #require(BodyCoding.unwrapping(redacted(utf16(Self.text)), charset: nil))
    #expect(String(decoding: content, as: UTF8.self) == Self.cleaned)
  }

  @Test func `secrets in a compressed file in base64 are redacted`() throws {
    let file = try #require(BodyCoding.gzip.wrap(Array(Self.text.utf8)))
    let body = "{\"file\": \"" + String(decoding: BodyBase64.encode(file), as: UTF8.self) + "\"}"
    #expect(!SecretScanner(.standard).findings(in: Array(body.utf8), .body).isEmpty)
    #expect(SecretScanner(.standard).findings(in: redacted(Array(body.utf8)), .body).isEmpty)
  }

  @Test(arguments: ["data: ", ""])
  func `a secret in one delta of a stream is found by its name in an earlier delta`(_ field: String) {
    func line(_ text: String) -> String { "\(field){\"choices\": [{\"delta\": {\"content\": \"\(text)\"}}]}\n\n" }
    let pieces = ["{\\\"password\\\"", ": \\\"", "kittens4ever", "\\\"}"]
    let kept = PlantedText.redacted(pieces.map(line).joined(), .body)
    #expect(kept == pieces.map { line($0 == "kittens4ever" ? "{{secret:1}}" : $0) }.joined())
  }

  @Test(arguments: ["data: ", ""])
  func `a secret split over several deltas of a stream is redacted in all of them`(_ field: String) {
    func line(_ text: Substring) -> String { "\(field){\"choices\": [{\"delta\": {\"content\": \"\(text)\"}}]}\n\n" }
    let said = "the key is \(token), or {\\\"password\\\": \\\"Zk8vQ2xTw9Lm4s\\\"}"
    for size in [3, 7, 16] {
      var stream = ""
      var rest = said[...]
      while !rest.isEmpty {
        var piece = rest.prefix(size)
        // A piece must not end inside an escape sequence.
        if piece.hasSuffix("\\") { piece = rest.prefix(size + 1) }
        stream += line(piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(SecretScanner(.standard).findings(in: Array(stream.utf8), .body).contains { $0.isToken })
      let kept = String(decoding: redacted(Array(stream.utf8)), as: UTF8.self)
      let pieces: [String] = kept.split(separator: "\n").map(String.init).compactMap { line in
        guard let start = line.firstRange(of: "\"content\": \"")?.upperBound else { return nil }
        return String(line.suffix(from: start).dropLast(5))
      }
      let joined = pieces.joined()
      #expect(!joined.contains(token.suffix(8)) && !joined.contains("Zk8vQ2"), "\(joined)")
      #expect(joined.contains("the key is {{secret:") && joined.hasSuffix("}"), "\(joined)")
      #expect(kept.split(separator: "\n").count == stream.split(separator: "\n").count)
    }
  }

  @Test(
    arguments: [
      #"{"a":"{\"b\":\"{\\\"password\\\":\\\"%S\\\"}\"}"}"#, #"{"a":"&lt;i data-password=&quot;%S&quot;&gt;"}"#,
      "<pre>{&#34;password&#34;: &#34;%S&#34;}</pre>",
    ], [5, 8])
  func `a secret with escapes in the joined deltas of a stream is redacted`(_ said: String, size: Int) {
    for secret in PlantedText.secrets {
      let text = said.replacing("%S", with: secret)
      let stream = stride(from: 0, to: text.utf8.count, by: size).map { at in
        let piece = JSONString.encode(String(text.dropFirst(at).prefix(size)))
        return "data: {\"delta\": \(String(decoding: piece, as: UTF8.self))}\n\n"
      }.joined()
      #expect(!SecretScanner(.standard).findings(in: Array(stream.utf8), .body).isEmpty)
      let pieces = PlantedText.redacted(stream, .body).split(separator: "\n").map { line in
        JSONString.decodeLoosely(Array(line.dropFirst(17).dropLast(2).utf8).span)
      }
      #expect(String(decoding: pieces.joined(), as: UTF8.self) == said.replacing("%S", with: "{{secret:1}}"))
    }
  }

  @Test(arguments: [#"{"password": "%S"}"#, #"["a", {"tokens": ["%S", "b"]}]"#], [6, 11])
  func `a secret in JSON split over several events of a stream is redacted`(_ said: String, size: Int) {
    for secret in PlantedText.secrets {
      let text = said.replacing("%S", with: secret)
      let stream = stride(from: 0, to: text.utf8.count, by: size).map { "data:\(text.dropFirst($0).prefix(size))\n\n" }
      #expect(!SecretScanner(.standard).findings(in: Array(stream.joined().utf8), .body).isEmpty)
      let kept = PlantedText.redacted(stream.joined(), .body).split(separator: "\n").map { $0.dropFirst(5) }.joined()
      #expect(kept.contains("{{secret:") && !kept.contains(secret) && kept.last == text.last, "\(kept)")
    }
  }

  @Test(arguments: ["hex", "HEX", "entities", "percent"])
  func `a redacted value is found in hexadecimal, character references and percent-encoding`(_ coding: String) {
    let secret = "Zk8vQ2xTw9Lm4s"
    let written =
      switch coding {
      case "hex": secret.utf8.map { String($0, radix: 16) }.joined()
      case "HEX": secret.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
      case "entities": secret.utf8.map { "&#x\(String($0, radix: 16));" }.joined()
      default: secret.utf8.map { "%\(String($0, radix: 16))" }.joined()
      }
    let text = "{\"password\": \"\(secret)\", \"echo\": \"<b>\(written)</b>\"}"
    let kept = String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    #expect(kept.hasPrefix("{\"password\": \"{{secret:1}}\", \"echo\": \"<b>{{secret:1}}"), "\(kept)")
  }
}
