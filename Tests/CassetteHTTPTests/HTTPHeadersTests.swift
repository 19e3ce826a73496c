import CassetteHTTP
import Testing

struct HTTPHeadersTests {
  private let headers: HTTPHeaders = [("Set-Cookie", "a=1"), ("ETag", "\"x\""), ("set-cookie", "b=2")]

  @Test func `a field is found in any case, and the first of several is returned`() {
    #expect(headers["SET-COOKIE"] == "a=1")
    #expect(headers.values(of: "Set-cookie") == ["a=1", "b=2"])
    #expect(headers.contains("etag"))
    #expect(headers["Etags"] == nil)
    #expect(headers.values(of: "x").isEmpty)
  }

  @Test func `header fields keep their order, case and repetitions`() {
    #expect(headers.map(\.name) == ["Set-Cookie", "ETag", "set-cookie"])
    #expect(headers != HTTPHeaders([("ETag", "\"x\""), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")]))
    #expect(headers.description == "Set-Cookie: a=1\nETag: \"x\"\nset-cookie: b=2")
  }

  @Test func `setting a field replaces the first of its name in position and removes the others`() {
    var headers = headers
    headers.set("SET-COOKIE", "c=3")
    #expect(headers == [("Set-Cookie", "c=3"), ("ETag", "\"x\"")])
    headers.set("Vary", "Accept")
    #expect(headers.last == HTTPHeaders.Field(name: "Vary", value: "Accept"))
  }

  @Test func `removing a header field removes all fields of its name`() {
    var headers = headers
    headers.remove("Set-Cookie")
    #expect(headers == ["ETag": "\"x\""])
    headers.append("etag", "y")
    #expect(headers.count == 2)
  }

  @Test func `members of a list are read from all fields of the name, without empty members`() {
    let headers: HTTPHeaders = ["Accept": "a, b ,,\tc", "accept": ",d"]
    #expect(headers.members(of: "ACCEPT") == ["a", "b", "c", "d"])
  }

  @Test func `a copy does not change with the original`() {
    var copy = headers
    copy.append("A", "b")
    #expect(headers.count == 3)
    #expect(Set([copy, headers]).count == 2)
  }
}
