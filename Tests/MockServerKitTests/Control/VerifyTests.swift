import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Verifying which requests were received.
@Suite struct VerifyTests {
  private static func served() throws -> Served {
    let served = try Served(.platform, [Served.recording("GET /a", "a"), Served.recording("POST /users", "made")])
    for (line, body) in [("GET /a", ""), ("POST /users", "{\"name\":\"Kean\"}"), ("GET /a", "")] {
      _ = try served.ask(line, ["Authorization": "Bearer s3cret", "Content-Type": "application/json"], body: body)
    }
    return served
  }

  private static func request(_ line: String, _ more: String = "") -> String {
    let words = line.split(separator: " ")
    return "\"request\":{\"method\":\"\(words[0])\",\"url\":\"\(words[1])\"\(more)}"
  }

  struct Asked: Sendable, CustomTestStringConvertible {
    var body: String
    var status: Int
    var count: Int
    var words = ""
    var testDescription: String { body }
  }

  @Test(arguments: [
    Asked(body: "{\(request("GET /a"))}", status: 200, count: 2),
    Asked(body: "{\(request("GET /a")),\"times\":2}", status: 200, count: 2),
    Asked(body: "{\(request("GET /a")),\"times\":{\"atLeast\":1,\"atMost\":2}}", status: 200, count: 2),
    Asked(
      body: "{\(request("GET /a")),\"times\":{\"exactly\":1}}", status: 409, count: 2,
      words: "expected once, but was received 2 times"),
    Asked(body: "{\(request("GET /a")),\"times\":{\"atMost\":1}}", status: 409, count: 2, words: "at most once"),
    Asked(body: "{\(request("GET /b")),\"times\":0}", status: 200, count: 0),
    Asked(body: "{\(request("GET /b"))}", status: 409, count: 0, words: "sent \\\"/a\\\", wanted"),
    Asked(body: "{\(request("POST /users", ",\"body\":{\"json\":{\"name\":\"Kean\"}}"))}", status: 200, count: 1),
    Asked(
      body: "{\(request("POST /users", ",\"body\":{\"json\":{\"name\":\"Kim\"}}"))}", status: 409, count: 0,
      words: "body.$.name: sent \\\"Kean\\\", wanted \\\"Kim\\\""),
    Asked(
      body: "{\(request("GET /a", ",\"headers\":[[\"Authorization\",\"Bearer s3cret\"]]"))}", status: 200, count: 2),
    Asked(
      body: "{\(request("GET /a", ",\"headers\":[[\"Authorization\",\"Bearer other\"]]"))}", status: 409, count: 0,
      words: "header.Authorization"),
    Asked(
      body: "{\(request("GET /x")),\"match\":{\"path\":{\"matches\":\"/[a-z]\"}}}", status: 200, count: 2),
    Asked(body: "{\(request("GET /a")),\"session\":\"nobody\"}", status: 409, count: 0),
    Asked(
      body: "{\"order\":[{\(request("GET /a"))},{\(request("POST /users"))},{\(request("GET /a"))}]}", status: 200,
      count: 3),
    Asked(
      body: "{\"order\":[{\(request("POST /users"))},{\(request("GET /a"))},{\(request("GET /a"))}]}", status: 409,
      count: 2,
      words: "was received before it"),
  ])
  func `verify counts the matching requests, and reports the differences of the nearest`(asked: Asked) throws {
    let answer = try Self.served().steer("POST verify", asked.body)
    #expect(answer.status == asked.status, "\(answer.text)")
    let told = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    #expect(told["count"] as? Int == asked.count)
    #expect(asked.words.isEmpty || answer.text.contains(asked.words), "\(answer.text)")
    #expect(!answer.text.contains("s3cret"))
  }

  @Test(arguments: [
    "{}", "{\"request\":{\"method\":\"GET\"}}", "{\(request("GET /a")),\"tims\":1}",
    "{\(request("GET /a")),\"times\":-1}",
    "{\(request("GET /a")),\"times\":{\"exactly\":1,\"atMost\":2}}", "{\"order\":[]}", "{\"order\":[{}]}", "[1]",
    "{\(request("GET /a")),\"match\":{\"path\":{\"matches\":\"(\"}}}", "{\(request("GET /a")),\"times\":{\"least\":1}}",
  ])
  func `an invalid verify call is refused with 400`(body: String) throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    #expect(try served.steer("POST verify", body).status == 400)
  }

  @Test func `a count of zero is not confirmed after requests were dropped from the journal`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.loops = 1 }
    let client = try served.client()
    for _ in 0..<11 {
      client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", count: 100))
      for _ in 0..<100 { #expect(try client.answer().status == 200) }
    }
    let never = try served.steer("POST verify", "{\(Self.request("GET /b")),\"times\":0}")
    #expect(never.status == 409 && never.text.contains("dropped 100 earlier requests"))
    #expect(try served.steer("POST verify", "{\(Self.request("GET /a"))}").status == 200)
  }

  @Test func `verify counts all matching requests and shows at most 20`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    let client = try served.client()
    for number in 0..<60 { _ = try client.ask("GET /a", ["Authorization": "Bearer s3cret\(number)"]) }
    let told = try served.told("POST verify", "{\(Self.request("GET /a")),\"times\":60}")
    #expect(told["count"] as? Int == 60 && (told["requests"] as? [Any])?.count == 20)
    let journal = try served.steer("GET journal")
    #expect(journal.status == 200 && !journal.text.contains("s3cret"))
  }

  @Test(arguments: LoopKind.allCases)
  func `wait ends when the expected request arrives, while other clients are served`(kind: LoopKind) throws {
    let served = try Served(kind, [Served.recording("GET /a", "a")]) { $0.loops = 1 }
    let waiting = try served.client()
    let body = "{\(Self.request("GET /a")),\"times\":2,\"seconds\":60}"
    waiting.request("POST /__mock/wait", Served.json, body: Array(body.utf8))
    #expect(try served.text("GET /a") == "a")
    #expect(!waiting.hears(within: 50))
    #expect(try served.text("GET /a") == "a")
    let answer = try waiting.answer()
    #expect(answer.status == 200 && answer.text.contains("\"count\":2"), "\(answer.text)")
    #expect(try waiting.ask("GET /a").text == "a")
  }

  @Test func `wait without a matching request ends after its time, and names the nearest request`() throws {
    let served = try Self.served()
    let answer = try served.steer("POST wait", "{\(Self.request("GET /zzz")),\"seconds\":0}")
    #expect(answer.status == 409 && answer.text.contains("within 0 seconds") && answer.text.contains("nearest"))
    #expect(try served.steer("POST wait", "{\(Self.request("GET /a")),\"seconds\":61}").status == 400)
  }

  @Test func `stopping the server ends every wait call`() throws {
    // On one loop, calls are processed in the order in which they were sent.
    let served = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.loops = 1 }
    let waiting = try served.client()
    waiting.request("POST /__mock/wait", Served.json, body: Array("{\(Self.request("GET /b")),\"seconds\":60}".utf8))
    let follower = try served.client()
    follower.request("GET /__mock/journal?follow")
    #expect(try follower.reads(until: "text/event-stream"))
    #expect(served.server.stop(within: .seconds(30))?.finished == true)
    #expect(try waiting.answer().status == 409)
  }
}
