/// A generator whose numbers depend on its seed alone, so that a failure can be had again.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
  }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

/// JSON text of any shape a server might send, duplicate names and odd escapes included.
struct RandomJSON {
  var random: Seeded
  /// What may stand between tokens.
  var space: [String]

  mutating func value(depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth > 5 ? 6 : 9), using: &random) {
    case 0: return "null"
    case 1: return ["true", "false"].randomElement(using: &random) ?? ""
    case 2, 3: return number()
    case 4, 5: return string()
    case 6: return "[" + list(depth) { $0.value(depth: depth + 1) } + "]"
    default:
      return "{"
        + list(depth) { json in
          let name = Int.random(in: 0..<4, using: &json.random) == 0 ? "\"same\"" : json.string()
          return name + json.gap() + ":" + json.gap() + json.value(depth: depth + 1)
        } + "}"
    }
  }

  mutating func gap() -> String { space.randomElement(using: &random) ?? "" }

  private mutating func list(_ depth: Int, _ item: (inout RandomJSON) -> String) -> String {
    var items: [String] = []
    for _ in 0..<Int.random(in: 0..<5, using: &random) { items.append(gap() + item(&self) + gap()) }
    return items.isEmpty ? gap() : items.joined(separator: ",")
  }

  mutating func number() -> String {
    let numbers = [
      "0", "-0", "1", "-1", "1.0", "1.10", "0.1e10", "1E+2", "2e-07", "9223372036854775807", "18446744073709551616",
      "123456789012345678901234567890.123456789", "1e400",
    ]
    return numbers.randomElement(using: &random) ?? "0"
  }

  mutating func string() -> String {
    let pieces = [
      "a", "Zebra", " ", "0", "\\\"", "\\\\", "\\/", "/", "\\n", "\\t", "\\u0041", "\\u00e9", "é", "日本語",
      "\\ud83d\\ude00",
      "😀", "\\ud800", "{", "}", "[", "]", ":", ",", "\u{7f}", "\u{2028}", "longer text without anything in it",
    ]
    var text = "\""
    for _ in 0..<Int.random(in: 0..<12, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
    return text + "\""
  }
}
