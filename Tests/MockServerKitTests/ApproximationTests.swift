import CassetteHTTP
import Cassettes
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Responses to requests that only approximately match a recording, and how they are reported.
@Suite struct ApproximationTests {
  private static let cassette = """
    {"cassette":1,"interactions":[
     {"id":"pay","request":{"method":"POST","url":"/pay","body":{"json":{"id":"0b6e7c2a-6a0f-4c0e-9d5b-1f5d1d3f9a01","n":5}}},
      "response":{"status":201,"body":{"text":"paid"}}},
     {"id":"me","request":{"method":"GET","url":"/me","headers":[["Authorization","Bearer {{secret:1}}"]]},
      "response":{"status":200,"body":{"text":"me"}}}]}
    """
  private static let another = #"{"id":"9f0c1a34-7d1e-4b7e-8a61-5c2f6f1e0b22","n":5}"#

  @Test(arguments: LoopKind.allCases)
  func `an approximate match is reported in the response, journal, misses, log and summary`(kind: LoopKind) throws {
    let served = try Served(kind, ["test.json": Self.cassette]) { configuration in
      configuration.log = .requests
    }
    let answer = try served.ask("POST /pay", body: Self.another)
    #expect(answer.status == 201 && answer.headers["Mockserver-Approximate"] == "body $.id")
    let anonymous = try served.ask("GET /me")
    #expect(anonymous.headers["Mockserver-Approximate"] == "credentials")
    let equal = try served.ask("GET /me", ["Authorization": "token x"])
    #expect(equal.status == 200 && equal.headers["Mockserver-Approximate"] == nil)
    #expect(try served.ask("POST /pay", body: Self.another.replacing("5}", with: "999}")).status == 404)

    let journal = try #require(try served.admin("journal")["entries"] as? [[String: Any]])
    #expect(journal.map { $0["approximate"] as? String } == ["body $.id", "credentials", nil, nil])
    let misses = try served.admin("misses")
    #expect(misses["total"] as? Int == 1 && misses["approximate"] as? Int == 2)
    let told = try #require(misses["approximations"] as? [[String: Any]])
    #expect(told.map { $0["parts"] as? String } == ["body $.id", "credentials"])
    #expect(told.map { $0["id"] as? String } == ["pay", "me"])
    #expect(served.log.text.contains("Z 1 POST /pay 201 test/pay (approximate: body $.id) "))
    let summary = try #require(served.server.stop())
    #expect(summary.approximations.count == 2 && summary.misses == 1)
  }

  @Test(arguments: LoopKind.allCases)
  func `an approximate match to a recording with a fault is reported in the journal, misses, log and summary`(
    kind: LoopKind
  ) throws {
    let cassette = Self.cassette.replacing("{\"id\":\"pay\",", with: #"{"id":"pay","replay":{"fault":"empty"},"#)
    let served = try Served(kind, ["test.json": cassette]) { $0.log = .requests }
    let client = try served.client()
    client.request("POST /pay", body: Array(Self.another.utf8))
    #expect(client.readToEnd().text == "")
    let entry = try #require((try served.admin("journal")["entries"] as? [[String: Any]])?.first)
    #expect(entry["derived"] as? String == "fault" && entry["approximate"] as? String == "body $.id")
    #expect(try served.admin("misses")["approximate"] as? Int == 1)
    #expect(served.log.text.contains("(approximate: body $.id)"))
    let summary = try #require(served.server.stop())
    #expect(summary.approximations.count == 1)
  }

  @Test(arguments: LoopKind.allCases)
  func `a prepared answer to a request without credentials is marked as approximate`(kind: LoopKind) throws {
    let served = try Served(kind, ["test.json": Self.cassette]) { $0.log = .none }
    let client = try served.client()
    for _ in 0..<3 {
      let with = try client.ask("GET /me", ["X-Api-Key": "k"])
      let without = try client.ask("GET /me", ["X-Other": "k"])
      #expect(with.headers["Mockserver-Approximate"] == nil)
      #expect(without.headers["Mockserver-Approximate"] == "credentials")
    }
  }

  @Test(arguments: [(MatchLevel.exact, 404), (.careful, 201), (.loose, 201)])
  func `the level in a file overrides the level of the command for approximate matches`(level: MatchLevel, status: Int)
    throws
  {
    let served = try Served(.platform, ["test.json": Self.cassette]) {
      $0.matching = CassetteMatchingOptions(level: level)
    }
    #expect(try served.ask("POST /pay", body: Self.another).status == status)
    let file = Self.cassette.replacing(#""cassette":1"#, with: #""cassette":1,"matching":"exact""#)
    let strict = try Served(.platform, ["test.json": file]) { $0.matching = CassetteMatchingOptions(level: level) }
    #expect(try strict.ask("POST /pay", body: Self.another).status == 404)
  }
}
