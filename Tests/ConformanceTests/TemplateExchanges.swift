import CassetteHTTP
import Cassettes

extension Interaction {
  /// An answer that is made for each request.
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

/// What both players make of templates.
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
    name: "a counter and a length", target: "/users/7",
    recordings: [.template(body: "{{counter n}} {{#if (gt (counter n) 2)}}more{{/if}}")], times: 3),
  Exchange(
    name: "the head of a template", method: "HEAD", target: "/users/7",
    recordings: [.template(body: "{{path.id}}{{path.id}}")]),
]
