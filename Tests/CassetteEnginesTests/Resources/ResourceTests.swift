import CassetteHTTP
import CassetteJSON
import Testing

@testable import CassetteEngines

/// A resource in one session, to which a test sends requests.
struct Asked {
  let definition: ResourceDefinition
  var state: ResourceState
  var now = "2026-11-22T12:00:00Z"

  init(_ text: String) throws {
    definition = try ResourceReader(try #require(JSONTree(Array(text.utf8)))).definition()
    state = ResourceState(definition)
  }

  /// `PATCH /todos/1 {"a":1}`.
  mutating func ask(_ line: String, _ headers: HTTPHeaders = [:]) throws -> HTTPResponse {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let request = HTTPRequest(
      method: HTTPMethod(words[0]), target: try #require(HTTPTarget(words[1])), headers: headers,
      body: words.count > 2 ? Array(words[2].utf8) : [])
    return try #require(ResourceRequest(request, to: definition, base: "https://a.example", now: now)).answer(&state)
  }

  mutating func text(_ line: String, _ headers: HTTPHeaders = [:]) throws -> String {
    let response = try ask(line, headers)
    return "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
  }
}

@Suite struct ResourceTests {
  private static let todos = #"""
    {"path":"/todos","seed":[{"id":1,"title":"a","done":false},{"id":2,"title":"b","done":true}],
     "list":{"page":"page","size":"size","perPage":10,"filter":["done"],"sort":"sort"}}
    """#

  @Test func `a resource refuses more than 10,000 elements or 16 MB`() throws {
    var todos = try Asked(Self.todos)
    func elements(_ count: Int, _ text: String = "") throws -> ResourceState {
      let list = (0..<count).map { "{\"id\":\($0),\"title\":\"\(text)\"}" }.joined(separator: ",")
      return try ResourceState(Array("[\(list)]".utf8), of: todos.definition)
    }
    todos.state = try elements(10_000)
    #expect(todos.state.count == 10_000)
    #expect(try todos.ask(#"POST /todos {"title":"c"}"#).status == 507)
    #expect(try todos.ask("DELETE /todos/9999").status == 204)
    #expect(try todos.text(#"POST /todos {"title":"c"}"#) == #"201 {"id":10000,"title":"c"}"#)
    #expect(throws: ResourceError.self) { try elements(10_001) }
    let megabyte = String(repeating: "a", count: 1 << 20)
    #expect(try elements(15, megabyte).count == 15)
    #expect(throws: ResourceError.self) { try elements(16, megabyte) }
    #expect(throws: ResourceError.self) {
      try ResourceState(Array(#"[{"id":1},{"id":"1"}]"#.utf8), of: todos.definition)
    }
  }

  @Test func `a created element can be read, changed and deleted`() throws {
    var todos = try Asked(Self.todos)
    let made = try todos.ask(#"POST /todos {"title":"c"}"#)
    #expect(made.status == 201)
    #expect(made.headers["Location"] == "https://a.example/todos/3")
    #expect(try todos.text("GET /todos/3") == #"200 {"id":3,"title":"c"}"#)
    #expect(try todos.text(#"PUT /todos/3 {"title":"d","n":1.0}"#) == #"200 {"title":"d","n":1.0,"id":3}"#)
    #expect(try todos.text(#"PATCH /todos/3 {"n":null,"id":9}"#) == #"200 {"title":"d","id":3}"#)
    let patch: HTTPHeaders = [("Content-Type", "application/json-patch+json")]
    #expect(
      try todos.text(#"PATCH /todos/3 [{"op":"add","path":"/x","value":[1]}]"#, patch)
        == #"200 {"title":"d","id":3,"x":[1]}"#)
    #expect(try todos.text("DELETE /todos/3") == "204 ")
    #expect(try todos.ask("GET /todos/3").status == 404)
    #expect(try todos.ask("DELETE /todos/3").status == 404)
    #expect(try todos.text(#"POST /todos {}"#) == #"201 {"id":4}"#, "an identifier must not be reused")
  }

  @Test(arguments: [
    ("GET /todos", "1,2", "2"), ("GET /todos?done=true", "2", "1"), ("GET /todos?done=maybe", "", "0"),
    ("GET /todos?sort=-title", "2,1", "2"), ("GET /todos?sort=done,title", "1,2", "2"),
    ("GET /todos?size=1", "1", "2"), ("GET /todos?size=1&page=2", "2", "2"), ("GET /todos?page=9", "", "2"),
    ("GET /todos?unknown=1", "1,2", "2"), ("GET /todos?sort=missing", "1,2", "2"),
  ])
  func `a list is paged, filtered and sorted by query parameters`(line: String, ids: String, total: String) throws {
    var todos = try Asked(Self.todos)
    let response = try todos.ask(line)
    #expect(response.headers["X-Total-Count"] == total)
    guard case .array(let elements)? = EditableJSON(response.body) else {
      Issue.record("no list")
      return
    }
    #expect(elements.compactMap { $0["id"]?.scalar }.joined(separator: ",") == ids)
  }

  @Test func `a page's Link field has the next and the previous page`() throws {
    var todos = try Asked(Self.todos)
    #expect(
      try todos.ask("GET /todos?size=1&done=&page=1").headers["Link"] == nil, "an empty result must have no Link field")
    #expect(
      try todos.ask("GET /todos?size=1").headers["Link"]
        == #"<https://a.example/todos?page=2&size=1>; rel="next""#)
    #expect(
      try todos.ask("GET /todos?page=2&size=1").headers["Link"]
        == #"<https://a.example/todos?page=1&size=1>; rel="prev""#)
  }

  @Test(arguments: [
    ("GET /todos?page=0", 400), ("GET /todos?size=x", 400), ("GET /todos?page=-99999999999999999999", 400),
    ("GET /todos?page=9223372036854775807&size=1000", 200), ("POST /todos no JSON", 400), ("POST /todos", 400),
    ("POST /todos [1]", 422), (#"POST /todos {"id":1}"#, 409), (#"POST /todos {"id":{}}"#, 422),
    ("PUT /todos/1 5", 422), ("PUT /todos/9 {}", 404), ("PATCH /todos/1 5", 422),
    (#"PATCH /todos/1 [{"op":"remove","path":"/nothing"}]"#, 422), (#"PATCH /todos/1 [{"op":"x"}]"#, 400),
    ("DELETE /todos", 405), ("PATCH /todos {}", 405), ("POST /todos/1 {}", 405), ("TRACE /todos", 405),
  ])
  func `an invalid request to a resource is refused and changes no element`(line: String, status: Int) throws {
    var todos = try Asked(Self.todos)
    let before = try todos.ask("GET /todos").body
    #expect(try todos.ask(line).status.code == status)
    #expect(try todos.ask("GET /todos").body == before)
  }

  @Test(arguments: ["/todo", "/todosx", "/todos/1/2", "/", "/x/todos", "/todos//"])
  func `a path outside the resource has no place in it`(path: String) throws {
    let definition = try Asked(Self.todos).definition
    #expect(definition.place(of: path) == nil)
  }

  @Test(
    arguments: [("/todos", nil), ("/todos/", nil), ("/todos/a%20b", "a b"), ("/old/1", "1")] as [(String, String?)])
  func `a path of the resource is the collection or an element`(path: String, name: String?) throws {
    let definition = try Asked(#"{"path":["/todos","/old"]}"#).definition
    #expect(definition.place(of: path) == name.map { .element($0) } ?? .collection)
    #expect(try Asked(#"{"path":"/"}"#).definition.place(of: path.contains("/1") ? "/1" : "/") != nil)
  }

  @Test func `an unsupported content type is refused with the supported types`() throws {
    var todos = try Asked(Self.todos)
    let type: HTTPHeaders = [("Content-Type", "text/plain")]
    #expect(try todos.ask("POST /todos {}", type).status == 415)
    let patch = try todos.ask("PATCH /todos/1 {}", type)
    #expect(patch.headers["Accept-Patch"]?.contains("application/json-patch+json") == true)
    #expect(try todos.ask("DELETE /todos").headers["Allow"] == "GET, POST, HEAD, OPTIONS")
  }

  @Test func `members set by the server are added on creation and change, and cannot be set by a client`() throws {
    var articles = try Asked(
      #"""
      {"path":["/v2/articles","/v1/articles"],"seed":[{"id":7,"title":"a","by":"x","at":"then","was":"then"}],
       "defaults":{"summary":null},"created":{"by":"me","at":"{{now}}","url":"{{url}}"},"changed":{"was":"{{now}}"}}
      """#)
    #expect(
      try articles.text(#"POST /v1/articles {"title":"b","by":"you"}"#)
        == #"201 {"id":8,"title":"b","summary":null,"by":"me","at":"2026-11-22T12:00:00Z","#
        + #""url":"https://a.example/v2/articles/8","was":"2026-11-22T12:00:00Z"}"#)
    articles.now = "later"
    #expect(
      try articles.text(#"PUT /v1/articles/7 {"title":"c","at":"never"}"#)
        == #"200 {"title":"c","at":"then","summary":null,"id":7,"by":"x","was":"later"}"#)
  }

  @Test func `error responses of a resource have the bodies of its definition`() throws {
    var todos = try Asked(
      #"""
      {"path":"/todos","errors":{"404":{"message":"There is no todo {{id}}.","id":"{{id}}"},
       "422":{"fields":"{{fields}}"}},"schema":{"required":["title"],"properties":{"n":{"type":"integer"}}}}
      """#)
    #expect(try todos.text("GET /todos/5") == #"404 {"message":"There is no todo 5.","id":5}"#)
    #expect(try todos.text("GET /todos/x") == #"404 {"message":"There is no todo x.","id":"x"}"#)
    #expect(try todos.text("POST /todos {}") == #"422 {"fields":{"title":["is missing"]}}"#)
    #expect(try todos.text(#"POST /todos {"title":"a","n":"x"}"#).hasPrefix(#"422 {"fields":{"n":["#))
    #expect(try todos.ask(#"POST /todos {"title":"a"}"#).status == 201)
    #expect(try todos.ask(#"PATCH /todos/1 {"title":null}"#).status == 422)
    #expect(try todos.text("GET /todos/1") == #"200 {"id":1,"title":"a"}"#)
  }

  @Test func `a list is wrapped in the defined envelope, and numbers stay numbers`() throws {
    var todos = try Asked(
      #"""
      {"path":"/t","seed":[{"id":1},{"id":2},{"id":3}],"list":{"page":"page","perPage":2,"envelope":
       {"data":"{{items}}","page":"{{page}}","of":"{{pages}} pages","total":"{{total}}","next":"{{next}}"}}}
      """#)
    #expect(
      try todos.text("GET /t")
        == #"200 {"data":[{"id":1},{"id":2}],"page":1,"of":"2 pages","total":3,"next":"https://a.example/t?page=2"}"#)
    #expect(
      try todos.text("GET /t?page=2") == #"200 {"data":[{"id":3}],"page":2,"of":"2 pages","total":3,"next":null}"#)
  }

  @Test(arguments: [
    ("GET /t/?q=WING", "1,2"), ("GET /t/?q=x%20,fighter", "1"), ("GET /t/?q=one", "2"), ("GET /t/?q=", "1,2"),
    ("GET /t/?q=none", ""), ("GET /t/?q=wing&page=2", ""),
  ])
  func `a search keeps elements that have each word in one of its members`(request: String, ids: String) throws {
    var ships = try Asked(
      #"""
      {"path":"/t/","headers":{"Vary":"Accept"},
       "list":{"page":"page","perPage":2,"search":{"parameter":"q","members":["name","more.model"]}},
       "seed":[{"id":1,"name":"X-wing","more":{"model":"Star Fighter"}},{"id":2,"name":"A-Wing","more":{"model":"ONE"}}]}
      """#)
    let response = try ships.ask(request)
    #expect(response.headers["Vary"] == "Accept")
    guard case .array(let elements)? = EditableJSON(response.body) else {
      Issue.record("no list")
      return
    }
    #expect(elements.compactMap { $0["id"]?.scalar }.joined(separator: ",") == ids)
  }

  @Test(arguments: ["0", "x", "3"])
  func `a missing page of a resource has the status and body of the definition`(page: String) throws {
    var todos = try Asked(
      #"""
      {"path":"/t","headers":{"Vary":"Accept"},"list":{"page":"page","perPage":1,"missingPage":404},
       "errors":{"404":{"detail":"Not found"}},"seed":[{"id":1},{"id":2}]}
      """#)
    #expect(try todos.text("GET /t?page=\(page)") == #"404 {"detail":"Not found"}"#)
    #expect(try todos.ask("GET /t?page=\(page)").headers["Vary"] == "Accept")
    #expect(try todos.text("GET /t?page=2") == #"200 [{"id":2}]"#)
  }

  @Test func `links of a resource with a trailing slash have a trailing slash`() throws {
    var todos = try Asked(
      #"""
      {"path":"/t/","seed":[{"id":1},{"id":2}],"created":{"url":"{{url}}"},"list":{"page":"page","perPage":1}}
      """#)
    #expect(try todos.ask("GET /t/").headers["Link"] == #"<https://a.example/t/?page=2>; rel="next""#)
    #expect(try todos.text("POST /t/ {}") == #"201 {"id":3,"url":"https://a.example/t/3/"}"#)
  }

  @Test func `only the operations in the definition are allowed, with their status`() throws {
    var todos = try Asked(#"{"path":"/t","operations":{"list":200,"create":200,"clear":200,"delete":200}}"#)
    #expect(try todos.ask("POST /t {}").status == 200)
    #expect(try todos.ask("PUT /t/1 {}").status == 405)
    #expect(try todos.text("DELETE /t/1") == #"200 {"id":1}"#)
    #expect(try todos.text("DELETE /t") == "200 []")
  }

  @Test func `a change with an outdated If-Match field is refused with status 412`() throws {
    var todos = try Asked(Self.todos)
    let tag = try #require(try todos.ask("GET /todos/1").headers["ETag"])
    #expect(try todos.ask(#"PATCH /todos/1 {"a":1}"#, [("If-Match", "\"other\"")]).status == 412)
    #expect(try todos.ask(#"PATCH /todos/1 {"a":1}"#, [("If-Match", "\"other\", \(tag)")]).status == 200)
    #expect(try todos.ask(#"PATCH /todos/1 {"a":2}"#, [("If-Match", tag)]).status == 412)
  }

  @Test func `new identifiers are UUIDs if those of the seed are strings`() throws {
    var todos = try Asked(#"{"path":"/t","id":"key","seed":[{"key":"a"}]}"#)
    #expect(try todos.text("POST /t {}") == #"201 {"key":"00000000-0000-4000-8000-000000000001"}"#)
    #expect(try todos.text(#"POST /t {"key":"b"}"#) == #"201 {"key":"b"}"#)
  }

  @Test func `a resource refuses a new element beyond its size limit with status 507`() throws {
    var todos = try Asked(#"{"path":"/t"}"#)
    let body = String(repeating: "x", count: 1 << 20)
    let statuses = try (0..<18).map { _ in try todos.ask(#"POST /t {"a":"\#(body)"}"#).status.code }
    #expect(statuses.first == 201)
    #expect(statuses.last == 507)
    #expect(todos.state.size <= ResourceDefinition.mostBytes)
  }

  @Test func `a change of a resource in one session is not visible in another`() throws {
    let first = try Asked(Self.todos)
    var (one, other) = (first, first)
    _ = try one.ask("DELETE /todos/1")
    #expect(try other.ask("GET /todos/1").status == 200)
    #expect(one.state.count == 1)
  }

  @Test(arguments: [
    ("[]", "\"resource\" must be an object", 0), ("{}", "\"path\" is missing", 0),
    (#"{"path":"todos"}"#, "\"path\" must be a path", 8), (#"{"path":"/a?b"}"#, "\"path\" must be a path", 8),
    (#"{"path":"/a","sead":[]}"#, "has no \"sead\"", 20), (#"{"path":"/a","path":"/b"}"#, "twice", 20),
    (#"{"path":"/a","seed":[{"id":1},{}]}"#, "has no \"id\"", 30),
    (#"{"path":"/a","seed":[{"id":1},{"id":"1"}]}"#, "the id 1 occurs twice", 30),
    (#"{"path":"/a","operations":{"read":404}}"#, "from 200 to 299", 34),
    (#"{"path":"/a","list":{"page":"p"}}"#, "\"perPage\" is missing", 28),
    (#"{"path":"/a","created":{"at":"{{nau}}"}}"#, "unknown placeholder {{nau}}", 23),
    (#"{"path":"/a","errors":{"200":{}}}"#, "must be statuses", 29),
    (#"{"path":"/a","schema":{"type":"strong"}}"#, "\"schema\": ", 30),
  ])
  func `an invalid definition is an error with its offset`(text: String, message: String, offset: Int) throws {
    let error = #expect(throws: ResourceError.self) { try Asked(text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.offset == offset)
  }

  @Test func `a secret's placeholder in a definition is kept`() throws {
    var todos = try Asked(#"{"path":"/t","created":{"token":"{{secret:1}}"}}"#)
    #expect(try todos.text("POST /t {}") == #"201 {"id":1,"token":"{{secret:1}}"}"#)
  }
}
