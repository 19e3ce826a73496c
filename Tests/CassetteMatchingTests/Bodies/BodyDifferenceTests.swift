import Testing

@testable import CassetteJSON
@testable import CassetteMatching

struct BodyDifferenceTests {
  private func tolerance(_ ignored: String..., extra: Bool = false, order: Bool = false) -> JSONTolerance {
    JSONTolerance(ignored: ignored.compactMap { try? JSONQuery($0) }, allowsExtra: extra, allowsAnyOrder: order)
  }

  @Test(arguments: [
    (#"{"id":1,"n":"x"}"#, #"{"id":2,"n":"x"}"#, ["$.id"]),
    (#"{"a":[1,{"b":2}]}"#, #"{"a":[1,{"b":3},4]}"#, ["$.a[1].b", "$.a[2]"]),
    ("a=1&b=2", "a=1&b=3", ["b"]), ("<a>\n1\n</a>\n", "<a>\n2\n</a>\n", ["line 2"]),
    ("a b\nc d", "a b\nx\nc d", ["line 2"]),
    (#"{"query":"{a}","variables":{"id":1}}"#, #"{"query":"{a}","variables":{"id":2}}"#, ["$.variables.id"]),
    (#"{"query":"{a}"}"#, #"{"query":"{b}"}"#, ["$.query"]),
  ])
  func `a difference names its JSON path, form field or line`(sent: String, recorded: String, places: [String]) {
    #expect(body(recorded).differences(from: body(sent)).map(\.place) == places)
  }

  @Test func `differing values are shown in their spelling and shortened around the difference`() {
    let long = String(repeating: "x", count: 300)
    #expect(
      body(#"{"a":"x"}"#).differences(from: body(#"{"a":1.50}"#)) == [
        BodyDifference(place: "$.a", sent: "1.50", recorded: "\"x\"", isGenerated: false)
      ])
    let found = body("[\"\(long)1\"]").differences(from: body("[\"\(long)2\"]"))
    #expect(found.first?.sent == "…" + String(repeating: "x", count: 30) + "2\"")
    #expect(found.first?.recorded == "…" + String(repeating: "x", count: 30) + "1\"")
  }

  @Test(arguments: [
    (#"{"at":1,"n":1}"#, #"{"at":2,"n":1}"#), (#"{"n":1}"#, #"{"at":2,"n":1}"#), ("at=1&n=1", "n=1&at=3"),
    ("n=1", "n=1&at=3"),
  ])
  func `an ignored member or field does not count as a difference`(sent: String, recorded: String) {
    let tolerance = tolerance("$.at")
    let (sent, recorded) = (body(sent, nil, tolerance), body(recorded, nil, tolerance))
    #expect(sent.digest == recorded.digest)
    #expect(recorded.differences(from: sent).isEmpty)
    #expect(recorded.differences(from: body("{\"at\":1,\"n\":2}", nil, tolerance)).count == 1)
  }

  @Test func `an ignored path with an asterisk applies to every element`() {
    let tolerance = tolerance("$.items[*].id")
    let (sent, recorded) = (#"{"items":[{"id":1,"n":"a"},{"id":2}]}"#, #"{"items":[{"id":3,"n":"a"},{"n":"b"}]}"#)
    #expect(
      body(recorded, nil, tolerance).differences(from: body(sent, nil, tolerance)).map(\.place) == ["$.items[1].n"])
  }

  @Test func `an ignored part of a multipart body does not count as a difference`() {
    func parts(_ content: String) -> String {
      "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\(content)\r\n--b--\r\n"
    }
    let tolerance = tolerance("$.f")
    #expect(body(parts("1"), nil, tolerance).digest == body(parts("2"), nil, tolerance).digest)
    #expect(body(parts("1"), nil, tolerance).differences(from: body(parts("2"), nil, tolerance)).isEmpty)
  }

  @Test func `arrays with ignored order are equal if their elements are equal in any order`() {
    let tolerance = tolerance("$[*].id", order: true)
    let recorded = body(#"[{"id":1,"n":1},{"id":2,"n":2},{"id":3,"n":1}]"#, nil, tolerance)
    let sent = body(#"[{"n":2,"id":9},{"id":8,"n":1},{"id":7,"n":1}]"#, nil, tolerance)
    #expect(recorded.digest == sent.digest)
    #expect(recorded.differences(from: sent).isEmpty)
    let other = body(#"[{"n":2},{"n":2},{"n":1}]"#, nil, tolerance)
    #expect(recorded.digest != other.digest)
    #expect(recorded.differences(from: other).count == 2)
  }

  @Test func `with extra members allowed, a missing member still counts as a difference`() {
    let recorded = body(#"{"a":[1]}"#, nil, tolerance(extra: true))
    #expect(recorded.differences(from: body(#"{"b":1,"a":[1,2]}"#)).isEmpty)
    #expect(recorded.differences(from: body(#"{"b":1}"#)).map(\.place) == ["$.a"])
  }

  @Test func `at most a hundred differences are listed`() {
    let many = (0..<1000).map { "\($0)" }.joined(separator: ",")
    #expect(body("[\(many)]").differences(from: body("[]")).count == 100)
    #expect(body(many.replacing(",", with: "\n")).differences(from: body("x")).count == 100)
  }

  /// Returns a body with a secret, a number of UUIDs and an amount, as JSON, a form or lines.
  private func many(_ count: Int, _ isSent: Bool, amount: Int, _ kind: NormalBody.Kind) -> NormalBody {
    let token = isSent ? "abc" : "{{secret:1}}"
    let ids = (0..<count).map { (isSent ? "550e8400" : "6ba7b810") + "-e29b-41d4-a716-4466554\(10_000 + $0)" }
    switch kind {
    case .json:
      return body("{\"token\":\"\(token)\",\"ids\":[\"\(ids.joined(separator: "\",\""))\"],\"amount\":\(amount)}")
    case .form:
      return body("token=\(token)&" + ids.map { "id=\($0)&" }.joined() + "amount=\(amount)", form)
    default: return body("token \(token) of\n" + ids.map { "id \($0)\n" }.joined() + "amount \(amount)\n")
    }
  }

  @Test(arguments: [99, 100, 101, 150, 500], [NormalBody.Kind.json, .form, .text])
  func `a changed amount after hundreds of generated values is listed as a difference`(
    count: Int, kind: NormalBody.Kind
  ) {
    let recorded = many(count, false, amount: 5, kind)
    #expect(recorded.kind == kind)
    let alike = recorded.differences(from: many(count, true, amount: 5, kind))
    #expect(alike.count == min(count, 100) && !alike.contains { !$0.isGenerated })
    let other = recorded.differences(from: many(count, true, amount: 999, kind))
    #expect(other.count == min(count + 1, 100) && other.filter { !$0.isGenerated }.count == 1)
    #expect(other.last?.isGenerated == false && other.last?.sent?.contains("999") == true)
    let longer = recorded.differences(from: many(count + 1, true, amount: 5, kind))
    #expect(longer.contains { !$0.isGenerated })
  }

  @Test func `a body beyond the comparison's budget counts as different`() {
    func times(_ last: Int, _ token: String) -> NormalBody {
      body("[\"\(token)\"," + (0..<10_001).map { "\(1_700_000_000 + ($0 + last) % 9)" }.joined(separator: ",") + "]")
    }
    let found = times(0, "{{secret:1}}").differences(from: times(1, "x"))
    #expect(found.count == 100 && found.filter { !$0.isGenerated }.count == 1)
  }

  @Test func `a place is changing if all bodies are otherwise equal and each has another value of one type`() {
    func changing(_ bodies: String...) -> Set<String> { NormalBody.changing(among: bodies.map { body($0) }) }
    #expect(changing(#"{"n":1,"s":"a"}"#, #"{"s":"b","n":1}"#, #"{"n":1,"s":"c"}"#) == ["$.s"])
    #expect(changing(#"{"n":1}"#, #"{"n":2}"#) == ["$.n"])
    #expect(changing("a=1&b=x", "b=y&a=1") == ["b"])
    // A repeated value, another type, another member, equal bodies, a single body, and bodies of two kinds.
    #expect(changing(#"{"n":1}"#, #"{"n":2}"#, #"{"n":1}"#).isEmpty)
    #expect(changing(#"{"n":1}"#, #"{"n":"1"}"#).isEmpty)
    #expect(changing(#"{"n":true}"#, #"{"n":false}"#).isEmpty)
    #expect(changing(#"{"n":1}"#, #"{"n":2,"m":1}"#).isEmpty)
    #expect(changing(#"{"n":1,"m":1}"#, #"{"n":2,"m":1}"#, #"{"n":3,"m":2}"#).isEmpty)
    #expect(changing(#"{"n":1}"#, #"{"n":1}"#).isEmpty)
    #expect(changing(#"{"n":1}"#).isEmpty)
    #expect(changing(#"{"n":1}"#, "n=2").isEmpty)
    #expect(changing("a=1&a=2", "a=3&a=4").isEmpty)
  }

  @Test func `a new value of the same type at a changing place counts as generated`() {
    let (one, two) = (body(#"{"n":1,"s":"a"}"#), body(#"{"n":1,"s":"b"}"#))
    let places = NormalBody.changing(among: [one, two])
    #expect(one.differences(from: body(#"{"n":1,"s":"z"}"#), changing: places).map(\.isGenerated) == [true])
    #expect(one.differences(from: body(#"{"n":1,"s":5}"#), changing: places).map(\.isGenerated) == [false])
    #expect(one.differences(from: body(#"{"n":2,"s":"z"}"#), changing: places).map(\.isGenerated) == [false, true])
    #expect(one.differences(from: body(#"{"n":1}"#), changing: places).map(\.isGenerated) == [false])
  }
}
