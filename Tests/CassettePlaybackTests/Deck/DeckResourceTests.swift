import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Resources of cassettes, which a deck answers.
@Suite struct DeckResourceTests {
  private static let todos = #"""
    {"cassette":1,"origin":"https://api.example.com","resource":
     {"path":"/todos","seed":[{"id":1,"title":"a","url":"https://api.example.com/todos/1"}],
      "created":{"url":"{{url}}"}},
     "interactions":[{"request":{"method":"GET","url":"/todos/13"},"response":{"status":500}}]}
    """#

  private func deck(_ text: String = Self.todos, knowsOrigins: Bool = false) throws -> Deck {
    Deck(CassetteLibrary(cassettes: [try read(text)]), knowsOrigins: knowsOrigins)
  }

  /// Returns the status and the body of the answer.
  private func ask(
    _ deck: Deck, _ line: String, _ headers: HTTPHeaders = [], session: String = "", base: String? = nil
  ) throws -> String {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let request = try Exchange.request(
      "\(words[0]) \(words[1])", headers, body: words.count > 2 ? words[2] : "")
    switch deck.plan(request, session: session) {
    case .constant(let playback), .response(let playback):
      let response = try playback.response(base: base)
      return "\(response.status.code) \(response.text ?? "\(response.length ?? 0) bytes")"
    case .made(_, .fault(let words, _), _): return words
    case .made(let response, _, _): return "\(response.status.code) \(response.headers["Allow"] ?? "")"
    case .miss: return "miss"
    }
  }

  @Test func `a resource applies POST and DELETE, and its links have the base URL of the request`() throws {
    let deck = try deck()
    let base = "http://127.0.0.1:8080"
    #expect(
      try ask(deck, #"POST /todos {"title":"b"}"#, base: base)
        == #"201 {"id":2,"title":"b","url":"http://127.0.0.1:8080/todos/2"}"#)
    #expect(
      try ask(deck, "GET /todos/1", base: base)
        == #"200 {"id":1,"title":"a","url":"http://127.0.0.1:8080/todos/1"}"#)
    #expect(try ask(deck, "DELETE /todos/1") == "204 0 bytes")
    #expect(try ask(deck, "GET /todos/1").hasPrefix("404 "))
    #expect(
      try ask(deck, "GET /todos") == #"200 [{"id":2,"title":"b","url":"https://api.example.com/todos/2"}]"#)
  }

  @Test func `each session has its own elements, and a reset restores the seed`() throws {
    let deck = try deck()
    _ = try ask(deck, "DELETE /todos/1", session: "a")
    #expect(try ask(deck, "GET /todos/1", session: "a").hasPrefix("404"))
    #expect(try ask(deck, "GET /todos/1", session: "b").hasPrefix("200"))
    deck.reset(session: "a")
    #expect(try ask(deck, "GET /todos/1", session: "a").hasPrefix("200"))
    _ = try ask(deck, "DELETE /todos/1", session: "b")
    deck.reset()
    #expect(try ask(deck, "GET /todos/1", session: "b").hasPrefix("200"))
  }

  @Test func `a recording is preferred to the resource, and a path outside the resource is a miss`() throws {
    let deck = try deck()
    #expect(try ask(deck, "GET /todos/13") == "500 ")
    #expect(try ask(deck, "GET /todos/12").hasPrefix("404"))
    #expect(try ask(deck, "GET /todos/12/x") == "miss")
    #expect(try ask(deck, "GET /other") == "miss")
  }

  @Test func `HEAD, conditional and range requests and OPTIONS are derived from a resource`() throws {
    let deck = try deck()
    #expect(try ask(deck, "HEAD /todos/1") == "200 \(Self.first.utf8.count) bytes")
    let plan = deck.plan(try Exchange.request("GET /todos/1"))
    guard let playback = plan.playback, let tag = playback.recording.interaction.response?.headers["ETag"]
    else {
      Issue.record("the answer has no entity tag")
      return
    }
    #expect(try ask(deck, "GET /todos/1", [("If-None-Match", tag)]) == "304 0 bytes")
    #expect(try ask(deck, "GET /todos/1", [("Range", "bytes=0-3")]) == #"206 {"id"#)
    #expect(try ask(deck, "OPTIONS /todos") == "204 GET, HEAD, OPTIONS, POST")
    #expect(try ask(deck, "OPTIONS /todos/1") == "204 DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
  }

  private static let first = #"{"id":1,"title":"a","url":"https://api.example.com/todos/1"}"#

  @Test func `a resource does not count as a recording, and its id is its path`() throws {
    let deck = try deck()
    #expect(deck.table.recordingCount == 1)
    #expect(deck.table.neverPlayed == [0])
    #expect(deck.table.fixtureCount == 0)
    guard let playback = deck.plan(try Exchange.request("GET /todos")).playback else {
      Issue.record("no recording answers")
      return
    }
    #expect(deck.table.entries[playback.entry].interaction.id == "/todos")
  }

  @Test func `a resource does not answer requests to another origin if the deck knows origins`() throws {
    let deck = try deck(knowsOrigins: true)
    #expect(try ask(deck, "GET https://api.example.com/todos/1").hasPrefix("200"))
    #expect(try ask(deck, "GET https://other.example/todos/1") == "miss")
  }

  @Test func `the elements of a resource are read and replaced for one session`() throws {
    let deck = try deck()
    #expect(deck.elements(ofResource: "/todos").map { String(decoding: $0, as: UTF8.self) } == "[\(Self.first)]")
    #expect(try deck.replaceElements(ofResource: "/todos", with: Array(#"[{"id":5}]"#.utf8), session: "a"))
    #expect(try ask(deck, "GET /todos", session: "a") == #"200 [{"id":5}]"#)
    #expect(try ask(deck, #"POST /todos {}"#, session: "a").hasPrefix(#"201 {"id":6"#))
    #expect(try ask(deck, "GET /todos/1", session: "b").hasPrefix("200"))
    #expect(try !deck.replaceElements(ofResource: "/other", with: Array("[]".utf8)))
    for wrong in ["{}", "[1]", "[{}]", #"[{"id":1},{"id":1}]"#] {
      #expect(throws: EngineError.self) { try deck.replaceElements(ofResource: "/todos", with: Array(wrong.utf8)) }
    }
    #expect(deck.elements(ofResource: "/other") == nil)
  }

  @Test func `a reload of a cassette made in code restores the seed of its resource`() throws {
    let cassette = try read(Self.todos)
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    _ = try ask(deck, "DELETE /todos/1")
    deck.load(CassetteLibrary(cassettes: [cassette]))
    // A cassette made in code has no bytes to compare, so it counts as changed.
    #expect(try ask(deck, "GET /todos/1").hasPrefix("200"))
  }

  @Test func `two hundred concurrent POST requests add two hundred elements`() async throws {
    let deck = try deck()
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          _ = try? self.ask(deck, #"POST /todos {"n":\#(number)}"#, session: number % 2 == 0 ? "a" : "b")
        }
      }
    }
    for session in ["a", "b"] {
      let list = try ask(deck, "GET /todos", session: session)
      #expect(list.split(separator: #""n":"#).count == 101)
    }
  }

  @Test func `a written cassette keeps the member order and the digits of a resource`() throws {
    let cassette = try read(Self.todos.replacing(#""id":1,"#, with: #""id":1,"n":1.0,"#))
    let written = try CassetteFile.bytes(of: cassette)
    let again = try CassetteFile.read(bytes: written, name: "test", file: nil)
    #expect(again.resources.map(\.source) == cassette.resources.map(\.source))
    #expect(String(decoding: written, as: UTF8.self).contains("    \"path\": \"/todos\",\n"))
    #expect(String(decoding: written, as: UTF8.self).contains("\"n\": 1.0"))
  }

  @Test func `a list of resources is read, and two resources with one path are an error`() throws {
    let text = #"{"cassette":1,"resource":[{"path":"/a"},{"path":"/b"}]}"#
    #expect(try read(text).resources.map(\.paths) == [["/a"], ["/b"]])
    let twins = #"{"cassette":1,"resource":[{"path":"/a"},{"path":["/b","/a"]}]}"#
    let error = #expect(throws: CassetteError.self) { try read(twins) }
    #expect(error?.message == "two resources have the path \"/a\"")
  }

  @Test func `an invalid key of a resource is an error with line and column`() throws {
    let error = #expect(throws: CassetteError.self) {
      try read("{\"cassette\":1,\n\"resource\":{\"path\":\"/a\",\n  \"sead\":[]}}")
    }
    #expect(error?.line == 3)
    #expect(error?.column == 10)
  }
}
