import CassetteHTTP
internal import CassetteSecrets
import Cassettes
import TestSupport
import Testing

@testable import CassetteRecording
@testable import MockServerUpstream

/// The merge of new recordings with recordings that were not requested again.
@Suite struct RecordingMergeTests {
  private let folder: ScratchFolder
  private var path: String { folder.path("a.json") }

  init() throws { folder = try ScratchFolder() }

  @discardableResult
  private func record(_ exchanges: [RecordedTests.Exchange]) throws -> Recording.Changes {
    try RecordedTests(path).record(nil, exchanges)
  }

  private func recorded() throws -> [Interaction] { try CassetteFile.read(path: path).interactions }

  private func answers() throws -> [String] { try CassetteFile.read(path: path).answers }

  @Test func `a changed answer is recorded with the request body that was sent for it`() throws {
    func ask(_ id: String, _ answer: String) -> RecordedTests.Exchange {
      .init("/node", answer, method: .post, body: "{\"id\":\"\(id)\"}", headers: ["Content-Type": "application/json"])
    }
    try record([ask("a1b2c3d4-1234-4abc-9def-0123456789ab", "Alice")])
    let second = "b7e23ec2-9af4-4e1b-8c1f-6c1e2f3a4b5c"
    try record([ask(second, "Bob")])
    let bob = try #require(try recorded().last)
    #expect(try String(decoding: bob.requestBody?.bytes() ?? [], as: UTF8.self).contains(second))
    let changes = try record([ask("c0ffee00-9af4-4e1b-8c1f-6c1e2f3a4b5c", "Bob")])
    #expect(changes.unchanged == 1 && changes.changed.isEmpty, "an equal answer is unchanged")
  }

  @Test(
    arguments: [
      (["Authorization": "Bearer abc"], []), (["If-None-Match": "\"1\""], []), (["Range": "bytes=0-1"], []),
      (["Range": "bytes=0-1"], ["Range": "bytes=2-3"]), (["Accept": "text/html"], ["Accept": "text/html"]),
    ] as [(HTTPHeaders, HTTPHeaders)])
  func `a request with other header fields does not replace the recording of another request`(
    first: HTTPHeaders, again: HTTPHeaders
  ) throws {
    let other: HTTPHeaders = first.contains("Accept") ? ["Accept": "application/json"] : ["X-Other": "1"]
    try record([.init("/me", "first", headers: first), .init("/me", "other", headers: other)])
    let isThere = again.contains("Accept") || again.isEmpty
    let changes = try record([.init("/me", "again", headers: again.isEmpty ? other : again)])
    #expect(changes.changed.count == (isThere ? 1 : 0) && changes.added.count == (isThere ? 0 : 1))
    let expected = again.contains("Accept") ? ["again", "other"] : ["first", "again"] + (isThere ? [] : ["other"])
    #expect(Set(try answers()) == Set(expected))
  }

  @Test(
    arguments: [
      #"{"token": "%S", "followers": %N, "password": "%P"}"#,
      "token: %S\nn: %N\npassword: %P\n",
    ])
  func `a secret keeps its number if another value of its answer changes`(_ answer: String) throws {
    func exchange(_ path: String, _ number: Int) -> RecordedTests.Exchange {
      .init(
        path,
        answer.replacing("%S", with: "Zk8vQ2xTw9Lm4s").replacing("%P", with: "hunter2-Blue")
          .replacing("%N", with: "\(number)"))
    }
    try record([
      .init("/login", "{}", headers: ["Authorization": "Bearer aB3dE5gH7jK9"]), exchange("/users/kean", 1),
      exchange("/users/other", 1),
    ])
    let before = try answers()
    #expect(before[1] == before[2] && before[1].contains("{{secret:2}}") && before[1].contains("{{secret:3}}"))
    #expect(try record([exchange("/users/kean", 4_711)]).changed == ["get-users-kean"])
    #expect(try answers()[1] == before[1].replacing("1", with: "4711"))
  }

  @Test func `the same requests in another order do not count as a change`() throws {
    let exchanges: [RecordedTests.Exchange] = [
      .init("/me", "hers", headers: ["Authorization": "Bearer abc-secret"]), .init("/me", "nobody's"),
      .init("/me", "page", headers: ["Accept": "text/html"]),
    ]
    try record(exchanges)
    let changes = try record(exchanges.reversed())
    #expect(changes.unchanged == 3 && changes.changed.isEmpty && changes.added.isEmpty, "\(changes)")
  }

  @Test func `a changed answer is recorded with the requested language`() throws {
    try record([.init("/l", "Hallo", headers: ["Accept-Language": "de"])])
    try record([.init("/l", "Hallo", headers: ["Accept-Language": "en"])])
    #expect(try recorded()[0].requestHeaders["Accept-Language"] == "de")
    try record([.init("/l", "Hello", headers: ["Accept-Language": "en"])])
    #expect(try recorded()[0].requestHeaders["Accept-Language"] == "en")
  }

  @Test func `a GET request with a body does not replace a recording without a body`() throws {
    try record([.init("/_search", "all")])
    let changes = try record([.init("/_search", "some", body: "{\"q\":1}")])
    #expect(changes.added.count == 1 && changes.changed.isEmpty)
    #expect(try answers() == ["all", "some"])
  }

  @Test func `a recovery of a journal that only adds replaces no recording`() throws {
    try record([.init("/a", "one")])
    var journal = try RecordingJournal(beside: path, redaction: .standard, adds: true)
    let response = RecordedResponse(status: 200, body: .storing(Array("two".utf8)))
    try journal.append(
      Interaction(method: .get, url: "https://api.example.com/a", outcome: .response(response)), number: 0)
    try journal.commit()
    journal.close()
    _ = try RecordingJournal.recover(beside: path)
    #expect(try answers() == ["one", "two"])
  }

  @Test func `a recording added by hand during a run is not pruned`() throws {
    try record([.init("/a", "a"), .init("/b", "b")])
    let tests = try RecordedTests(path)
    let number = try tests.begin(nil, [.init("/a", "a")])
    var cassette = try CassetteFile.read(path: path)
    cassette.interactions.append(
      Interaction(id: "hand", method: .get, url: "/hand", outcome: .response(RecordedResponse(status: 204))))
    try CassetteFile.write(cassette, to: path)
    _ = try tests.file.save(number, prunes: true)
    #expect(try CassetteFile.read(path: path).urls == ["/a", "/hand"])
  }

  private static let two: [(HTTPHeaders, HTTPHeaders)] = [
    (["X-Tenant": "a"], ["X-Tenant": "b"]), (["If-None-Match": "old"], ["If-None-Match": "new"]),
    (["Cookie": "sid=Zk8vQ2xTw9Lm4s"], ["X-Other": "1"]),
    (["X-Api-Key": "Zk8vQ2xTw9Lm4s"], ["Authorization": "Bearer x"]),
  ]

  @Test(arguments: two)
  func `the one of two recordings with the sent header fields is replaced`(first: HTTPHeaders, second: HTTPHeaders)
    throws
  {
    try record([.init("/me", "first", headers: first), .init("/me", "second", headers: second)])
    try record([.init("/me", "again", headers: second)])
    #expect(try answers() == ["first", "again"])
  }

  @Test func `several Accept-Language fields are recorded separately`() throws {
    let both = HTTPHeaders([("Accept-Language", "de"), ("Accept-Language", "fr")])
    try record([.init("/l", "Hallo", headers: both)])
    try record([.init("/l", "Hello", headers: both)])
    #expect(try recorded()[0].requestHeaders.values(of: "Accept-Language") == ["de", "fr"])
  }

  @Test(arguments: [["If-None-Match": "1"], ["Range": "bytes=0-1"]] as [HTTPHeaders])
  func `a partial or conditional answer does not replace the answer to a plain request`(headers: HTTPHeaders) throws {
    for rules in ["", #","match":{"query":{"ts":"ignore"}}"#] {
      let request = #""request":{"method":"GET","url":"/c?ts=1"}"#
      try folder.write(
        "{\"cassette\":1,\"interactions\":[{\(request),\"response\":{\"status\":200}\(rules)}]}", to: "a.json")
      let changes = try record([.init("/c?ts=1", "part", headers: headers)])
      #expect(changes.added.count == 1 && changes.changed.isEmpty, "\(rules)")
    }
  }

  @Test func `a recording written without a request body is replaced for any body`() throws {
    try folder.write(
      #"{"cassette":1,"interactions":[{"request":{"method":"GET","url":"/s"},"response":{"status":200}}]}"#,
      to: "a.json")
    let changes = try record([.init("/s", "some", body: "{\"q\":1}")])
    #expect(changes.changed.count == 1 && changes.added.isEmpty)
  }
}
