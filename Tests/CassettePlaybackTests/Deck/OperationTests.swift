import CassetteHTTP
import CassetteJSON
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Requests of one method and target that differ in a field, a body or a secret.
@Suite struct `Requests of one target` {
  private static func recorded(
    _ line: String, id: String? = nil, asked: HTTPHeaders = [:], sent: String? = nil, status: HTTPStatus = 200
  ) -> Interaction {
    var interaction = Exchange.recorded(line, id: id, asked: asked, sent: sent, status: status)
    interaction.recorded = RecordedFacts(total: 0.1)
    return interaction
  }

  // MARK: Bodies

  @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "REPORT", "SEARCH"], MatchLevel.allCases)
  func `a body is a difference if the recorded request had none`(method: String, level: MatchLevel) throws {
    let deck = Exchange.deck([Self.recorded("\(method) /a", id: "a")], matching: .init(level: level))
    #expect(deck.id(for: try Exchange.request("\(method) /a")) == "a")
    let request = try Exchange.request("\(method) /a", body: #"{"query":1}"#)
    let deck2 = Exchange.deck([Self.recorded("\(method) /a", id: "a")], matching: .init(level: level))
    if level == .loose {
      #expect(try deck2.approximation(request) == "body")
    } else {
      #expect(deck2.id(for: request) == "miss")
    }
  }

  @Test func `a request that a person wrote without a body matches any body`() throws {
    let deck = Exchange.deck([Exchange.recorded("DELETE /a", id: "a")])
    #expect(try deck.approximation(try Exchange.request("DELETE /a", body: "[1]")) == nil)
  }

  @Test func `an unknown recorded body matches any body, and the answer is marked`() throws {
    let deck = Exchange.deck([Self.recorded("POST /a", id: "a")])
    #expect(try deck.approximation(try Exchange.request("POST /a", body: "[1]")) == "body")
    #expect(try deck.approximation(try Exchange.request("POST /a")) == nil)
  }

  // MARK: Fields

  static let operations: [(line: String, recorded: HTTPHeaders, sent: HTTPHeaders, outcome: String?)] = [
    ("POST /", ["X-Amz-Target": "Dynamo.GetItem"], ["X-Amz-Target": "Dynamo.PutItem"], "miss"),
    ("POST /", ["X-Amz-Target": "Dynamo.GetItem"], ["x-amz-target": "Dynamo.GetItem"], nil),
    ("POST /", ["SOAPAction": "\"urn:a\""], ["SOAPAction": "urn:b"], "miss"),
    ("POST /", ["SOAPAction": "\"urn:a\""], ["SOAPAction": "urn:a"], nil),
    ("POST /", ["Accept": "*/*"], ["X-HTTP-Method-Override": "DELETE"], "miss"),
    ("GET /", ["Accept": "*/*"], ["X-HTTP-Method-Override": "DELETE"], "miss"),
    ("GET /", [:], ["X-HTTP-Method-Override": "DELETE"], nil),
    ("PROPFIND /", ["Depth": "1"], ["Depth": "0"], "miss"),
    ("PROPFIND /", ["Depth": "infinity"], [:], nil),
    ("MOVE /", ["Destination": "/b", "Overwrite": "F"], ["Destination": "/b"], "miss"),
    ("PUT /", ["If-Match": "\"1\""], ["If-Match": "\"2\""], "miss"),
    ("PUT /", ["If-Match": "\"1\""], ["Accept": "*/*"], "header If-Match"),
    ("GET /", ["Last-Event-ID": "7"], ["Last-Event-ID": "9"], "miss"),
    ("GET /", ["X-GitHub-Api-Version": "2022-11-28"], ["X-GitHub-Api-Version": "2026-03-10"], "miss"),
    ("GET /", ["X-GitHub-Api-Version": "2022-11-28"], [:], "header X-GitHub-Api-Version"),
    ("GET /", ["Accept": "application/vnd.github.v3+json"], ["Accept": "application/vnd.github.v4+json"], "miss"),
    ("GET /", ["Accept": "application/vnd.github.v3+json"], ["Accept": "*/*"], nil),
    ("GET /", ["Accept": "application/vnd.a+json; version=2"], ["Accept": "application/vnd.a+json; version=3"], "miss"),
  ]

  @Test(arguments: operations)
  func `another value of a field that selects an operation is a miss`(
    line: String, recorded: HTTPHeaders, sent: HTTPHeaders, outcome: String?
  ) throws {
    let deck = Exchange.deck([Self.recorded(line, asked: recorded, sent: line.hasPrefix("POST") ? "{}" : nil)])
    let request = try Exchange.request(line, sent, body: line.hasPrefix("POST") ? "{}" : "")
    let plan = deck.plan(request)
    if outcome == "miss" {
      #expect(plan.playback == nil)
    } else {
      #expect(plan.playback != nil && plan.playback?.approximation?.parts == outcome)
    }
  }

  @Test func `a value that no recording of the request has is marked if the recordings differ in the field`() throws {
    let deck = Exchange.deck(["de", "en"].map { Self.recorded("GET /a", id: $0, asked: ["Accept-Language": $0]) })
    #expect(try deck.approximation(try Exchange.request("GET /a", ["Accept-Language": "en"])) == nil)
    #expect(
      try deck.approximation(try Exchange.request("GET /a", ["Accept-Language": "fr"])) == "header accept-language")
    #expect(try deck.approximation(try Exchange.request("GET /a")) == "header accept-language")
  }

  @Test func `a value generated for each request is not marked`() throws {
    let keys = ["0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01", "9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22"]
    let deck = Exchange.deck(keys.map { Self.recorded("GET /a", id: $0, asked: ["X-Key": $0]) })
    let request = try Exchange.request("GET /a", ["X-Key": "1c2d3e4f-6a0f-4c0e-9d5b-1f5d1d3f9a77"])
    #expect(try deck.approximation(request) == nil)
  }

  // MARK: Secrets

  @Test func `a secret is marked if the same request was refused with another secret`() throws {
    let deck = Exchange.deck([
      Self.recorded("GET /me", id: "good", asked: ["Authorization": "Bearer {{secret:1}}"]),
      Self.recorded("GET /me", id: "bad", asked: ["Authorization": "Bearer {{secret:2}}"], status: 401),
    ])
    let request = try Exchange.request("GET /me", ["Authorization": "Bearer wrong"])
    #expect(try deck.approximation(request) == "credentials")
  }

  @Test func `the secrets of answers that were all accepted are not marked`() throws {
    let deck = Exchange.deck(
      (1...2).map {
        Self.recorded("GET /me", id: "\($0)", asked: ["Authorization": "Bearer {{secret:\($0)}}"])
      })
    #expect(try deck.approximation(try Exchange.request("GET /me", ["Authorization": "Bearer new"])) == nil)
  }

  // MARK: Rules

  @Test func `a recording for any path answers after one with a pattern`() throws {
    var any = Exchange.recorded("GET /x", id: "any")
    any.match.path = .condition(.ignore)
    var pattern = Exchange.recorded("GET /x", id: "pattern")
    pattern.match.path = .condition(.all([.contains("/a")]))
    let deck = Exchange.deck([any, pattern])
    #expect(deck.id(for: try Exchange.request("GET /abc")) == "pattern")
    #expect(deck.id(for: try Exchange.request("GET /b")) == "any")
  }

  @Test func `an ignored path reaches into JSON inside a string`() throws {
    var recording = Self.recorded("POST /a", id: "a", sent: #"{"payload":"{\"at\":1,\"name\":\"x\"}"}"#)
    recording.match.tolerance.ignored = [try JSONQuery("$.payload.at")]
    let deck = Exchange.deck([recording])
    #expect(
      try deck.approximation(try Exchange.request("POST /a", body: #"{"payload":"{\"at\":2,\"name\":\"x\"}"}"#)) == nil)
    #expect(deck.id(for: try Exchange.request("POST /a", body: #"{"payload":"{\"at\":1,\"name\":\"y\"}"}"#)) == "miss")
    #expect(deck.ignoredNeverFound.isEmpty)
  }

  @Test func `an ignored path that selects nothing is reported`() throws {
    let deck = Exchange.deck([Self.recorded("POST /a", sent: #"{"note":1}"#)], matching: .body(ignoring: "$.noote"))
    #expect(deck.ignoredNeverFound.isEmpty)
    #expect(deck.id(for: try Exchange.request("POST /a", body: #"{"note":1}"#)) != "miss")
    #expect(deck.ignoredNeverFound == ["$.noote"])
  }

  // MARK: Order and many bodies

  @Test func `requests are numbered in the order in which concurrent requests got their answers`() async throws {
    let count = 200
    let deck = Exchange.deck((0..<count).map { Self.recorded("GET /a", id: "\($0)") })
    let request = try Exchange.request("GET /a")
    let played = await withTaskGroup(of: (UInt64, Int).self) { group in
      for _ in 0..<count {
        group.addTask {
          let playback = deck.plan(request).playback
          return (playback?.request ?? 0, playback.flatMap { Int($0.recording.interaction.id) } ?? -1)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(played.sorted { $0.0 < $1.0 }.map(\.1) == Array(0..<count))
  }

  @Test func `one of many bodies of a target is found by its digest`() throws {
    let deck = Exchange.deck((0..<500).map { Self.recorded("POST /a", id: "\($0)", sent: #"{"n":\#($0)}"#) })
    for number in [0, 64, 250, 499] {
      #expect(deck.id(for: try Exchange.request("POST /a", body: #"{ "n": \#(number).0 }"#)) == "\(number)")
    }
    #expect(deck.id(for: try Exchange.request("POST /a", body: #"{"n":500}"#)) == "miss")
  }

  // MARK: Spelling

  @Test func `names of parameters in a part ignore case`() throws {
    func body(_ name: String) -> String {
      "--b\r\nContent-Disposition: Form-Data; \(name)=\"a\"; FileName=\"x.txt\"\r\n\r\n1\r\n--b--\r\n"
    }
    let type: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=b"]
    let deck = Exchange.deck([Self.recorded("POST /a", id: "a", asked: type, sent: body("name"))])
    #expect(deck.id(for: try Exchange.request("POST /a", type, body: body("Name"))) == "a")
  }

  @Test func `a miss shows the difference between composed and decomposed letters`() throws {
    let deck = Exchange.deck([Self.recorded("POST /a", sent: "{\"name\":\"caf\u{e9}\"}")])
    let miss = try deck.miss(try Exchange.request("POST /a", body: "{\"name\":\"cafe\u{301}\"}"))
    #expect(miss.text.contains(#"sent "cafe\u{301}", recorded "caf\u{e9}""#))
  }
}
