import CassetteTesting
import Foundation
import MockServerTesting
import TestSupport
import Testing

@testable import CassetteSession
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Stubs of a mock server` {
  private func text(_ url: URL, _ body: String? = nil) async throws -> String {
    var request = URLRequest(url: url)
    if let body {
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
    }
    return String(decoding: try await URLSession(configuration: .ephemeral).data(for: request).0, as: UTF8.self)
  }

  @Test func `the stubs of a mock server take precedence over its cassettes`() async throws {
    let stubs = [
      CassetteStub(.get("/us{er}"), .text("no template")), CassetteStub(.get("/user"), .json(["login": "stubbed"])),
    ]
    try await withMockServer(cassettes: "user", strictness: .relaxed, stubs: stubs) { server in
      let client = Client(session: URLSession(configuration: .ephemeral), base: server.url)
      for _ in 0..<2 {
        let login = try await client.user().login
        #expect(login == "stubbed")
      }
    }
  }

  @Test func `a mock server without cassettes calls a stub's closure with the request and its body`() async throws {
    let stubs = [
      CassetteStub(
        .post("/echo/{name}"),
        .answering { request in
          .text("\(request.url?.path ?? "") \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))")
            .header("X-Made", "1")
        })
    ]
    try await withMockServer(stubs: stubs) { server in
      let answer = try await text(server.url.appending(path: "echo/kean"), "hello")
      #expect(answer == "/echo/kean hello")
    }
  }

  @Test(.mockServer(stubs: [CassetteStub(.post("/todos"), .status(201))]))
  func `a mock server lists the requests that it received`() async throws {
    let server = try #require(TestMockServer.current)
    _ = try await text(server.url.appending(path: "todos"), #"{"title":"Milk"}"#)
    #expect(sent(.post("/todos")).json["title"] == "Milk")
    #expect(server.requests.map(\.description) == ["POST \(server.url.absoluteString)/todos"])
  }

  /// Requests an answer of four bytes, and advances the clock at each of its waits.
  private func expectWaits(_ waits: [Int], with fault: CassetteFault) async throws {
    let clock = TestClock()
    try await withMockServer(stubs: [CassetteStub(.get("/user"), .text("kean"))], with: fault) { server in
      server.use(clock)
      async let user = text(server.url.appending(path: "user"))
      for seconds in waits {
        await clock.slept()
        clock.advance(by: .seconds(seconds))
      }
      let found = try await user
      #expect(found == "kean")
    }
  }

  @Test func `the latency of a mock server passes on the test's clock`() async throws {
    try await expectWaits([3_600], with: .latency(.seconds(3_600)))
  }

  @Test func `a throttled answer of a mock server passes on the test's clock`() async throws {
    try await expectWaits([1, 1, 1, 1], with: .throttle(bytesPerSecond: 1))
  }

  @Test func `a delayed answer stops waiting if the client closes the connection`() async throws {
    let clock = TestClock()
    let stub = CassetteStub(.get("/user"), .text("kean").delay(.seconds(3_600)))
    try await withMockServer(strictness: .relaxed, stubs: [stub]) { server in
      server.use(clock)
      let user = Task { try await text(server.url.appending(path: "user")) }
      await clock.slept()
      user.cancel()
      await #expect(throws: (any Error).self) { try await user.value }
    }
    #expect(clock.sleepingTasks == 0)
  }

  @Test func `a request to a mock server without a stub is a miss at the line of the call`() async throws {
    let line = #line + 2
    let issues = try await issues {
      try await withMockServer(stubs: [CassetteStub(.get("/user"), .status(204))]) { server in
        _ = try await text(server.url.appending(path: "users"))
      }
    }
    #expect(issues.map { $0.sourceLocation?.line } == [line])
    #expect(issues.first?.comments.first?.rawValue.contains("GET /users was never recorded") == true)
  }
}

private let isCI = (ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty == false

@Suite(.disabled(if: isCI, "CI refuses to record unless told twice")) struct `Recording with a mock server` {
  private func origin(_ body: String = "recorded") throws -> LoopbackOrigin {
    try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }
  }

  private func get(_ server: TestMockServer, _ path: String) async throws -> String {
    let url = server.url.appending(path: path)
    return String(decoding: try await URLSession(configuration: .ephemeral).data(from: url).0, as: UTF8.self)
  }

  @Test func `a mock server records the upstream's answer, and the next run plays it`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    try await withMockServer(cassettes: "deep/api", in: folder.path, upstream: origin.url, mode: .record) { server in
      let body = try await get(server, "a")
      #expect(body == "recorded")
    }
    origin.stop()
    #expect(folder.files == ["deep/api.json"])
    try await withMockServer(cassettes: "deep/api", in: folder.path, upstream: origin.url, strictness: .strict) {
      server in
      let body = try await get(server, "a")
      #expect(body == "recorded")
    }
  }

  @Test func `.recordMissing records new requests and plays the recorded ones`() async throws {
    let folder = try ScratchFolder()
    let first = try origin("first")
    try await withMockServer(cassettes: "api", in: folder.path, upstream: first.url, mode: .record) { server in
      _ = try await get(server, "a")
    }
    first.stop()
    let second = try origin("second")
    try await withMockServer(cassettes: "api", in: folder.path, upstream: second.url, mode: .recordMissing) { server in
      let known = try await get(server, "a")
      #expect(known == "first")
      let new = try await get(server, "b")
      #expect(new == "second")
    }
    #expect(second.requests.map(\.target) == ["/b"])
    second.stop()
  }

  @Test func `a recording mock server answers a stubbed request without its upstream`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    try await withMockServer(
      cassettes: "api", in: folder.path, upstream: origin.url, mode: .record,
      stubs: [CassetteStub(.get("/login"), .text("stubbed"))]
    ) { server in
      let stubbed = try await get(server, "login")
      #expect(stubbed == "stubbed")
      let asked = try await get(server, "a")
      #expect(asked == "recorded")
    }
    #expect(origin.requests.map(\.target) == ["/a"])
    origin.stop()
  }

  @Test func `a cassette keeps its bytes if the test that records it again fails`() async throws {
    let folder = try ScratchFolder()
    let first = try origin("first")
    try await withMockServer(cassettes: "api", in: folder.path, upstream: first.url, mode: .record) { server in
      _ = try await get(server, "a")
    }
    first.stop()
    let before = FileManager.default.contents(atPath: folder.path("api.json"))
    let second = try origin("second")
    await #expect(throws: CancellationError.self) {
      try await withMockServer(cassettes: "api", in: folder.path, upstream: second.url, mode: .record) { server in
        _ = try await get(server, "a")
        throw CancellationError()
      }
    }
    second.stop()
    #expect(FileManager.default.contents(atPath: folder.path("api.json")) == before)
    #expect(folder.files == ["api.json"])
  }

  @Test func `the closure of a redaction records issues in its test`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    let redaction = CassetteRedaction.redacting(.header("X-Team")) { team in
      Issue.record("the team is \(team)")
      return "any"
    }
    let found = try await issues {
      try await withMockServer(
        cassettes: "api", in: folder.path, upstream: origin.url, mode: .record, redacting: redaction
      ) { server in
        var request = URLRequest(url: server.url.appending(path: "a"))
        request.setValue("blue-whales", forHTTPHeaderField: "X-Team")
        _ = try await URLSession(configuration: .ephemeral).data(for: request)
      }
    }
    origin.stop()
    #expect(Set(found.map { $0.comments.first?.rawValue }) == ["the team is blue-whales"])
  }

  @Test func `ten concurrent tests record into one cassette without losing a recording`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          try await withMockServer(
            cassettes: "api", in: folder.path, upstream: origin.url, mode: .recordMissing, strictness: .relaxed
          ) { server in
            _ = try await get(server, "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    origin.stop()
    let text = String(decoding: FileManager.default.contents(atPath: folder.path("api.json")) ?? Data(), as: UTF8.self)
    for number in 0..<10 { #expect(text.contains("\"/\(number)\"")) }
  }

  @Test func `recording with two cassettes is an error`() async throws {
    let error = await #expect(throws: CassetteError.self) {
      try await withMockServer(cassettes: "a", "b", upstream: "http://127.0.0.1:1", mode: .record) { _ in }
    }
    #expect(error?.description.contains("records into a single cassette") == true)
  }
}
