import APIClientKit
import CassetteFormats
import CassetteHTTP
import Cassettes
import Foundation
import GitHubAPI
import TestSupport
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// The model that decodes the responses to a path in recordings of GitHub.
private struct Row: Sendable {
  /// The path.
  ///
  /// Each `*` matches one segment.
  let path: String
  let type: any (Decodable & Sendable).Type
  var methods = ["GET", "PATCH", "POST", "PUT"]

  init(_ path: String, _ type: any (Decodable & Sendable).Type, _ methods: String...) {
    (self.path, self.type) = (path, type)
    if !methods.isEmpty { self.methods = methods }
  }

  func answers(_ method: String, _ path: String) -> Bool {
    let pattern = self.path.split(separator: "/")
    let segments = path.split(separator: "/")
    return methods.contains(method) && pattern.count == segments.count
      && zip(pattern, segments).allSatisfy { $0 == "*" || $0 == $1 }
  }
}

private let rows: [Row] = [
  Row("/user", User.self), Row("/users", [User].self), Row("/users/*", User.self), Row("/orgs/*", User.self),
  Row("/organizations", [User].self), Row("/users/*/followers", [User].self), Row("/users/*/following", [User].self),
  Row("/users/*/orgs", [User].self), Row("/user/followers", [User].self), Row("/user/blocks", [User].self),
  Row("/orgs/*/members", [User].self), Row("/orgs/*/public_members", [User].self),
  Row("/repos/*/*/collaborators", [User].self), Row("/repos/*/*/subscribers", [User].self),
  Row("/organizations/*/team/*/members", [User].self), Row("/user/emails", [Email].self),
  Row("/repos/*/*", Repository.self), Row("/repositories/*", Repository.self),
  Row("/user/repos", Repository.self, "POST"),
  Row("/orgs/*/repos", Repository.self, "POST"), Row("/repositories/*/generate", Repository.self),
  Row("/repositories", [Repository].self), Row("/organizations/*/team/*/repos", [Repository].self),
  Row("/repos/*/*/transfer", Repository.self),
  Row("/search/repositories", SearchResult<Repository>.self), Row("/search/issues", SearchResult<GitHubAPI.Issue>.self),
  Row("/search/users", SearchResult<User>.self),
  Row("/repos/*/*/issues", [GitHubAPI.Issue].self, "GET"), Row("/repositories/*/issues", [GitHubAPI.Issue].self, "GET"),
  Row("/repos/*/*/issues", GitHubAPI.Issue.self, "POST"), Row("/repos/*/*/issues/*", GitHubAPI.Issue.self),
  Row("/repos/*/*/issues/*/comments", [IssueComment].self, "GET"),
  Row("/repos/*/*/issues/*/comments", IssueComment.self, "POST"),
  Row("/repos/*/*/comments", [IssueComment].self), Row("/repos/*/*/comments/*", IssueComment.self),
  Row("/repos/*/*/commits/*/comments", [IssueComment].self, "GET"),
  Row("/repos/*/*/commits/*/comments", IssueComment.self, "POST"),
  Row("/gists/*/comments", [IssueComment].self, "GET"), Row("/gists/*/comments", IssueComment.self, "POST"),
  Row("/repos/*/*/labels", [IssueLabel].self, "GET"), Row("/repos/*/*/labels", IssueLabel.self, "POST"),
  Row("/repos/*/*/labels/*", IssueLabel.self), Row("/repos/*/*/issues/*/labels", [IssueLabel].self),
  Row("/repos/*/*/milestones/*/labels", [IssueLabel].self),
  Row("/repos/*/*/milestones", [Milestone].self, "GET"), Row("/repos/*/*/milestones", Milestone.self, "POST"),
  Row("/repositories/*/milestones", [Milestone].self), Row("/repos/*/*/milestones/*", Milestone.self),
  Row("/repos/*/*/pulls", [PullRequest].self, "GET"), Row("/repos/*/*/pulls", PullRequest.self, "POST"),
  Row("/repos/*/*/pulls/*", PullRequest.self), Row("/repos/*/*/commits/*/pulls", [PullRequest].self),
  Row("/repos/*/*/releases", [Release].self, "GET"), Row("/repos/*/*/releases", Release.self, "POST"),
  Row("/repos/*/*/releases/*", Release.self), Row("/repos/*/*/releases/tags/*", Release.self),
  Row("/repos/*/*/releases/*/assets", [Asset].self, "GET"), Row("/repos/*/*/releases/*/assets", Asset.self, "POST"),
  Row("/repos/*/*/releases/assets/*", Asset.self),
  Row("/gists", Gist.self, "POST"), Row("/gists/*", Gist.self), Row("/gists/*/forks", Gist.self, "POST"),
]

/// Recordings of github3.py, octokit.rb, octokit/fixtures and hub4j, in the folder that `CORPORA` names.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder")) struct `GitHub models and public recordings` {
  private struct Body {
    let place: String
    let method: String
    let path: String
    let accept: String
    let status: Int
    let bytes: Data
  }

  /// Returns the response bodies of all recordings after an import.
  private func bodies() throws -> [Body] {
    let root = try #require(corpora)
    let files = ["vcr", "nock", "wiremock/hub4j-example"].flatMap { folder in
      ((try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).sorted().compactMap { file in
        file.hasSuffix(".json") && !file.contains("derived/") && !file.contains("__files/")
          ? "\(root)/\(folder)/\(file)" : nil
      }
    }
    return try files.flatMap { file in
      let folder = try ScratchFolder()
      guard
        let report = try ImportTransaction(into: folder.path("out"), redaction: nil).run([file]).first,
        let cassette = try report.cassette.map({ try CassetteFile.read(path: $0) })
      else { return [Body]() }
      return try cassette.interactions.compactMap { interaction in
        guard let status = interaction.status, let body = interaction.responseBody else { return nil }
        let path = interaction.pathAndQuery.prefix { $0 != "?" }
        return Body(
          place: "\(file) \(interaction.id)", method: interaction.method.rawValue, path: String(path),
          accept: interaction.requestHeaders["Accept"] ?? "", status: status, bytes: Data(try body.bytes()))
      }
    }
  }

  @Test func `every recorded body is decoded, and every error body has a message`() throws {
    var total = 0
    var refused = 0
    var failures: [String] = []
    for body in try bodies() where body.status < 300 || body.status >= 400 {
      // Placeholders for numbers make some bodies invalid JSON. A media type may request a diff or another object.
      guard let row = rows.first(where: { $0.answers(body.method, body.path) }),
        !body.accept.contains(/diff|patch|star/),
        (try? JSONSerialization.jsonObject(with: body.bytes, options: .fragmentsAllowed)) != nil
      else { continue }
      total += 1
      do {
        if body.status >= 400 {
          refused += 1
          let error = try JSONDecoder.api().decode(GitHubError.self, from: body.bytes)
          #expect(GitHubFailure.status(body.status, error).localizedDescription.contains(error.message))
        } else {
          _ = try JSONDecoder.api().decode(row.type, from: body.bytes)
        }
      } catch {
        failures.append("\(body.place) \(body.method) \(body.path) \(body.status): \(error)")
      }
    }
    #expect(total > 440 && refused > 5, "\(total) bodies, \(refused) of them refusals")
    #expect(failures.isEmpty, "\(total - failures.count) of \(total): \(failures.joined(separator: "\n"))")
  }
}
