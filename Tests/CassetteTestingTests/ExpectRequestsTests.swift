import Foundation
import MockServerTesting
import TestSupport
import Testing

@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ExpectRequestsTests {
  private func post(_ body: String, _ session: URLSession = .cassette) async throws {
    var request = URLRequest(url: try #require(URL(string: "https://api.example.com/todos?token=abc")))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer secret-token-of-a-user", forHTTPHeaderField: "Authorization")
    request.httpBody = Data(body.utf8)
    _ = try await session.data(for: request)
  }

  @Test(.stub(.post("/todos").anyQuery, .status(201)), .stub(.get("/user"), .status(204)))
  func `the expected requests are curl commands without secrets, in the order of sending`() async throws {
    try await post(#"{"title":"It's milk"}"#)
    _ = try await URLSession.cassette.data(from: #require(URL(string: "https://api.example.com/user")))
    expectRequests {
      #"""
      curl -X POST \
        'https://api.example.com/todos?token={{secret}}' \
        -g \
        -H 'Authorization: {{secret}}' \
        -H 'Content-Type: application/json' \
        --data-raw '{"title":"It'\''s milk"}'
      curl https://api.example.com/user
      """#
    }
  }

  @Test(.stub(.get("/user"), .status(204)))
  func `requests that differ from the expected ones fail the test at the line of the call`() async throws {
    _ = try await URLSession.cassette.data(from: #require(URL(string: "https://api.example.com/user")))
    let line = #line + 2
    let issues = try await issues {
      expectRequests { "curl https://api.example.com/users" }
    }
    #expect(issues.map { $0.sourceLocation?.line } == [line])
    let text = issues.first?.comments.first?.rawValue ?? ""
    #expect(text.contains("  - curl https://api.example.com/users\n  + curl https://api.example.com/user\n"))
    #expect(text.contains("CASSETTE_EXPECT=write"))
  }

  @Test func `the expected requests to a mock server have no port`() async throws {
    try await withMockServer(stubs: [CassetteStub(.get("/user"), .status(204))]) { server in
      _ = try await URLSession(configuration: .ephemeral).data(from: server.url.appending(path: "user"))
      expectRequests { "curl http://127.0.0.1/user -H 'Accept: */*'" }
    }
  }

  @Test func `SourceEdits writes the requests of each call into its own closure`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("Tests.swift")
    let source = """
      func one() {
        expectRequests()
      }
      func two() {
        expectRequests { "" }
        expectRequests {
          \"\"\"
          curl old
          curl older
          \"\"\"
        }
        expectRequests { text }
      }

      """
    try Data(source.utf8).write(to: URL(filePath: path))
    #expect(SourceEdits.write("curl one", toCallAt: 2, in: path) == nil)
    #expect(SourceEdits.write("curl two \\\n  -H 'A: b'", toCallAt: 5, in: path) == nil)
    #expect(SourceEdits.write("curl three", toCallAt: 6, in: path) == nil)
    #expect(SourceEdits.write("curl three", toCallAt: 6, in: path) == nil)
    #expect(SourceEdits.write("curl other", toCallAt: 6, in: path)?.contains("several times") == true)
    #expect(SourceEdits.write("curl four", toCallAt: 12, in: path)?.contains("no call of expectRequests") == true)
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        func one() {
          expectRequests {
            \"\"\"
            curl one
            \"\"\"
          }
        }
        func two() {
          expectRequests {
            #\"\"\"
            curl two \\
              -H 'A: b'
            \"\"\"#
          }
          expectRequests {
            \"\"\"
            curl three
            \"\"\"
          }
          expectRequests { text }
        }

        """)
  }
}
