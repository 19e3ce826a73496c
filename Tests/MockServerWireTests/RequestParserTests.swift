import CassetteHTTP
import MockServerWire
import Testing

struct RequestParserTests {
  static let accepted = [
    Row("RFC 9112 §2.2", "an empty line before the request", "\r\n" + get()),
    Row("RFC 9112 §2.2", "eight empty lines before the request", String(repeating: "\r\n", count: 8) + get()),
    Row("RFC 9112 §2.3", "HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n"),
    Row("RFC 9110 §2.5", "a later minor version", get(version: "1.7")),
    Row("RFC 9112 §3.1", "an unregistered method", get(method: "brew!")),
    Row("RFC 9112 §3.2.1", "a query with question marks", get(target: "/a?b?c=/d?")),
    Row("RFC 9112 §3.2.1", "slashes and colons in a path", get(target: "//a:80//@b/:c")),
    Row("RFC 9112 §3.2.1", "an invalid escape", get(target: "/%zz%")),
    Row(
      "RFC 9112 §3.2", "characters that are invalid in a URI but sent by clients", get(target: "/[a]|{b}\"<c>^`\\?é=ü")),
    Row("RFC 9112 §3.2.2", "an absolute URL", get(target: "http://shop.test/a?b")),
    Row(
      "RFC 9112 §3.2.2", "an absolute URL with user, port and no path", get(target: "HTTPS://me:pw@shop.test:8443?b")),
    Row("RFC 9112 §3.2.3", "a tunnel", get(target: "shop.test:443", method: "CONNECT")),
    Row("RFC 9112 §3.2.3", "a tunnel to an address", get(target: "[::1]:443", method: "CONNECT")),
    Row("RFC 9112 §3.2.4", "OPTIONS about the server", get(target: "*", method: "OPTIONS")),
    Row("RFC 9112 §3.2", "an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    Row("RFC 9112 §5.1", "no space after the colon", get("A:b\r\n")),
    Row("RFC 9112 §5.1", "tabs and spaces around a value", get("A:\t b \tc\t \r\n")),
    Row("RFC 9110 §5.5", "an empty value", get("A:\r\nB: \t\r\n")),
    Row("RFC 9110 §5.6.2", "every character of a token in a name", get("!#$%&'*+-.^_`|~09azAZ: v\r\n")),
    Row("RFC 9112 §6.3", "a length with zeros before it", get("Content-Length: 0003\r\n", method: "PUT") + "abc"),
    Row(
      "RFC 9112 §6.1", "chunked in any case, with empty members", get("transfer-encoding: ,CHUNKED ,\r\n") + "0\r\n\r\n"
    ),
    Row(
      "RFC 9112 §6.1", "chunked and an empty body in a second line of chunks",
      get("Transfer-Encoding: chunked\r\n") + "000\r\n\r\n"),
    Row("RFC 9110 §10.1.1", "an unknown expectation", get("Expect: miracles\r\n")),
    Row("RFC 9110 §7.8", "an upgrade that is ignored", get("Connection: Upgrade\r\nUpgrade: h2c\r\n")),
  ]

  static let refused = [
    Row("RFC 9112 §2.2", "nine empty lines", String(repeating: "\r\n", count: 9) + get(), 400),
    Row("RFC 9112 §2.2", "an empty line of LF", "\n" + get(), 400),
    Row("RFC 9112 §2.2", "a request line that ends with LF", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    Row("RFC 9112 §2.2", "a field line that ends with LF", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    Row("RFC 9112 §2.2", "a head that ends with LF", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
    Row("RFC 9112 §2.2", "a CR alone in a field", get("A: b\rC: d\r\n"), 400),
    Row("RFC 9112 §2.2", "a CR alone at the end of a head", "GET / HTTP/1.1\r\nHost: a\r\n\r ", 400),
    Row("RFC 9112 §2.2", "a CR alone after a version", "GET / HTTP/1.1\rHost: a\r\n\r\n", 400),
    Row("RFC 9112 §2.2", "white space before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    Row("RFC 9112 §2.3", "a version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n", 400),
    Row("RFC 9112 §2.3", "a version with two digits", get(version: "1.10"), 400),
    Row("RFC 9112 §2.3", "no version", "GET /\r\n\r\n", 400),
    Row("RFC 9110 §15.6.6", "HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    Row("RFC 9110 §15.6.6", "HTTP/0.9 by name", get(version: "0.9"), 505),
    Row("RFC 9112 §3", "two spaces before the target", get(target: " /"), 400),
    Row("RFC 9112 §3", "two spaces after the target", get(target: "/ "), 400),
    Row("RFC 9112 §3", "a tab instead of a space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Row("RFC 9112 §3", "a space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
    Row("RFC 9112 §3", "a space before the method", " " + get(), 400),
    Row("RFC 9112 §3.1", "a method that is not a token", get(method: "G(T"), 400),
    Row("RFC 9112 §3.1", "a TLS handshake", [0x16, 0x03, 0x01], status: 400),
    Row("RFC 9112 §3.2", "a relative target", get(target: "a/b"), 400),
    Row("RFC 9112 §3.2", "a control character in the target", get(target: "/a\u{1}"), 400),
    Row("RFC 9112 §3.2", "DEL in the target", get(target: "/a\u{7F}"), 400),
    Row("RFC 9112 §3.2", "a fragment", get(target: "/a#b"), 400),
    Row("RFC 9112 §3.2.2", "another scheme", get(target: "ftp://shop.test/"), 400),
    Row("RFC 9112 §3.2.2", "a scheme without slashes", get(target: "http:/shop.test/"), 400),
    Row("RFC 9110 §4.2.1", "a URL without a host", get(target: "http:///a"), 400),
    Row("RFC 9110 §4.2.1", "a URL with a port and no host", get(target: "http://:80/"), 400),
    Row("RFC 9112 §3.2.3", "a tunnel to a path", get(target: "/", method: "CONNECT"), 400),
    Row("RFC 9112 §3.2.3", "a tunnel without a port", get(target: "shop.test", method: "CONNECT"), 400),
    Row("RFC 9112 §3.2.3", "a host and port without CONNECT", get(target: "shop.test:443"), 400),
    Row("RFC 9112 §3.2.4", "GET about the server", get(target: "*"), 400),
    Row("RFC 9112 §3.2", "no Host in HTTP/1.1", "GET / HTTP/1.1\r\nA: b\r\n\r\n", 400),
    Row("RFC 9112 §3.2", "no field at all", "GET / HTTP/1.1\r\n\r\n", 400),
    Row("RFC 9112 §3.2", "a second Host, also when equal", get("hOST: shop.test\r\n"), 400),
    Row("RFC 9112 §3.2", "a second Host in HTTP/1.0", get("Host: shop.test\r\n", version: "1.0"), 400),
    Row("RFC 9112 §5", "a field line without a colon", get("Accept\r\n"), 400),
    Row("RFC 9112 §5.1", "a space before the colon", get("Accept : a\r\n"), 400),
    Row("RFC 9112 §5.1", "a tab before the colon", get("Content-Length\t: 3\r\n"), 400),
    Row("RFC 9112 §5.2", "a folded line", get("A: b\r\n c\r\n"), 400),
    Row("RFC 9110 §5.1", "an empty name", get(": b\r\n"), 400),
    Row("RFC 9110 §5.1", "a name that is not a token", get("A(b): c\r\n"), 400),
    Row("RFC 9110 §5.1", "a name beyond ASCII", get("Ä: c\r\n"), 400),
    Row("RFC 9110 §5.5", "NUL in a value", get("A: b\0c\r\n"), 400),
    Row("RFC 9110 §5.5", "a vertical tab in a value", get("A: b\u{B}\r\n"), 400),
    Row("RFC 9112 §6.1", "Transfer-Encoding in HTTP/1.0", get("Transfer-Encoding: chunked\r\n", version: "1.0"), 400),
    Row("RFC 9112 §6.1", "a coding before chunked", get("Transfer-Encoding: gzip, chunked\r\n"), 501),
    Row("RFC 9112 §6.1", "an unknown coding", get("Transfer-Encoding: cow\r\n"), 501),
    Row("RFC 9112 §6.1", "chunked twice", get("Transfer-Encoding: chunked, chunked\r\n"), 400),
    Row(
      "RFC 9112 §6.1", "chunked twice in two lines",
      get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400),
    Row("RFC 9112 §6.3", "a coding after chunked", get("Transfer-Encoding: chunked, gzip\r\n"), 400),
    Row("RFC 9112 §6.3", "no coding", get("Transfer-Encoding:\r\n"), 400),
    Row("RFC 9112 §7", "a coding in quotes", get("Transfer-Encoding: \"chunked\"\r\n"), 400),
    Row("RFC 9112 §7.1", "chunked with a parameter", get("Transfer-Encoding: chunked;a=b\r\n"), 400),
    Row("RFC 9112 §6.3", "two codings without a comma", get("Transfer-Encoding: chunked gzip\r\n"), 400),
    Row("RFC 9112 §6.3", "both lengths", get("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400),
    Row(
      "RFC 9112 §6.3", "both lengths the other way round", get("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"),
      400),
    Row("RFC 9112 §6.3", "two lengths", get("Content-Length: 3\r\nContent-Length: 4\r\n"), 400),
    Row("RFC 9112 §6.3", "the same length twice", get("Content-Length: 3\r\nContent-Length: 3\r\n"), 400),
    Row("RFC 9112 §6.3", "a list of lengths", get("Content-Length: 3, 3\r\n"), 400),
    Row("RFC 9112 §6.3", "a length with a sign", get("Content-Length: +3\r\n"), 400),
    Row("RFC 9112 §6.3", "a negative length", get("Content-Length: -3\r\n"), 400),
    Row("RFC 9112 §6.3", "a hexadecimal length", get("Content-Length: 0x3\r\n"), 400),
    Row("RFC 9112 §6.3", "a length with a space in it", get("Content-Length: 3 3\r\n"), 400),
    Row("RFC 9112 §6.3", "an empty length", get("Content-Length:\r\n"), 400),
    Row("RFC 9110 §8.6", "a length of 65 bits", get("Content-Length: 18446744073709551617\r\n"), 413),
    Row("RFC 9110 §8.6", "a length of 64 bits", get("Content-Length: 9223372036854775808\r\n"), 413),
  ]

  @Test(arguments: accepted)
  func `a valid stream is parsed as one request, whole and byte by byte`(row: Row) {
    for stream in [RequestStream(row.bytes), .byteByByte(row.bytes)] {
      #expect(stream.error == nil)
      #expect(stream.requests.count == 1)
      #expect(!stream.isWaiting)
    }
  }

  @Test(arguments: refused)
  func `an invalid stream is refused with its status`(row: Row) {
    let whole = RequestStream(row.bytes)
    #expect(whole.error?.status == row.status)
    #expect(whole.requests.isEmpty)
    #expect(RequestStream.byteByByte(row.bytes).error == whole.error)
  }

  @Test(arguments: [
    "shop.test", "shop.test:80", "shop.test:", "127.0.0.1:8080", "[::1]", "[::1]:80", "[2001:db8::8:800:200C:417A]",
    "[1:2:3:4:5:6:7:8]", "[::]", "[1::]", "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:192.0.2.1]", "[v1.a:b]",
    "a_b~c!$&'()*+,;=%41",
  ])
  func `a valid host with an optional port is accepted as Host`(host: String) {
    #expect(RequestStream("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).requests.first?.headers["host"] == host)
  }

  @Test(arguments: [
    "a b", "a/b", "me@shop.test", "shop.test:80:80", "shop.test:x", "shop.test:-1", "http://shop.test", "a,b@c", "a?b",
    "[::1", "::1", "[]", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1::2::3]", "[12345::]", "[:1]", "[1:]",
    "[::1.2.3]", "[::1.2.3.256]", "[::1.2.3.04]", "[fe80::1%25eth0]", "[v.a]", "[v1.]", "[vx.a]", "[::1]a", "a[::1]",
    "ä",
  ])
  func `an invalid Host is refused with status 400`(host: String) {
    let error = RequestStream("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).error
    #expect(error?.status == 400)
    #expect(error?.section == "RFC 9112 §3.2")
  }

  @Test func `several requests in one piece are parsed until one closes the connection`() {
    let text =
      get("Content-Length: 3\r\n", target: "/1", method: "PUT") + "abc"
      + get("Transfer-Encoding: chunked\r\n", target: "/2", method: "POST") + "2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n"
      + "\r\n"
      + get("Connection: close\r\n", target: "/3") + get(target: "/4")
    let stream = RequestStream(text.utf8)
    #expect(stream.requests.map(\.target.text) == ["/1", "/2", "/3"])
    #expect(stream.requests.map(\.body) == [Array("abc".utf8), Array("de".utf8), []])
    #expect(stream.trailers == [[("X-Sum", "5")]])
    #expect(stream.isClosed)
  }

  @Test func `a header value that is not UTF-8 is decoded as ISO-8859-1`() {
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nA: d\u{E9}\r\nB: ".utf8) + [0x64, 0xE9] + Array("\r\n\r\n".utf8)
    let headers = RequestStream(bytes).requests.first?.headers
    #expect(headers?.values(of: "a") == ["dé"])
    #expect(headers?["b"] == "dé")
  }

  @Test func `bytes of a target that are not UTF-8 are percent-encoded`() {
    let bytes = Array("GET /d".utf8) + [0xE9] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    #expect(RequestStream(bytes).requests.first?.target.text == "/d%E9")
  }
}
