import CassetteEngines
import CassetteHTTP
import CassetteMaintenance
import CassetteSecrets
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// The resources that `simulate` finds in a recording.
@Suite struct SimulationTests {
  /// Parses a line such as `GET /todos/1 -> 200 {"id":1}`.
  ///
  /// A request body precedes the arrow.
  private static func interaction(_ line: String) throws -> Interaction {
    let halves = line.split(separator: " -> ", maxSplits: 1).map(String.init)
    let asked = halves[0].split(separator: " ", maxSplits: 2).map(String.init)
    let answered = halves[1].split(separator: " ", maxSplits: 1).map(String.init)
    return Exchange.recorded(
      "\(asked[0]) \(asked[1])", id: line, sent: asked.count > 2 ? asked[2] : nil,
      status: .init(Int(answered[0]) ?? 0), content: answered.count > 1 ? answered[1] : "")
  }

  private static func simulation(_ lines: [String], origin: String? = "https://api.example.com") throws -> Simulation {
    try Simulation(
      Cassette(name: "recorded", origin: origin, interactions: try lines.map(interaction)), name: "resource")
  }

  private static func definition(_ lines: [String]) throws -> EditableJSON {
    let simulation = try simulation(lines)
    #expect(simulation.cassette.resources.count == 1)
    let resource = try #require(simulation.cassette.resources.first)
    return try #require(EditableJSON(resource.source))
  }

  private static func text(_ value: EditableJSON?) -> String? {
    value.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private static let recorded = [
    #"POST /login {"user":"a"} -> 200 {"token":"t"}"#,
    #"GET /v1/notes?page=1&tag=x -> 200 {"data":[{"id":4,"text":"old","tag":"x","at":"2026-01-01T00:00:00Z"}],"#
      + #""page":1,"total":3,"next":"https://api.example.com/v1/notes?page=2"}"#,
    #"POST /v1/notes {"text":"new"} -> 201 {"id":7,"text":"new","tag":null,"stars":0,"by":{"id":1},"#
      + #""at":"2026-01-02T00:00:00Z","changed_at":"2026-01-02T00:00:00Z","href":"/v1/notes/7"}"#,
    #"POST /v1/notes {"tag":"x"} -> 422 {"message":"invalid","errors":{"text":["can't be blank"]}}"#,
    #"GET /v1/notes/5 -> 200 {"id":5,"text":"older","tag":"y","at":"2026-01-01T00:00:00Z"}"#,
    #"PATCH /v1/notes/7 {"stars":2} -> 200 {"id":7,"text":"new","tag":null,"stars":2,"by":{"id":1},"#
      + #""at":"2026-01-02T00:00:00Z","changed_at":"2026-01-03T00:00:00Z","href":"/v1/notes/7"}"#,
    "DELETE /v1/notes/7 -> 204",
    #"GET /v1/notes/7 -> 404 {"error":"note 7 is unknown","id":7}"#,
  ]

  @Test(arguments: [
    ("path", #""/v1/notes""#), ("id", #""id""#),
    ("operations", #"{"list":200,"create":201,"read":200,"patch":200,"delete":204}"#),
    (
      "list",
      #"{"page":"page","perPage":1,"filter":["tag"],"envelope":{"data":"{{items}}","page":"{{page}}","#
        + #""total":"{{total}}","next":"{{next}}"}}"#
    ),
    ("defaults", #"{"tag":null,"stars":0}"#),
    ("created", #"{"by":{"id":1},"at":"{{now}}","href":"{{url}}"}"#), ("changed", #"{"changed_at":"{{now}}"}"#),
    (
      "schema",
      #"{"type":"object","required":["text"],"properties":{"text":{"type":"string"},"stars":{"type":"integer"}}}"#
    ),
    (
      "errors",
      #"{"404":{"error":"note {{id}} is unknown","id":"{{id}}"},"422":{"message":"invalid","errors":"{{fields}}"}}"#
    ),
    (
      "seed",
      #"[{"id":4,"text":"old","tag":"x","at":"2026-01-01T00:00:00Z"},"#
        + #"{"id":5,"text":"older","tag":"y","at":"2026-01-01T00:00:00Z"}]"#
    ),
  ])
  func `each member of a resource's definition is inferred from a recording`(member: String, expected: String) throws {
    #expect(Self.text(try Self.definition(Self.recorded)[member]) == expected)
  }

  @Test func `simulate keeps recordings outside of a collection`() throws {
    let simulation = try Self.simulation(Self.recorded)
    #expect(simulation.cassette.interactions.map(\.url) == ["/login"])
    #expect(simulation.cassette.origin == "https://api.example.com")
    #expect(simulation.found.map(\.exchanges) == [7])
  }

  @Test func `a simulated resource answers like the recorded server`() throws {
    let deck = Deck(CassetteLibrary(cassettes: [try Self.simulation(Self.recorded).cassette]))
    func ask(_ line: String, _ body: String = "") throws -> String {
      let response = try deck.response(try Exchange.request(line, body: body))
      return "\(response.status.code) \(response.text ?? "")"
    }
    #expect(try ask("POST /v1/notes", #"{"text":"b"}"#).hasPrefix(#"201 {"id":6,"text":"b","tag":null,"stars":0"#))
    #expect(
      try ask("POST /v1/notes", #"{"tag":"x"}"#) == #"422 {"message":"invalid","errors":{"text":["is missing"]}}"#)
    #expect(try ask("GET /v1/notes/7") == #"404 {"error":"note 7 is unknown","id":7}"#)
    #expect(try ask("DELETE /v1/notes/6") == "204 ")
    #expect(try ask("GET /v1/notes/6").hasPrefix("404"))
  }

  @Test(
    arguments: [
      ([#"POST /todos {"a":1} -> 201 {"id":"x","a":1}"#, "GET /todos/x -> 200 {\"id\":\"x\"}"], ["/todos"]),
      ([#"POST / {"a":1} -> 201 {"a":1,"url":"https://api.example.com/1"}"#], ["/"]),
      ([#"GET /users -> 200 [{"login":"a"}]"#, #"GET /users/a -> 200 {"login":"a"}"#], ["/users"]),
      (
        [
          #"POST /a {} -> 201 {"id":1}"#, "GET /a/1 -> 200 {\"id\":1}", #"POST /a/1/b {} -> 201 {"id":2}"#,
          "GET /a/1/b/2 -> 200 {\"id\":2}",
        ], ["/a", "/a/1/b"]
      ),
      (["GET /a -> 200 {\"x\":1}", "GET /a/1 -> 200 {}"], []), ([#"POST /login {"a":1} -> 200 {"id":1}"#], []),
      ([#"POST /todos {"a":1} -> 500 {"id":1}"#, "GET /todos/1 -> 200 {}"], []), ([], []),
      ([#"GET /{{secret:1}}/x -> 200 [{"id":1}]"#, #"GET /{{secret:1}}/x/1 -> 200 {"id":1}"#], []),
    ] as [([String], [String])])
  func `a path is a collection if an element was created there, or if elements of its list were read`(
    lines: [String], paths: [String]
  ) throws {
    #expect(try Self.simulation(lines).found.map(\.path) == paths)
  }

  @Test func `an id that occurs only in the URL becomes a member of its element`() throws {
    let lines = [
      #"GET /t -> 200 [{"url":"https://api.example.com/t/9","a":1}]"#,
      #"GET /t/9 -> 200 {"url":"https://api.example.com/t/9","a":1}"#,
    ]
    #expect(
      Self.text(try Self.definition(lines)["seed"]) == #"[{"id":9,"url":"https://api.example.com/t/9","a":1}]"#)
  }

  @Test(arguments: [CassetteRedaction.standard, .none])
  func `secrets in elements and in recordings are redacted`(_ redaction: CassetteRedaction) throws {
    let secret = "Zk8vQ2xTw9Lm4s"
    var login = try Self.interaction(#"POST /login {"password":"\#(secret)"} -> 200 {"access_token":"\#(secret)a"}"#)
    login.id = "login"
    login.match.headers = NamedConditions([.init("X-Api-Key", .all([.equals(secret)]))])
    let lines = [
      #"GET /keys -> 200 [{"id":4,"name":"b","api_key":"\#(secret)b"}]"#,
      #"POST /keys {"name":"a"} -> 201 {"id":7,"name":"a","api_key":"\#(secret)"}"#,
      #"GET /keys/7 -> 200 {"id":7,"name":"a","api_key":"\#(secret)"}"#,
    ]
    let recording = Cassette(
      name: "recorded", origin: "https://api.example.com", interactions: try [login] + lines.map(Self.interaction))
    let simulation = try Simulation(recording, name: "resource", redaction: redaction)
    let text = String(decoding: try CassetteFile.bytes(of: simulation.cassette), as: UTF8.self)
    #expect(simulation.found.count == 1)
    #expect(text.contains(secret) == (redaction == .none), "\(text)")
  }
}
