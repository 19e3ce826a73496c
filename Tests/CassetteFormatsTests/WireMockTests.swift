import CassetteFormats
import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation
import TestSupport
import Testing

struct WireMockTests {
  private func mappings(_ list: String...) throws -> Imported {
    try Imported.of(#"{"mappings": [\#(list.joined(separator: ","))]}"#)
  }

  @Test(arguments: [
    (#""url": "/a?b=1""#, "/a?b=1"), (#""urlPath": "/a""#, "/a"),
    (#""urlPath": "/a", "queryParameters": {"q": {"equalTo": "1 2"}}"#, "/a?q=1%202"),
    (#""urlPattern": "/a\\.b\\?c=1""#, "/a.b?c=1"), (#""urlPathTemplate": "/a""#, "/a"),
  ])
  func `every notation of a constant URL is imported`(url: String, expected: String) throws {
    let imported = try mappings(#"{"request": {"method": "GET", \#(url)}, "response": {"status": 200}}"#)
    #expect(imported.cassette?.interactions.map(\.url) == [expected])
  }

  @Test func `request, response, delay and conditions of a mapping are imported`() throws {
    let imported = try mappings(
      #"""
      {"request": {"method": "POST", "url": "/a", "headers": {"Accept": {"equalTo": "a/b"}, "X": {"matches": "x.*"}},
        "cookies": {"c": {"equalTo": "c1d2e3f4"}},
        "bodyPatterns": [{"equalToJson": "{\"a\": 1}", "ignoreArrayOrder": true}, {"matchesJsonPath": "$.a"}]},
       "response": {"status": 201, "statusMessage": "Made", "jsonBody": {"b": 1.0}, "headers": {"X": ["1", "2"]},
        "fixedDelayMilliseconds": 250, "transformers": ["response-template"]}}
      """#,
      #"{"request": {"method": "GET", "url": "/b"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#)
    let interactions = try #require(imported.cassette?.interactions)
    let first = interactions[0]
    #expect(first.requestHeaders == [("Accept", "a/b")])
    #expect(try first.requestBody?.bytes() == Array(#"{"a": 1}"#.utf8))
    #expect(first.response?.reason == "Made" && first.response?.headers == [("X", "1"), ("X", "2")])
    #expect(try first.response?.body?.bytes() == Array(#"{"b":1.0}"#.utf8))
    #expect(first.replay.delay == .seconds(0.25))
    #expect(interactions[1].failure?.name == "networkConnectionLost")
    #expect(first.match.headers.entries.map(\.name) == ["Accept", "X"])
    #expect(first.match.cookies.entries.map(\.condition) == [.all([.equals("{{secret:1}}")])])
    #expect(first.match.body.count == 2)
    #expect(imported.report.left.isEmpty)
  }

  @Test func `mappings of a scenario play in the order of its states`() throws {
    func stub(_ body: String, _ now: String, _ next: String?) -> String {
      let new = next.map { #", "newScenarioState": "\#($0)""# } ?? ""
      return #"""
        {"scenarioName": "s", "requiredScenarioState": "\#(now)"\#(new),
         "request": {"method": "GET", "url": "/a"}, "response": {"status": 200, "body": "\#(body)"}}
        """#
    }
    let put = #"{"request": {"method": "PUT", "url": "/a"}, "response": {"status": 200}}"#
    let imported = try mappings(
      stub("3", "third", nil), stub("1", "Started", "second"), put, stub("2", "second", "third"))
    let bodies = try imported.cassette?.interactions.map { try $0.response?.body?.bytes() ?? [] }
    #expect(bodies == ["1", "2", "", "3"].map { Array($0.utf8) })
    // States take precedence over recorded changes: WireMock's answers do not depend on previous PUT requests.
    let deck = Deck(CassetteLibrary(cassettes: [try #require(imported.cassette)]))
    let asked = HTTPRequest(method: .get, target: try #require(HTTPTarget("/a")))
    let ids = (0..<4).map { _ in deck.id(for: asked) }
    let names = try #require(imported.cassette).interactions.map(\.id)
    #expect(ids == [names[0], names[1], names[3], names[3]])
  }

  @Test(arguments: [("", "", "second"), (#", "priority": 1"#, "", "first"), (#", "priority": 9"#, "", "second")])
  func `of two mappings with the same request the one that WireMock plays is imported`(
    one: String, other: String, body: String
  ) throws {
    let request = #""request": {"method": "GET", "url": "/a"}"#
    let imported = try mappings(
      #"{\#(request), "response": {"status": 200, "body": "first"}\#(one)}"#,
      #"{\#(request), "response": {"status": 200, "body": "second"}\#(other)}"#)
    #expect(try imported.cassette?.interactions.map { try $0.response?.body?.bytes() } == [Array(body.utf8)])
    #expect(imported.report.skipped.first?.reason.contains("never used") == true)
  }

  @Test func `a folder of mappings with body files is imported as one cassette in insertion order`() throws {
    let folder = try ScratchFolder()
    for (name, text) in [
      (
        "mappings/10.json",
        #"{"insertionIndex": 1, "request": {"url": "/a", "method": "GET"}, "response": {"bodyFileName": "a.txt"}}"#
      ),
      (
        "mappings/2.json",
        #"{"insertionIndex": 2, "request": {"url": "/b", "method": "GET"}, "response": {"bodyFileName": "../out.txt"}}"#
      ),
      ("__files/a.txt", "hello"), ("out.txt", "no"),
    ] {
      let url = URL(filePath: folder.path("api/\(name)"))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    for path in ["api", "api/mappings"] {
      let into = folder.path("out-\(path.count)")
      let report = try ImportTransaction(into: into).run([folder.path(path)])[0]
      let interactions = try CassetteFile.read(path: try #require(report.cassette)).interactions
      // The second mapping was skipped and leaves a placeholder.
      #expect(interactions.map(\.url) == ["/a", "/b"] && interactions.map { $0.failure?.gap != nil } == [false, true])
      #expect(try interactions[0].response?.body?.bytes() == Array("hello".utf8))
      #expect(report.skipped.map { $0.reason.contains("must not leave") } == [true])
    }
  }

  @Test func `a template without a transformer is imported as text with a note, and translated with --templates`()
    throws
  {
    let mapping = #"{"request": {"url": "/a"}, "response": {"body": "{{request.requestLine.baseUrl}}/a"}}"#
    for (hasTemplates, body) in [(false, "{{request.requestLine.baseUrl}}/a"), (true, "{{base}}/a")] {
      let folder = try ScratchFolder()
      try folder.write(mapping, to: "a.json")
      var transaction = ImportTransaction(into: folder.path("out"))
      transaction.hasTemplates = hasTemplates
      let report = try transaction.run([folder.path("a.json")])[0]
      let interaction = try CassetteFile.read(path: try #require(report.cassette)).interactions[0]
      #expect(try interaction.response?.body?.bytes() == Array(body.utf8))
      #expect(report.left.contains { $0.what.contains("--templates") && !$0.isLeftOut } == !hasTemplates)
      #expect(report.leftOut == 0)
    }
  }

  @Test func `a skipped mapping is reported with its file, line and id`() throws {
    let folder = try ScratchFolder()
    let proxy = #"{"id": "7f1", "request": {"url": "/a"}, "response": {"proxyBaseUrl": "http://b.example"}}"#
    let list = #"{"mappings": [{"request": {"url": "/c"}, "response": {"status": 200}},"# + "\n\n" + proxy + "]}"
    for (name, text) in [("a", proxy), ("b", list)] {
      let url = URL(filePath: folder.path("api/mappings/\(name).json"))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let skipped = try ImportTransaction(into: folder.path("out")).run([folder.path("api")])[0].skipped
    #expect(
      skipped.map { "\($0.file.dropFirst(folder.path.count)):\($0.line): \($0.item)" } == [
        "/api/mappings/a.json:1: mapping 0 \"7f1\"", "/api/mappings/b.json:3: mapping 1 \"7f1\"",
      ])
  }

  @Test func `a cassette that is exported to WireMock and imported plays the same responses in order`() throws {
    let interactions = ["1", "2"].map { body in
      Interaction(
        method: .get, url: "/a?b=c",
        outcome: .response(
          RecordedResponse(
            status: 200, headers: [("X", "1"), ("X", "2")], body: .storing(Array("{\"a\": \(body)}\n".utf8)))))
    }
    let binary = Interaction(
      method: .post, url: "/b", requestBody: .storing([0, 255]),
      outcome: .response(RecordedResponse(status: 201, reason: "Made", body: .storing([1, 0, 255]))))
    let lost = Interaction(method: .get, url: "/c", outcome: .failure(RecordedFailure(code: -1005)))
    let cassette = Cassette(name: "sample", interactions: interactions + [binary, lost])
    let text = String(decoding: try WireMockWriter.export(cassette).bytes, as: UTF8.self)
    let file = try #require(try Imported.of(text, redaction: nil).files["sample.json"])
    var back = try CassetteFile.read(bytes: file, name: "sample", file: nil)
    // The order is exported as scenario states, in which WireMock stores it.
    #expect(back.interactions.map { $0.replay.when.count } == [1, 1, 0, 0])
    let deck = Deck(CassetteLibrary(cassettes: [back]))
    let answers = try (0..<3).map { _ in try played(deck.plan(Exchange.request("GET /a?b=c"))) }
    #expect(answers == ["{\"a\": 1}\n", "{\"a\": 2}\n", "{\"a\": 2}\n"])
    for index in back.interactions.indices { back.interactions[index].replay = ReplayRules() }
    #expect(try Imported.bytes(of: back) == Imported.bytes(of: cassette))
  }

  private func played(_ plan: Plan) throws -> String {
    guard let playback = plan.playback else { return "no recording" }
    return String(decoding: try playback.recording.interaction.response?.body?.bytes() ?? [], as: UTF8.self)
  }
}
