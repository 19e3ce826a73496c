import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Included GitHub cassette` {
  @Test(
    arguments: Player.allCases,
    [
      "/repos/kean/Nuke/issues", "/users/kean/repos?per_page=100", "/users/davbeck", "/search/repositories?q=nuke",
      "/users/kean", "/user/repos", "/user/followers", "/repos/kean/Nuke/pulls?state=open&sort=created&direction=desc",
      "/repos/kean/Nuke/issues?per_page=4", "/rate_limit",
    ])
  func `a common first request is answered with the header fields of GitHub`(player: Player, path: String) async throws
  {
    for token in path.hasPrefix("/user/") ? ["some-token"] : [nil, "some-token"] {
      try await player.play(token: token) { client in
        let response = try await client.send(Request<Data>.get(path))
        #expect(response.status == 200)
        #expect(response.header("Mockserver-Approximate") == nil)
        for name in ["Date", "X-GitHub-Request-Id", "Strict-Transport-Security", "X-Content-Type-Options", "Server"] {
          #expect(response.header(name)?.isEmpty == false, "\(name) of \(path)")
        }
      }
    }
  }

  @Test(arguments: Player.allCases, ["Bearer", "token", "Basic"])
  func `a token is accepted in every authentication scheme`(player: Player, scheme: String) async throws {
    try await player.play { client in
      // The request is sent twice to check that the same recording answers it again.
      for _ in 1...2 {
        let user = try await client.value(
          for: Request<User>.get("/user", headers: ["Authorization": "\(scheme) " + "anything"]))
        #expect(user.login == "kean")
      }
      await #expect(throws: GitHubFailure.self) { try await client.send(GitHub.user.get) }
    }
  }

  @Test(arguments: Player.allCases) func `a search returns its pages and total count`(player: Player) async throws {
    try await player.play { client in
      let pages = client.pages(of: GitHub.searchRepositories("nuke", perPage: 1))
      #expect(try await pages.items().map(\.name) == ["Nuke", "FetchImage"])
      var totals: [Int?] = []
      for try await page in pages { totals.append(page.totalCount) }
      #expect(totals == [2, 2])
      #expect(try await pages.items(limit: 1).map(\.name) == ["Nuke"])
      #expect(try await client.value(for: GitHub.searchIssues("cache")).items.map(\.number) == [868, 870])
      #expect(try await client.value(for: GitHub.searchUsers("kean")).totalCount == 1)
    }
  }

  @Test(arguments: Player.allCases)
  func `gists are created and deleted, and release files are uploaded`(player: Player) async throws {
    try await player.play(token: "some-token") { client in
      let files = ["prefetch.swift": "let prefetcher = ImagePrefetcher(pipeline)\n"]
      let made = try await client.send(
        GitHub.gists.post(NewGist(description: "Prefetching", isPublic: true, files: files)))
      #expect(made.status == 201)
      let gist = try await client.value(for: GitHub.gists(made.value.id).get)
      #expect(gist.files.mapValues(\.content) == files)
      #expect(try await client.send(GitHub.gists(gist.id).delete).status == 204)

      let release = try await client.value(for: GitHub.repos("kean", "Nuke").releases.tags("12.8.0").get)
      let upload = GitHub.repos("kean", "Nuke").releases(release.id).upload(
        name: "checksums.txt", contentType: "text/plain")
      let sent = try await client.upload(upload, from: Data("checksums".utf8))
      #expect(sent.value.name == "checksums.txt")
      #expect(sent.originalRequest?.value(forHTTPHeaderField: "Content-Type") == "text/plain")
      #expect(sent.originalRequest?.value(forHTTPHeaderField: "Authorization") == "Bearer some-token")
      #expect(sent.originalRequest?.url?.host() == (player == .server ? "127.0.0.1" : "uploads.github.com"))
      let file = FileManager.default.temporaryDirectory.appending(path: "checksums-\(UUID())")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data("checksums".utf8).write(to: file)
      #expect(try await client.upload(upload, fromFile: file).status == 201)
    }
  }

  @Test(arguments: Player.allCases)
  func `rate limits are returned for each kind of request`(player: Player) async throws {
    try await player.play { client in
      let limits = try await client.value(for: GitHub.rateLimits).resources
      #expect(limits["core"]?.limit == 60 && limits["search"]?.remaining == 10)
      #expect(limits["core"]?.reset == Date(timeIntervalSince1970: 1_795_237_200))
    }
  }

  @Test(arguments: Player.allCases)
  func `comments, labels, a pull request and issues are answered`(player: Player) async throws {
    try await player.play(token: "some-token") { client in
      let nuke = GitHub.repos("kean", "Nuke")
      #expect(try await client.value(for: nuke.issues(868).comments.get).map(\.user?.login) == ["kean", "hubot"])
      #expect(try await client.value(for: nuke.labels.get).map(\.name) == ["bug", "enhancement", "question"])
      let pull = try await client.value(for: nuke.pulls(870).get)
      #expect(pull.changedFiles == 2 && pull.head?.repo?.fullName == "kean/Nuke")
      let issues = try await client.value(for: nuke.issues.get)
      #expect(issues.filter { $0.pullRequest == nil }.map(\.number) == [871, 868, 861])
      #expect(try await client.value(for: nuke.issues(871).comment("Fixed on main.")).body == "Fixed on main.")
      let closed = try await client.value(for: nuke.issues(871).patch(NewIssue(title: nil, state: "closed")))
      #expect(closed.state == "closed" && closed.stateReason == "completed")
    }
  }

  @Test(arguments: Player.allCases) func `URLs in models are fetched`(player: Player) async throws {
    try await player.play { client in
      let nuke = try await client.value(for: GitHub.repos("kean", "Nuke").get)
      let owner = try await client.value(for: Request<User>(url: try #require(nuke.owner.url)))
      #expect(owner.name == "Alexander Grebenyuk")
      let davbeck = try #require(URL(string: "users/davbeck"))
      #expect(try await client.value(for: Request<User>(url: davbeck)).name == "David Beck")
    }
  }

  @Test(
    arguments: ["", "/"],
    [
      ("users/kean", "/users/kean"), ("/users/kean", "/users/kean"), ("users/kean?x=1", "/users/kean?x=1"),
      ("https://api.github.com/user/1567433", "https://api.github.com/user/1567433"),
    ])
  func `a relative path or URL is resolved below the base URL`(end: String, row: (path: String, url: String)) throws {
    for base in ["https://api.github.com", "https://github.example.com/api/v3"] {
      let wanted = row.url.hasPrefix("/") ? base + row.url : row.url
      for request in [Request<User>.get(row.path), Request(url: try #require(URL(string: row.path)))] {
        #expect(request.url(under: URL(string: base + end))?.absoluteString == wanted)
      }
    }
  }
}
