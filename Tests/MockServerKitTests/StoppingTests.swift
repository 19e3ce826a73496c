import CassetteSystem
import Dispatch
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Starting and stopping a server.
@Suite struct StoppingTests {
  private static let stream =
    "{\"request\":{\"method\":\"GET\",\"url\":\"/s\"},\"response\":{\"status\":200,\"body\":{\"chunks\":"
    + "[{\"after\":0,\"text\":\"one\"},{\"after\":0.2,\"text\":\"two\"}]}}}"

  @Test(arguments: LoopKind.allCases)
  func `stop finishes answers in progress, and its summary counts requests, misses and unplayed recordings`(
    kind: LoopKind
  ) throws {
    let served = try Served(kind, [Self.stream, Served.recording("GET /a", "a"), Served.recording("GET /never", "")])
    let (busy, idle, silent) = try (served.client(), served.client(), served.client())
    #expect(try idle.ask("GET /a").text == "a")
    #expect(try idle.ask("GET /miss").status == 404)
    busy.request("GET /s")
    #expect(busy.hears(within: 60_000))
    let summary = try #require(served.server.stop(within: .seconds(60)))
    #expect(try busy.answer().text == "onetwo")
    #expect(busy.readToEnd().end == .ended)
    #expect(idle.readToEnd().end == .ended)
    #expect(silent.readToEnd().end == .ended)
    #expect(summary.requests == 3 && summary.misses == 1 && summary.recordings == 3)
    #expect(summary.neverPlayed == ["test/get-never"])
    #expect(summary.finished)
    #expect(served.server.stop() == nil, "the server has stopped")
  }

  @Test(arguments: LoopKind.allCases)
  func `stop waits for a request in progress, and then closes its connection`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("POST /a", "a")])
    let client = try served.client()
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try client.answer().status == 100, "the server has received the head")
    let server = served.server
    let finished = Locked(false)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue(label: "stop").async {
      let summary = server.stop(within: .seconds(60))
      finished.withLock { $0 = summary?.finished == true }
      ended.signal()
    }
    #expect(eventually { (try? served.client().ask("POST /a")) == nil }, "new connections are refused")
    client.send("abc")
    #expect(try client.answer().text == "a")
    #expect(client.readToEnd().end == .ended)
    #expect(ended.wait(timeout: .now() + 60) == .success)
    #expect(finished.withLock { $0 })
  }

  @Test(arguments: LoopKind.allCases)
  func `stop does not wait for an incomplete request beyond its time limit`(kind: LoopKind) throws {
    // The head timeout does not end the wait in this test.
    let served = try Served(kind, [Served.recording("GET /a", "a")]) { $0.headTimeout = .seconds(3_600) }
    let client = try served.client()
    #expect(try client.ask("GET /a").text == "a")
    client.send("GET /a HTTP/1.1\r\n\("X: 1\r\n")")
    #expect(try served.ask("GET /a").text == "a")
    _ = served.server.stop(within: .seconds(0.2))
    #expect(client.readToEnd().end != .timedOut)
  }

  @Test(arguments: LoopKind.allCases)
  func `a stopped server can be started again, and a running server cannot be started twice`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "a")])
    #expect {
      try served.server.start()
    } throws: { error in
      if case MockServer.Failure.alreadyStarted = error { true } else { false }
    }
    #expect(try served.ask("GET /a").text == "a")
    #expect(served.server.stop() != nil)
    let url = try served.server.start()
    #expect(try WireClient(url).ask("GET /a").text == "a")
  }

  @Test func `a port in use throws an error that names the port and the option --port 0`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let port = try #require(served.url.split(separator: ":").last.flatMap { Int($0) })
    do {
      _ = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.port = port }
      Issue.record("the server started")
    } catch MockServer.Failure.portTaken(let host, let taken) {
      #expect(host == "127.0.0.1" && taken == port)
      #expect("\(MockServer.Failure.portTaken(host: host, port: taken))".contains("--port 0"))
    }
    #expect(try served.ask("GET /a").text == "a")
  }

  @Test(arguments: ["example.com", "192.0.2.1", "300.0.0.1"])
  func `a host that is not an address of this machine throws an error`(host: String) throws {
    #expect(throws: MockServer.Failure.self) {
      try Served(.platform, [Served.recording("GET /a", "a")]) { $0.host = host }
    }
  }
}
