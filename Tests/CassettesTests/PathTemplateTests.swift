import Testing

@testable import Cassettes

@Suite struct PathTemplateTests {
  @Test(arguments: [
    ("/users/{name}", "/users/kean", true), ("/users/{name}", "/users/", false), ("/users/{name}", "/users", false),
    ("/users/{name}", "/users/kean/", false), ("/users/{name}", "/users/kean/repos", false),
    ("/users/{name}", "/Users/kean", false), ("/users/{name}", "/users/a%2Fb", true),
    ("/users/{name}/repos", "/users/kean/repos", true), ("/users/{name}/repos", "/users/kean/issues", false),
    ("/{a}/{b}", "/x/y", true), ("/{a}/{b}", "/x", false), ("/{name}", "/{name}", true),
  ])
  func `a name in braces matches one segment that is not empty`(template: String, path: String, fits: Bool) throws {
    #expect(try #require(PathTemplate(template)).matches(path) == fits)
  }

  @Test(arguments: [
    "/users/kean", "/", "", "/users/{}", "/users/{name", "/users/name}", "/users/a{name}", "/{name}.json",
  ])
  func `a path without a whole segment in braces is not a template`(path: String) {
    #expect(PathTemplate(path) == nil)
  }

  @Test func `the number of literal segments of a template is counted`() throws {
    let counts = try ["/a/{b}", "/{a}/{b}", "/a/b/{c}"].map { try #require(PathTemplate($0)).literals }
    #expect(counts == [2, 1, 3])
  }
}
