import CassetteHTTP
import MockServerWire
import Testing

struct ResponseSerializerTests {
  private func head(_ status: HTTPStatus, _ reason: String? = nil, _ headers: HTTPHeaders = []) -> String {
    var bytes: [UInt8] = []
    ResponseSerializer.appendHead(status: status, reason: reason, headers: headers, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a head is written as status line, header fields in order and an empty line`() {
    #expect(head(200, nil, ["B": "1", "a": "é", "B": "2"]) == "HTTP/1.1 200 OK\r\nB: 1\r\na: é\r\nB: 2\r\n\r\n")
  }

  @Test func `a custom reason replaces the standard phrase`() {
    #expect(head(404, "Gone fishing") == "HTTP/1.1 404 Gone fishing\r\n\r\n")
    #expect(head(404, "") == "HTTP/1.1 404 \r\n\r\n")
  }

  @Test func `a status without a phrase is followed by a space`() {
    #expect(head(299) == "HTTP/1.1 299 \r\n\r\n")
  }

  @Test func `line breaks in a reason or header field are replaced by spaces`() {
    let head = head(200, "a\r\nb", ["A\r\nB": "c\r\nD: e\0\n"])
    #expect(head == "HTTP/1.1 200 a  b\r\nA  B: c  D: e  \r\n\r\n")
  }

  @Test(arguments: [-1, 0, 99, 1000, .max])
  func `a status without three digits is written as 500`(code: Int) {
    #expect(head(HTTPStatus(code)) == "HTTP/1.1 500 Internal Server Error\r\n\r\n")
  }
}

struct HTTPStatusTests {
  @Test(arguments: [(200, "200 OK"), (413, "413 Content Too Large"), (422, "422 Unprocessable Content"), (599, "599")])
  func `the description of a status is its code and phrase`(code: Int, text: String) {
    #expect(HTTPStatus(code).description == text)
  }

  @Test func `a status has the properties of its class`() {
    #expect(HTTPStatus(103).isInformational && !HTTPStatus(103).allowsContent)
    #expect(HTTPStatus(204).isSuccessful && !HTTPStatus(204).allowsContent)
    #expect(HTTPStatus(304).isRedirection && !HTTPStatus(304).allowsContent)
    #expect(HTTPStatus(404).isError && HTTPStatus(404).allowsContent)
  }

  @Test func `HTTP versions are ordered and have a description`() {
    #expect(HTTPVersion.http10 < .http11)
    #expect(HTTPVersion(major: 2, minor: 0) > .http11)
    #expect(HTTPVersion.http11.description == "HTTP/1.1")
  }
}
