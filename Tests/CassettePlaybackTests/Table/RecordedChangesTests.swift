import CassetteHTTP
import CassetteSystem
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// An answer that was recorded after a change plays once the change has been requested.
@Suite struct RecordedChangesTests {
  /// A list of recordings, a list of requests, and the ids of their answers.
  struct Story: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Lines such as `GET /todos/1 = a`, followed by `! 404` for another status than 200.
    var recorded: [String]
    var asked: [String]
    var answers: [String]

    init(_ name: String, _ recorded: [String], asked: [String], _ answers: [String]) {
      (testDescription, self.recorded, self.asked, self.answers) = (name, recorded, asked, answers)
    }
  }

  private static func interaction(_ text: String) throws -> Interaction {
    let halves = text.split(separator: " = ", maxSplits: 1).map(String.init)
    let words = halves[0].split(separator: " ", maxSplits: 2).map(String.init)
    let rest = halves[1].split(separator: " ").map(String.init)
    var interaction = Exchange.recorded(
      "\(words[0]) \(words[1])", id: rest[0], sent: words.count > 2 ? words[2] : nil,
      status: HTTPStatus(rest.count > 2 ? Int(rest[2]) ?? 0 : 200))
    if rest.last == "count" { interaction.replay.order = .count }
    return interaction
  }

  private static func request(_ text: String) throws -> HTTPRequest {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    return try Exchange.request("\(words[0]) \(words[1])", body: words.count > 2 ? words[2] : "")
  }

  private static let todo = [
    "POST /todos x = made", "GET /todos/1 = there", "DELETE /todos/1 = deleted ! 204", "GET /todos/1 = gone ! 404",
  ]

  @Test(arguments: [
    Story(
      "a repeated request without the change gets the answer before the change", todo,
      asked: ["GET /todos/1", "GET /todos/1"],
      ["there", "there"]),
    Story(
      "a request after only the change gets the answer after the change", todo,
      asked: ["DELETE /todos/1", "GET /todos/1"],
      ["deleted", "gone"]),
    Story(
      "requests in recorded order get the recorded answers", todo,
      asked: ["POST /todos x", "GET /todos/1", "DELETE /todos/1", "GET /todos/1"],
      ["made", "there", "deleted", "gone"]),
    Story(
      "polling is answered by count", ["GET /job = 1", "GET /job = 2", "GET /job = 3"],
      asked: ["GET /job", "GET /job", "GET /job", "GET /job"], ["1", "2", "3", "3"]),
    Story(
      "polling is answered by count after a change",
      ["GET /job = 0", "PUT /job x = put", "GET /job = 1", "GET /job = 2"],
      asked: ["GET /job", "GET /job", "PUT /job x", "GET /job", "GET /job", "GET /job"],
      ["0", "0", "put", "1", "2", "2"]),
    Story(
      "a change of an element changes its list",
      ["GET /todos = full", "DELETE /todos/1 = deleted", "GET /todos = empty"],
      asked: ["GET /todos", "GET /todos", "DELETE /todos/1", "GET /todos"], ["full", "full", "deleted", "empty"]),
    Story(
      "a change of a list changes its elements",
      ["GET /todos/1 = there", "DELETE /todos = cleared", "GET /todos/1 = gone"],
      asked: ["GET /todos/1", "GET /todos/1", "DELETE /todos", "GET /todos/1"], ["there", "there", "cleared", "gone"]),
    Story(
      "a change of a sibling or two levels below does not count",
      ["GET /a/1 = 1", "DELETE /a/2 = beside", "DELETE /a/1/b/c = below", "GET /a/1 = 2"],
      asked: ["GET /a/1", "GET /a/1"], ["1", "2"]),
    Story(
      "a change at another origin does not count",
      ["GET https://a.example/x = 1", "DELETE https://b.example/x = other", "GET https://a.example/x = 2"],
      asked: ["GET /x", "GET /x"], ["1", "2"]),
    Story(
      "a refused change does not count", ["GET /a = 1", "PUT /a x = refused ! 401", "GET /a = 2"],
      asked: ["GET /a", "GET /a"], ["1", "2"]),
    Story(
      "a GraphQL query is not a change",
      [
        #"POST /graphql {"query":"{a}"} = 1"#, #"POST /graphql {"query":"{b}"} = b"#,
        #"POST /graphql {"query":"{a}"} = 2"#,
      ],
      asked: [#"POST /graphql {"query":"{a}"}"#, #"POST /graphql {"query":"{a}"}"#], ["1", "2"]),
    Story(
      "a GraphQL mutation is a change",
      [
        #"POST /graphql {"query":"{a}"} = 1"#, #"POST /graphql {"query":"mutation{b}"} = b"#,
        #"POST /graphql {"query":"{a}"} = 2"#,
      ],
      asked: [
        #"POST /graphql {"query":"{a}"}"#, #"POST /graphql {"query":"{a}"}"#, #"POST /graphql {"query":"mutation{b}"}"#,
        #"POST /graphql {"query":"{a}"}"#,
      ],
      ["1", "1", "b", "2"]),
    Story(
      "equal changes do not await each other", ["POST /a x = 1", "POST /a x = 2", "POST /a x = 3"],
      asked: ["POST /a x", "POST /a x", "POST /a x", "POST /a x"], ["1", "2", "3", "3"]),
    Story(
      "the last requested of two changes counts",
      ["PUT /a 1 = put1", "GET /a = one", "PUT /a 2 = put2", "GET /a = two"],
      asked: ["PUT /a 2", "GET /a", "PUT /a 1", "GET /a", "GET /a", "PUT /a 2", "GET /a"],
      ["put2", "two", "put1", "one", "one", "put2", "two"]),
    Story(
      "a change without a body counts at each request",
      ["DELETE /a = cleared", "GET /a = none", "POST /a x = made", "GET /a = one"],
      asked: ["POST /a x", "GET /a", "DELETE /a", "GET /a", "DELETE /a", "GET /a"],
      ["made", "one", "cleared", "none", "cleared", "none"]),
    Story(
      "a POST that creates another element is not a change of the first",
      [
        "POST /jobs a = {\"id\":1}", "GET /jobs/1 = waits", "POST /jobs b = {\"id\":2}", "GET /jobs/1 = done",
      ],
      asked: ["POST /jobs a", "GET /jobs/1", "GET /jobs/1"], ["{\"id\":1}", "waits", "done"]),
    Story(
      "without a recording before the change the first recording plays",
      ["POST /a x = made", "GET /a = one", "PUT /a y = put", "GET /a = two"],
      asked: ["GET /a", "GET /a", "PUT /a y", "GET /a"], ["one", "one", "put", "two"]),
    Story(
      "a recording with the order count ignores changes",
      ["GET /a = 1", "DELETE /a = deleted", "GET /a = 2 count"], asked: ["GET /a", "GET /a", "GET /a"], ["1", "2", "2"]),
    Story(
      "a trailing slash or a query does not change the path of a change",
      ["GET /a?x=1 = 1", "POST /a/ x = made", "GET /a?x=1 = 2"],
      asked: ["GET /a?x=1", "GET /a?x=1", "POST /a/ x", "GET /a?x=1"], ["1", "1", "made", "2"]),
  ])
  func `an answer recorded after a change plays once the change is requested`(story: Story) throws {
    let deck = Exchange.deck(try story.recorded.map(Self.interaction))
    #expect(try story.asked.map { deck.id(for: try Self.request($0)) } == story.answers)
  }

  @Test func `changes are kept per session and discarded by a reset`() throws {
    let deck = Exchange.deck(try Self.todo.map(Self.interaction))
    let get = try Self.request("GET /todos/1")
    #expect(deck.id(for: try Self.request("DELETE /todos/1"), session: "a") == "deleted")
    #expect(deck.id(for: get, session: "b") == "there")
    #expect(deck.id(for: get, session: "a") == "gone")
    deck.reset(session: "a")
    #expect(deck.id(for: get, session: "a") == "there")
  }

  @Test func `the awaited change of each recording is known`() throws {
    let table = Exchange.deck(try (Self.todo + ["GET /todos/1 = again ! 404"]).map(Self.interaction)).table
    #expect(table.changesAwaited == [1: 0, 3: 2, 4: 2])
  }

  @Test func `an answer names the change after which it was recorded`() throws {
    let deck = Exchange.deck(try Self.todo.map(Self.interaction))
    _ = deck.plan(try Self.request("DELETE /todos/1"))
    guard let playback = deck.plan(try Self.request("GET /todos/1")).playback else {
      Issue.record("nothing answers")
      return
    }
    #expect(playback.after == 2)
  }

  @Test(arguments: [
    ("GET /plain", true), ("POST /plain", true), ("DELETE /todos/1", false), ("DELETE /other", true),
    ("DELETE /todos/1/notes", false), ("DELETE /todos/2", true),
  ])
  func `only a change that a recording awaits has no sole answer`(line: String, isSettled: Bool) throws {
    let lines = ["GET /plain", "POST /plain", "DELETE /other", "DELETE /todos/1/notes", "DELETE /todos/2"]
    let table = Exchange.deck(try Self.todo.map(Self.interaction) + lines.map { Exchange.recorded($0) }).table
    let words = line.split(separator: " ").map(String.init)
    let (method, target) = (words[0], words[1])
    let found = table.sole(method: Array(method.utf8).span, target: Array(target.utf8).span) { false }
    #expect((found != nil) == isSettled)
  }

  @Test func `each of 400 recorded exchanges is answered by its own recording in recorded order`() throws {
    // Methods, targets, bodies and statuses are chosen by a fixed pseudo-random sequence.
    var random: UInt32 = 7
    func next(_ bound: UInt32) -> Int {
      random = random &* 1_664_525 &+ 1_013_904_223
      return Int((random >> 16) % bound)
    }
    let targets = ["/a", "/a/1", "/a/2", "/a/1/b", "/", "/c"]
    let recordings = (0..<400).map { number in
      let method = ["GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE"][next(7)]
      let body = method == "GET" || method == "DELETE" ? nil : ["x", "y", "z"][next(3)]
      let statuses: [HTTPStatus] = [200, 200, 201, 404]
      return Exchange.recorded("\(method) \(targets[next(6)])", id: "\(number)", sent: body, status: statuses[next(4)])
    }
    let deck = Exchange.deck(recordings)
    for interaction in recordings {
      let body = try interaction.requestBody.map { String(decoding: try $0.bytes(), as: UTF8.self) } ?? ""
      let request = try Exchange.request("\(interaction.method.rawValue) \(interaction.url)", body: body)
      #expect(deck.id(for: request) == interaction.id)
    }
  }

  @Test(arguments: ["{{secret:1}}", "{{secret:1:uuid}}"])
  func `an id from the answer to a POST selects the recordings of later requests`(name: String) throws {
    let deck = Exchange.deck([
      Exchange.recorded("POST /orders", status: 201, content: #"{"id":"\#(name)"}"#),
      Exchange.recorded("GET /orders/\(name)", content: #"{"id":"\#(name)","total":1}"#),
      Exchange.recorded("POST /payments", sent: #"{"order":"\#(name)"}"#, content: "paid"),
    ])
    let made = try #require(try deck.response(try Exchange.request("POST /orders")).text)
    let given = String(try #require(made.split(separator: "\"").last { $0.count > 3 }))
    // A stand-in without a type is sent unchanged.
    #expect(given == name || !given.contains("{{"))
    let read = try deck.response(try Exchange.request("GET /orders/\(given)"))
    #expect(read.text == #"{"id":"\#(given)","total":1}"#)
    let body = #"{"order":"\#(given)"}"#
    #expect(try deck.response(try Exchange.request("POST /payments", body: body)).text == "paid")
  }

  @Test func `the order "count" of a recording is read and written`() throws {
    let text = cassette(more: #""replay":{"order":"count"}"#)
    let cassette = try read(text)
    #expect(cassette.interactions[0].replay.order == .count)
    let written = String(decoding: try CassetteFile.bytes(of: cassette), as: UTF8.self)
    #expect(written.contains(#""replay": { "order": "count" }"#))
  }

  @Test(arguments: [[], [0], [1], [0, 1, 2]])
  func `scenario states take precedence over recorded changes`(puts: [Int]) throws {
    func ruled(_ id: String, _ line: String, when: String?, then: String?) -> Interaction {
      var interaction = Exchange.recorded(line, id: id)
      if let when { interaction.replay.when = [.init("s", when)] }
      if let then { interaction.replay.then = [.init("s", then)] }
      return interaction
    }
    for first in ["Started", nil] {
      let deck = Exchange.deck([
        ruled("A", "GET /t", when: first, then: "2"), ruled("put", "PUT /t", when: nil, then: nil),
        ruled("B", "GET /t", when: "2", then: nil), ruled("put 2", "PUT /t", when: nil, then: nil),
      ])
      var answers: [String] = []
      for turn in 0..<3 {
        if puts.contains(turn) { _ = deck.id(for: try Exchange.request("PUT /t")) }
        answers.append(deck.id(for: try Exchange.request("GET /t")))
      }
      #expect(answers == ["A", "B", "B"])
    }
  }
}
