import CassetteHTTP
import CassetteJSON
import CassetteShapes
internal import CassetteSystem
import TestSupport
import Testing

@testable import CassetteRecording
@testable import CassetteSecrets
@testable import Cassettes

/// Bytes in which anything may begin and nothing need end: the pieces that redaction is made for, and noise.
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

private func pieces(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

private let escapes = pieces([
  "%", "%4", "%41", "%25", "%2", "%22", "%5c", "%5C", "\\", "\\\\", "\\n", "\\\"", "\\/", "\\u0041", "\\u005c",
  "\\u0025",
  "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\ude00", "\\ud800\\ud800", "u0041", "n", "41", "25", "abc", "{{secret:12}}",
])

private let names = pieces([
  "\"token\"", "\"a\"", "\"", "\"api_key\" \n:", ":", " : ", "\"pass\\\"word\":", "\"password\":", "\\\"", "\\", "[",
  "]",
  ",", "1234", "?token=", "&a=", ";code=", "#", "=", "token", "&acc%65ss_token=", "://", "u:p@", "/", "x=1&", " ", "'",
])

private let encoded = pieces([
  base64(sampleTokens[0].token), base64("ab " + sampleTokens[2].token), base64("abc" + sampleTokens[5].token + " x"),
  base64("{\"SecretAccessKey\": \"" + String(repeating: "wJalr/Xd", count: 5) + "\"}"), "AAAAAAAAAAAAAAAAAAAA", "====",
  "-", "_", sampleTokens[3].token, "ghp", "_", "secret_key", String(repeating: "wJalr+Xd", count: 5), "a", "/", " ",
  "-----BEGIN RSA%20PRIVATE%20KEY-----", "-----BEGIN\\u0020PRIVATE KEY-----",
  "aws%5fsecret%5fkey='" + String(repeating: "wJalr/Xd", count: 5) + "'",
  "secret\\u005fkey: " + String(repeating: "aB3/", count: 10) + ",",
  sampleTokens[11].token, sampleTokens[12].token, "%67hp", "\\u0067hp", "\n", "%5f", "sk", "_live_", "%2d",
])

@Suite struct RedactionSearchTests {
  @Test(arguments: 0..<60)
  func `every reading is had, and each byte knows where it was`(_ seed: Int) {
    var random = Seeded(UInt64(seed))
    let bytes = mixture(&random, escapes, count: 0...40)
    var found: Set<[UInt8]> = []
    DecodedView.each(of: bytes) { view in
      found.insert(view.bytes)
      var end = 0
      for at in view.bytes.indices {
        let place = view.original(at..<at + 1)
        #expect(place.lowerBound == end || place.upperBound == end, "\(at) of \(view.bytes)")
        if place.count == 1 { #expect(bytes[place.lowerBound] == view.bytes[at]) }
        end = place.upperBound
      }
      #expect(end == bytes.count)
    }
    #expect(found == PlainRedaction.readings(of: bytes))
  }

  @Test(arguments: 0..<60)
  func `every run of base64 is had, those of a reading at least where it differs from those before`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 100)
    let bytes = mixture(&random, encoded + escapes, count: 0...60)
    var before: Set<[UInt8]> = []
    DecodedView.each(of: bytes) { view in
      var runs: [Range<Int>] = []
      view.bytes.searching { text in view.eachRun(in: text, view.parts()) { runs.append($0) } }
      let all = PlainRedaction.runs(in: view.bytes)
      if view.edits.isEmpty { #expect(runs == all) }
      #expect(Set(runs).isSubset(of: all))
      for run in all where !runs.contains(run) { #expect(before.contains(Array(view.bytes[run]))) }
      before.formUnion(runs.map { Array(view.bytes[$0]) })
      for run in runs {
        #expect(RedactionBase64.decode(view.bytes[run]) == PlainRedaction.decoded(view.bytes[run]))
      }
    }
  }

  @Test(arguments: 0..<40)
  func `known secrets are found in a large body as in a small one`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 200)
    let secrets = ["abcdefgh", "efghijkl", "abcdefghij", "??>>~~ÿ", "s3cr3t!"].map { Array($0.utf8) }
    var table = SecretTable()
    for secret in secrets { _ = table.secret(secret) }
    var bytes = mixture(&random, secrets + [Array("abcdefghijkl".utf8)], count: 5...30)
    for secret in secrets {
      let text = Array(base64(Array("xyz".utf8.prefix(Int.random(in: 0...3, using: &random))) + secret + [0x21]).utf8)
      bytes += [0x20] + text + [0x20]
      bytes += text.map { $0 == 0x2b ? 0x2d : $0 == 0x2f ? 0x5f : $0 } + [0x20]
    }
    for size in [0, 5000] {
      let body = bytes + Array(repeating: 0x20, count: size)
      var plain: [Range<Int>] = []
      var found: Set<Range<Int>> = []
      table.patterns.search(body) { range, _, isBase64 in
        if isBase64 { found.insert(range) } else { plain.append(range) }
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

  @Test(arguments: 0..<60)
  func `names of members and parameters are found as one reads them`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 300)
    let bytes = mixture(&random, names, count: 0...80)
    let finder = SecretFinder(redaction: .standard, hidesAll: true)
    var found: [Range<Int>] = []
    bytes.searching { text in
      let anywhere = NamePlaces([], in: text, 0..<text.count, isAnywhere: true)
      finder.assignments(in: text, 0..<text.count, anywhere, .inText) { found.append($0.range) }
    }
    for value in PlainRedaction.parameters(in: bytes) {
      #expect(found.contains { $0.overlaps(value) }, "\(String(decoding: bytes, as: UTF8.self)): \(value)")
    }
    var last = -1
    var members: [String] = []
    bytes.searching { text in
      for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
        var end = colon
        while end > last + 1, SecretFinder.isSpace(text[end - 1]) { end -= 1 }
        guard end > last + 1, text[end - 1] == UInt8(ascii: "\""),
          let range = SecretFinder.quoted(text, before: end - 1, after: last + 1, UInt8(ascii: "\""))
        else { continue }
        last = colon
        let name = SecretNames.text(text, range)
        if SecretNames.isParameter(name) { members.append(name) }
      }
    }
    #expect(members == PlainRedaction.memberNames(in: bytes))
  }

  @Test(arguments: 0..<80)
  func `tokens are found wherever a look at each byte finds them`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 400)
    let bytes = mixture(&random, encoded, count: 1...12)
    #expect(Set(SecretScanner().kinds(in: bytes)) == PlainRedaction.kinds(in: bytes))
  }

  @Test(arguments: 0..<24)
  func `the shortest token is found in base64 of anything, wherever it begins`(_ before: Int) {
    let token = Array("xoxb".utf8) + Array("-abcdefghij".utf8)
    let bytes = Array(repeating: 0x9d, count: before) + token + Array(repeating: 0xf3, count: 60)
    let text = base64(bytes)
    #expect(SecretScanner().kinds(in: Array(text.utf8)) == ["Slack token"])
    #expect(SecretScanner().kinds(in: Array("\(text) \n".replacing("+", with: "-").utf8)) == ["Slack token"])
  }

  @Test(arguments: 0..<30)
  func `text is told from other bytes`(_ seed: Int) {
    var random = Seeded(UInt64(seed) + 500)
    let scalars = "a \t\r\né€😀~".unicodeScalars.map { Array(String($0).utf8) } + [Array(repeating: 0x61, count: 70)]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<60, using: &random) { bytes += scalars.randomElement(using: &random) ?? [] }
    #expect(BodyText.isText(bytes))
    for other: [UInt8] in [[0x00], [0x1b], [0x7f], [0x80], [0xc2, 0x85], [0xff], [0xed, 0xa0, 0x80]] {
      #expect(!BodyText.isText(bytes + other + Array(repeating: 0x61, count: 40)))
    }
  }

  @Test func `a large body is saved, and nothing in it is missed`() throws {
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
    // What was base64 is base64 again.
    #expect(SecretAlias.numbers(in: kept).count == plants.count - 1)
    #expect(try record(cassette) == "nothing changed")
  }
}
