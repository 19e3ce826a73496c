import CassetteHTTP
import CassetteMatching
import CassetteRecording
import Cassettes
import Testing

@testable import CassetteMaintenance

struct ResponseComparisonTests {
  private func response(
    _ status: HTTPStatus, _ headers: HTTPHeaders = [], _ body: String = ""
  ) -> RecordedResponse {
    RecordedResponse(status: status, headers: headers, body: body.isEmpty ? nil : .storing(Array(body.utf8)))
  }

  private func differences(
    _ old: RecordedResponse, _ new: RecordedResponse, ignoring place: String? = nil
  ) throws -> [String] {
    var ignored = IgnoredPlaces()
    if let place {
      let isPlace = ignored.insert(place)
      #expect(isPlace)
    }
    return try ResponseComparison.differences(old, new, ignoring: ignored).map { ($0.isError ? "" : "i ") + "\($0)" }
  }

  @Test(
    arguments: [
      (200, 200, []), (200, 404, ["status: was 200, is 404 Not Found"]), (404, 200, ["status: was 404, is 200 OK"]),
      (200, 201, ["status: was 200, is 201 Created"]),
      (200, 401, ["status: was 200, is 401 Unauthorized: is a --secret missing or expired?"]),
      (200, 429, ["status: was 200, is 429 Too Many Requests: too many requests; try --pause 1"]),
      (200, 503, ["status: was 200, is 503 Service Unavailable: the origin has a server error"]),
      (304, 200, ["i status: was 304, is 200 OK"]), (200, 304, ["i status: was 200, is 304 Not Modified"]),
      (304, 404, ["status: was 304, is 404 Not Found"]),
      (200, 599, ["status: was 200, is 599: the origin has a server error"]),
    ] as [(Int, Int, [String])])
  func `a different status is reported as the only difference`(old: Int, new: Int, expected: [String]) throws {
    #expect(
      try differences(response(HTTPStatus(old), [:], #"{"a":1}"#), response(HTTPStatus(new), [:], #"{"a":1}"#))
        == expected)
    if old != new {
      #expect(try differences(response(HTTPStatus(old), [:], "{}"), response(HTTPStatus(new))) == expected)
    }
  }

  @Test(
    arguments: [
      (["Content-Type": "application/json; charset=utf-8"], ["content-type": "application/json"], []),
      (
        ["Content-Type": "application/json"], ["Content-Type": "text/html"],
        [
          "header:Content-Type: was application/json, is text/html"
        ]
      ),
      (["Content-Type": "text/css"], [:], ["header:Content-Type: was text/css, is gone"]),
      ([:], ["Content-Type": "text/css"], []),
      (["Link": "<a>", "X-A": "1", "X-a": "2"], [:], ["i header:Link: is gone", "i header:X-A: is gone"]),
      (["X-A": "1"], ["x-a": "2", "X-New": "1"], []),
      (["Location": "/a"], ["Location": "/b"], []),
      (["Location": "/a"], [:], ["header:Location: is gone"]),
      // Fields that are optional or depend on values only.
      (
        [
          "Date": "d", "X-Request-Id": "1", "X-RateLimit-Used": "1", "Age": "1", "ETag": "e", "Set-Cookie": "a=1",
          "Last-Modified": "d",
        ], [:], []
      ),
    ] as [(HTTPHeaders, HTTPHeaders, [String])])
  func `header fields are compared by name, and Content-Type by its media type`(
    old: HTTPHeaders, new: HTTPHeaders, expected: [String]
  ) throws {
    #expect(try differences(response(200, old), response(200, new)) == expected)
  }

  @Test(
    arguments: [
      // JSON by its media type, or because it is an object or array.
      ("application/json", #""x""#, "1", ["$: was a string, is a number"]),
      ("text/plain", "42", "ok", []), ("text/plain", #"{"a":1}"#, "{}", ["$.a: was a number, is gone"]),
      ("application/problem+json", #"{"a":1}"#, "<html>", ["$: was JSON, is no longer JSON"]),
      ("application/json", "{}", "", ["$: the body is missing"]), ("application/json", "", "{}", []),
      ("text/html", "<p>a", "<p>b", []), ("text/html", "<p>a", "", ["$: the body is missing"]),
    ] as [(String, String, String, [String])])
  func `JSON bodies are compared by their shape`(type: String, old: String, new: String, expected: [String]) throws {
    let headers: HTTPHeaders = ["Content-Type": type]
    #expect(try differences(response(200, headers, old), response(200, headers, new)) == expected)
  }

  @Test func `a response comparison skips ignored places`() throws {
    #expect(
      try differences(
        response(200, ["Content-Type": "a/b"]), response(200, ["Content-Type": "c/d"]), ignoring: "header:content-type"
      ).isEmpty)
    #expect(try differences(response(200, ["Link": "a"]), response(200), ignoring: "header:link").isEmpty)
    #expect(try differences(response(200, [:], #"{"a":1}"#), response(200, [:], "[]"), ignoring: "$").isEmpty)
  }

  @Test func `a truncated recorded body has no differences`() throws {
    let old = RecordedResponse(status: 200, body: .chunks([BodyChunk(bytes: Array(#"{"a":1}"#.utf8))], end: .reset))
    #expect(try differences(old, response(200, [:], "{}")).isEmpty)
  }

  @Test func `bodies with different media types are not compared`() throws {
    #expect(
      try differences(
        response(200, ["Content-Type": "application/json"], #"{"a":1}"#),
        response(200, ["Content-Type": "text/html"], "<html>")
      ) == ["header:Content-Type: was application/json, is text/html"])
  }
}
