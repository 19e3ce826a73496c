import CassetteSystem
import TestSupport
import Testing

@testable import Cassettes

@Suite struct CanonicalTargetTests {
  private func canonical(_ target: String) -> String {
    var bytes: [UInt8] = []
    CanonicalTarget.append(Array(target.utf8).span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("/", "/"), ("/users/kean", "/users/kean"), ("/users/%6bean", "/users/kean"), ("/a%2fb", "/a%2Fb"),
    ("/a%2Fb", "/a%2Fb"), ("/%7Euser", "/~user"), ("/100%", "/100%"), ("/%zz", "/%zz"), ("/a%4", "/a%4"),
    ("/caf%c3%a9", "/caf%C3%A9"), ("/café", "/caf%C3%A9"), ("/{name}", "/{name}"), ("/%7Bname%7D", "/%7Bname%7D"),
    ("/<string>", "/<string>"), ("/%3Cstring%3E", "/<string>"), ("/a%5b0%5d%7c%22", "/a[0]|\""), ("/a+b", "/a+b"),
    ("/a?", "/a"), ("/a?&", "/a"), ("/a?&&x=1&", "/a?x=1"), ("/a?x", "/a?x="), ("/a?x=", "/a?x="), ("/a?=1", "/a?=1"),
    ("/a?b=2&a=1", "/a?a=1&b=2"), ("/a?a=2&a=1", "/a?a=2&a=1"), ("/a?x=1=2", "/a?x=1%3D2"),
    ("/a?q=a+b", "/a?q=a%20b"), ("/a?q=a%20b", "/a?q=a%20b"), ("/a?q=a%2Bb", "/a?q=a%2Bb"),
    ("/a?q=a%2bb", "/a?q=a%2Bb"),
    ("/a?%61=1", "/a?a=1"), ("/a?x%3D1", "/a?x%3D1="), ("/a?x=%26", "/a?x=%26"), ("/a?x=1?y", "/a?x=1%3Fy"),
    ("/a?x=é", "/a?x=%C3%A9"), ("/a?b=%C3%A9", "/a?b=%C3%A9"), ("/a?x[]=1", "/a?x%5B%5D=1"),
    ("/a?x%5B%5D=1", "/a?x%5B%5D=1"), ("/a?B=1&a=2&A=3", "/a?A=3&B=1&a=2"), ("*", "*"),
    ("/a?a=1&b=2", "/a?a=1&b=2"), ("/a?ab=1&a=2", "/a?a=2&ab=1"), ("/a?a=1&b", "/a?a=1&b="), ("/a?a=1&", "/a?a=1"),
    ("/a?a=1&&b=2", "/a?a=1&b=2"), ("/a?=1&a=2", "/a?=1&a=2"), ("/a?a=&b=", "/a?a=&b="),
    ("/a?a=1&b=2=3", "/a?a=1&b=2%3D3"),
  ])
  func `equivalent targets have the same canonical spelling`(target: String, spelling: String) {
    #expect(canonical(target) == spelling)
    #expect(canonical(spelling) == spelling, "a canonical target stays unchanged")
  }

  @Test func `the unreserved bytes are those of RFC 3986`() {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(CanonicalTarget.isUnreserved(byte) == unreserved.contains(byte), "byte \(byte)")
    }
  }

  @Test(arguments: 0..<40)
  func `the order of query parameters with different names is ignored, and with equal names it counts`(seed: UInt64) {
    var random = Seeded(seed)
    let names = ["a", "b", "page", "q", "x%5B%5D", "é", ""]
    let parameters = (0..<Int.random(in: 2...8, using: &random)).map { position in
      (name: names.randomElement(using: &random) ?? "a", value: "\(position)")
    }
    func target(_ parameters: [(name: String, value: String)]) -> String {
      "/path?" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
    let key = canonical(target(parameters))
    for first in parameters.indices.dropLast() {
      var swapped = parameters
      swapped.swapAt(first, first + 1)
      let isSameName = parameters[first].name == parameters[first + 1].name
      #expect((canonical(target(swapped)) == key) == !isSameName, "\(target(parameters)) at \(first)")
    }
  }

  @Test(arguments: 0..<40)
  func `escapes of unreserved characters are ignored, and escapes of separators count`(seed: UInt64) {
    var random = Seeded(seed)
    let letters = Array("abcXYZ019-._~".utf8)
    let path = (0..<12).compactMap { _ in letters.randomElement(using: &random) }
    let plain = "/" + String(decoding: path, as: UTF8.self)
    let escaped =
      "/"
      + path.map { byte -> String in
        let hex = String(byte, radix: 16, uppercase: Bool.random(using: &random))
        return Bool.random(using: &random) ? "%\(hex)" : String(decoding: [byte], as: UTF8.self)
      }.joined()
    #expect(canonical(escaped) == canonical(plain))
    #expect(canonical("\(escaped)?k=\(escaped.dropFirst())") == canonical("\(plain)?k=\(plain.dropFirst())"))
    #expect(canonical("/a%2Fb") != canonical("/a/b"))
    #expect(canonical("/a?x=1%26y=2") != canonical("/a?x=1&y=2"))
  }
}
