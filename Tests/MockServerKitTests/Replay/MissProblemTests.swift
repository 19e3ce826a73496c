import CassetteHTTP
import CassettePlayback
import Foundation
import TestSupport
import Testing

@testable import MockServerKit

/// The problem document of a miss.
struct MissProblemTests {
  @Test(arguments: ["GET /a?\"b\\", "GET /%00%0A%1F", "GET /a?q=%22%5C", "PUT /users/kean", "GET /😀"])
  func `the problem of a miss is valid JSON for any request`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard let target = HTTPTarget(words[1]) else { return }
    let deck = Exchange.deck([Exchange.recorded("GET /a\"\\", id: "a \"quoted\" \\ id\u{1}", sent: "{\"a\": \"\\n\"}")])
    let miss = try deck.miss(HTTPRequest(method: HTTPMethod(rawValue: words[0]), target: target))
    let problem = miss.problem(status: 404)
    let object = try #require(JSONSerialization.jsonObject(with: Data(problem)) as? [String: Any])
    #expect(object["status"] as? Int == 404)
    #expect(object["title"] as? String == "No recording answers")
    #expect(object["detail"] as? String == miss.reason)
    #expect(object["remedy"] as? String == miss.remedy)
    #expect((object["nearest"] as? [[String: Any]])?.count == miss.nearest.count)
    #expect(problem.last == 10)
  }

  @Test func `the problem of a miss contains no secret`() throws {
    let deck = Exchange.deck([
      Exchange.recorded(
        "POST /login?code=s3cret", id: "login", asked: ["Authorization": "Bearer s3cret", "Accept": "x"],
        sent: #"{"password":"s3cret","list":[{"api_key":"s3cret"}]}"#)
    ])
    let request = try Exchange.request(
      "PUT /login?code=s3cret2&token=s3cret3", ["Authorization": "Basic s3cret2"],
      body: #"{"password":{"new":"s3cret2"},"list":[{"secret":"s3cret2"}]}"#)
    let problem = String(decoding: try deck.miss(request).problem(status: 404), as: UTF8.self)
    #expect(problem.contains("login") && !problem.contains("s3cret"), "\(problem)")
  }
}
