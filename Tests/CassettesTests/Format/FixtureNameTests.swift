import CassetteHTTP
import Testing

@testable import Cassettes

@Suite struct FixtureNameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let method: HTTPMethod
    let status: HTTPStatus
    let paths: [String]

    init(_ file: String, _ method: HTTPMethod, _ status: HTTPStatus, _ paths: [String]) {
      (self.file, self.method, self.status, self.paths) = (file, method, status, paths)
    }

    init(_ file: String, _ paths: [String]) { self.init(file, .get, 200, paths) }

    var testDescription: String { file }
  }

  @Test(arguments: [
    Row("users/kean.json", ["/users/kean", "/users/kean.json"]),
    Row("articles.POST.201.json", .post, 201, ["/articles"]),
    Row("articles.201.json", .get, 201, ["/articles"]),
    Row("articles.POST.json", .post, 200, ["/articles"]),
    Row("articles.DELETE.204", .delete, 204, ["/articles"]),
    Row("gone.410", .get, 410, ["/gone"]),
    Row("articles.PUT", .put, 200, ["/articles"]),
    Row("users/{name}.json", ["/users/{name}", "/users/{name}.json"]),
    Row("users/{name}/repos.json", ["/users/{name}/repos", "/users/{name}/repos.json"]),
    Row("index.json", ["/", "/index.json"]),
    Row("guide/index.json", ["/guide", "/guide/", "/guide/index.json"]),
    Row("guide/index.POST.json", .post, 200, ["/guide", "/guide/"]),
    Row("robots.txt", ["/robots", "/robots.txt"]),
    Row("LICENSE", ["/LICENSE"]),
    Row("archive.tar.gz", ["/archive.tar", "/archive.tar.gz"]),
    Row("v1.2.json", ["/v1.2", "/v1.2.json"]),
    Row("404.json", ["/404", "/404.json"]),
    Row("POST.json", ["/POST", "/POST.json"]),
    Row("a.post.json", ["/a.post", "/a.post.json"]),
    Row("a.999.json", ["/a.999", "/a.999.json"]),
    Row("a b/é.json", ["/a%20b/%C3%A9", "/a%20b/%C3%A9.json"]),
    Row("100%.json", ["/100%25", "/100%25.json"]),
    Row("what?.json", ["/what%3F", "/what%3F.json"]),
    Row("maintenance.503.json", .get, 503, ["/maintenance"]),
  ])
  func `a fixture's file name determines method, status and paths`(row: Row) {
    let name = FixtureName(relativePath: row.file)
    #expect(name.method == row.method)
    #expect(name.status == row.status)
    #expect(name.paths == row.paths)
  }
}
