import CassetteShapes
import CassetteSystem
import Testing

@testable import CassetteSecrets

/// The work for a text is proportional to its length, for hostile texts too.
@Suite struct LinearTests {
  /// The steps that looking around names took, and the number of bytes.
  private func endsOfValues(_ piece: String, _ count: Int) -> (steps: Int, bytes: Int) {
    let bytes = Array(String(repeating: piece, count: count).utf8)
    let steps = bytes.searching { text -> Int in
      let brackets = TextBrackets(text)
      for at in 0..<text.count where [0x5b, 0x7b].contains(text[at]) { _ = brackets.endOfValue(text, from: at) }
      return brackets.work
    }
    return (steps, bytes.count)
  }

  @Test(arguments: [
    "{\"credentials\":[", "[", "{\"a\":\"[\",", "[1,", "[a,{\"b\":[]},", "{\"auth\":[\"a\",", "[[],[],",
    "{\"a\":\"\\\"\",\"b\":{",
  ])
  private func `looking for the ends of lists that have none reads each byte once`(piece: String) {
    for count in [500, 1_000, 2_000] {
      let (steps, bytes) = endsOfValues(piece, count)
      #expect(steps > 0 && steps <= 3 * bytes, "\(steps) for \(bytes)")
    }
  }

  @Test(arguments: ["[[],[{}],\"]\"]", "{\"a\":[1,{\"b\":2}],\"c\":\"}\"}", "[\"\\\"]\"]", "[{\"a\":[]}]"])
  private func `a list and an object end where they are closed`(text: String) {
    let end = Array("\(text),1".utf8).searching { bytes in
      let brackets = TextBrackets(bytes)
      // Known ends lead to the same end.
      let first = brackets.endOfValue(bytes, from: 0)
      #expect(brackets.endOfValue(bytes, from: 0) == first)
      for at in 1..<text.utf8.count where [0x5b, 0x7b].contains(bytes[at]) {
        let known = brackets.endOfValue(bytes, from: at)
        #expect(known == TextBrackets(bytes).endOfValue(bytes, from: at))
      }
      return first
    }
    #expect(end == text.utf8.count)
  }

  @Test func `the brace around a place is the last that is open there`() {
    let text = "} {\"a\": {\"b\": {}, \"c\": 1}, \"d\": {} }} x {y"
    Array(text.utf8).searching { bytes in
      let brackets = TextBrackets(bytes)
      for place in 0..<bytes.count {
        var (depth, at, expected) = (0, place, Int?.none)
        while at > 0, expected == nil {
          at -= 1
          if bytes[at] == UInt8(ascii: "}") { depth += 1 }
          if bytes[at] == UInt8(ascii: "{") {
            if depth == 0 { expected = at }
            depth -= 1
          }
        }
        #expect(brackets.opening(before: place, in: bytes) == expected, "\(place)")
      }
    }
  }

  /// Texts with a name in each line, or in each of their lists, that are not closed.
  @Test(arguments: [
    "- name: API_TOKEN_1\n  value: Zk8vQ2xTw9Lm4s\n", "kind: Secret\nmetadata_1: x\n",
    "[{\"name\":\"password\",\"value\":[",
    "{\"columns\":[\"password\",\"user\"],\"rows\":[", "<input name=password ", "{\"method\":\"login\",\"params\":[",
    "{\"credentials\":[",
  ])
  private func `looking around names takes a number of steps that the length bounds`(piece: String) {
    for count in [250, 500, 1_000] {
      let bytes = Array(String(repeating: piece, count: count).utf8)
      bytes.searching { text in
        var finder = SecretFinder(redaction: .standard)
        let brackets = TextBrackets(text)
        finder.brackets = brackets
        let whole = 0..<text.count
        let names = NamePlaces([], in: text, whole, isAnywhere: true)
        finder.assignments(in: text, whole, names, .inText) { _ in }
        #expect(brackets.work <= TextBrackets.budget(for: text.count) + 5 * text.count)
      }
    }
  }

  @Test func `secrets behind and among lists that are not closed are taken out`() {
    let text =
      String(repeating: "{\"credentials\":[", count: 3_000) + "\"Zk8vQ2xTw9Lm4s\",{\"password\":\"hunter2-Blue\"}"
    let kept = PlantedText.redacted(text, .body)
    #expect(!kept.contains("hunter2-Blue"))
    let items = (0..<1_000).map { "- name: DATABASE_PASSWORD\n  value: Zk8vQ2xTw9Lm\($0 + 1_000)s\n" }
    let lines = PlantedText.redacted(items.joined(), .body)
    #expect(!lines.contains("Zk8vQ2xTw9Lm"))
  }
}
