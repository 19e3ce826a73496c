import CassetteHTTP
import TestSupport
import Testing

@testable import CassetteMaintenance
@testable import Cassettes

@Suite struct CassetteLibraryTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func cassette(_ urls: String...) -> String {
    let interactions = urls.map { "{\"request\":{\"method\":\"GET\",\"url\":\"\($0)\"},\"response\":{\"status\":200}}" }
    return "{\"cassette\":1,\"interactions\":[\n\(interactions.joined(separator: ",\n"))\n]}"
  }

  @Test func `cassettes are sorted by their paths, including subfolders`() throws {
    try folder.makeFolder("m")
    for name in ["b.json", "a.json", "z.json", "m/y.json", "m/x.json"] {
      try folder.write(cassette("/\(name)"), to: name)
    }
    let library = try CassetteLibrary.load([folder.path])
    #expect(library.cassettes.map(\.name) == ["a", "b", "m/x", "m/y", "z"])
    #expect(library.recordingCount == 5)
    #expect(library.warnings == [])
  }

  @Test func `fixtures, bodies and hidden files are not loaded as cassettes`() throws {
    for name in ["fixtures", "bodies", ".git", "sub", "sub/bodies"] { try folder.makeFolder(name) }
    for name in ["fixtures/a.json", "bodies/b.json", ".git/c.json", ".d.json", "sub/bodies/e.json"] {
      try folder.write(cassette("/x"), to: name)
    }
    try folder.write("# notes", to: "README.md")
    let library = try CassetteLibrary.load([folder.path])
    #expect(library.cassettes.isEmpty)
    #expect(library.fixtures.map(\.url) == ["/a", "/a.json"])
    #expect(library.fixtureCount == 1)
    #expect(library.warnings == [])
  }

  @Test func `symbolic links within a folder are skipped with a warning`() throws {
    let other = try ScratchFolder()
    try other.write(cassette("/a"), to: "a.json")
    try folder.link("link.json", to: other.path("a.json"))
    try folder.link("folder", to: other.path)
    let library = try CassetteLibrary.load([folder.path])
    #expect(library.cassettes.isEmpty)
    #expect(library.warnings.map(\.file) == [folder.path("folder"), folder.path("link.json")])
    #expect(library.warnings.allSatisfy { $0.severity == .warning })
  }

  @Test func `a named folder or cassette may be a symbolic link`() throws {
    let other = try ScratchFolder()
    try other.write(cassette("/a"), to: "a.json")
    try folder.link("cassettes", to: other.path)
    try folder.link("one.json", to: other.path("a.json"))
    #expect(try CassetteLibrary.load([folder.path("cassettes")]).recordingCount == 1)
    let first = try CassetteLibrary.load([folder.path("one.json")])
    #expect(first.cassettes.map(\.name) == ["one"])
    try other.write(cassette("/a", "/b"), to: "a.json")
    #expect(try CassetteLibrary.load([folder.path("one.json")], reusing: first).recordingCount == 2)
  }

  @Test func `JSON without a cassette key is a warning in a folder, and an error if it is named`() throws {
    try folder.write("{\"a\": 1}", to: "package.json")
    let library = try CassetteLibrary.load([folder.path])
    #expect(library.warnings.map(\.message) == ["has no \"cassette\" key and was skipped"])
    #expect(throws: CassetteError.self) { try CassetteLibrary.load([folder.path("package.json")]) }
  }

  @Test(arguments: [
    (#"{"uuid": "1", "endpointPrefix": "", "routes": []}"#, "a Mockoon environment", "export it as OpenAPI"),
    (#"{"name": "a", "version": "1", "items": [], "environments": []}"#, "a Bruno collection", "mockserver record"),
    (#"{"version": "1", "name": "a", "type": "collection", "ignore": []}"#, "a Bruno collection", "mockserver record"),
    ("meta {\n  name: a\n}\n", "a Bruno collection", "mockserver record"),
    (#"{"_type": "export", "__export_format": 4, "resources": []}"#, "an Insomnia collection", "mockserver record"),
    ("type: collection.insomnia.rest/5.0\nname: a\n", "an Insomnia collection", "mockserver record"),
    (#"{"consumer": {}, "interactions": [], "provider": {}}"#, "a Pact contract", "mockserver record"),
    ("1851:9:websocket;0:~8:response;", "a file of mitmproxy flows", "mitmdump -nr /x/a.json --set hardump=trace.har"),
    (#"[{"httpRequest": {"path": "/a"}}]"#, "a file of MockServer expectations", "mockserver record"),
    (#"{"imposters": []}"#, "a Mountebank imposter", "mockserver record"),
    (#"[{"scope": "https://a.test", "method": "GET"}]"#, "a nock recording", "import /x/a.json --into cassettes"),
    (#"{"data": {"pairs": []}, "meta": {}}"#, "a Hoverfly simulation", "import /x/a.json --into cassettes"),
    (#"{"request": {}, "response": {}}"#, "a WireMock mapping", "import /x/a.json --into cassettes"),
    ("\u{feff}{\"openapi\": \"3.1.0\"}", "an OpenAPI document", "mockserver serve --openapi /x/a.json"),
  ])
  func `a file of another tool is named with the next step`(text: String, kind: String, advice: String) {
    let error = CassetteFile.foreignFile(Array(text.utf8), "/x/a.json")
    #expect(error?.message == "is \(kind), not a cassette" && error?.suggestion?.contains(advice) == true)
  }

  @Test(arguments: [
    #"{"cassette": 1, "request": {}, "response": {}}"#, #"{"origin": "https://a.test", "interactions": []}"#, "[]", "",
    "a: b", "12:30:45", #"{"name": "a", "version": "1", "type": "module"}"#, #"{"routes": []}"#,
  ])
  func `a cassette or a file of an unknown format is not attributed to another tool`(text: String) {
    #expect((CassetteFile.foreignFile(Array(text.utf8), "a.json") == nil) == (text != "12:30:45"))
  }

  @Test(arguments: [("\r\n", "a\r\nb\r\n", 1), ("\r\n", "a\r\nb\n", 0), ("\n", "a\r\nb\r\n", 0)])
  func `a body file with the CRLF of its cassette is a warning`(end: String, body: String, count: Int) throws {
    let lines = [
      "{\"cassette\": 1, \"interactions\": [", #"{"request": {"method": "GET", "url": "/a"},"#,
      #" "response": {"status": 200, "body": {"file": "bodies/a.txt"}}}]}"#,
    ]
    try folder.makeFolder("bodies")
    try folder.write(body, to: "bodies/a.txt")
    try folder.write(lines.joined(separator: end) + end, to: "a.json")
    let warnings = CassetteLibrary.check([folder.path])
    #expect(warnings.count == count && warnings.allSatisfy { $0.message.contains("bodies/a.txt end with CRLF") })
  }

  @Test func `the mappings of a WireMock folder are one warning with the command that imports them`() throws {
    try folder.makeFolder("mappings")
    for name in ["mappings/a.json", "mappings/b.json"] {
      try folder.write(#"{"request": {"url": "/a"}, "response": {"status": 200}}"#, to: name)
    }
    for warnings in try [CassetteLibrary.load([folder.path]).warnings, CassetteLibrary.check([folder.path])] {
      #expect(warnings.map(\.file) == [folder.path("mappings")])
      #expect(warnings.first?.suggestion == "convert it: mockserver import \(folder.path("mappings")) --into cassettes")
      #expect(warnings.first?.severity == .warning)
    }
  }

  @Test(arguments: [
    ("", "1:1: not JSON: expected a value, but the text ends"), ("[]", "1:1: a cassette must be an object"),
    ("{\"casette\": 1}", "1:2: unknown key \"casette\", did you mean \"cassette\"?"),
    ("{}", "1:1: \"cassette\" is missing, add \"cassette\": 1 as the first member"),
    ("{\"a\": 1}", "1:2: unknown key \"a\""),
  ])
  func `a cassette that loaded before and no longer parses is an error`(text: String, message: String) throws {
    try folder.makeFolder("m")
    for name in ["a.json", "m/b.json"] {
      try folder.write(cassette("/a"), to: name)
      let first = try CassetteLibrary.load([folder.path])
      try folder.write(text, to: name)
      let error = #expect(throws: CassetteError.self) { try CassetteLibrary.load([folder.path], reusing: first) }
      #expect(error?.description == "\(folder.path(name)):\(message)")
      try folder.remove(name)
      #expect(try CassetteLibrary.load([folder.path], reusing: first).cassettes.isEmpty)
    }
  }

  @Test(arguments: [
    ("{\"interactions\": []}", true, true), ("{\"casette\": 1}", true, true), ("{\"Cassette\": 1, ", true, true),
    ("{\"origin\": \"https://a\"}", true, false), ("", true, false), ("\n", true, false), ("{\"a\": 1", true, false),
    ("{\"a\": 1} x", true, false), ("oops", true, false), ("{\"a\": 1}", false, false), ("{}", false, false),
    ("[1]", false, false), (" 12 ", false, false), ("\u{feff}{\"a\": {\"interactions\": 1}}", false, false),
  ])
  func `an invalid cassette at the top level of a folder is an error, and in a subfolder a warning`(
    text: String, isError: Bool, isRefused: Bool
  ) throws {
    try folder.makeFolder("sub")
    try folder.write(text, to: "sub/a.json")
    #expect(CassetteLibrary.check([folder.path]).map(\.severity) == [.warning])
    try folder.write(text, to: "a.json")
    #expect(CassetteLibrary.check([folder.path]).contains { $0.severity == .error } == isError)
    if isRefused {
      #expect(throws: CassetteError.self) { try CassetteLibrary.load([folder.path]) }
    } else {
      #expect(try CassetteLibrary.load([folder.path]).warnings.count == 2)
    }
  }

  @Test func `a folder or file that is named twice is loaded once`() throws {
    try folder.makeFolder("fixtures")
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write("{}", to: "fixtures/b.json")
    let other = try ScratchFolder()
    try other.link("link", to: folder.path)
    for paths in [[folder.path, folder.path], [folder.path("fixtures/../."), "\(folder.path)/", other.path("link")]] {
      let library = try CassetteLibrary.load(paths)
      #expect(library.recordingCount == 1)
      #expect(library.fixtureCount == 1)
      #expect(CassetteLibrary.check(paths) == [])
    }
    let file = folder.path("a.json")
    #expect(try CassetteLibrary.load([file, file]).recordingCount == 1)
  }

  @Test func `recordings that no client can request are warnings with a suggestion`() throws {
    let odd = cassette("/__mock/reset?a", "/__mocks", "/b", "/c/{id}?d", "/c/{{secret:1}}").replacing(
      "\"GET\",\"url\":\"/b\"", with: "\"get\",\"url\":\"/b\"")
    try folder.write(odd, to: "a.json")
    let problems = CassetteLibrary.check([folder.path])
    #expect(problems.allSatisfy { $0.severity == .warning })
    #expect(
      problems.map(\.message) == [
        "/__mock/reset is never played: the server itself answers requests to /__mock/",
        "the method \"get\" is not \"GET\": case matters (RFC 9110 §9.1)",
        "the braces in /c/{id} are compared as text",
      ])
    #expect(problems.map(\.line) == [2, 4, 5])
    #expect(
      problems[1...].map(\.suggestion) == [
        "did you mean \"GET\"?", #"for any value, add "match": {"path": "/c/{id}"}"#,
      ])
  }

  @Test func `a response that was not captured is a warning`() throws {
    let gap = Interaction(method: "GET", url: "/a", outcome: .failure(.notCaptured("its body is in pieces")))
    try CassetteFile.write(Cassette(name: "a", interactions: [gap]), to: folder.path("a.json"))
    let problems = CassetteLibrary.check([folder.path])
    #expect(problems.map(\.message) == ["its response was not captured: its body is in pieces"])
    #expect(problems.map(\.severity) == [.warning])
  }

  @Test(arguments: [("any", "ANY"), ("get", "GET")])
  func `a rule for a misspelled method is a warning with a suggestion`(written: String, meant: String) throws {
    let ruled = cassette("/a").replacing("{\"request\"", with: "{\"match\":{\"method\":\"\(written)\"},\"request\"")
    try folder.write(ruled, to: "a.json")
    let problems = CassetteLibrary.check([folder.path])
    #expect(problems.map(\.suggestion) == ["did you mean \"\(meant)\"?"])
    #expect(problems.allSatisfy { $0.severity == .warning })
  }

  @Test func `an unsaved journal of a recorder is a warning`() throws {
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write("", to: "b.json.journal")
    let problems = CassetteLibrary.check([folder.path])
    #expect(problems.map(\.file) == [folder.path("b.json.journal")])
    #expect(problems.map(\.severity) == [.warning])
    #expect(CassetteLibrary.check([folder.path("a.json")]).isEmpty)
  }

  @Test func `a fixture that hides recordings is a warning`() throws {
    try folder.makeFolder("fixtures/users")
    try folder.write(cassette("/x?page=1", "https://a.example/%78?page=2", "/x", "/users/1", "/y"), to: "a.json")
    for name in ["x.json", "x.POST.json", "users/{id}.json", "y.txt"] { try folder.write("{}", to: "fixtures/\(name)") }
    let problems = CassetteLibrary.check([folder.path])
    let place = folder.path("a.json")
    #expect(problems.map(\.file) == [folder.path("fixtures/x.json"), folder.path("fixtures/y.txt")])
    #expect(
      problems.map(\.message) == [
        "answers GET /x before 3 recordings (\(place):2 …): fixtures ignore the query",
        "answers GET /y before a recording (\(place):6): fixtures ignore the query",
      ])
  }

  @Test func `an invalid cassette is an error with line and column`() throws {
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write(
      "{\"cassette\":1,\"interactions\":[\n{\"request\":{\"methd\":\"GET\",\"url\":\"/\"}}]}", to: "b.json")
    #expect {
      try CassetteLibrary.load([folder.path])
    } throws: { error in
      let error = error as? CassetteError
      return error?.file == folder.path("b.json") && error?.line == 2 && error?.column == 13
        && error?.description.contains("method") == true
    }
    #expect(CassetteLibrary.check([folder.path]).first?.line == 2)
  }

  @Test(arguments: ["nowhere", "nowhere.json"])
  func `a missing path is an error that names it`(name: String) throws {
    let path = folder.path(name)
    #expect(throws: CassetteError(file: path, message: "the file or folder does not exist")) {
      try CassetteLibrary.load([path])
    }
    #expect(CassetteLibrary.check([path]).map(\.file) == [path])
    #expect(throws: CassetteError.self) { try CassetteLibrary.load([folder.path], fixtures: path) }
  }

  @Test func `a request in two cassettes with different responses is one warning, at the recording that plays second`()
    throws
  {
    try folder.write(cassette("/a", "/b?x=1&y=2", "/c"), to: "1.json")
    let second = cassette("/d", "/b?y=2&x=1", "/b?x=1&y=2", "/a?z")
    try folder.write(second, to: "2.json")
    #expect(CassetteLibrary.check([folder.path]) == [], "both recordings have the same response")
    try folder.write(second.replacing("200", with: "201"), to: "2.json")
    let problems = CassetteLibrary.check([folder.path])
    #expect(problems.map(\.severity) == [.warning])
    #expect(problems.first?.file == folder.path("2.json"))
    #expect(problems.first?.line == 3)
    let message = "GET /b?y=2&x=1 is also recorded in \"1\" (\(folder.path("1.json")):3), which plays first"
    #expect(problems.first?.message == message)
  }

  @Test(arguments: [("Milk", "Eggs", "", 0), ("Milk", "Milk", "", 1), ("Milk", "Milk", "Cassettes/", 0)])
  func `a POST in two cassettes is a warning if the bodies are equal and the folder is not Cassettes`(
    first: String, second: String, place: String, count: Int
  ) throws {
    func post(_ title: String, _ status: Int) -> String {
      #"""
      {"cassette": 1, "interactions": [
      {"request": {"method": "POST", "url": "/todos", "body": {"json": {"title": "\#(title)"}}}, "response": {"status": \#(status)}}]}
      """#
    }
    try folder.makeFolder("Cassettes")
    try folder.write(post(first, 201), to: "\(place)1.json")
    try folder.write(post(second, 202), to: "\(place)2.json")
    #expect(CassetteLibrary.check([folder.path]).count { $0.message.contains("is also recorded in") } == count)
  }

  @Test func `the same request twice in one cassette is not a warning`() throws {
    try folder.write(cassette("/a", "/a"), to: "1.json")
    #expect(CassetteLibrary.check([folder.path]) == [])
  }

  @Test func `cassettes with the same name in two folders have different names in the library`() throws {
    let other = try ScratchFolder()
    try folder.write(cassette("/a"), to: "one.json")
    try other.write(cassette("/b"), to: "one.json")
    let library = try CassetteLibrary.load([folder.path, other.path])
    #expect(library.cassettes.map(\.name) == ["one", other.path("one.json")])
    let again = try CassetteLibrary.load([folder.path, other.path], reusing: library)
    #expect(again.cassettes.map(\.name) == library.cassettes.map(\.name))
    #expect(!again.differs(from: library))
  }

  @Test func `a reload reads only changed files`() throws {
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write(cassette("/b"), to: "b.json")
    let first = try CassetteLibrary.load([folder.path])
    try folder.write(cassette("/b", "/c"), to: "b.json")
    let second = try CassetteLibrary.load([folder.path], reusing: first)
    #expect(second.differs(from: first))
    #expect(second.unchangedSince(first).contains("a"))
    #expect(!second.unchangedSince(first).contains("b"))
    #expect(second.recordingCount == 3)
    let third = try CassetteLibrary.load([folder.path], reusing: second)
    #expect(!third.differs(from: second))
    try folder.remove("a.json")
    let fourth = try CassetteLibrary.load([folder.path], reusing: third)
    #expect(fourth.differs(from: third))
    #expect(fourth.cassettes.map(\.name) == ["b"])
  }

  @Test(arguments: ["fixtures/a.json", "fixtures/a.json.headers", "bodies/a.txt"])
  func `a changed fixture, header or body file is a difference of the library`(name: String) throws {
    for name in ["fixtures", "bodies"] { try folder.makeFolder(name) }
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write("{}", to: "fixtures/a.json")
    let before = try CassetteLibrary.load([folder.path])
    try folder.write("A: 1", to: name)
    let after = try CassetteLibrary.load([folder.path], reusing: before)
    #expect(after.differs(from: before))
    #expect(after.unchangedSince(before).contains("a"))
  }

  @Test func `fixtures are loaded from another folder if it is named`() throws {
    let other = try ScratchFolder()
    try folder.makeFolder("fixtures")
    try folder.write("1", to: "fixtures/a.json")
    try other.write("2", to: "b.json")
    #expect(try CassetteLibrary.load([folder.path], fixtures: other.path).fixtures.map(\.url) == ["/b", "/b.json"])
  }
}
