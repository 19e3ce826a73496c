import CassetteHTTP
import Cassettes

/// The exchanges that both players play.
let exchanges: [Exchange] =
  answers + selections + bodies + derivations + redirects + misses + calls + faults + ruled + templated

private let answers: [Exchange] =
  [200, 201, 202, 203, 204, 205, 206, 300, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503, 504, 599].map {
    status in
    Exchange(
      name: "status \(status)",
      recordings: [
        .made(
          status: HTTPStatus(status), headers: [("X-Status", "\(status)")],
          body: [204, 205].contains(status) ? nil : .text("{\"status\":\(status)}"))
      ])
  } + [
    Exchange(
      name: "fields of one name",
      recordings: [.made(headers: [("X-A", "1"), ("X-A", "2"), ("x-b", "3"), ("Vary", "Accept"), ("Vary", "Origin")])]),
    Exchange(name: "an empty field", recordings: [.made(headers: [("X-Empty", "")])]),
    Exchange(name: "two cookies", recordings: [.made(headers: [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])]),
    Exchange(name: "a reason", recordings: [.made(status: 299)]),
    Exchange(
      name: "a recorded length is computed again",
      recordings: [.made(headers: [("Content-Length", "9999")], body: .text("short"))]),
  ]

private let selections: [Exchange] =
  ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].map { method in
    Exchange(
      name: "method \(method)", method: method,
      recordings: [.made(.get, body: .text("GET")), .made(HTTPMethod(method), body: .text(method))])
  } + [
    Exchange(
      name: "a query in another order", target: "/a?b=2&a=1", recordings: [.made(.get, "/a?a=1&b=2", body: .text("q"))]),
    Exchange(
      name: "a query with other escapes", target: "/a?q=%7Eswift",
      recordings: [.made(.get, "/a?q=~swift", body: .text("q"))]),
    Exchange(
      name: "a path with an escape", target: "/a%2Fb",
      recordings: [.made(.get, "/a%2Fb", body: .text("escaped")), .made(.get, "/a/b", body: .text("plain"))]),
    Exchange(name: "an empty query", target: "/a?", recordings: [.made(.get, "/a", body: .text("none"))]),
    Exchange(
      name: "a field decides", headers: [("Accept", "text/plain")],
      recordings: [
        .made(body: .text("json"), asking: [("Accept", "application/json")]),
        .made(body: .text("text"), asking: [("Accept", "text/plain")]),
      ]),
    Exchange(
      name: "a redacted secret matches any value", headers: [("Authorization", "Bearer abc")],
      recordings: [
        .made(body: .text("basic"), asking: [("Authorization", "Basic {{secret:1}}")]),
        .made(body: .text("bearer"), asking: [("Authorization", "Bearer {{secret:2}}")]),
      ]),
    Exchange(
      name: "recordings in order, and the last one repeated",
      recordings: ["1", "2", "3"].map { .made(body: .text($0)) }, times: 5),
    Exchange(
      name: "recordings in a loop", recordings: ["1", "2"].map { .made(body: .text($0), repeats: .loop) }, times: 5),
    Exchange(
      name: "the first recording repeated", recordings: ["1", "2"].map { .made(body: .text($0), repeats: .first) },
      times: 4),
    Exchange(name: "once, then a miss", recordings: [.made(body: .text("1"), repeats: .once)], times: 2),
  ]

private let json = [("Content-Type", "application/json")]

private let bodies: [Exchange] = [
  Exchange(
    name: "JSON with different white space", method: "POST", headers: json, body: #"{ "b" : 2, "a": 1 }"#,
    recordings: [
      .made(.post, body: .text("other"), sending: #"{"a":9}"#),
      .made(.post, body: .text("same"), sending: #"{"a":1,"b":2}"#),
    ]),
  Exchange(
    name: "a form", method: "POST", headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "a=1&b=2",
    recordings: [
      .made(.post, body: .text("other"), sending: "a=2"), .made(.post, body: .text("form"), sending: "a=1&b=2"),
    ]),
  Exchange(
    name: "text", method: "PUT", headers: [("Content-Type", "text/plain")], body: "hello",
    recordings: [.made(.put, body: .text("text"), sending: "hello")]),
  Exchange(name: "an empty answer", recordings: [.made()]),
  Exchange(
    name: "numbers keep their digits",
    recordings: [.made(headers: json, body: .text(#"{"a":1.0,"b":9007199254740993}"#))]),
  Exchange(
    name: "JSON written by hand without header fields gets a Content-Type",
    recordings: [.made(body: .text(#"{"login":"kean"}"#))]),
  Exchange(
    name: "JSON recorded without header fields gets no Content-Type",
    recordings: [.made(body: .text(#"{"login":"kean"}"#), took: RecordedFacts(at: "2026-11-21T01:00:00Z"))]),
  Exchange(name: "indented JSON", recordings: [.made(headers: json, body: .text("{\n  \"a\": 1\n}\n"))]),
  Exchange(name: "every byte", recordings: [.made(body: .storing((0...255).map { UInt8($0) }))]),
  Exchange(name: "unicode", recordings: [.made(body: .text("zażółć 🐟"))]),
  Exchange(name: "a large body", recordings: [.made(body: .storing([UInt8](repeating: 120, count: 300_000)))]),
  Exchange(
    name: "a streamed body",
    recordings: [.made(body: .chunks(["a", "b", "c"].map { BodyChunk(after: 0.001, bytes: Array($0.utf8)) }))]),
  Exchange(
    name: "a streamed body without gaps",
    recordings: [.made(body: .chunks([BodyChunk(bytes: [1]), BodyChunk(bytes: [2])]))]),
  Exchange(name: "a broken connection", recordings: [.failing(-1005)]),
  Exchange(name: "no answer in time", recordings: [.failing(-1001)], timeout: 1),
  Exchange(
    name: "a truncated streamed body",
    recordings: [.made(body: .chunks([BodyChunk(after: 0.001, bytes: [1])], end: .reset))]),
  Exchange(
    name: "a streamed body later than the time-out",
    recordings: [.made(body: .chunks([BodyChunk(bytes: [1]), BodyChunk(after: 30, bytes: [2])]))], timeout: 1),
]

private let derivations: [Exchange] = [
  Exchange(name: "HEAD of a GET", method: "HEAD", recordings: [.made(headers: json, body: .text("12345"))]),
  Exchange(name: "HEAD recorded", method: "HEAD", recordings: [.made(.head, headers: [("Content-Length", "77")])]),
  Exchange(
    name: "not modified, by tag", headers: [("If-None-Match", "\"x\"")],
    recordings: [.made(headers: [("ETag", "\"x\""), ("Content-Type", "text/plain")], body: .text("new"))]),
  Exchange(
    name: "modified, by tag", headers: [("If-None-Match", "\"y\"")],
    recordings: [.made(headers: [("ETag", "\"x\"")], body: .text("new"))]),
  Exchange(
    name: "not modified, by date", headers: [("If-Modified-Since", "Sat, 21 Nov 2026 01:00:00 GMT")],
    recordings: [.made(headers: [("Last-Modified", "Fri, 20 Nov 2026 01:00:00 GMT")], body: .text("new"))]),
  Exchange(name: "a recorded 304", recordings: [.made(status: 304, headers: [("ETag", "\"x\"")])]),
  Exchange(name: "a range", headers: [("Range", "bytes=1-3")], recordings: [.made(body: .text("012345"))]),
  Exchange(name: "a suffix", headers: [("Range", "bytes=-2")], recordings: [.made(body: .text("012345"))]),
  Exchange(
    name: "a range beyond the end", headers: [("Range", "bytes=10-")], recordings: [.made(body: .text("012345"))]),
  Exchange(
    name: "a preflight", method: "OPTIONS",
    headers: [("Origin", "http://localhost"), ("Access-Control-Request-Method", "POST")],
    recordings: [.made(.get), .made(.post)]),
  Exchange(name: "the methods of a resource", method: "OPTIONS", recordings: [.made(.get), .made(.delete)]),
  Exchange(
    name: "a page of another origin", headers: [("Origin", "http://localhost")], recordings: [.made(body: .text("x"))]),
]

private let redirects: [Exchange] =
  [301, 302, 303, 307].map { status in
    Exchange(
      name: "redirected with \(status)",
      recordings: [
        .made(status: HTTPStatus(status), headers: [("Location", "/b")]), .made(.get, "/b", body: .text("there")),
      ])
  } + [
    Exchange(
      name: "redirected twice",
      recordings: [
        .made(status: 302, headers: [("Location", "/b")]),
        .made(.get, "/b", status: 302, headers: [("Location", "/c?d=1")]),
        .made(.get, "/c?d=1", body: .text("there")),
      ]),
    Exchange(
      name: "a POST redirected with 303", method: "POST", headers: json, body: "{}",
      recordings: [
        .made(.post, status: 303, headers: [("Location", "/b")], sending: "{}"),
        .made(.get, "/b", body: .text("there")),
      ]),
    Exchange(
      name: "redirected to a request without a recording",
      recordings: [.made(status: 302, headers: [("Location", "/b")])]),
    Exchange(name: "a redirect without Location", recordings: [.made(status: 302, headers: [("X-A", "1")])]),
  ]

private let misses: [Exchange] = [
  Exchange(
    name: "an answer that was not captured",
    recordings: [
      .made(body: .text("1")), Interaction(method: .get, url: "/a", outcome: .failure(.notCaptured("unknown"))),
      .made(body: .text("3")),
    ], times: 4),
  Exchange(name: "a request without a recording"),
  Exchange(name: "another path", target: "/users/keen", recordings: [.made(.get, "/users/kean")]),
  Exchange(name: "another parameter", target: "/a?page=3", recordings: [.made(.get, "/a?page=2")]),
  Exchange(name: "another method", method: "DELETE", recordings: [.made(.get)]),
  Exchange(
    name: "a secret in the query", target: "/b?access_token=abc", recordings: [.made(.get, "/a?access_token=def")]),
]

private let calls: [Exchange] = [
  (nil, result("1"), result("\"b\"")),
  (nil, "[\(result("1"))]", "[\(result("\"b\""))]"),
  (call("1"), "[\(result("1"))]\n\(result("1"))", "[\(result("\"b\""))]\n\(result("\"b\""))"),
].flatMap { recorded, content, answer in
  [
    (Body.text(content), answer),
    (.chunks([BodyChunk(bytes: Array("data: \(content)\n\n".utf8))], end: .complete), "data: \(answer)\n\n"),
  ].map { body, answer in
    Exchange(
      name: "a JSON-RPC call with another id", method: "POST", headers: json, body: call("\"b\""),
      recordings: [.made(.post, headers: json, body: body, sending: recorded)], times: 2, answer: answer)
  }
}

private func result(_ id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":1}"# }

private func call(_ id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"a"}"# }
