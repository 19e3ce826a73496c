import CassetteHTTP
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Replay rules over a socket.
@Suite struct RuleTests {
  private func interaction(_ line: String, _ text: String, _ more: String) -> String {
    let words = line.split(separator: " ")
    return """
      {"request": {"method": "\(words[0])", "url": "\(words[1])"}, "response": {"status": 200, "body": {"text": "\(text)"}}, \(more)}
      """
  }

  @Test(arguments: LoopKind.allCases)
  func `the fault empty closes the connection without an answer`(kind: LoopKind) throws {
    let served = try Served(kind, [interaction("GET /a", "a", #""replay": {"fault": "empty"}"#)])
    let client = try served.client()
    client.request("GET /a")
    let (text, end) = client.readToEnd()
    #expect(text == "" && end == .ended)
  }

  @Test(arguments: LoopKind.allCases)
  func `the fault malformed sends an invalid chunk`(kind: LoopKind) throws {
    let served = try Served(kind, [interaction("GET /a", "a", #""replay": {"fault": "malformed"}"#)])
    let client = try served.client()
    client.request("GET /a")
    let (text, _) = client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("\r\n\r\n~"))
  }

  @Test(arguments: LoopKind.allCases)
  func `a recorded delay is divided by the playback speed`(kind: LoopKind) throws {
    let slow = [interaction("GET /a", "a", #""replay": {"delay": 0.1}"#)]
    let served = try Served(kind, slow)
    let start = ContinuousClock.now
    #expect(try served.ask("GET /a").text == "a")
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    let never = [interaction("GET /a", "a", #""replay": {"delay": 86400}"#)]
    #expect(try Served(kind, never) { $0.speed = 0 }.ask("GET /a").text == "a")
  }

  @Test(arguments: LoopKind.allCases)
  func `a scenario state belongs to one session, and a reset returns it to the start`(kind: LoopKind) throws {
    let served = try Served(
      kind,
      [
        interaction("GET /a", "empty", #""replay": {"when": {"cart": "Started"}}"#),
        interaction("POST /a", "added", #""replay": {"then": {"cart": "full"}}"#),
        interaction("GET /a", "full", #""replay": {"when": {"cart": "full"}}"#),
      ])
    let mine: HTTPHeaders = ["X-Mock-Session": "mine"]
    #expect(try served.ask("POST /a", mine).text == "added")
    #expect(try served.ask("GET /a", mine).text == "full")
    #expect(try served.ask("GET /a").text == "empty")
    _ = try served.ask("POST /__mock/reset", ["X-Mock-Session": "mine", "Content-Type": "application/json"])
    #expect(try served.ask("GET /a", mine).text == "empty")
  }
}
