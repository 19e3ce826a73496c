import CassetteHTTP
import CassetteRecording
import Cassettes
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Origins that send unusual responses or none.
struct OddOriginTests {
  private func record(_ kind: LoopKind, _ steps: [LoopbackOrigin.Step]) throws -> (Served, WireClient.Answer) {
    let origin = try LoopbackOrigin { _ in steps }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served(kind) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let answer = try served.ask("GET /a")
    served.server.stop()
    _ = try served.server.saveRecording()
    return (served, answer)
  }

  @Test(arguments: LoopKind.allCases, [600, 799, 999])
  func `a status above 599 is recorded and played`(kind: LoopKind, status: Int) throws {
    let (served, live) = try record(
      kind, [.text("HTTP/1.1 \(status) Odd\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")])
    #expect(live.status == status)
    let replay = try Served(kind) { $0.cassettes = [served.folder] }
    let answer = try replay.ask("GET /a")
    #expect(answer.status == status)
    #expect(answer.reason == "Odd")
    #expect(answer.text == "ok")
  }

  @Test(
    arguments: [
      ("hangs up", [], -1011), ("resets", [.reset], -1005),
      ("sends garbage", [.text("SMTP ready\r\n\r\n")], -1017),
      ("breaks off in its head", [.text("HTTP/1.1 20")], -1017),
    ] as [(String, [LoopbackOrigin.Step], Int)])
  func `a failed exchange with an origin is recorded and played as the same failure`(
    what: String, steps: [LoopbackOrigin.Step], code: Int
  ) throws {
    let (served, live) = try record(.platform, steps)
    #expect(live.status == 502)
    #expect(live.headers["Mockserver-Upstream"] == "failed")
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    #expect(cassette.interactions.map { $0.failure?.code } == [code])
    let replay = try Served(.platform) { $0.cassettes = [served.folder] }
    let client = try replay.client()
    client.request("GET /a", [])
    let (text, end) = client.readToEnd()
    #expect(end == (code == -1005 ? .reset : .ended))
    #expect(text.isEmpty == (code != -1017))
  }

  @Test func `an origin that does not answer OPTIONS * is not recorded`() throws {
    let origin = try LoopbackOrigin { _ in [] }
    try expectNothing(of: origin.url, "OPTIONS *")
  }

  @Test func `an unreachable origin is not recorded`() throws {
    let gone = try LoopbackOrigin { _ in [] }.url
    try expectNothing(of: gone, "GET /a")
  }

  private func expectNothing(of origin: String, _ line: String) throws {
    let upstream = try UpstreamOrigin(origin)
    let served = try Served(.platform) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    #expect(try served.ask(line).status == 502)
    served.server.stop()
    #expect(try served.server.saveRecording()?.changes.isEmpty == true)
  }
}
