import APIClientKit
import CassetteSystem
import ClientTestSupport
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `GitHub client` {
  @Test(arguments: Player.allCases) func `a user is fetched with the rate limit`(player: Player) async throws {
    try await player.play { client in
      let response = try await client.send(GitHub.users("kean").get)
      #expect(response.value.login == "kean")
      #expect(response.value.createdAt == Date(timeIntervalSince1970: 1_332_491_110))
      #expect(response.rateLimit?.remaining == 58)
      #expect(response.rateLimit?.reset == Date(timeIntervalSince1970: 1_795_237_200))
      #expect(response.originalRequest?.value(forHTTPHeaderField: "Accept") == "application/vnd.github.v3+json")
    }
  }

  @Test(arguments: Player.allCases)
  func `the signed-in user's email addresses are fetched, added and removed`(player: Player) async throws {
    try await player.play(token: "some-token") { client in
      let user = try await client.value(for: GitHub.user.get)
      #expect(user.login == "kean")
      let emails = try await client.value(for: GitHub.user.emails.get)
      #expect(emails.map(\.email) == ["kean@example.com"])
      let added = try await client.value(for: GitHub.user.emails.post(["octocat@example.com", "support@example.com"]))
      #expect(added.map(\.verified) == [false, false])
      let removed = try await client.send(GitHub.user.emails.delete(["octocat@example.com", "support@example.com"]))
      #expect(removed.status == 204)
    }
  }

  @Test(arguments: Player.allCases)
  func `followers, repositories, issues, pull requests and releases are fetched`(player: Player) async throws {
    try await player.play { client in
      let followers = try await client.value(for: GitHub.users("kean").followers.get)
      #expect(followers.count == 3)
      let repos = try await client.value(for: GitHub.users("kean").repos.get)
      #expect(repos.map(\.name) == ["Align", "FetchImage", "Get"])
      let nuke = try await client.value(for: GitHub.repos("kean", "Nuke").get)
      #expect(nuke.fullName == "kean/Nuke")
      let issues = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues.get)
      #expect(!issues.isEmpty)
      let issue = try await client.value(for: GitHub.repos("davbeck", "VectorIO").issues(4).get)
      #expect(issue.title == "Decode dates other than ISO 8601")
      let pulls = try await client.value(for: GitHub.repos("davbeck", "VectorIO").pulls.get)
      #expect(pulls.first?.number == 6)
      let releases = try await client.value(for: GitHub.repos("kean", "Nuke").releases.get)
      let latest = try await client.value(for: GitHub.repos("kean", "Nuke").releases.latest.get)
      #expect(releases.first?.tagName == latest.tagName)
    }
  }

  @Test(arguments: Player.allCases)
  func `an asset is downloaded to a file with its progress`(player: Player) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "asset-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let last = Locked<Double?>(nil)
    try await player.play { client in
      let asset = GitHub.repos("kean", "Nuke").releases.assets(164_920_857)
      let about = try await client.value(for: asset.get)
      try await client.download(asset.download, to: file) { progress in last.withLock { $0 = progress.fraction } }
      let bytes = try Data(contentsOf: file)
      #expect(bytes.count == about.size)
      #expect(bytes.starts(with: Data("PK".utf8)))
      #expect(last.withLock { $0 } == 1)
    }
  }

  @Test(arguments: Player.allCases) func `a new issue is created with status 201`(player: Player) async throws {
    try await player.play(token: "some-token") { client in
      let issue = NewIssue(title: "Prefetching ignores the priority of a request")
      let made = try await client.send(GitHub.repos("kean", "Nuke").issues.post(issue))
      #expect(made.status == 201)
      #expect(made.value.number == 871)
    }
  }

  @Test(arguments: Player.allCases) func `a redirect to a moved repository is followed`(player: Player) async throws {
    try await player.play { client in
      let response = try await client.send(GitHub.repos("kean", "Yalta").get)
      #expect(response.value.fullName == "kean/Align")
      #expect(response.url?.path() == "/repositories/111408653")
    }
  }

  @Test(arguments: Player.allCases)
  func `a revalidated request returns the cached value after status 304`(player: Player) async throws {
    let statuses = Locked<[Int?]>([])
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.observe = { exchange in
        statuses.withLock { $0.append(exchange.status) }
      }
    }
    try await player.play("github", .with(configure)) { client in
      var request = GitHub.users("kean").get
      request.cache = .revalidate
      let first = try await client.value(for: request)
      let second = try await client.value(for: request)
      #expect(first == second)
    }
    #expect(statuses.withLock { $0 } == [200, 304])
  }

  @Test func `names in a path are percent-encoded`() {
    #expect(GitHub.users("a/b?c").repos.get.path == "/users/a%2Fb%3Fc/repos")
    #expect(GitHub.users("kean").repos.get(page: 2, perPage: 5).query?.map(\.1) == ["2", "5"])
  }
}

@Suite struct `Pages of a GitHub listing` {
  @Test(arguments: Player.allCases) func `iteration returns the items of all pages`(player: Player) async throws {
    try await player.play { client in
      var names: [String] = []
      var limits: [Int?] = []
      for try await page in client.pages(of: GitHub.users("kean").repos.get) {
        names += page.items.map(\.name)
        limits.append(page.rateLimit?.remaining)
      }
      #expect(names.count == 5 && Set(names).count == 5)
      #expect(limits.count == 2)
    }
  }

  @Test(arguments: Player.allCases)
  func `a listing that was stopped continues at the saved page`(player: Player) async throws {
    let count = Locked(0)
    func configure(_ configuration: inout APIClient.Configuration) {
      configuration.observe = { _ in count.withLock { $0 += 1 } }
    }
    try await player.play("github", .with(configure)) { client in
      let request = GitHub.users("kean").repos.get
      var next: String?
      for try await page in client.pages(of: request) {
        next = page.next
        break
      }
      #expect(count.withLock { $0 } == 1)
      var rest: [Repository] = []
      for try await page in client.pages(of: request.at(try #require(next))) { rest += page.items }
      #expect(rest.count == 2)
    }
    #expect(count.withLock { $0 } == 2)
  }

  @Test(arguments: Player.allCases)
  func `iteration throws CancellationError if its task is cancelled`(player: Player) async throws {
    try await player.play { client in
      let task = Task {
        for try await _ in client.pages(of: GitHub.users("kean").repos.get) {
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(arguments: [
    (#"<https://h/a?page=2>; rel="next", <https://h/a?page=9>; rel="last""#, "https://h/a?page=2"),
    (#"<https://h/a,b>; rel="last", <https://h/c;d>; title="x, <y>"; rel=next"#, "https://h/c;d"),
    (#"<https://h/1>; rel="prev", <https://h/2>; REL="first next""#, "https://h/2"),
    (#"<https://h/1>; rel="nextish""#, nil), ("", nil), ("<", nil), (#"<https://h/1>; rel"#, nil),
  ])
  func `the next page is the URL with rel=next in the Link field`(field: String, next: String?) async throws {
    // The Link field is read from a response, as for any page.
    try await Player.stubbed(link: field) { client in
      var found: [String?] = []
      for try await page in client.pages(of: Request<[Int]>.get("/list")) {
        found.append(page.next)
        break
      }
      #expect(found == [next])
    }
  }
}
