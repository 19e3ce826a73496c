import CassetteHTTP
import CassetteSystem
import Cassettes
import Dispatch
import ServerTestSupport
import TestSupport
import Testing

@testable import CassetteRecording
@testable import MockServerKit
@testable import MockServerUpstream

/// A recording of more exchanges than are kept in memory.
struct LongRecordingTests {
  @Test func `exchanges that were already released are saved in order, redacted with a secret of the last exchange`()
    throws
  {
    let secret = "quiet-river-4711-stone"
    let origin = try LoopbackOrigin { request in
      let body = "{\"said\": \"\(request.target) \(secret)\"}"
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
      ]
    }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served(.platform, [:]) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let client = try served.client()
    let count = 1_000
    for number in 1..<count { #expect(try client.ask("GET /\(number)").status == 200) }
    let recorder = try #require(served.server.recorder)
    #expect(recorder.recording.released == count - 1)
    #expect(recorder.lastKept.count >= 200)
    #expect(try client.ask("GET /\(count)", [("Authorization", "Bearer \(secret)")]).status == 200)
    served.server.stop()
    let changes = try #require(try served.server.saveRecording()).changes
    #expect(changes.added.count == count)
    let saved = try CassetteFile.read(path: "\(served.folder)/a.json").interactions
    let said = try saved.map { String(decoding: try $0.responseBody?.bytes() ?? [], as: UTF8.self) }
    let expected = (1...count).map { "{\"said\": \"/\($0) {{secret:1}}\"}" }
    #expect(saved.map(\.url) == (1...count).map { "/\($0)" })
    #expect(zip(said, expected).allSatisfy { $0 == $1 } && said.count == count, "\(said.prefix(3))")
  }

  @Test func `a request is answered and recorded while a long exchange waits for its scan`() throws {
    let origin = try LoopbackOrigin { request in
      let filling = String(repeating: "a", count: request.target == "/long" ? 8 << 10 : 10)
      let body = "{\"password\": \"quiet-river-4711\", \"filling\": \"\(filling)\"}"
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
      ]
    }
    let upstream = try UpstreamOrigin(origin.url)
    let served = try Served(.platform, [:]) { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
    let recorder = try #require(served.server.recorder)
    recorder.scans.suspend()
    var isSuspended = true
    defer { if isSuspended { recorder.scans.resume() } }
    let waiting = try served.client()
    waiting.request("GET /long")
    let client = try served.client()
    #expect(try client.ask("GET /first").status == 200)
    #expect(try client.ask("GET /second").status == 200)
    #expect(recorder.recording.released == 2)
    recorder.scans.resume()
    isSuspended = false
    #expect(try waiting.answer().status == 200)
    #expect(recorder.recording.released == 3)
    served.server.stop()
    _ = try served.server.saveRecording()
    let saved = try CassetteFile.read(path: "\(served.folder)/a.json").interactions
    #expect(Set(saved.map(\.url)) == ["/long", "/first", "/second"])
    for interaction in saved {
      let body = String(decoding: try interaction.responseBody?.bytes() ?? [], as: UTF8.self)
      #expect(body.contains("{{secret:1}}") && !body.contains("quiet-river"), "\(body.prefix(80))")
    }
  }
}
