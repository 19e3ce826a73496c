import CassetteHTTP
import CassetteJSON
import Cassettes
import TestSupport
import Testing

@Suite struct CassetteFileWriteTests {
  @Test func `the documented cassette is written as it was read`() throws {
    #expect(try text(of: try read(documentedCassette)) == documentedCassette)
  }

  @Test func `every member has one canonical notation`() throws {
    let canonical = #"""
      {
        "$schema": "cassette.schema.json",
        "cassette": 1,
        "interactions": [
          {
            "id": "post-a",
            "request": {
              "method": "POST",
              "url": "/a?b=1",
              "body": {
                "text": [
                  "line\n",
                  "\tsecond \"line\""
                ]
              }
            },
            "response": {
              "status": 299,
              "reason": "Almost OK",
              "body": {
                "json": [
                  1,
                  {},
                  {
                    "a": []
                  }
                ],
                "style": "spaced",
                "newline": true
              }
            },
            "replay": { "repeat": "loop" },
            "recorded": { "total": 2 }
          },
          {
            "id": "get-stream",
            "request": {
              "method": "GET",
              "url": "/stream"
            },
            "response": {
              "status": 200,
              "body": {
                "chunks": [
                  { "after": 0, "text": "data: 1\n\n" },
                  { "after": 0.51, "base64": "AAE=" }
                ],
                "end": "reset"
              }
            }
          },
          {
            "id": "get-late",
            "request": {
              "method": "GET",
              "url": "/late"
            },
            "failure": { "code": -1001, "name": "timedOut" }
          },
          {
            "id": "get-blob",
            "request": {
              "method": "GET",
              "url": "/blob"
            },
            "response": {
              "status": 200,
              "body": {
                "base64": [
                  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                  "AAAA"
                ]
              }
            }
          },
          {
            "id": "get-logo",
            "request": {
              "method": "GET",
              "url": "/logo"
            },
            "response": {
              "status": 200,
              "body": {
                "file": "bodies/logo.png"
              }
            }
          }
        ]
      }

      """#
    let cassette = try read(canonical)
    #expect(try text(of: cassette) == canonical)
    let bodies = cassette.interactions.map(\.response?.body)
    #expect(cassette.interactions[0].requestBody?.form == .text)
    #expect(String(decoding: try #require(bodies[0]).bytes(), as: UTF8.self) == "[1, {}, {\"a\": []}]\n")
    #expect(bodies[0]?.form == .json(style: .spaced, newline: true))
    #expect(
      bodies[1]?.form
        == .chunks(
          [BodyChunk(bytes: Array("data: 1\n\n".utf8)), BodyChunk(after: 0.51, bytes: [0, 1])], end: .reset))
    #expect(try bodies[1]?.bytes() == Array("data: 1\n\n".utf8) + [0, 1])
    #expect(try bodies[3]?.bytes() == [UInt8](repeating: 0, count: 60))
    #expect(bodies[4]?.form == .file("bodies/logo.png"))
    #expect(throws: CassetteError.self) { try bodies[4]?.bytes() }
  }

  @Test func `members with default values are omitted`() throws {
    let cassette = Cassette(
      name: "test",
      interactions: [
        Interaction(
          method: .get, url: "/a",
          outcome: .response(RecordedResponse(status: 200, reason: "OK", body: .storing([]))), recorded: RecordedFacts()
        )
      ])
    #expect(
      try text(of: cassette) == """
        {
          "cassette": 1,
          "interactions": [
            {
              "id": "get-a",
              "request": {
                "method": "GET",
                "url": "/a"
              },
              "response": {
                "status": 200
              }
            }
          ]
        }

        """)
    #expect(try text(of: Cassette(name: "empty")) == "{\n  \"cassette\": 1,\n  \"interactions\": []\n}\n")
  }

  @Test func `missing and duplicate ids are derived when written`() throws {
    let ids = ["", "a", "", "a", "get-a"]
    let cassette = Cassette(
      name: "test",
      interactions: ids.map { id in
        Interaction(id: id, method: .get, url: "/a?x", outcome: .failure(RecordedFailure(code: -1001)))
      })
    let written = try text(of: cassette)
    #expect(try read(written).interactions.map(\.id) == ["get-a-2", "a", "get-a-3", "get-a-4", "get-a"])
    #expect(try text(of: try read(written)) == written)
  }

  @Test(arguments: [
    Interaction(method: "BAD METHOD", url: "/", outcome: .failure(RecordedFailure(code: -1))),
    Interaction(method: .get, url: "no slash", outcome: .failure(RecordedFailure(code: -1))),
    .answering(nil, status: 42), .answering(nil, headers: ["A": "b\r\nC: d"]), .answering(nil, headers: ["A B": "c"]),
    .answering(.chunks([BodyChunk(after: -1, bytes: [])])),
    .answering(.chunks([BodyChunk(after: .infinity, bytes: [])])),
  ])
  func `an interaction that could not be read back is not written`(_ interaction: Interaction) {
    #expect(throws: CassetteError.self) { try text(of: Cassette(name: "test", interactions: [interaction])) }
  }

  @Test func `a handwritten layout is replaced by the canonical one, which stays`() throws {
    let hand = #"""
      {"interactions":[{"response":{"body":{"style":"indent2","json":{"b":1.0,"b":"\u0041"}},"status":200,
      "headers":[["A","\u0041"]]},"request":{"url":"/","method":"GET","body":{"base64":"eyJhIjoxfQ=="}}}],"cassette":1}
      """#
    let first = try text(of: try read(hand))
    #expect(try text(of: try read(first)) == first)
    let interaction = try #require(try read(first).interactions.first)
    #expect(
      String(decoding: try #require(interaction.response?.body).bytes(), as: UTF8.self)
        == "{\n  \"b\": 1.0,\n  \"b\": \"\\u0041\"\n}")
    #expect(interaction.requestBody?.form == .json(style: .compact, newline: false))
  }
}
