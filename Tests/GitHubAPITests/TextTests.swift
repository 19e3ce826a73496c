import APIClientKit
import Foundation
import GitHubAPI
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Descriptions of GitHubFailure` {
  private struct Row: CustomTestStringConvertible {
    let failure: GitHubFailure
    let text: String
    var advice: String?
    var testDescription: String { text }
  }

  private static let limit = RateLimit(limit: 60, remaining: 0, reset: Date(timeIntervalSince1970: 1_795_237_200))

  private static let rows = [
    Row(failure: .invalidURL, text: "The path of the request and the client's base URL do not form a valid URL."),
    Row(failure: .status(502, nil), text: "GitHub answered with status 502 and no explanation."),
    Row(
      failure: .status(404, GitHubError(message: "Not Found")), text: "GitHub answered with status 404: Not Found.",
      advice: "Check the spelling; private resources require a token with access to them."),
    Row(
      failure: .status(401, GitHubError(message: "Bad credentials")),
      text: "GitHub answered with status 401: Bad credentials.", advice: "Sign in with a valid token."),
    Row(
      failure: .status(
        422,
        GitHubError(
          message: "Validation Failed",
          errors: [
            .init(resource: "Issue", field: "title", code: "missing_field"),
            .init(resource: "Label", field: "name", code: "already_exists"), .init(message: "It is too long"),
          ])),
      text:
        "GitHub answered with status 422: Validation Failed: title is missing, name already exists, It is too long."),
    Row(
      failure: .status(403, GitHubError(message: "API rate limit exceeded.", rateLimit: limit)),
      text: "GitHub answered with status 403: API rate limit exceeded.",
      advice: "Send the next request after 2026-11-21T05:00:00Z, or sign in: the limit is higher then."),
    Row(failure: .unexpected(ClientFailure.signedOut), text: "You are signed out."),
    Row(failure: .unexpected(CancellationError()), text: "The request was cancelled."),
    Row(
      failure: .unexpected(
        DecodingError.keyNotFound(Key("login"), .init(codingPath: [Key("owner")], debugDescription: ""))),
      text: "The response could not be decoded: $.owner.login is missing."),
  ]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  @Test(arguments: rows) private func `a failure has a description and a recovery suggestion`(row: Row) {
    #expect(row.failure.localizedDescription == row.text)
    #expect(row.failure.recoverySuggestion == row.advice)
  }

  @Test func `a failed connection's description says that there was no response`() {
    let failure = GitHubFailure.unexpected(URLError(.timedOut))
    #expect(failure.localizedDescription.hasPrefix("There was no response: "))
    #expect(failure.status == nil && failure.error == nil && failure.retryDate == nil)
  }

  @Test func `only an exhausted rate limit has a retry date`() {
    let refused = GitHubFailure.status(403, GitHubError(message: "", rateLimit: Self.limit))
    #expect(refused.retryDate == Self.limit.reset)
    let forbidden = GitHubFailure.status(
      403, GitHubError(message: "", rateLimit: RateLimit(limit: 60, remaining: 4, reset: .now)))
    #expect(forbidden.retryDate == nil)
  }
}

@Suite struct `GitHub models` {
  @Test func `an encoded model is decoded to the same value`() throws {
    let kean = User(id: 1_567_433, login: "kean", name: "Alexander Grebenyuk")
    let nuke = Repository(
      id: 31_785_514, name: "Nuke", owner: kean, permissions: .init(push: true),
      pushedAt: Date(timeIntervalSince1970: 0))
    #expect(nuke.fullName == "kean/Nuke")
    let issue = GitHubAPI.Issue(
      id: 1, number: 871, title: "It is slow", user: kean, labels: [IssueLabel(name: "bug")],
      milestone: Milestone(id: 1, number: 1, title: "13.0"), pullRequest: .init(url: nil))
    let pull = PullRequest(
      id: 2, number: 870, title: "Sweep", labels: [], head: .init(ref: "sweep", sha: "5c0e7d1", repo: nuke))
    let release = Release(
      id: 3, tagName: "12.8.0", assets: [Asset(id: 4, name: "a.zip", size: 1, contentType: "application/zip")])
    let gist = Gist(id: "a", files: ["a.swift": .init(filename: "a.swift", content: "let a = 1\n")])
    try same(kean)
    try same(SearchResult(totalCount: 1, items: [nuke]))
    try same(issue)
    try same(pull)
    try same(release)
    try same(gist)
    try same(IssueComment(id: 5, body: "Thanks!", user: kean))
    try same(Email(email: "kean@example.com"))
  }

  private func same<Value: Codable & Hashable>(_ value: Value) throws {
    let data = try JSONEncoder.api(snakeCase: true).encode(value)
    #expect(try JSONDecoder.api().decode(Value.self, from: data) == value)
  }

  @Test func `an empty or null URL is decoded as nil`() throws {
    let text = #"{"id": 1, "login": "kean", "avatar_url": "", "html_url": null, "url": "https://h/users/kean"}"#
    let user = try JSONDecoder.api().decode(User.self, from: Data(text.utf8))
    #expect(user == User(id: 1, login: "kean", type: nil, url: URL(string: "https://h/users/kean")))
  }

  @Test func `a label that is a string is decoded`() throws {
    let text = #"["bug", {"name": "question", "color": "d876e3"}]"#
    let labels = try JSONDecoder.api().decode([IssueLabel].self, from: Data(text.utf8))
    #expect(labels == [IssueLabel(name: "bug"), IssueLabel(name: "question", color: "d876e3")])
  }

  @Test func `a new gist and a new issue are encoded in GitHub's format`() throws {
    func text(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder.api(snakeCase: true).encode(value), as: UTF8.self)
    }
    let gist = NewGist(description: "Two", isPublic: true, files: ["aB.swift": "a", "old_name.md": nil])
    #expect(
      try text(gist) == #"{"description":"Two","files":{"aB.swift":{"content":"a"},"old_name.md":null},"public":true}"#)
    #expect(try text(NewIssue(title: nil, state: "closed")) == #"{"state":"closed"}"#)
  }
}
