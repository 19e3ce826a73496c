import CassetteSystem
import TestSupport
import Testing

@testable import Cassettes

@Suite struct RequestIndexTests {
  private func append(_ index: inout RequestIndex, _ method: String, _ target: String) {
    index.append(method: Array(method.utf8).span, target: Array(target.utf8).span)
  }

  private func members(_ index: RequestIndex, _ method: String, _ target: String) -> [Int] {
    index.group(method: Array(method.utf8).span, target: Array(target.utf8).span).map { index.members(of: $0) } ?? []
  }

  @Test(arguments: [0, 16, 10_000])
  func `ten thousand random requests are found in recorded order, and other requests are not`(capacity: Int) {
    var random = Seeded(UInt64(capacity))
    var index = RequestIndex(capacity: capacity)
    var expected: [String: [Int]] = [:]
    let methods = ["GET", "POST", "PUT", "G", "GETX"]
    for number in 0..<10_000 {
      let method = methods.randomElement(using: &random) ?? "GET"
      var target = "/" + String(Int.random(in: 0..<3_000, using: &random), radix: 36)
      if Bool.random(using: &random) { target += "/long/path/of/some/length" }
      if Bool.random(using: &random) { target += "?page=\(Int.random(in: 0..<3, using: &random))" }
      append(&index, method, target)
      expected["\(method) \(target)", default: []].append(number)
    }
    for (request, numbers) in expected {
      let words = request.split(separator: " ").map(String.init)
      #expect(members(index, words[0], words[1]) == numbers, "\(request)")
      #expect(members(index, words[0], words[1] + "~") == [])
      #expect(members(index, words[0] + "Y", words[1]) == [])
    }
    #expect(index.groups.count == expected.count)
    #expect(Set(index.methods.map { String(decoding: $0, as: UTF8.self) }) == Set(methods))
  }

  @Test func `the method and the target of a request are compared separately`() {
    var index = RequestIndex(capacity: 2)
    append(&index, "GET", "/a")
    #expect(members(index, "GET /", "a") == [])
    #expect(members(index, "GE", "T/a") == [])
    #expect(members(index, "get", "/a") == [])
    #expect(members(index, "GET", "/a") == [0])
  }

  @Test func `equivalent spellings of a target share a group`() {
    var index = RequestIndex(capacity: 4)
    for target in ["/a?x=1&y=2", "/a?y=2&x=1", "/%61?x=%31&y=2", "/a?y=2&x=1&"] { append(&index, "GET", target) }
    #expect(members(index, "GET", "/a?y=2&&x=1") == [0, 1, 2, 3])
  }
}
