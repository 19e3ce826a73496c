import CassetteHTTP
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import CassetteRecording
@testable import MockServerKit
@testable import MockServerUpstream

/// A recording server, a scripted origin, and the resulting cassette.
struct RecordingTests {
  /// Starts a recorder of one origin.
  private func record(
    _ kind: LoopKind = .platform, from origin: String, mode: CassetteMode = .record, files: [String: String] = [:],
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    let upstream = try UpstreamOrigin(origin)
    return try Served(kind, files) { configuration in
      var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
      settings.mode = mode
      configuration.recording = settings
      configure(&configuration)
    }
  }

  /// Stops the recording and reads its cassette.
  private func cassette(of served: Served) throws -> (Cassette, Recording.Changes) {
    served.server.stop()
    let saved = try served.server.saveRecording()
    let changes = try #require(saved).changes
    #expect(!FileManager.default.fileExists(atPath: "\(served.folder)/a.json.journal"))
    return (try CassetteFile.read(path: "\(served.folder)/a.json"), changes)
  }

  @Test(arguments: LoopKind.allCases)
  func `a response reaches the client and is recorded with its fields in order`(kind: LoopKind) throws {
    let fields = "x-b: 1\r\nETag: \"a\"\r\nX-B: 2\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n"
    let origin = try LoopbackOrigin { request in
      [.text("HTTP/1.1 200 Fine\r\n\(fields)Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}")]
    }
    let served = try record(kind, from: origin.url)
    let answer = try served.ask("POST /a?q=1", [("X-Mine", "m"), ("Content-Type", "text/plain")], body: "sent")
    #expect(answer.status == 200)
    #expect(answer.reason == "Fine")
    #expect(answer.text == "{\"a\":1}")
    #expect(answer.headers.values(of: "X-B") == ["1", "2"])
    let asked = try #require(origin.requests.first)
    #expect(asked.method == "POST")
    #expect(asked.target == "/a?q=1")
    #expect(asked.value(of: "Host") == String(origin.url.dropFirst(7)))
    #expect(asked.value(of: "X-Mine") == "m")
    #expect(asked.body == Array("sent".utf8))
    let (cassette, changes) = try cassette(of: served)
    #expect(changes.added == ["POST /a?q=1"])
    #expect(cassette.origin == origin.url)
    let interaction = try #require(cassette.interactions.first)
    #expect(interaction.url == "/a?q=1")
    #expect(try interaction.requestBody?.bytes() == Array("sent".utf8))
    #expect(!interaction.requestHeaders.contains("Host"))
    let response = try #require(interaction.response)
    #expect(response.reason == "Fine")
    #expect(response.headers.map(\.name) == ["x-b", "ETag", "X-B", "Set-Cookie", "set-cookie", "Content-Type"])
    #expect(try response.body?.bytes() == Array("{\"a\":1}".utf8))
  }

  @Test func `an exchange is in the journal before the client receives the end of its answer`() throws {
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
    let served = try record(from: origin.url)
    let client = try served.client()
    for number in 1...20 {
      #expect(try client.ask("GET /\(number)").text == "ok")
      let journal = try String(contentsOf: URL(filePath: "\(served.folder)/a.json.journal"), encoding: .utf8)
      #expect(journal.contains("\(origin.url)/\(number)\""))
    }
    #expect(try cassette(of: served).0.interactions.map(\.url) == (1...20).map { "/\($0)" })
  }

  @Test(arguments: LoopKind.allCases)
  func `server-sent events reach the client one by one`(kind: LoopKind) throws {
    let origin = try LoopbackOrigin { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .text("9\r\ndata: 1\n\n\r\n"), .text("6\r\ndata: \r\n"), .silence,
      ]
    }
    let served = try record(kind, from: origin.url)
    let client = try served.client()
    client.request("GET /events")
    #expect(try client.reads(until: "data: 1\n\n"))
    #expect(try client.reads(until: "data: "))
    // A stream without an end is recorded up to the client's disconnect.
    client.close()
    served.server.stop(within: .seconds(0.2))
    _ = try served.server.saveRecording()
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    #expect(try cassette.interactions.first?.responseBody?.bytes() == Array("data: 1\n\n".utf8))
    #expect(cassette.interactions.first?.recorded?.isCut == true)
  }

  @Test func `OPTIONS * is forwarded and not recorded`() throws {
    let origin = try LoopbackOrigin { [.text("HTTP/1.1 204 No Content\r\nX-Asked: \($0.target)\r\n\r\n")] }
    let served = try record(from: origin.url)
    #expect(try served.ask("OPTIONS *").headers["X-Asked"] == "*")
    #expect(try served.ask("GET /a").headers["X-Asked"] == "/a")
    let (cassette, _) = try cassette(of: served)
    #expect(cassette.origin == origin.url)
    #expect(cassette.interactions.map(\.url) == ["/a"])
  }

  @Test func `concurrent clients each receive their own answers`() throws {
    let origin = try LoopbackOrigin { request in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: \(request.target.utf8.count)\r\n\r\n\(request.target)")]
    }
    let served = try record(from: origin.url)
    let clients = try (0..<40).map { _ in try served.client() }
    for (number, client) in clients.enumerated() {
      client.request("GET /\(number)")
      client.request("GET /\(number)/again")
    }
    for (number, client) in clients.enumerated() {
      #expect(try client.answer().text == "/\(number)")
      #expect(try client.answer().text == "/\(number)/again")
    }
    #expect(try cassette(of: served).0.interactions.count == 80)
  }

  @Test func `with record missing, recorded requests are played and others are sent upstream`() throws {
    let origin = try LoopbackOrigin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlive")] }
    let old = Served.cassette(
      [#"{"request":{"method":"GET","url":"/old"},"response":{"status":200,"body":{"text":"recorded"}}}"#],
      origin: origin.url)
    let served = try record(from: origin.url, mode: .recordMissing, files: ["a.json": old])
    #expect(try served.ask("GET /old").text == "recorded")
    #expect(try served.ask("GET /new").text == "live")
    #expect(origin.requests.map(\.target) == ["/new"])
    let (cassette, changes) = try cassette(of: served)
    #expect(cassette.interactions.map(\.url) == ["/old", "/new"])
    #expect(changes.unchanged == 1)
  }

  @Test func `recording an unchanged exchange again does not change the file`() throws {
    let count = Counter()
    let origin = try LoopbackOrigin { _ in
      let number = count.add(1)
      return [
        .text("HTTP/1.1 200 OK\r\nX-Request-Id: \(number)\r\nDate: Sat, 21 Nov 2026 01:00:0\(number) GMT\r\n"),
        .text("Content-Length: 1\r\n\r\na"),
      ]
    }
    let first = try record(from: origin.url)
    _ = try first.ask("GET /a", [("Authorization", "Bearer secret-token-1")])
    _ = try cassette(of: first)
    let text = try String(contentsOfFile: "\(first.folder)/a.json", encoding: .utf8)
    #expect(!text.contains("secret-token"))
    let second = try record(from: origin.url, files: ["a.json": text])
    _ = try second.ask("GET /a", [("Authorization", "Bearer secret-token-1")])
    let (_, changes) = try cassette(of: second)
    #expect(changes.isEmpty)
    #expect(try String(contentsOfFile: "\(second.folder)/a.json", encoding: .utf8) == text)
    #expect(second.server.recordingProgress?.unchanged == 1)
  }

  @Test func `an unreachable origin is answered with 502 and the reason, and nothing is recorded`() throws {
    let origin = try LoopbackOrigin { _ in [] }
    let url = origin.url
    origin.stop()
    let served = try record(from: url)
    let answer = try served.ask("GET /a")
    #expect(answer.status == 502)
    #expect(answer.headers["Mockserver-Upstream"] == "failed")
    #expect(answer.text.contains("Connection refused"))
    served.server.stop()
    #expect(try served.server.saveRecording()?.changes.added == [])
    #expect(served.server.recordingProgress?.failed == 1)
  }

  @Test(arguments: [
    ("SSH-2.0-x\r\n", "a response must begin with"), ("", "without a response"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "Content-Length is not a single number"),
  ])
  func `a response that is not valid HTTP is answered with 502 and the reason`(said: String, words: String) throws {
    let origin = try LoopbackOrigin { _ in [.text(said)] }
    let answer = try record(from: origin.url).ask("GET /a")
    #expect(answer.status == 502)
    #expect(answer.text.contains(words))
  }

  @Test func `a silent origin is answered with 504 after the time limit`() throws {
    let origin = try LoopbackOrigin { _ in [.silence] }
    let served = try record(from: origin.url) { $0.recording?.silenceSeconds = 0.2 }
    #expect(try served.ask("GET /a").status == 504)
  }

  @Test func `a response that the origin resets is reset for the client, and recorded as reset`() throws {
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\nhalf"), .reset]
    }
    let served = try record(from: origin.url)
    let client = try served.client()
    client.request("GET /a")
    let (text, end) = client.readToEnd()
    #expect(text.contains("Content-Length: 10"))
    #expect(end == .reset)
    let body = try #require(try cassette(of: served).0.interactions.first?.responseBody)
    guard case .chunks(_, .reset) = body.form else {
      Issue.record("kept as a whole body: \(body.form)")
      return
    }
  }

  @Test func `a redirect is recorded, not followed, and its Location leads to the recorder`() throws {
    let urls = Locked("")
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 302 Found\r\nLocation: \(urls.withLock { $0 })/b\r\nContent-Length: 0\r\n\r\n")]
    }
    urls.withLock { $0 = origin.url }
    let served = try record(from: origin.url)
    let answer = try served.ask("GET /a")
    #expect(answer.status == 302)
    #expect(answer.headers["Location"] == "\(served.url)/b")
    #expect(origin.requests.count == 1)
    #expect(try cassette(of: served).0.interactions.first?.response?.headers["Location"] == "\(origin.url)/b")
  }

  @Test func `a large body reaches a slow client completely`() throws {
    let body = [UInt8](repeating: 0, count: 2 << 20)
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body)]
    }
    let served = try record(from: origin.url)
    let client = try served.client(receiveBuffer: 4_096)
    #expect(try client.ask("GET /a").body == body)
    #expect(try cassette(of: served).0.interactions.first?.responseBody?.bytes() == body)
  }

  @Test(arguments: zip(LoopKind.allCases, ["Content-Length: 5242880", "Transfer-Encoding: chunked"]))
  func `a long body is stored in a file, reaches the client completely, and is played from the file`(
    kind: LoopKind, framing: String
  ) throws {
    var random = Seeded(7)
    let body = (0..<(5 << 20) / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    let isChunked = framing.contains("chunked")
    let origin = try LoopbackOrigin { _ in
      let head = LoopbackOrigin.Step.text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\(framing)\r\n\r\n")
      return isChunked
        ? [head, .text("\(String(body.count, radix: 16))\r\n"), .send(body), .text("\r\n0\r\n\r\n")]
        : [head, .send(body)]
    }
    let served = try record(kind, from: origin.url)
    let arrivesWhole = try served.ask("GET /a").body == body
    let saved = try cassette(of: served).0
    let form = try #require(saved.interactions.first?.responseBody?.form)
    #expect(form == .file("bodies/a/get-a.png"))
    let replay = try Served(kind, [:]) { $0.cassettes = [served.folder] }
    let (kept, played) = try (saved.interactions.first?.responseBody?.bytes(), replay.ask("GET /a").body)
    // Compared outside of the expectation, which would compute the difference of two very long arrays.
    #expect(arrivesWhole && (kept == body && played == body))
    let part = try replay.ask("GET /a", [("Range", "bytes=5000000-5000009")])
    #expect(part.status == 206 && part.body == Array(body[5_000_000...5_000_009]))
    let again = try record(kind, from: origin.url) { configuration in
      configuration.recording?.cassette = "\(served.folder)/a.json"
    }
    _ = try again.ask("GET /a")
    again.server.stop()
    let changes = try #require(try again.server.saveRecording()).changes
    #expect(changes.isEmpty, "\(changes)")
  }

  @Test(arguments: LoopKind.allCases)
  func `early hints and trailers are recorded and played`(kind: LoopKind) throws {
    let origin = try LoopbackOrigin { request in
      [
        .text("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"),
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nDate: now\r\n\r\n"),
        .text("2\r\nok\r\n0\r\nX-Sum: 7\r\nx-more: 8\r\n\r\n"),
      ]
    }
    let served = try record(kind, from: origin.url)
    let client = try served.client()
    client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let recorded = client.readToEnd().text
    #expect(recorded.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\n"))
    #expect(recorded.hasSuffix("2\r\nok\r\n0\r\nX-Sum: 7\r\nx-more: 8\r\n\r\n"))
    let text = try CassetteFile.bytes(of: try cassette(of: served).0)
    let replay = try Served(kind, ["a.json": String(decoding: text, as: UTF8.self)])
    let again = try replay.client()
    again.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    let played = again.readToEnd().text
    #expect(played.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nDate: now\r\n"))
    #expect(played.hasSuffix("2\r\nok\r\n0\r\nX-Sum: 7\r\nx-more: 8\r\n\r\n"))
    again.close()
    let old = try replay.client()
    old.send("GET /a HTTP/1.0\r\n\r\n")
    let bare = old.readToEnd().text
    #expect(bare.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(bare.hasSuffix("\r\n\r\nok"))
  }
}
