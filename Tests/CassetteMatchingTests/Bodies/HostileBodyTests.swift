import CassetteJSON
import TestSupport
import Testing

@testable import CassetteMatching

/// Hostile bodies: each is compared in time proportional to its length, or the tests would not end.
struct HostileBodyTests {
  private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes += text.utf8 }
    return bytes
  }

  @Test(arguments: [
    ("[", 1 << 18, ""), ("{\"a\":", 50_000, ""), ("a-", 125_000, ""), ("550e8400-", 25_000, ""), ("{{", 125_000, ""),
    ("%7B", 75_000, ""), ("{{secret", 25_000, ""), ("eyJ.", 50_000, ""), ("\"", 1 << 18, ""),
    ("2026-11-22 ", 22_000, ""),
    ("a=1&", 62_000, ""), ("--x\r\n", 50_000, ""), ("{a", 75_000, ""), ("ZXQ", 75_000, ""), ("Sun, ", 50_000, ""),
  ])
  func `a body of 250,000 repeated characters is compared in linear time`(piece: String, count: Int, end: String) {
    let bytes = Self.repeated(piece, count)
    let first = NormalBody(bytes, contentType: nil)
    var other = bytes
    other[other.count / 2] ^= 1
    let second = NormalBody(other, contentType: nil)
    #expect(first.digest != second.digest)
    #expect(!first.differences(from: second).isEmpty)
    #expect(first.hasPlaceholders == false || piece == "{{secret")
  }

  @Test func `twenty thousand members of one name are paired in order`() {
    let members = (0..<20_000).map { "\"a\":\($0)" }
    let one = body("{\(members.joined(separator: ","))}")
    let other = body("{\"b\":1,\(members.joined(separator: ","))}")
    #expect(one.digest != other.digest)
    #expect(one.differences(from: other).map(\.place) == ["$.b"])
    #expect(other.differences(from: one).map(\.place) == ["$.b"])
  }

  @Test func `twenty thousand members of different names give a hundred differences`() {
    let one = body("{" + (0..<20_000).map { "\"a\($0)\":1" }.joined(separator: ",") + "}")
    let other = body("{" + (0..<20_000).map { "\"b\($0)\":1" }.joined(separator: ",") + ",\"{{secret:1}}\":1}")
    #expect(one.differences(from: other).count == 100)
    #expect(other.differences(from: one).count == 100)
  }

  @Test func `four thousand elements with ignored order are compared within a budget`() {
    let tolerance = JSONTolerance(ignored: ["$[*].id"].compactMap { try? JSONQuery($0) }, allowsAnyOrder: true)
    func elements(_ first: Int) -> NormalBody {
      body(
        "[" + (first..<first + 4_000).map { "{\"id\":\($0),\"n\":\($0)}" }.joined(separator: ",") + "]", nil, tolerance
      )
    }
    #expect(!elements(0).differences(from: elements(1_000_000)).isEmpty)
  }

  @Test func `a GraphQL document nested 5,000 levels deep is not parsed, and a wide one is`() {
    let deep = String(repeating: "{a", count: 5_000) + String(repeating: "}", count: 5_000)
    #expect(GraphQLDocument(Array(deep.utf8), operation: nil) == nil)
    let list = "{a(x:" + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + ")}"
    #expect(GraphQLDocument(Array(list.utf8), operation: nil) == nil)
    let type = "query($a:" + String(repeating: "[", count: 5_000) + "A" + String(repeating: "]", count: 5_000) + "){a}"
    #expect(GraphQLDocument(Array(type.utf8), operation: nil) == nil)
    let wide = "{" + (0..<50_000).map { "a\($0) " }.joined() + "}"
    #expect(GraphQLDocument(Array(wide.utf8), operation: nil) != nil)
  }

  @Test(arguments: 0..<20)
  func `fingerprints and differences of random bodies agree`(seed: Int) {
    var random = Seeded(UInt64(seed))
    let pieces = [
      "{", "}", "[", "]", ":", ",", "\"a\"", "\"b\"", "1", "1.0", "null", " ", "&", "=", "\r\n", "--x", "\\u0041",
      "{{secret:1}}", "é",
      "550e8400-e29b-41d4-a716-446655440000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "1700000000", "1700000001",
      "\u{0}",
    ]
    for _ in 0..<300 {
      let bytes = Self.random(pieces, &random)
      var other = bytes
      let at = Int.random(in: 0...other.count, using: &random)
      other.replaceSubrange(
        at..<min(other.count, at + Int.random(in: 0...3, using: &random)), with: Self.random(pieces, &random).prefix(8))
      let (one, two) = (NormalBody(bytes, contentType: nil), NormalBody(other, contentType: nil))
      guard !one.hasPlaceholders else {
        #expect(one.differences(from: one).isEmpty)
        continue
      }
      let wanted = Relation(two, one)
      #expect(
        Relation(of: one.differences(from: two)) == wanted,
        "\(String(decoding: bytes, as: UTF8.self))\n\(String(decoding: other, as: UTF8.self))")
    }
  }

  private static func random(_ pieces: [String], _ random: inout Seeded) -> [UInt8] {
    (0..<Int.random(in: 1...12, using: &random)).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8)
    }
  }

  @Test(arguments: 0..<20)
  func `random JSON in another style has the same fingerprint, and another value has another`(seed: Int) {
    var random = Seeded(UInt64(seed))
    for _ in 0..<50 {
      let value = RandomValue(&random, depth: 4)
      let (one, two) = (
        NormalBody(value.text(&random), contentType: nil), NormalBody(value.text(&random), contentType: nil)
      )
      #expect(Relation(one, two) == .equal)
      #expect(two.differences(from: one).isEmpty)
      let other = NormalBody(value.changed(&random).text(&random), contentType: nil)
      #expect((other.digest == one.digest) == one.differences(from: other).isEmpty)
      #expect(other.digest != one.digest)
    }
  }
}

/// A value that is written in a random style each time.
private indirect enum RandomValue {
  case object([(name: String, value: RandomValue)])
  case array([RandomValue])
  case number(Int)
  case text(String)

  init(_ random: inout Seeded, depth: Int) {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &random) {
    case 0: self = .number(Int.random(in: -1000...1000, using: &random))
    case 1: self = .text(["", "a", "é\n", "\"", "1"].randomElement(using: &random) ?? "")
    case 2:
      self = .array((0..<Int.random(in: 0...4, using: &random)).map { _ in RandomValue(&random, depth: depth - 1) })
    default:
      self = .object(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          (["a", "b", "c", "é"].randomElement(using: &random) ?? "a", RandomValue(&random, depth: depth - 1))
        })
    }
  }

  func text(_ random: inout Seeded) -> [UInt8] {
    let space = [" ", "", "\n  "].randomElement(using: &random) ?? ""
    switch self {
    case .number(let number):
      return Array(
        ["\(number)", "\(number).0", "\(number)e0", "\(number)0e-1"].randomElement(using: &random)?.utf8 ?? "".utf8)
    case .text(let text):
      let escaped = text.unicodeScalars.map { scalar in
        Bool.random(using: &random) || scalar.value < 32 || "\"\\".unicodeScalars.contains(scalar)
          ? "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
            + String(scalar.value, radix: 16)
          : String(scalar)
      }
      return Array("\"\(escaped.joined())\"".utf8)
    case .array(let elements):
      var texts: [[UInt8]] = []
      for element in elements { texts.append(element.text(&random)) }
      return Array("[\(space)".utf8) + texts.joined(separator: Array(",\(space)".utf8)) + Array("]".utf8)
    case .object(let members):
      // The order of members with the same name counts.
      var order = Array(members.indices)
      order.shuffle(using: &random)
      for name in Set(members.map(\.name)) {
        let places = order.indices.filter { members[order[$0]].name == name }
        for (place, index) in zip(places, places.map { order[$0] }.sorted()) { order[place] = index }
      }
      var texts: [[UInt8]] = []
      for index in order {
        texts.append(
          RandomValue.text(members[index].name).text(&random) + Array(":\(space)".utf8)
            + members[index].value.text(&random))
      }
      return Array("{\(space)".utf8) + texts.joined(separator: Array(",\(space)".utf8)) + Array("}".utf8)
    }
  }

  func changed(_ random: inout Seeded) -> RandomValue {
    switch self {
    case .number(let number): return .number(number + 1)
    case .text(let text): return .text(text + "x")
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &random), Bool.random(using: &random) else {
        return .array(elements + [.number(0)])
      }
      elements[index] = elements[index].changed(&random)
      return .array(elements)
    case .object(var members):
      guard let index = members.indices.randomElement(using: &random), Bool.random(using: &random) else {
        return .object(members + [("z", .number(0))])
      }
      members[index].value = members[index].value.changed(&random)
      return .object(members)
    }
  }
}
