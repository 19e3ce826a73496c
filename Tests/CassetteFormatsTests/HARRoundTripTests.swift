import CassetteFormats
import CassetteHTTP
import Cassettes
import TestSupport
import Testing

/// Cassettes with everything that a recorder writes, exported to HAR and imported again.
///
/// A body that a person stored in an unusual form, such as JSON as text or a short body in a file, changes its form.
struct HARRoundTripTests {
  private static func har(_ cassette: Cassette) throws -> [UInt8] {
    try HARWriter.bytes(of: cassette, version: "1")
  }

  private static func cassette(_ interactions: [Interaction]) -> Cassette {
    Cassette(name: "sample", origin: "https://api.example.com", interactions: interactions)
  }

  private static func plain(_ url: String, _ response: RecordedResponse = RecordedResponse(status: 200)) -> Interaction
  {
    Interaction(id: "one", method: .get, url: url, outcome: .response(response))
  }

  private func comesBack(_ cassette: Cassette) throws {
    let text = try Self.har(cassette)
    #expect(try HARSchema.problems(text) == [])
    let imported = try Imported.of(String(decoding: text, as: UTF8.self), named: "sample.har", redaction: nil)
    let file = try #require(imported.files["sample.json"])
    let wanted = try Imported.bytes(of: cassette)
    #expect(String(decoding: file, as: UTF8.self) == String(decoding: wanted, as: UTF8.self))
    // The second export equals the first.
    #expect(try Self.har(try #require(imported.cassette)) == text)
  }

  @Test(arguments: [
    "/a?token={{secret:1}}", "/orgs/<ORG>/repos", "/a%20b|c", "/é?ü=1", "/a?page[size]=1&x=%zz%4", "/?q=\"\\^`",
    "https://other.example:8443/x{y}",
  ])
  func `a target that is not a URI is escaped in the HAR and restored unchanged`(target: String) throws {
    try comesBack(Self.cassette([Self.plain(target)]))
  }

  @Test(arguments: ["/a", "https://a.example/a"])
  func `a cassette without an origin is restored without an origin`(target: String) throws {
    var cassette = Self.cassette([Self.plain(target)])
    cassette.origin = nil
    try comesBack(cassette)
  }

  @Test func `OPTIONS * is restored from HAR`() throws {
    try comesBack(
      Self.cassette([
        Interaction(id: "a", method: .options, url: "*", outcome: .response(RecordedResponse(status: 204))),
        Self.plain("/"),
      ]))
  }

  @Test func `a stream is restored from HAR with its gaps and its end`() throws {
    var response = RecordedResponse(status: 200, headers: [("Content-Type", "text/event-stream")])
    let chunks = [
      BodyChunk(after: 0.5, bytes: Array("data: é".utf8).dropLast()), BodyChunk(after: 0, bytes: [0xa9]),
      BodyChunk(after: 1.25, bytes: Array("\n\n".utf8)),
    ]
    response.body = .chunks(chunks, end: .reset)
    try comesBack(Self.cassette([Self.plain("/events", response)]))
    response.headers = [("Content-Length", "100")]
    try comesBack(Self.cassette([Self.plain("/incomplete", response)]))
  }

  @Test func `a stream whose text was edited in the HAR becomes one body`() throws {
    let response = RecordedResponse(status: 200, body: .chunks([BodyChunk(after: 1, bytes: Array("abc".utf8))]))
    let text = String(decoding: try Self.har(Self.cassette([Self.plain("/", response)])), as: UTF8.self)
    let imported = try Imported.of(text.replacing("\"abc\"", with: "\"abcd\""), named: "a.har")
    let body = try #require(imported.cassette?.interactions.first?.response?.body)
    #expect(try body.bytes() == Array("abcd".utf8) && body.form == .text)
  }

  @Test func `interim responses, trailers and an empty reason are restored from HAR`() throws {
    var response = RecordedResponse(status: 200, reason: "", headers: [("X", "1")], body: .storing(Array("a".utf8)))
    response.interim = [
      InterimResponse(status: 103, headers: [("Link", "</a.css>"), ("link", "</b.css>")]), InterimResponse(status: 100),
    ]
    response.trailers = [("Digest", "x"), ("digest", "y")]
    try comesBack(Self.cassette([Self.plain("/", response)]))
  }

  @Test func `a failure is exported with status 0 and restored from HAR`() throws {
    let cassette = Self.cassette([
      Interaction(id: "lost", method: .get, url: "/", outcome: .failure(RecordedFailure(code: -1001)))
    ])
    try comesBack(cassette)
    #expect(String(decoding: try Self.har(cassette), as: UTF8.self).contains("\"status\": 0,"))
  }

  @Test(arguments: ["gzip", "br"], [[], [0x8b, 2, 0x80, 0x41, 3]] as [[UInt8]])
  func `a content coding is restored from HAR, with and without a body`(coding: String, body: [UInt8]) throws {
    try comesBack(
      Self.cassette([
        Self.plain(
          "/",
          RecordedResponse(
            status: 200, headers: [("Content-Encoding", coding)], body: body.isEmpty ? nil : .storing(body)))
      ]))
  }

  @Test(arguments: [
    RecordedFacts(at: "2026-11-21T01:00:00Z"), RecordedFacts(firstByte: 0.25), RecordedFacts(total: 0.5),
    RecordedFacts(firstByte: 0.5, total: 0.25), RecordedFacts(total: 0.5, isCut: true),
    RecordedFacts(firstByte: 0, total: 0),
    RecordedFacts(at: "2026-11-21T01:00:00.123+01:00", firstByte: 0.0831234567, total: 0.1),
    RecordedFacts(at: "1970-01-01T00:00:00Z", firstByte: 0.083, total: 0.091),
  ])
  func `recorded times are restored from HAR, also if the HAR's own members cannot express them`(facts: RecordedFacts)
    throws
  {
    var interaction = Self.plain("/")
    interaction.recorded = facts
    try comesBack(Self.cassette([interaction]))
  }

  @Test func `cookies and forms are also exported in the HAR members for them`() throws {
    let cassette = Self.cassette([
      Interaction(
        id: "form", method: .post, url: "/?a=b%20c",
        requestHeaders: [("Cookie", "a=1; b=x=y"), ("Content-Type", "application/x-www-form-urlencoded")],
        requestBody: .storing(Array("n=v+w&m=%26".utf8)),
        outcome: .response(
          RecordedResponse(
            status: 200,
            headers: [
              ("Set-Cookie", "s=t; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; HttpOnly; path=/x; Secure; Domain=d")
            ])))
    ])
    let text = String(decoding: try Self.har(cassette), as: UTF8.self).filter { !$0.isWhitespace }
    for words in [
      #""cookies":[{"name":"a","value":"1"},{"name":"b","value":"x=y"}]"#,
      #"{"name":"s","value":"t","path":"/","expires":"1994-11-06T08:49:37Z","httpOnly":true,"secure":true,"domain":"d"}"#,
      #""params":[{"name":"n","value":"vw"},{"name":"m","value":"&"}]"#,
    ] { #expect(text.contains(words), "\(words)\n\(text)") }
    try comesBack(cassette)
  }

  @Test func `rules are exported to HAR in the notation of cassettes`() throws {
    let rules = """
      "match": {
        "path": "/users/{name}",
        "body": { "json": { "a": 1.0, "b": "\\u00e9" }, "ignore": ["$.a"] }
      },
      "replay": { "delay": 0.25, "fault": "truncate" }
      """
    let text = """
      {"cassette": 1, "interactions": [
        {"id": "one", "request": {"method": "GET", "url": "/users/kean"}, "response": {"status": 200}, \(rules)}
      ]}
      """
    let cassette = try CassetteFile.read(bytes: Array(text.utf8), name: "sample", file: nil)
    try comesBack(cassette)
    let har = String(decoding: try Self.har(cassette), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(har.contains(rules.filter { !$0.isWhitespace }))
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a random cassette is restored from HAR unchanged`(seed: UInt64) throws {
    var random = Seeded(seed)
    try comesBack(Self.cassette([Self.plain("/first")] + (0..<30).map { Self.random(index: $0, &random) }))
  }

  private static func random(index: Int, _ random: inout Seeded) -> Interaction {
    func bytes(_ limit: Int) -> [UInt8] {
      let isText = Bool.random(using: &random)
      return (0..<Int.random(in: 1...limit, using: &random)).map { _ in
        UInt8.random(in: isText ? 32...126 : 0...255, using: &random)
      }
    }
    func maybe<T>(_ value: @autoclosure () -> T) -> T? { Int.random(in: 0..<3, using: &random) == 0 ? value() : nil }
    func fields() -> HTTPHeaders {
      HTTPHeaders(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          (
            ["Accept", "x-a", "X-A", "Etag", "Link", "Set-Cookie", "Cookie"].randomElement(using: &random) ?? "A",
            "v\(Int.random(in: 0...9, using: &random)); é=\"\\{{secret:1}}"
          )
        })
    }
    func seconds() -> Double { Double(Int.random(in: 0...3_000_000, using: &random)) / 1_000_000 }
    let status = HTTPStatus([200, 201, 302, 404, 418, 503, 599].randomElement(using: &random) ?? 200)
    var response = RecordedResponse(
      status: status, reason: maybe(["", "Odd", "I'm a teapot"].randomElement(using: &random) ?? ""), headers: fields(),
      body: maybe(.storing(bytes(50))))
    if let chunks = maybe(
      (0..<Int.random(in: 1...4, using: &random)).map { _ in BodyChunk(after: seconds(), bytes: bytes(9)) })
    {
      response.body = .chunks(chunks, end: maybe(.reset) ?? .complete)
    }
    if let early = maybe(InterimResponse(status: 103, headers: fields())) { response.interim = [early] }
    response.trailers = maybe(fields()) ?? []
    if response.reason == status.standardPhrase { response.reason = nil }
    let target =
      "/\(Int.random(in: 0...3, using: &random))"
      + (["", "?q=\(index)", "?{x}=<\(index)>", "/é%2f%", "?a&b=&=c"].randomElement(using: &random) ?? "")
    var interaction = Interaction(
      id: "i\(index)", method: [.get, .post, "PURGE"].randomElement(using: &random) ?? .get,
      url: (maybe("http://other.example:81") ?? "") + target, requestHeaders: fields(),
      requestBody: maybe(.storing(bytes(50))),
      outcome: maybe(.failure(RecordedFailure(code: -1005))) ?? .response(response),
      recorded: maybe(
        RecordedFacts(at: maybe("2026-11-21T01:00:00.5Z"), firstByte: maybe(seconds()), total: seconds())),
      repeatPolicy: maybe(.loop) ?? .last)
    interaction.note = maybe("Why \(index).")
    if let match = maybe(RandomRules.match(&random)) { interaction.match = match }
    if let replay = maybe(RandomRules.replay(&random)) { interaction.replay = replay }
    return interaction
  }
}
