import CassettePlayback
import CassetteSession
import Cassettes
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Recording of clients without `URLSession`.
@Suite struct `Recording with CassettePlayer.answer` {
  /// The answer as a client receives it.
  private struct Got: Equatable {
    var status: Int
    var type: String?
    var body: Data
  }

  private func got(_ player: CassettePlayer, _ request: URLRequest) async throws -> Got {
    let url = try #require(request.url)
    let answer = try await player.answer(request.httpMethod ?? "GET", url, body: request.httpBody ?? Data())
    return Got(status: answer.status, type: answer.headers["Content-Type"], body: try await answer.body.collect())
  }

  /// The scenarios in which each request has an answer, and the client follows no redirect.
  private static let scenarios = LiveScenario.all.filter { scenario in
    !scenario.expected.contains { $0.hasPrefix("error") } && !scenario.name.contains("cookies")
      && !["/redirect/3", "/see-other", "/again"].contains(scenario.paths[0])
  }

  @Test(arguments: scenarios) func `a player plays the answers that it recorded without URLSession`(
    scenario: LiveScenario
  ) async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let cassette = folder.path("take.json")
    let recorder = try CassettePlayer(paths: [cassette], mode: .record)
    var live: [Got] = []
    for request in scenario.requests(to: origin.url) { live.append(try await got(recorder, request)) }
    recorder.end()
    try recorder.save()
    let asked = origin.requests.count

    let player = try CassettePlayer(paths: [cassette])
    var played: [Got] = []
    for request in scenario.requests(to: origin.url) { played.append(try await got(player, request)) }
    #expect(played == live)
    #expect(live.map { "\($0.status)" } == scenario.expected)
    #expect(origin.requests.count == asked)
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `.recordMissing adds a missing request without its secret and plays the recorded one`() async throws {
    let origin = try LiveScenario.origin()
    let folder = try ScratchFolder()
    let cassette = folder.path("take.json")
    let old = """
      {"cassette":1,"origin":"\(origin.url)","interactions":[
        {"id":"old","request":{"method":"GET","url":"/old"},"response":{"status":200,"body":{"text":"kept"}}}
      ]}
      """
    try Data(old.utf8).write(to: URL(filePath: cassette))
    let recorder = try CassettePlayer(paths: [cassette], mode: .recordMissing)
    let kept = try await recorder.answer("GET", try #require(URL(string: "\(origin.url)/old"))).body.collect()
    #expect(String(decoding: kept, as: UTF8.self) == "kept")
    let url = try #require(URL(string: "\(origin.url)/json"))
    let answer = try await recorder.answer("GET", url, headers: ["Authorization": "Bearer s3cr3t-of-this-team"])
    _ = try await answer.body.collect()
    recorder.end()
    let changes = try recorder.save()
    #expect(changes.first?.contains("1 added (GET /json)") == true, "\(changes)")
    #expect(origin.requests.map(\.target) == ["/json"])
    let written = try CassetteFile.read(path: cassette)
    #expect(written.interactions.map(\.url) == ["/old", "/json"])
    let text = String(decoding: folder.bytes("take.json") ?? [], as: UTF8.self)
    #expect(!text.contains("s3cr3t-of-this-team"))
    #expect(text.contains("Bearer {{"))
  }

  @Test func `a miss has the same explanation with and without a session`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/user"), .status(204))])
    let url = try #require(URL(string: "https://api.example.com/users"))
    await #expect(throws: URLError.self) { try await player.answer("GET", url) }
    _ = try? await player.session().data(from: url)
    #expect(player.ledger.misses.count == 2)
    #expect(Set(player.ledger.misses.map(\.text)).count == 1)
  }
}
