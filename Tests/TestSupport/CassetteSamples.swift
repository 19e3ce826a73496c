package import CassetteHTTP
package import Cassettes

/// The sample cassette of the format's documentation.
package let documentedCassette = #"""
  {
    "cassette": 1,
    "origin": "https://api.github.com",
    "interactions": [
      {
        "id": "get-users-octocat",
        "request": {
          "method": "GET",
          "url": "/users/octocat",
          "headers": [
            ["Accept", "application/vnd.github+json"],
            ["Authorization", "Bearer {{secret:1}}"]
          ]
        },
        "response": {
          "status": 200,
          "headers": [
            ["Content-Type", "application/json; charset=utf-8"],
            ["ETag", "\"5c1e\""],
            ["Set-Cookie", "a=1"],
            ["Set-Cookie", "b=2"]
          ],
          "body": {
            "json": {
              "login": "octocat",
              "id": 583231
            }
          }
        },
        "recorded": { "at": "2026-11-21T01:00:00Z", "firstByte": 0.083, "total": 0.091 }
      }
    ]
  }

  """#

/// Returns a cassette with one interaction, whose parts are JSON.
///
/// A part that is nil is omitted.
package func cassette(
  request: String? = #"{"method":"GET","url":"/a"}"#, response: String? = #"{"status":200}"#, more: String = ""
) -> String {
  let parts = [request.map { "\"request\":\($0)" }, response.map { "\"response\":\($0)" }, more.isEmpty ? nil : more]
  return "{\"cassette\":1,\"interactions\":[\n{\(parts.compactMap { $0 }.joined(separator: ",\n"))}\n]}"
}

package func read(_ text: String) throws(CassetteError) -> Cassette {
  try CassetteFile.read(bytes: Array(text.utf8), name: "test", file: nil)
}

/// A cassette with three requests, including a secret in a query and a failure.
package let cassetteWithSecret = """
  {
    "cassette": 1,
    "origin": "https://api.example.com",
    "interactions": [
      {
        "request": { "method": "GET", "url": "/users/kean" },
        "response": { "status": 200, "body": { "json": { "login": "kean" } } }
      },
      {
        "request": { "method": "GET", "url": "/search?q=a&access_token=hush" },
        "response": { "status": 204 }
      },
      {
        "request": { "method": "POST", "url": "/slow" },
        "failure": { "code": -1001, "name": "timedOut" }
      }
    ]
  }

  """

package func problems(_ text: String) -> [String] {
  CassetteFile.problems(bytes: Array(text.utf8), name: "test", file: nil).map(\.description)
}

package func text(of cassette: Cassette) throws(CassetteError) -> String {
  String(decoding: try CassetteFile.bytes(of: cassette), as: UTF8.self)
}

extension Interaction {
  /// Returns a recording of `GET /` with a response body.
  package static func answering(_ body: Body?, status: HTTPStatus = 200, headers: HTTPHeaders = []) -> Interaction {
    Interaction(
      method: .get, url: "/", outcome: .response(RecordedResponse(status: status, headers: headers, body: body)))
  }
}
