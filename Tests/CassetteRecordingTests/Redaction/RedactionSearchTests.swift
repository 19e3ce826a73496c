import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
import TestSupport
import Testing

@testable import CassetteRecording
@testable import CassetteSecrets
@testable import Cassettes

/// Returns random bytes that contain the given pieces, whole or next to each other.
private func mixture(_ random: inout Seeded, _ pieces: [[UInt8]], count: ClosedRange<Int>) -> [UInt8] {
  var bytes: [UInt8] = []
  for _ in 0..<Int.random(in: count, using: &random) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      for _ in 0..<Int.random(in: 1..<40, using: &random) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
    case 1: bytes += repeatElement(UInt8.random(in: 0x20...0x7e, using: &random), count: 12)
    default: bytes += pieces.randomElement(using: &random) ?? []
    }
  }
  return bytes
}

@Suite struct RedactionSearchTests {
  @Test(arguments: 0..<40)
  func `known secrets are found in short and long bodies, also within base64`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 200)
    let secrets = ["abcd3fgh", "3fghijkl", "abcd3fghij", "??>>~~ÿ", "s3cr3t!"].map { Array($0.utf8) }
    var table = SecretTable()
    for secret in secrets { _ = table.secret(secret) }
    var bytes = mixture(&random, secrets + [Array("abcd3fghijkl".utf8)], count: 5...30)
    for secret in secrets {
      let text = Array(base64(Array("xyz".utf8.prefix(Int.random(in: 0...3, using: &random))) + secret + [0x21]).utf8)
      bytes += [0x20] + text + [0x20]
      bytes += text.map { $0 == 0x2b ? 0x2d : $0 == 0x2f ? 0x5f : $0 } + [0x20]
    }
    for size in [0, 5000] {
      let body = bytes + Array(repeating: 0x20, count: size)
      var plain: [Range<Int>] = []
      var found: Set<Range<Int>> = []
      table.patterns.search(body) { range, _ in
        if secrets.contains(Array(body[range])) { plain.append(range) } else { found.insert(range) }
      }
      #expect(plain == PlainRedaction.places(of: secrets, in: body))
      for run in PlainRedaction.runs(in: bytes) {
        for shift in 0..<4 {
          for place in PlainRedaction.places(of: secrets, in: PlainRedaction.decoded(bytes[run].dropFirst(shift))) {
            let start = run.lowerBound + shift + place.lowerBound * 8 / 6
            let range = start..<run.lowerBound + shift + (place.upperBound * 8 + 5) / 6
            #expect(found.contains(range), "\(String(decoding: bytes[range], as: UTF8.self))")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<30)
  func `random text is text, and with a control or invalid byte it is not`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 500)
    let scalars = "a \t\r\né€😀~".unicodeScalars.map { Array(String($0).utf8) } + [Array(repeating: 0x61, count: 70)]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<60, using: &random) { bytes += scalars.randomElement(using: &random) ?? [] }
    #expect(BodyText.isText(bytes))
    for other: [UInt8] in [[0x00], [0x1b], [0x7f], [0x80], [0xc2, 0x85], [0xff], [0xed, 0xa0, 0x80]] {
      #expect(!BodyText.isText(bytes + other + Array(repeating: 0x61, count: 40)))
    }
  }

  @Test func `every encoded secret in a body of 1 MB is redacted, and recording again changes nothing`() throws {
    var random = Seeded(600)
    var body: [UInt8] = []
    while body.count < 1 << 20 { withUnsafeBytes(of: random.next()) { body += $0 } }
    let secret = "s3cr3t/Value-1"
    let plants = [
      "?access_token=\(secret)&", "{\"password\": \"s3cr3t\\/Value-1\"}", " \(base64("x" + secret + "y")) ",
      "%73%33%63r3t%2FValue-1", "://user:\(secret)@", "{\\\"api_key\\\":\\\"\(secret)\\\"}",
    ]
    for plant in plants {
      let at = Int.random(in: 0..<body.count, using: &random)
      body.replaceSubrange(at..<at, with: [0] + Array(plant.utf8) + [0])
    }
    let folder = try ScratchFolder()
    func record(_ cassette: Cassette) throws -> String {
      let recording = Recording(into: cassette)
      let token = recording.begin(HTTPRequest(target: try #require(HTTPTarget("/a"))), origin: "https://example.com")
      recording.finish(token, RecordedResponse(status: 200, body: .storing(body)))
      return try recording.save(to: folder.path("a.json")).description
    }
    #expect(try record(Cassette(name: "a")) == "1 added (GET /a)")
    let cassette = try CassetteFile.read(path: folder.path("a.json"))
    let kept = try #require(try cassette.interactions[0].responseBody?.bytes())
    #expect(kept.firstIndex(of: Array(secret.utf8)) == nil)
    // A redacted base64 text is base64 again.
    #expect(SecretAlias.numbers(in: kept).count == plants.count - 1)
    #expect(try record(cassette) == "nothing changed")
  }
}
