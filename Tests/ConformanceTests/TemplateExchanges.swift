import CassetteHTTP
import Cassettes

extension Interaction {
  /// Returns an interaction whose response is a template.
  fileprivate static func template(
    _ method: HTTPMethod = .get, headers: [(String, String)] = [], body: String, path: String = "/users/{id}"
  ) -> Interaction {
    var response = RecordedResponse(status: 200, headers: HTTPHeaders(headers), body: .text(body))
    response.isTemplate = true
    var interaction = Interaction(method: method, url: "/users/1", outcome: .response(response))
    interaction.match.path = MatchRules.path(path)
    interaction.match.query = .init([.init("*", .ignore)])
    interaction.match.ignoresBody = true
    return interaction
  }
}

/// Calls of every helper with a deterministic result.
private let calls = [
  "date 1577934245 http offset=1d", "jwt sub=body.$.s secret='s'", "base64 'hi'", "base64 'aGk=' decode=true",
  "sha256 body.$.s", "urlencode 'a b'", "upper 'a'", "lower 'A'", "capitalize 'ab'", "trim ' a '",
  "replace 'aXb' 'X' '-'", "substring 'abcdef' 1 3", "split 'a,b' ','", "join body.$.l '-'", "concat 'a' body.$.n",
  "size body.$.l", "first query.tag", "last query.tag", "lookup body 's'", "number '5'", "string 5", "json body.$.l",
  "parse '[1]'", "eq 1 1", "ne 1 1", "lt 1 2", "le 1 2", "gt 1 2", "ge 1 2", "and 1 0", "or 1 0", "not 1",
  "contains 'abc' 'b'", "startsWith 'abc' 'a'", "endsWith 'abc' 'a'", "add 1 2", "subtract 1 2", "multiply 2 3",
  "divide 1 4", "modulo 7 4", "round 1.256 2", "range 1 3", "counter c start=3 step=2", "counter c",
  "query.none default='d'", "state.cart", "method", "url", "path.id", "cookie.c", "header.X-A", "body.$.none",
]

/// Exchanges with templates.
let templated: [Exchange] = [
  Exchange(
    name: "values of the request", target: "/users/7?page=2", headers: [("X-A", "a\"b"), ("Cookie", "c=1")],
    recordings: [
      .template(
        headers: [("Content-Type", "application/json"), ("X-Page", "{{query.page}}")],
        body: #"{"id": "{{number path.id}}", "a": "x {{header.X-A}}", "c": "{{cookie.c}}", "s": "{{session}}"}"#)
    ]),
  Exchange(
    name: "values of a body", method: "POST", target: "/users/7", headers: [("Content-Type", "application/json")],
    body: #"{"items": [{"id": 1}, {"id": 2}], "n": 1.50}"#,
    recordings: [
      .template(
        .post, headers: [("Content-Type", "application/json")],
        body: #"{"n": "{{body.$.n}}", "all": {"{{#each body.$.items}}": {"id": "{{this.id}}"}}}"#)
    ]),
  Exchange(
    name: "every helper", method: "POST", target: "/users/7?tag=a&tag=b",
    headers: [("Content-Type", "application/json"), ("X-A", "1"), ("Cookie", "c=1")],
    body: #"{"n": 5, "s": "Ann", "l": [1, 2]}"#,
    recordings: [
      .template(
        .post, headers: [("Content-Type", "application/json")],
        body: "[\(calls.map { "\"{{\($0)}}\"" }.joined(separator: ", "))]")
    ]),
  Exchange(
    name: "a counter and a length", target: "/users/7",
    recordings: [.template(body: "{{counter n}} {{#if (gt (counter n) 2)}}more{{/if}}")], times: 3),
  Exchange(
    name: "a HEAD request for a template", method: "HEAD", target: "/users/7",
    recordings: [.template(body: "{{path.id}}{{path.id}}")]),
]
