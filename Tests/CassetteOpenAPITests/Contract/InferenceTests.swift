import CassetteHTTP
import CassetteJSON
import Foundation
import Testing

@testable import CassetteOpenAPI

extension ContractCheck.Result {
  /// True if the exchange breaks the document.
  var isBroken: Bool { findings.contains { $0.severity == .error } }
}

@Suite struct InferenceTests {
  private static let origin = "https://a.example"

  private static func get(_ target: String, _ body: String = "", sent: HTTPHeaders = [:]) -> ContractExchange {
    ContractExchange(
      method: "GET", target: target, requestHeaders: sent, requestBody: [], status: 200,
      headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private static func document(_ exchanges: [ContractExchange], enums: Bool = false) -> String {
    var inference = SpecificationInference()
    for exchange in exchanges { inference.add(exchange, origin: origin) }
    return String(decoding: inference.document(enums: enums), as: UTF8.self)
  }

  private static func paths(_ targets: [String: String]) throws -> [String] {
    let text = document(targets.sorted { $0.key < $1.key }.map { get($0.key, $0.value) })
    return try OpenAPIDocument(Array(text.utf8)).operations.map(\.path)
  }

  @Test(arguments: [
    (["/users/1", "/users/2"], ["/users/{userId}"]),
    (["/users/1/posts/7", "/v1/status"], ["/users/{userId}/posts/{postId}", "/v1/status"]),
    (["/boxes/0b8a6a3e-7c43-4d63-9d0a-0d3f2f2b7a11"], ["/boxes/{boxId}"]),
    (["/commits/a811e1a270f65eecb65755eca38d888cbefcb0a7"], ["/commits/{commitId}"]),
    (["/files/{{secret:1}}"], ["/files/{fileId}"]), (["/days/2026-11-22/"], ["/days/{dayId}/"]),
    (["/categories/1", "/addresses/1/status"], ["/addresses/{addressId}/status", "/categories/{categoryId}"]),
    (["/species/1"], ["/species/{speciesId}"]),
    (["/cookies/1", "/movies/2"], ["/cookies/{cookieId}", "/movies/{movieId}"]),
  ])
  func `numbers, hashes and dates in paths become named templates`(_ targets: [String], _ expected: [String]) throws {
    #expect(try Self.paths(Dictionary(uniqueKeysWithValues: targets.map { ($0, "") })) == expected)
  }

  @Test func `words that differ between links of the same form become templates`() throws {
    func repository(_ owner: String, _ name: String) -> String {
      let url = "\(Self.origin)/repos/\(owner)/\(name)"
      return "{\"url\": \"\(url)\", \"issues\": \"\(url)/issues\"}"
    }
    let list = [("anna", "box"), ("ben", "cat"), ("cleo", "dog")].map(repository).joined(separator: ",")
    #expect(
      try Self.paths(["/repos": "[\(list)]", "/repos/anna/box": repository("anna", "box"), "/repos/ben/cat/issues": ""])
        == ["/repos", "/repos/{repoId}/{repoName}", "/repos/{repoId}/{repoName}/issues"])
  }

  @Test func `a path segment that equals a member of its response becomes a template`() throws {
    #expect(
      try Self.paths([
        "/users/anna": #"{"login": "anna", "age": 3}"#, "/users/ben": #"{"login": "Ben", "age": 4}"#,
        "/about/imprint": #"{"text": "a"}"#,
      ]) == ["/about/imprint", "/users/{userId}"])
  }

  @Test func `the names of paged lists do not become templates`() throws {
    func list(_ name: String, _ member: String) -> String {
      #"{"count": 2, "next": "\#(Self.origin)/api/\#(name)/?page=2", "results": [{"\#(member)": 1}]}"#
    }
    #expect(
      try Self.paths([
        "/api/people/": list("people", "mass"), "/api/planets/": list("planets", "orbit"),
        "/api/people/1/": #"{"mass": 1}"#,
        "/api/planets/2/": #"{"orbit": 1}"#, "/api/people/2/": #"{"mass": 2}"#, "/api/people/schema": "{}",
      ]) == [
        "/api/people/", "/api/people/schema", "/api/people/{peopleId}/", "/api/planets/", "/api/planets/{planetId}/",
      ])
  }

  @Test func `a word among numeric segments stays a literal path`() throws {
    let item = #"{"id": 7, "tag": "v1"}"#
    #expect(
      try Self.paths(["/releases/7": item, "/releases/8": item, "/releases/latest": item])
        == ["/releases/latest", "/releases/{releaseId}"])
  }

  @Test func `equal objects in several places become components in any order of the recordings`() throws {
    let exchanges = [
      Self.get("/posts/1", #"{"id": 1, "owner": {"id": 1, "login": "anna"}, "tags": [{"id": 1, "at": "a"}]}"#),
      Self.get("/posts/2", #"{"id": 2, "owner": {"id": 2, "login": "ben"}, "tags": []}"#),
      Self.get("/comments/7", #"{"text": "x", "user": null, "tag": {"id": 2, "at": "b"}}"#),
      Self.get("/comments/8", #"{"text": "y", "user": {"id": 2, "login": "ben"}, "tag": {"id": 2, "at": "b"}}"#),
      Self.get("/users/anna", #"{"id": 1, "login": "anna"}"#), Self.get("/users/ben", #"{"id": 2, "login": "ben"}"#),
    ]
    let text = Self.document(exchanges)
    #expect(text == Self.document(exchanges.reversed()))
    let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let components = try #require(document["components"] as? [String: Any])
    let schemas = try #require(components["schemas"] as? [String: Any])
    #expect(schemas.keys.sorted() == ["Tag", "User"])
    #expect(text.components(separatedBy: "#/components/schemas/User").count == 4)
    #expect(text.components(separatedBy: "\"anyOf\"").count == 2)
    let check = ContractCheck(try OpenAPIDocument(Array(text.utf8)))
    for exchange in exchanges { #expect(check.check(exchange).findings == [], "\(exchange.target)") }
    #expect(check.check(Self.get("/posts/1", #"{"id": 1, "owner": {"id": "x", "login": "a"}, "tags": []}"#)).isBroken)
  }

  @Test func `the schemas of all exchanges are merged`() {
    let text = Self.document(
      [
        #"{"id": 1, "at": "2026-11-22T10:00:00Z", "state": "open", "note": null}"#,
        #"{"id": 2.5, "at": "2026-11-23T10:00:00Z", "state": "shut", "note": "x", "tags": ["a"]}"#,
        #"{"id": 3, "at": "2026-11-23T10:00:00Z", "state": "open", "note": "{{secret:1}}"}"#,
      ].enumerated().map { Self.get("/things/\($0.offset)", $0.element) }, enums: true)
    let schema = """
      "schema": {
                    "type": "object",
                    "required": [
                      "at",
                      "id",
                      "note",
                      "state"
                    ],
                    "properties": {
                      "at": {
                        "type": "string",
                        "format": "date-time",
                        "enum": [
                          "2026-11-22T10:00:00Z",
                          "2026-11-23T10:00:00Z"
                        ]
                      },
                      "id": {
                        "type": "number",
                        "examples": [
                          1
                        ]
                      },
                      "note": {
                        "type": [
                          "string",
                          "null"
                        ],
                        "examples": [
                          "x"
                        ]
                      },
                      "state": {
                        "type": "string",
                        "enum": [
                          "open",
                          "shut"
                        ]
                      },
                      "tags": {
                        "type": "array",
                        "items": {
                          "type": "string",
                          "examples": [
                            "a"
                          ]
                        }
                      }
                    }
                  }
      """
    // The layout is not compared.
    #expect(text.filter { !$0.isWhitespace }.contains(schema.filter { !$0.isWhitespace }), "\(text)")
  }

  @Test func `parameters are typed, and required if every request has them`() throws {
    let text = Self.document([
      Self.get("/a?page=1&sort=up&tag=x&tag=y", sent: ["X-Mode": "fast", "X-Same": "1"]),
      Self.get("/a?page=2&tag=x", sent: ["X-Mode": "slow", "X-Same": "1"]),
    ])
    let parameters = try #require(try OpenAPIDocument(Array(text.utf8)).operations.first).parameters
    #expect(parameters.map(\.name) == ["page", "sort", "tag", "X-Mode"])
    #expect(parameters.map(\.isRequired) == [true, false, true, true])
    #expect(parameters.map(\.isList) == [false, false, true, false])
    #expect(text.contains("\"type\": \"integer\""))
  }

  @Test func `a body is required only if every request has one`() throws {
    func isRequired(_ bodies: [String?]) throws -> Bool? {
      let text = Self.document(
        bodies.map { body in
          ContractExchange(
            method: "GET", target: "/a", requestHeaders: ["Content-Type": "application/json"],
            requestBody: body.map { Array($0.utf8) }, status: 204)
        })
      return try OpenAPIDocument(Array(text.utf8)).operations.first?.requestBody?.isRequired
    }
    #expect(try isRequired([nil, "null"]) == false && isRequired(["", "null"]) == false)
    #expect(try isRequired(["null", "{}"]) == true && isRequired([nil, nil]) == nil)
  }

  @Test func `secrets become security schemes, and their values are not in the document`() {
    let value = "s3cr" + "3tvalue"
    let text = Self.document([
      Self.get("/a?api_key=\(value)", #"{"password": "\#(value)", "b": "{{secret:2}}"}"#),
      Self.get("/a/1", #"{"note": "sent password=\#(value)"}"#),
      Self.get("/b", sent: ["Authorization": "Bearer \(value)"]),
      Self.get("/c", sent: ["Authorization": "Basic \(value)"]),
      Self.get("/d", sent: ["Authorization": "token \(value)"]), Self.get("/e", sent: ["X-Api-Key": value]),
      Self.get("/e"),
    ])
    #expect(!text.contains(value) && !text.contains("{{secret"), "\(text)")
    for scheme in ["\"scheme\": \"bearer\"", "\"scheme\": \"basic\"", "\"in\": \"query\"", "\"name\": \"X-Api-Key\""] {
      #expect(text.contains(scheme), "\(scheme)")
    }
  }

  @Test func `requests that a document cannot describe are listed as left out`() {
    var inference = SpecificationInference()
    inference.add(ContractExchange(method: "CONNECT", target: "a.example:443", status: 200), origin: nil)
    inference.add(ContractExchange(method: "OPTIONS", target: "*", status: 200), origin: nil)
    #expect(inference.leftOut == ["CONNECT a.example:443", "OPTIONS *"] && inference.count == 0)
  }

  @Test(arguments: 0..<60)
  func `random recordings in any order meet the document inferred from them`(_ seed: UInt64) throws {
    var made = MadeExchanges(seed: seed)
    let exchanges = made.exchanges(2 + Int(seed % 30))
    let text = Self.document(exchanges, enums: seed.isMultiple(of: 2))
    let check = ContractCheck(try OpenAPIDocument(Array(text.utf8)))
    for exchange in exchanges {
      let findings = check.check(exchange).findings
      #expect(findings == [], "\(exchange.method) \(exchange.target)")
    }
    #expect(Self.document(exchanges.reversed(), enums: seed.isMultiple(of: 2)) == text)
  }
}

/// Makes random exchanges with unusual paths, queries and bodies.
private struct MadeExchanges {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  private mutating func next(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }

  private mutating func pick<T>(_ list: [T]) -> T { list[next(list.count)] }

  mutating func exchanges(_ count: Int) -> [ContractExchange] { (0..<count).map { _ in exchange() } }

  private mutating func exchange() -> ContractExchange {
    let words = ["users", "anna", "7", "12", "a.b", "{x}", "%41b", "me", "", "x{y}z", "new", "{{secret:1}}", "v1"]
    let path = (0...next(4)).map { _ in pick(words) }.joined(separator: "/")
    let query = (0..<next(4)).map { _ in
      pick(["a", "b", "c[]", "flag", "api_key"]) + pick(["", "=", "=1", "=-0", "=x", "=true", "=2026-11-22", "=%20"])
    }
    let types = ["application/json", "application/vnd.a+json; charset=utf-8", "text/plain", "broken", ""]
    func fields(_ type: String) -> [(String, String)] { type.isEmpty ? [] : [("Content-Type", type)] }
    let (asked, answered) = (pick(types), pick(types))
    var sent = fields(asked)
    if next(2) == 0 { sent.append(("X-Number", pick(["1", "2.5", "x", "null", "a, b"]))) }
    if next(2) == 0 { sent.append(("Authorization", pick(["Bearer a", "b"]))) }
    let method = pick(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    return ContractExchange(
      method: method, target: "/" + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
      requestHeaders: HTTPHeaders(sent), requestBody: body(isNone: next(3) > 0),
      status: pick([200, 201, 204, 304, 404, 599]),
      headers: HTTPHeaders(fields(answered)), body: body(isNone: next(5) == 0))
  }

  private mutating func body(isNone: Bool) -> [UInt8]? {
    if isNone { return next(2) == 0 ? nil : [] }
    return Array((next(12) == 0 ? "no { JSON" : json(0)).utf8)
  }

  private mutating func json(_ depth: Int) -> String {
    switch next(depth > 3 ? 7 : 10) {
    case 0: return pick(["null", "true", "false"])
    case 1, 2: return pick(["0", "-1", "1.0", "2.5", "1e3", "123456789012345678901234567890", "1e400"])
    case 3...6:
      let texts = [
        "a", "", "2026-11-22T10:00:00Z", "2026-11-22", "b@c.example", "https://a.example/users/anna", "{{secret:3}}",
      ]
      return "\"\(pick(texts))\""
    case 7: return "[" + (0..<next(4)).map { _ in json(depth + 1) }.joined(separator: ",") + "]"
    default:
      let names = ["id", "name", "b c", "é", "a.txt", "url", "token", "$ref"].filter { _ in next(3) == 0 }
      let members = names.map { "\"\($0)\":\(json(depth + 1))" }
      return "{\(members.joined(separator: ","))}"
    }
  }
}
