import CassetteFormats
import CassetteHTTP
internal import CassetteSecrets
import CassetteSystem
import Foundation
import TestSupport
import Testing

struct LeakTests {
  private func leaks(_ text: String, _ redaction: CassetteRedaction = .standard) throws -> [String] {
    let folder = try ScratchFolder()
    try Data(text.utf8).write(to: URL(filePath: folder.path("a.json")))
    return try LeakScanner(redaction).leaks(in: folder.path("a.json")).map { "\($0.line): \($0.what)" }
  }

  private static let token = "ghp_" + String(repeating: "a1B2", count: 9)

  private static func cassette(_ field: String, _ url: String = "/a", _ body: String = "{}") -> String {
    """
    {
      "cassette": 1,
      "interactions": [
        {
          "request": {
            "method": "GET",
            "url": "\(url)",
            "headers": [
              ["Accept", "a/b"],
              \(field)
            ]
          },
          "response": {
            "status": 200,
            "body": { "json": \(body) }
          }
        }
      ]
    }

    """
  }

  @Test(arguments: [
    ("[\"Authorization\", \"Bearer abcdef123456\"]", "/a", "{}", "10: the field Authorization in the clear"),
    ("[\"X\", \"y\"]", "/a?access_token=abcdef12", "{}", "7: the parameter access_token in the clear"),
    ("[\"X\", \"y\"]", "/a", "{\n\"a\": {\"password\": \"hunter22\"}}", "16: $.a.password in the clear"),
    ("[\"X\", \"\(token)\"]", "/a", "{}", "10: a possible GitHub token"),
  ])
  func `a secret in a cassette is found at its line`(field: String, url: String, body: String, found: String) throws {
    #expect(try leaks(Self.cassette(field, url, body)) == [found])
  }

  @Test func `the lines of a base64 body in a cassette are scanned as one body`() throws {
    let body = Array(#"{"user":"ada","padding":"0123456789","password":"{{secret:1}}"}"#.utf8)
    let text = BodyBase64.encode(body + [0, 1, 2])
    let lines = stride(from: 0, to: text.count, by: 76).map {
      "\"\(String(decoding: text[$0..<min($0 + 76, text.count)], as: UTF8.self))\""
    }
    let cassette = Self.cassette("[\"X\", \"y\"]", "/a", "{}")
    let encoded = cassette.replacing(
      "{ \"json\": {} }", with: "{ \"base64\": [\n\(lines.joined(separator: ",\n"))\n] }")
    #expect(try leaks(encoded) == [])
  }

  @Test(arguments: [
    "[\"Authorization\", \"Bearer {{secret:1}}\"]", "[\"Authorization\", \"token <AUTH_TOKEN>\"]",
    "[\"Authorization\", \"token 0000000000000000000000000000000000000001\"]",
    "[\"ETag\", \"5c1e9f3a8b7d6c5e4f3a2b1c0d9e8f7a\"]",
  ])
  func `a placeholder or an ordinary value is not reported as a secret`(field: String) throws {
    #expect(try leaks(Self.cassette(field)) == [])
  }

  @Test func `a recording of another tool is scanned in its own format`() throws {
    let text = Sample.har(Sample.entry(fields: ",\n{\"name\": \"Authorization\", \"value\": \"Bearer abcdef123456\"}"))
    let line = 1 + text[..<(try #require(text.range(of: "abcdef")).lowerBound)].count { $0.isNewline }
    #expect(try leaks(text) == ["\(line): the field Authorization in the clear"])
  }

  @Test(arguments: [
    ("API_TOKEN=q8Zx3Lm9Rt5Vw2Kp7Yn4", true), ("client_secret: 'q8Zx3Lm9Rt5Vw2Kp7Yn4'", true),
    ("\"x-secret-key\": \"q8Zx3Lm9Rt5Vw2Kp7Yn4\"", true), ("token = makeTheTokenOfThisSession()", false),
    ("secret: aaaaaaaaaaaaaaaaaaaaaaaaa1", false), ("commit: q8Zx3Lm9Rt5Vw2Kp7Yn4", false),
  ])
  func `a random value is reported only after a word that identifies it as a secret`(line: String, isFound: Bool) throws
  {
    #expect(try leaks("a\n\(line)\n").isEmpty == !isFound)
    if isFound { #expect(try leaks("a\n\(line)\n").first?.hasPrefix("2: ") == true) }
  }

  private static let key =
    "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Zx\n-----END " + "RSA PRIVATE KEY-----"

  @Test(arguments: [
    ("a\nb\n\(key)\n", [3]), ("a:\n  key: |\n    \(key.replacing("\n", with: "\n    "))\nb: 1\n", [3]),
    ("see \(token)\nb\nand \(token) \(token)\n{\"a\": \"\\n\(token)\"}\n", [1, 3, 4]),
  ])
  func `every occurrence of a secret is reported with the line of its beginning`(text: String, lines: [Int]) throws {
    #expect(try leaks(text).map { $0.prefix { $0 != ":" } } == lines.map { "\($0)" })
  }

  @Test func `a value or field that is kept by the options is not reported`() throws {
    #expect(try leaks(Self.cassette("[\"X\", \"\(Self.token)\"]"), .keeping(.value(Self.token))) == [])
    #expect(try leaks(Self.cassette("[\"X-Api-Key\", \"abcdef123\"]"), .keeping(.header("X-Api-Key"))) == [])
  }

  @Test func `a cassette that cannot be read is reported, because its encoded bodies were not scanned`() throws {
    let broken = Self.cassette("[\"X-A\", \"1\"]").replacing("\"method\": \"GET\"", with: "\"method\": 7")
    let found = try leaks(broken)
    #expect(found.count == 1 && found[0].contains("its recordings could not be scanned"), "\(found)")
    #expect(try leaks(broken, .standard.keepingOpaque()) == [])
  }
}

/// Scans of encoded and opaque files.
struct CodedLeakTests {
  private func leaks(_ bytes: [UInt8], _ redaction: CassetteRedaction = .standard) throws -> [Leak] {
    let folder = try ScratchFolder()
    try Data(bytes).write(to: URL(filePath: folder.path("a.bin")))
    return try LeakScanner(redaction).leaks(in: folder.path("a.bin"))
  }

  @Test func `an archive is reported as opaque, and a compressed text is scanned`() throws {
    let archive: [UInt8] = [0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0, 8, 0] + [UInt8](repeating: 7, count: 40)
    let found = try leaks(archive)
    #expect(found.count == 1 && found.first?.isOpaque == true && found.first?.what.hasPrefix("could not") == true)
    #expect(try leaks(archive, .standard.keepingOpaque()).isEmpty)
    let token = "ghp" + "_" + "aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gY"
    let file = try #require(BodyCoding.gzip.wrap(Array("see \(token)".utf8)))
    #expect(try leaks(file).map(\.what) == ["a possible GitHub token"])
  }
}
