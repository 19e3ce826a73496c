internal import CassetteSecrets
import CassetteSession
import Cassettes
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Recording and replay` {
  @Test(arguments: LiveScenario.all)
  func `the replay of a scenario equals the live answer`(scenario: LiveScenario) async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let cassette = folder.path("take.json")
    let recorder = try CassettePlayer(paths: [cassette], mode: .record)
    // Cookies are secrets; the recording keeps them, so that both answers can be compared.
    recorder.redact { $0.keeping(.header("Set-Cookie"), .header("Cookie")) }
    var live: [LiveScenario.Outcome] = []
    let session = recorder.session()
    for request in scenario.requests(to: origin.url) { live.append(await LiveScenario.outcome(of: request, session)) }
    recorder.end()
    try recorder.save()
    let asked = origin.requests.count
    #expect(asked > 0)

    let player = try CassettePlayer(paths: [cassette])
    let replay = player.session()
    var played: [LiveScenario.Outcome] = []
    for request in scenario.requests(to: origin.url) { played.append(await LiveScenario.outcome(of: request, replay)) }
    #expect(played == live)
    #expect(live.map(\.summary) == scenario.expected)
    #expect(origin.requests.count == asked)
    #expect(player.ledger.misses.isEmpty)
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `an answer of a proxy is not recorded`() async throws {
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno")]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    _ = try? await recorder.session().data(for: URLRequest(url: try #require(URL(string: "\(origin.url)/a"))))
    recorder.end()
    try recorder.save()
    #expect(origin.requests.count > 0)
    let text = String(decoding: folder.bytes("take.json") ?? [], as: UTF8.self)
    #expect(!text.contains("407"))
  }

  @Test func `recording the same traffic twice leaves the file unchanged`() async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    var written: [[String]] = []
    for _ in 0..<2 {
      let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
      let session = recorder.session()
      for scenario in LiveScenario.all where !scenario.isLarge {
        for request in scenario.requests(to: origin.url) { _ = await LiveScenario.outcome(of: request, session) }
      }
      recorder.end()
      try recorder.save()
      let file = FileManager.default.contents(atPath: folder.path("take.json")) ?? Data()
      written.append(String(decoding: file, as: UTF8.self).components(separatedBy: "\n"))
    }
    #expect(written[0].count > 100)
    #expect(written[1].difference(from: written[0]).map { "\($0)" } == [])
  }

  @Test func `a player without cassettes sends no request and writes no file`() async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let player = CassettePlayer(name: "nothing")
    let request = URLRequest(url: try #require(URL(string: "\(origin.url)/json")))
    let outcome = await LiveScenario.outcome(of: request, player.session())
    player.end()
    #expect(try player.save().isEmpty)
    #expect(outcome.summary.hasPrefix("error"))
    #expect(origin.requests.isEmpty)
    #expect(folder.files.isEmpty)
  }

  @Test func `.recordMissing plays recorded requests and adds missing ones`() async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    for path in ["/json", "/json?second"] {
      let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .recordMissing)
      let session = recorder.session()
      for path in ["/json", path] {
        let request = URLRequest(url: try #require(URL(string: origin.url + path)))
        #expect(await LiveScenario.outcome(of: request, session).summary == "200")
        if path == "/json?second" { #expect(recorder.ledger.requests.last?.answer == "the network") }
      }
      recorder.end()
      try recorder.save()
    }
    #expect(origin.requests.map(\.target) == ["/json", "/json", "/json?second"])
    let cassette = try CassetteFile.read(path: folder.path("take.json"))
    #expect(cassette.interactions.map(\.url) == ["/json", "/json", "/json?second"])
    #expect(cassette.origin == origin.url)
  }

  @Test func `a stub answers a recording player without the network`() async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let player = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    player.add([CassetteStub(.get("/json"), .status(418))])
    let request = URLRequest(url: try #require(URL(string: "\(origin.url)/json")))
    #expect(await LiveScenario.outcome(of: request, player.session()).summary == "418")
    player.end()
    try player.save()
    #expect(origin.requests.isEmpty)
  }

  @Test func `concurrent requests are recorded in the order of sending`() async throws {
    // The first request is answered last.
    let origin = try LoopbackOrigin { request in
      let number = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
      return [.pause(Double(8 - number) * 0.05), .text("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let session = recorder.session()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let group = DispatchGroup()
      for number in 0..<8 {
        guard let url = URL(string: "\(origin.url)/\(number)") else { continue }
        group.enter()
        session.dataTask(with: url) { _, _, _ in group.leave() }.resume()
      }
      group.notify(queue: .global()) { done.resume() }
    }
    recorder.end()
    try recorder.save()
    let cassette = try CassetteFile.read(path: folder.path("take.json"))
    #expect(cassette.interactions.map(\.url) == (0..<8).map { "/\($0)" })
  }

  @Test func `a secret of a live call is not in the written file`() async throws {
    let secret = "s3cr3t-Value-0123456789"
    let origin = try LoopbackOrigin { _ in
      let body = #"{"access_token":"\#(secret)","ok":true}"#
      return [
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: sid=\(secret)\r\n"
            + "X-Team: blue-\(secret)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      ]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    recorder.redact { $0.redacting(.header("X-Team")) }
    var request = URLRequest(url: try #require(URL(string: "\(origin.url)/login?api_key=\(secret)")))
    request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
    let outcome = await LiveScenario.outcome(of: request, recorder.session())
    recorder.end()
    try recorder.save()
    // The client gets the secret; the file does not contain it.
    #expect(outcome.body == Array(#"{"access_token":"\#(secret)","ok":true}"#.utf8))
    let text = String(decoding: FileManager.default.contents(atPath: folder.path("take.json")) ?? Data(), as: UTF8.self)
    #expect(text.contains("{{secret:1}}"))
    #expect(!text.contains(secret))
    #expect(!text.contains("blue-"))
  }

  @Test func `a token in an answer is redacted, and without redaction the save fails`() async throws {
    let token = "ghp_" + String(repeating: "aB3dE6gH9", count: 4)
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(token.count)\r\n\r\n\(token)")]
    }
    let folder = try ScratchFolder()
    let request = URLRequest(url: try #require(URL(string: "\(origin.url)/note")))
    func record(_ redaction: CassetteRedaction) async throws -> CassettePlayer {
      let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
      recorder.redact { _ in redaction }
      _ = await LiveScenario.outcome(of: request, recorder.session())
      recorder.end()
      return recorder
    }
    let careless = try await record(.none)
    let error = #expect(throws: CassetteError.self) { try careless.save() }
    #expect(error?.description.contains(token) == false)
    #expect(folder.files.isEmpty)
    try await record(.standard).save()
    let text = String(decoding: FileManager.default.contents(atPath: folder.path("take.json")) ?? Data(), as: UTF8.self)
    #expect(text.contains("{{secret:1}}") && !text.contains(token))
  }
}
