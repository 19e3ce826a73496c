import CassetteHTTP
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

@testable import CassetteRecording
@testable import MockServerUpstream

/// Requests and their responses, in the order of sending.
private struct Traffic {
  var requests: [(HTTPRequest, RecordedResponse)] = []

  mutating func add(
    _ path: String, _ headers: HTTPHeaders = [], method: HTTPMethod = .get, body: String = "",
    status: HTTPStatus = 200,
    response: HTTPHeaders = [], answer: String = ""
  ) throws {
    let target = try #require(HTTPTarget(path))
    let request = HTTPRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
    let body = answer.isEmpty ? nil : Body.storing(Array(answer.utf8))
    requests.append((request, RecordedResponse(status: status, headers: response, body: body)))
  }

  func record(
    into cassette: Cassette = Cassette(name: "test"), mode: CassetteMode = .record,
    redaction: CassetteRedaction = .standard,
    at time: String = "2026-11-21T01:00:00Z"
  ) -> Recording {
    let recording = Recording(into: cassette, mode: mode, redaction: redaction)
    let tokens = requests.map { recording.begin($0.0, origin: "https://api.example.com") }
    // Answers arrive in another order; the cassette has the order of the requests.
    for (token, request) in zip(tokens, requests).reversed() {
      recording.finish(token, request.1, recorded: RecordedFacts(at: time, firstByte: 0.25, total: 0.5))
    }
    return recording
  }
}

private func bytes(_ cassette: Cassette) throws -> String { try text(of: cassette) }

extension Recording {
  /// Saves the recording into a file.
  @discardableResult
  func save(to path: String, of journal: RecordingJournal? = nil) throws(CassetteError) -> Changes {
    let file = try RecordingFile(path: path)
    var outcome = RecordingFile.Outcome()
    outcome.journaled = try journal?.content(of: 1)
    _ = try file.save(file.begin(self), outcome)
    return file.total
  }
}

private func reread(_ cassette: Cassette) throws -> Cassette {
  try CassetteFile.read(bytes: CassetteFile.bytes(of: cassette), name: "test", file: nil)
}

@Suite struct RecordingTests {
  @Test func `the recording of a repeated request without an answer is kept`() throws {
    var traffic = Traffic()
    for path in ["/a", "/b?token=one-secret", "/c", "/b?token=one-secret"] {
      try traffic.add(path, answer: "old \(path)")
    }
    let old = try reread(traffic.record().merged().cassette)
    var again = Traffic()
    try again.add("/a", answer: "new")
    let recording = again.record(into: old)
    _ = recording.begin(
      HTTPRequest(target: try #require(HTTPTarget("/b?token=two-secret"))), origin: "https://api.example.com")
    let given = recording.begin(HTTPRequest(target: try #require(HTTPTarget("/z"))), origin: "https://api.example.com")
    recording.abandon(given)
    let (cassette, changes) = try recording.merged()
    #expect(
      changes.description
        == "1 changed (get-a), 1 kept as recorded (get-b: no response), 2 not requested again (get-c, get-b-2)")
    #expect(try reread(cassette).interactions.map(\.id) == ["get-a", "get-b", "get-c", "get-b-2"])
  }

  @Test func `exchanges are written in the order of sending, redacted, with a common origin`() throws {
    var traffic = Traffic()
    try traffic.add(
      "/login?x=1", ["Host": "api.example.com", "Content-Length": "3"], method: .post, body: "{}",
      response: ["Content-Length": "9", "Connection": "close"], answer: #"{"access_token":"abcdefgh"}"#)
    try traffic.add("/me", ["Authorization": "Bearer abcdefgh"], status: 204)
    let recording = traffic.record()
    let pending = recording.begin(HTTPRequest(target: try #require(HTTPTarget("/late"))))
    #expect(recording.unfinished == 1)
    let (cassette, changes) = try recording.merged()
    #expect(changes.description == "2 added (POST /login?x=1, GET /me)")
    #expect(
      try bytes(cassette) == #"""
        {
          "cassette": 1,
          "origin": "https://api.example.com",
          "interactions": [
            {
              "id": "post-login",
              "request": {
                "method": "POST",
                "url": "/login?x=1",
                "body": {
                  "json": {}
                }
              },
              "response": {
                "status": 200,
                "body": {
                  "json": {
                    "access_token": "{{secret:1}}"
                  }
                }
              },
              "recorded": { "at": "2026-11-21T01:00:00Z", "firstByte": 0.25, "total": 0.5 }
            },
            {
              "id": "get-me",
              "request": {
                "method": "GET",
                "url": "/me",
                "headers": [
                  ["Authorization", "Bearer {{secret:1}}"]
                ]
              },
              "response": {
                "status": 204
              },
              "recorded": { "at": "2026-11-21T01:00:00Z", "firstByte": 0.25, "total": 0.5 }
            }
          ]
        }

        """#)
    recording.finish(pending, RecordedFailure(code: -1001))
    #expect(try recording.merged().cassette.interactions.last?.failure?.name == "timedOut")
  }

  @Test func `volatile fields, other secrets and other boundaries do not count as a change`() throws {
    func traffic(_ number: Int) throws -> Traffic {
      var traffic = Traffic()
      try traffic.add(
        "/upload",
        [
          "Authorization": "Bearer token-number-\(number)", "Content-Type": "multipart/form-data; boundary=b\(number)",
          "User-Agent": "tests/\(number)",
        ], method: .post,
        body: "--b\(number)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\(number)--\r\n",
        response: number == 1
          ? ["Date": "d1", "X-GitHub-Request-Id": "r1", "A": "1", "B": "2"]
          : ["B": "2", "A": "1", "Date": "d2", "X-RateLimit-Remaining": "7"])
      try traffic.add("/next", response: ["Set-Cookie": "sid=session-\(number)-abc; Expires=\(number); Path=/"])
      return traffic
    }
    let first = try traffic(1).record().merged().cassette
    let again = try traffic(2).record(into: reread(first), at: "2027-01-01T00:00:00Z").merged()
    #expect(again.changes == Recording.Changes(unchanged: 2))
    #expect(again.changes.description == "nothing changed")
    #expect(try bytes(again.cassette) == bytes(first))
  }

  @Test(arguments: [("Milk", true), ("Eggs", false)])
  func `a response that repeats generated values of its request is unchanged unless another value differs`(
    title: String, isUnchanged: Bool
  ) throws {
    func traffic(_ id: String, _ time: String, _ title: String) throws -> Traffic {
      var traffic = Traffic()
      try traffic.add(
        "/todos", ["Content-Type": "application/json"], method: .post,
        body: #"{"id":"\#(id)","at":"\#(time)","title":"Milk"}"#, status: 201,
        response: ["Content-Type": "application/json", "Location": "/todos/\(id)"],
        answer: #"{"id":"\#(id)","at":"\#(time)","title":"\#(title)","links":["/todos/\#(id)"]}"#)
      return traffic
    }
    let first = try traffic("0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01", "2026-11-21T01:00:00Z", "Milk")
      .record().merged().cassette
    let again = try traffic("9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22", "2026-11-25T07:30:00Z", title)
      .record(into: reread(first), at: "2026-11-25T07:30:00Z").merged()
    #expect(again.changes.unchanged == (isUnchanged ? 1 : 0), "\(again.changes)")
    let written = try bytes(again.cassette)
    if isUnchanged {
      #expect(try written == bytes(first))
    } else {
      #expect(written.contains("Eggs") && !written.contains("0b6e7c2a"))
    }
  }

  @Test func `changed, added and unrequested recordings are reported, and ids, notes and policies stay`() throws {
    var before = Traffic()
    for path in ["/a", "/b", "/c", "/a"] { try before.add(path, response: ["X": "1", "Y": "2"], answer: path) }
    var first = try reread(before.record().merged().cassette)
    first.interactions[1].id = "mine"
    first.interactions[1].repeatPolicy = .loop
    (first.note, first.interactions[1].note) = ("On top.", "Beside its id.")
    first = try reread(first)
    var after = Traffic()
    try after.add("/new", ["Authorization": "Bearer abcdefgh"])
    try after.add("/a", response: ["X": "1", "Y": "2"], answer: "/a")
    try after.add("/b", response: ["Y": "2", "X": "1"], answer: "other")
    try after.add("/b/2")
    try after.add("/a", response: ["X": "1", "Y": "2"], answer: "/a")
    let (cassette, changes) = try after.record(into: first, at: "later").merged()
    #expect(
      changes.description
        == "2 added (GET /new, GET /b/2), 1 changed (mine), 1 not requested again (get-c), 2 unchanged")
    #expect(cassette.interactions.map(\.url) == ["/new", "/a", "/b", "/b/2", "/c", "/a"])
    #expect(cassette.interactions.map(\.id) == ["", "get-a", "mine", "", "get-c", "get-a-2"])
    #expect(cassette.interactions[2].repeatPolicy == .loop)
    #expect(cassette.note == "On top." && cassette.interactions[2].note == "Beside its id.")
    #expect(cassette.interactions[2].response?.headers.map(\.name) == ["X", "Y"])
    #expect(cassette.interactions[1].recorded?.at == "2026-11-21T01:00:00Z")
  }

  @Test func `a secret keeps its number if a new secret precedes it`() throws {
    var before = Traffic()
    try before.add("/a", ["Authorization": "Bearer first-token"])
    try before.add("/b", ["Authorization": "Bearer second-token"])
    let first = try reread(before.record().merged().cassette)
    var after = Traffic()
    try after.add("/new", ["Authorization": "Bearer third-token"])
    try after.add("/b", ["Authorization": "Bearer second-token"])
    try after.add("/a", ["Authorization": "Bearer first-token"])
    let (cassette, changes) = try after.record(into: first).merged()
    #expect(changes == Recording.Changes(added: ["GET /new"], unchanged: 2))
    #expect(
      cassette.interactions.map { $0.requestHeaders["Authorization"] }
        == ["Bearer {{secret:3}}", "Bearer {{secret:1}}", "Bearer {{secret:2}}"])
  }

  @Test func `.recordMissing adds at the end and changes only newly known secrets`() throws {
    var before = Traffic()
    try before.add("/a", ["Authorization": "Bearer first-token"], answer: "note: planted-token")
    let first = try reread(before.record().merged().cassette)
    var after = Traffic()
    try after.add("/b", ["Authorization": "Bearer planted-token"])
    let (cassette, changes) = try after.record(into: first, mode: .recordMissing).merged()
    #expect(changes.added == ["GET /b"])
    #expect(changes.changed == ["get-a"])
    #expect(cassette.interactions.map(\.url) == ["/a", "/b"])
    #expect(cassette.interactions[0].requestHeaders["Authorization"] == "Bearer {{secret:1}}")
    #expect(
      String(decoding: try #require(try cassette.interactions[0].responseBody?.bytes()), as: UTF8.self)
        == "note: {{secret:2}}")
    #expect(cassette.interactions[1].requestHeaders["Authorization"] == "Bearer {{secret:2}}")
  }

  @Test func `a request inserted between requests of the same URL changes no recording`() throws {
    var before = Traffic()
    for query in ["1", "2", "3"] { try before.add("/graphql", method: .post, body: query, answer: "answer \(query)") }
    let first = try reread(before.record().merged().cassette)
    var after = Traffic()
    for query in ["1", "1b", "2", "3"] {
      try after.add("/graphql", method: .post, body: query, answer: "answer \(query)")
    }
    let (cassette, changes) = try after.record(into: first).merged()
    #expect(changes == Recording.Changes(added: ["POST /graphql"], unchanged: 3))
    #expect(
      try cassette.interactions.map { try $0.requestBody?.bytes() } == ["1", "1b", "2", "3"].map { Array($0.utf8) })
  }

  @Test func `a save writes no file for an unredacted token, and no unchanged file`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("github.json")
    var traffic = Traffic()
    try traffic.add("/a", answer: "see \(sampleTokens[0].token)")
    #expect(throws: CassetteError.self) { try traffic.record(redaction: .none).save(to: path) }
    #expect(folder.files.isEmpty)
    let redaction = CassetteRedaction.standard
    #expect(try traffic.record(redaction: redaction).save(to: path).added == ["GET /a"])
    let written = try #require(folder.bytes("github.json"))
    // A manual layout is kept while nothing changes.
    let byHand = String(decoding: written, as: UTF8.self).replacing("\n", with: "\n ")
    try folder.write(byHand, to: "github.json")
    let again = traffic.record(into: try CassetteFile.read(path: path), redaction: redaction)
    #expect(try again.save(to: path).isEmpty)
    #expect(folder.bytes("github.json") == Array(byHand.utf8))
    #expect(try Recording(into: CassetteFile.read(path: path)).save(to: path) == Recording.Changes(unchanged: 1))
    #expect(folder.files == ["github.json"])
  }

  @Test(arguments: 0..<12)
  func `the same random traffic recorded twice gives the same bytes`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed) + 77)
    let secrets = (0..<4).map { "secret-\(seed)-\($0)-value" }
    var traffic = Traffic()
    for _ in 0..<Int.random(in: 1...14, using: &random) {
      let secret = secrets.randomElement(using: &random) ?? ""
      var json = RandomJSON(random: random, space: ["", " "])
      let value = json.value()
      random = json.random
      let path = ["/a", "/b", "/c?token=\(secret)", "/d/\(secret)"].randomElement(using: &random) ?? "/"
      try traffic.add(
        path,
        Bool.random(using: &random) ? ["Authorization": "Bearer \(secret)"] : ["Cookie": "a=\(secret); b=1"],
        method: [.get, .post, .head].randomElement(using: &random) ?? .get,
        body: ["", "token=\(secret)", value].randomElement(using: &random) ?? "",
        status: [200, 302, 404].randomElement(using: &random) ?? 200,
        response: Bool.random(using: &random) ? ["Set-Cookie": "a=\(secret)", "Location": "/d/\(secret)"] : [],
        answer: ["", value, "{\"access_token\":\"\(secret)\",\"v\":\(value)}"].randomElement(using: &random) ?? "")
    }
    let first = try traffic.record().merged().cassette
    let written = try bytes(first)
    for secret in secrets { #expect(!written.contains(secret)) }
    let again = try traffic.record(into: reread(first), at: "2030-01-01T00:00:00Z").merged()
    #expect(again.changes.isEmpty, "\(again.changes)")
    #expect(try bytes(again.cassette) == written)
    // A recording without an earlier cassette has the same bytes.
    #expect(try bytes(traffic.record().merged().cassette) == written)
  }
}
