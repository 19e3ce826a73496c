import CassetteHTTP
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Calls of the control API.
extension Served {
  static let json: HTTPHeaders = ["Content-Type": "application/json"]

  /// Sends one control call with a JSON body.
  func steer(_ line: String, _ body: String = "", _ headers: [(String, String)] = []) throws -> WireClient.Answer {
    let words = line.split(separator: " ")
    let fields = HTTPHeaders(
      body.isEmpty && words[0] != "POST" ? headers : headers + [("Content-Type", "application/json")])
    return try ask("\(words[0]) /__mock/\(words[1])", fields, body: body)
  }

  /// Returns the JSON answer of a control call.
  func told(_ line: String, _ body: String = "", status: Int = 200) throws -> [String: Any] {
    let answer = try steer(line, body)
    #expect(answer.status == status, "\(answer.text)")
    return try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  /// Returns the text that answers a request of a session, or the status of another answer.
  func text(_ line: String, of session: String? = nil) throws -> String {
    let answer = try ask(line, HTTPHeaders(session.map { [("X-Mock-Session", $0)] } ?? []))
    return answer.status == 200 ? answer.text : "\(answer.status)"
  }

  /// Adds a stub that answers a `GET` request with a text, and returns its id.
  @discardableResult
  func stub(_ path: String, _ text: String, more: String = "") throws -> String {
    let answer = try told("POST interactions", Self.recording("GET \(path)", text, more: more), status: 201)
    return try #require((answer["ids"] as? [String])?.first)
  }
}
