import APIClientKit
import CassetteTesting
import Foundation
import MockServerTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request with characters or bytes that need quoting in a shell command.
struct Awkward: Sendable, CustomTestStringConvertible {
  var method = "POST"
  var target = "/echo"
  var fields: [String: String] = ["Content-Type": "text/plain"]
  var body: Data?
  var testDescription: String { "\(method) \(target) \(fields) \(body?.count ?? 0)" }

  func request(_ server: URL) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: server.absoluteString + target)))
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  static let all: [Awkward] =
    [
      "it's", "\"double\"", "`ls`", "$HOME", "\\back\\slash", "two\nlines", "\ttab", "@file", "@-", "a=b&c=d",
      "!history",
      "ünïcödé 🥣", " leading", "trailing ", "*?[]{}", "%41%zz", "'", "''''", "'; rm -rf x; '", "-X DELETE", "\r\n",
      "{\"a\": \"it's\"}", "<xml/>", "#hash", "~", "a;b|c>d<e",
    ].map { Awkward(body: Data($0.utf8)) }
    + [
      Awkward(body: Data([0, 1, 2, 255, 254, 0])), Awkward(body: Data(repeating: 0xff, count: 70_000)),
      Awkward(body: Data(String(repeating: "it's ", count: 30_000).utf8)), Awkward(body: Data("before\0after".utf8)),
      Awkward(method: "PUT", fields: ["Content-Type": "application/json"], body: Data("[1]".utf8)),
      Awkward(method: "PATCH", body: Data("'".utf8)), Awkward(method: "DELETE", body: Data("x".utf8)),
      Awkward(method: "DELETE", fields: [:]), Awkward(method: "HEAD", fields: [:]),
      Awkward(method: "OPTIONS", fields: [:]), Awkward(method: "GET", target: "/echo?a=[1-3]&b={x,y}", fields: [:]),
      Awkward(method: "GET", target: "/echo?q=it's%20$HOME&q=%22%26", fields: [:]),
      Awkward(method: "GET", fields: ["X-Quote": "it's \"$HOME\" `x` \\ ;", "X-At": "@file"]),
      Awkward(method: "GET", fields: ["X-Empty": "", "Accept": "a/b;q=0.1, */*", "Cookie": "a=1; b=it's"]),
      Awkward(method: "GET", fields: ["User-Agent": "test (it's; $1)", "Accept-Language": "de, en;q=0.5"]),
      Awkward(method: "GET", target: "/a/../b/./c?x#fragment", fields: [:]),
    ]
}

@Suite struct `curl commands` {
  /// Runs a command and waits for its end without blocking a thread of the pool.
  private func run(_ command: String) async throws -> Int32 {
    // A script file is used because some commands exceed the maximum length of an argument.
    let script = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID()).sh")
    try Data(command.utf8).write(to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    return try await ChildProcess("/bin/sh", [script.path]).ended().status
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")), arguments: Awkward.all)
  func `curl sends the same request as URLSession`(awkward: Awkward) async throws {
    try await withMockServer(cassettes: "echo", strictness: .relaxed) { server in
      let request = try awkward.request(server.url)
      let session = URLSession(configuration: .ephemeral)
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(try await run(request.curl(revealingSecrets: true)) == 0)
      let journal = try await RequestJournal.of(server.url)
      let (one, two) = (try #require(journal.first), try #require(journal.dropFirst().first))
      #expect(one.method == two.method)
      #expect(one.url == two.url)
      #expect(one.body == two.body)
      #expect(one.bodyBytes == two.bodyBytes)
      for name in awkward.fields.keys { #expect(one.field(name) == two.field(name), "\(name)") }
      for name in ["Content-Type", "Expect"] { #expect(one.field(name) == two.field(name), "\(name)") }
    }
  }

  @Test func `secrets in a curl command are masked unless they are requested`() throws {
    var request = URLRequest(url: try #require(URL(string: "https://u:pass@h/?api_key=s1&page=2")))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"password": "s2", "name": "kean", "nested": {"refresh_token": "s\"3"}}"#.utf8)
    request.setValue("Bearer s4", forHTTPHeaderField: "Authorization")
    request.setValue("session=s5; theme=s6", forHTTPHeaderField: "Cookie")
    request.setValue("s7", forHTTPHeaderField: "X-Api-Key")
    let masked = request.curl()
    for secret in ["pass@", "s1", "s2", "s\\\"3", "s4", "s5", "s6", "s7"] { #expect(!masked.contains(secret)) }
    for name in ["Bearer ***", "session=***; theme=***", "api_key=***&page=2", "\"password\": \"***\"", "kean"] {
      #expect(masked.contains(name))
    }
    let shown = request.curl(revealingSecrets: true)
    for secret in ["u:pass@", "s1", "s2", "s4", "s5", "s7"] { #expect(shown.contains(secret)) }
  }

  @Test func `a curl command contains the cookies and header fields of the session`() async throws {
    let session = URLSessionConfiguration.ephemeral
    session.httpAdditionalHeaders = ["X-App": "one"]
    let cookie = HTTPCookie(properties: [.domain: "api.example.com", .path: "/", .name: "theme", .value: "dark"])
    session.httpCookieStorage?.setCookie(try #require(cookie))
    let client = APIClient(baseURL: URL(string: "https://api.example.com")) { $0.session = session }
    let command = try await client.curl(for: Request<Void>.get("/orders"), revealingSecrets: true)
    #expect(command.contains("'Cookie: theme=dark'"))
    #expect(command.contains("'X-App: one'"))
  }
}
