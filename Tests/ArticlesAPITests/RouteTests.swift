import ArticlesAPI
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RouteTests {
  private static let draft = Draft(title: "Hi", summary: nil, content: "a/b")
  private static let ada = Credentials(email: "ada@example.com", password: "s3cret")

  @Test(arguments: [
    (Route.signIn(ada), "POST", "https://api.domain.com/v1/auth"),
    (.articles(page: 2), "GET", "https://api.domain.com/v2/articles?page=2"),
    (.article(7), "GET", "https://api.domain.com/v2/articles/7"),
    (.create(draft), "POST", "https://api.domain.com/v1/articles"),
    (.update(7, draft), "PUT", "https://api.domain.com/v1/articles/7"),
    (.delete(7), "DELETE", "https://api.domain.com/v1/articles/7"),
  ])
  func `a route has a method and a URL`(route: Route, method: String, url: String) throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    #expect(route.makeURL(baseURL: base).absoluteString == url)
    let request = try route.makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.url?.absoluteString == url)
    #expect(request.httpMethod == method)
    #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
  }

  @Test(arguments: [
    ("https://a.example/", "https://a.example/v2/articles?page=1"),
    ("http://127.0.0.1:8080/mock", "http://127.0.0.1:8080/mock/v2/articles?page=1"),
    ("https://a.example/api/?key=1", "https://a.example/api/v2/articles?key=1&page=1"),
  ])
  func `a route's path and query are appended to any base URL`(base: String, url: String) throws {
    #expect(Route.articles(page: 1).makeURL(baseURL: try #require(URL(string: base))).absoluteString == url)
  }

  @Test(arguments: [Route.signIn(ada), .auth(email: "ada@example.com", password: "s3cret")])
  func `a sign-in route carries no token`(route: Route) throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    #expect(!route.requiresAuthentication)
    let request = try route.makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test(arguments: [Route.articles(), .articles(page: 2), .article(1), .create(draft), .update(1, draft), .delete(1)])
  func `a route that needs a token carries it, and throws without one`(route: Route) throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    #expect(route.requiresAuthentication)
    let request = try route.makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
    #expect(throws: ArticlesError.signedOut) { try route.makeRequest(baseURL: base) }
  }

  @Test func `a route with a body has the content type of JSON`() throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    let request = try Route.create(Self.draft).makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == #"{"content":"a/b","title":"Hi"}"#)
  }

  @Test(arguments: [Route.articles(page: 1), .article(1), .delete(1)])
  func `a route without a body has no content type`(route: Route) throws {
    let base = try #require(URL(string: "https://api.domain.com"))
    let request = try route.makeRequest(baseURL: base, token: .bearer("abc"))
    #expect(request.httpBody == nil)
    #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
  }
}
