import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Documents inferred from recordings in which bodies, empty values or origins vary.
@Suite struct InferredContentTests {
  private func get(_ target: String, _ body: String = "") -> ContractExchange {
    ContractExchange(
      method: "GET", target: target, status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private func document(_ exchanges: [ContractExchange]) -> String {
    var inference = SpecificationInference()
    for exchange in exchanges { inference.add(exchange, origin: "https://api.example") }
    return String(decoding: inference.document(), as: UTF8.self)
  }

  private static let answers: [([(String?, String)], [String])] = [
    ([("text/html", "<p>")], ["text/html"]),
    // `content` requires a body in every answer, and the validator openapi-core enforces this.
    ([("text/html", "<p>"), ("text/html", "")], []),
    ([("application/json", "{}"), ("application/json", "")], ["application/json"]),
    ([(nil, "a")], []), ([(nil, "a"), ("text/html", "<p>")], ["*/*", "text/html"]), ([("text/html", "")], []),
    // Several JSON values on separate lines are not valid JSON.
    ([("application/json", "{}\n{}")], []),
    ([("application/json", "{}\n{}"), ("text/html", "<p>")], ["*/*", "text/html"]),
  ]

  @Test(arguments: answers)
  func `a documented response has the content types that all its recordings have`(
    _ answers: [(String?, String)], _ types: [String]
  ) throws {
    let text = document(
      answers.map { type, body in
        ContractExchange(
          method: "GET", target: "/a", status: 200, headers: HTTPHeaders(type.map { [("Content-Type", $0)] } ?? []),
          body: Array(body.utf8))
      })
    let operation = try #require(try OpenAPIDocument(Array(text.utf8)).operations.first)
    #expect(operation.response(for: 200)?.content.map(\.range).sorted() == types, "\(text)")
  }

  private static let requests: [([String?], [String]?)] = [
    // The validator openapi-core refuses every request without a Content-Type if a body is documented.
    ([nil], nil), ([nil, nil], nil), (["text/plain"], ["text/plain"]), (["text/plain", nil], ["*/*", "text/plain"]),
  ]

  @Test(arguments: requests)
  func `a request body without a media type is not described`(_ types: [String?], _ expected: [String]?) throws {
    let exchanges = types.map { type in
      ContractExchange(
        method: "POST", target: "/a", requestHeaders: HTTPHeaders(type.map { [("Content-Type", $0)] } ?? []),
        requestBody: Array("a".utf8), status: 200)
    }
    let text = document(exchanges)
    let checked = try OpenAPIDocument(Array(text.utf8))
    #expect(checked.operations.first?.requestBody?.content.map(\.range).sorted() == expected, "\(text)")
    let check = ContractCheck(checked)
    for exchange in exchanges { #expect(check.check(exchange).findings.isEmpty) }
  }

  @Test func `statuses that OpenAPI does not allow are documented as the default response`() throws {
    let exchanges = [(999, "a"), (600, "b"), (200, "c"), (99, "d")].map { status, body in
      ContractExchange(
        method: "GET", target: "/a", status: status, headers: ["Content-Type": "text/plain"], body: Array(body.utf8))
    }
    let text = document(exchanges)
    #expect(try OpenAPIDocument(Array(text.utf8)).operations.first?.responses.map(\.status) == ["200", "default"])
    #expect(text.contains("\"Another status\"") && !text.contains("\"Status "))
  }

  @Test func `a parameter recorded without a value allows an empty value`() {
    #expect(document([get("/a?1413623488")]).contains("\"allowEmptyValue\": true"))
    #expect(document([get("/a?b="), get("/a?b=1")]).contains("\"allowEmptyValue\": true"))
    #expect(!document([get("/a?b=1")]).contains("allowEmptyValue"))
  }

  @Test func `exchanges without an origin belong to the document's relative server`() throws {
    var inference = SpecificationInference()
    inference.add(get("/a", "{}"), origin: nil)
    #expect(!String(decoding: inference.document(), as: UTF8.self).contains("servers"))
    inference.add(get("/b", "{}"), origin: "https://api.example")
    let text = String(decoding: inference.document(), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(text.contains(#""servers":[{"url":"/"},{"url":"https://api.example"}]"#), "\(text)")
  }
}
