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
  func `a name stands for one segment that is there`(template: String, path: String, fits: Bool) throws {
    #expect(try #require(PathTemplate(template)).matches(path) == fits)
  }

  @Test(arguments: [
    "/users/kean", "/", "", "/users/{}", "/users/{name", "/users/name}", "/users/a{name}", "/{name}.json",
  ])
  func `without a whole segment in braces it is no template`(path: String) {
    #expect(PathTemplate(path) == nil)
  }

  @Test func `the more is literal the better it fits`() throws {
    let counts = try ["/a/{b}", "/{a}/{b}", "/a/b/{c}"].map { try #require(PathTemplate($0)).literals }
    #expect(counts == [2, 1, 3])
  }
}
