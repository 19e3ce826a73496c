/// Makes random JSON of any form that a server may send, including duplicate names and unusual escapes.
package struct RandomJSON {
  package var random: Seeded
  /// The white space between tokens.
  package var space: [String]

  package init(random: Seeded, space: [String]) {
    self.random = random
    self.space = space
  }

  package mutating func value(depth: Int = 0) -> String {
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

  package mutating func gap() -> String { space.randomElement(using: &random) ?? "" }

  private mutating func list(_ depth: Int, _ item: (inout RandomJSON) -> String) -> String {
    var items: [String] = []
    for _ in 0..<Int.random(in: 0..<5, using: &random) { items.append(gap() + item(&self) + gap()) }
    return items.isEmpty ? gap() : items.joined(separator: ",")
  }

  package mutating func number() -> String {
    let numbers = [
      "0", "-0", "1", "-1", "1.0", "1.10", "0.1e10", "1E+2", "2e-07", "9223372036854775807", "18446744073709551616",
      "123456789012345678901234567890.123456789", "1e400",
    ]
    return numbers.randomElement(using: &random) ?? "0"
  }

  package mutating func string() -> String {
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
