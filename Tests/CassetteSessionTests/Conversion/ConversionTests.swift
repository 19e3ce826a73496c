import CassetteHTTP
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Conversion of requests and responses` {
  @Test(arguments: [
    ("https://api.example.com/a?b=1#c", "https://api.example.com/a?b=1"),
    ("https://user:secret@api.example.com/a", "https://api.example.com/a"),
    ("HTTP://Example.com", "http://Example.com"), ("https://example.com#b/@", "https://example.com"),
    ("https://example.com?to=a@b", "https://example.com?to=a@b"),
    ("https://example.com/a@b:c", "https://example.com/a@b:c"),
  ])
  func `a URL is converted to an absolute target without credentials and fragment`(url: String, target: String) throws {
    let sent = URLRequest(url: try #require(URL(string: url)))
    let request = try #require(HTTPRequest(sent, body: []))
    #expect(request.target.text == target)
  }

  @Test(arguments: ["ftp://example.com/a", "file:///a", "data:,a"])
  func `a URL of another scheme than HTTP is not converted`(url: String) throws {
    let sent = URLRequest(url: try #require(URL(string: url)))
    #expect(HTTPRequest(sent, body: []) == nil)
  }

  @Test func `a field of the request overrides the same field of the session`() throws {
    var request = URLRequest(url: try #require(URL(string: "https://example.com/")))
    request.setValue("request", forHTTPHeaderField: "X-A")
    let converted = HTTPRequest(request, defaults: ["x-a": "session", "X-B": "session"], body: [])
    #expect(converted?.headers.map(\.value) == ["request", "session"])
  }

  @Test func `repeated fields are joined, and joined cookies are parsed separately`() throws {
    let url = try #require(URL(string: "https://example.com/"))
    let headers: HTTPHeaders = [("Set-Cookie", "a=1; Path=/"), ("set-cookie", "b=2; Path=/"), ("X", "1"), ("X", "2")]
    let response = try #require(HTTPURLResponse.make(url: url, status: 200, headers: headers))
    #expect(response.value(forHTTPHeaderField: "X") == "1, 2")
    let value = try #require(response.value(forHTTPHeaderField: "Set-Cookie"))
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
    #expect(cookies.map(\.name).sorted() == ["a", "b"])
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
    (308, "DELETE", "DELETE"),
  ])
  func `the method after a redirect depends on the status`(status: Int, method: String, expected: String) throws {
    let url = try #require(URL(string: "https://example.com/a/b"))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("secret", forHTTPHeaderField: "Authorization")
    let response = try #require(
      HTTPURLResponse.make(url: url, status: HTTPStatus(status), headers: [("Location", "../c")]))
    let next = try #require(Redirect.next(after: response, to: request))
    #expect(next.0.httpMethod == expected)
    #expect(next.0.url?.absoluteString == "https://example.com/c")
    #expect(next.0.value(forHTTPHeaderField: "Authorization") == "secret")
  }

  @Test func `a redirect to another origin drops the Authorization field`() throws {
    let url = try #require(URL(string: "https://example.com/"))
    var request = URLRequest(url: url)
    request.setValue("secret", forHTTPHeaderField: "Authorization")
    let headers: HTTPHeaders = [("Location", "https://other.example.com/")]
    let response = try #require(HTTPURLResponse.make(url: url, status: 302, headers: headers))
    let next = try #require(Redirect.next(after: response, to: request))
    #expect(next.0.value(forHTTPHeaderField: "Authorization") == nil)
  }
}
