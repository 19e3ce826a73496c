import CassetteHTTP
import CassettePatterns
import Cassettes

/// Finds the placeholders that VCR and betamax write for hidden values: `<AUTH_TOKEN>`, `<<ACCESS_TOKEN>>`.
enum Placeholders {
  /// Adds the placeholders in a text to a set.
  static func collect(_ bytes: [UInt8], _ found: inout Set<String>) {
    for range in ranges(in: bytes) { found.insert(String(decoding: bytes[range], as: UTF8.self)) }
  }

  private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      var end = start + 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "<") { end += 1 }
      let isDouble = end - start == 2
      let word = bytes[end...].prefix { isPart($0) }
      end = word.endIndex
      at = max(end, start + 1)
      guard word.count >= 3, word.count <= 60, end < bytes.count, bytes[end] == UInt8(ascii: ">") else { continue }
      if isDouble, end + 1 >= bytes.count || bytes[end + 1] != UInt8(ascii: ">") { continue }
      found.append(start..<end + (isDouble ? 2 : 1))
    }
    return found
  }

  /// Returns rules that match any value in place of a placeholder in the recorded path or query.
  static func match(_ target: String) -> MatchRules {
    var rules = MatchRules()
    let path = target.prefix { $0 != "?" }
    var names: [String] = []
    for item in QueryItem.parse(String(target.dropFirst(path.count + 1))) {
      guard let value = item.value, !names.contains(item.name), !ranges(in: Array(value.utf8)).isEmpty else { continue }
      names.append(item.name)
    }
    rules.query = NamedConditions(names.map { NamedConditions.Entry($0, .ignore) })
    let bytes = Array(path.utf8)
    let hidden = ranges(in: bytes)
    guard !hidden.isEmpty else { return rules }
    var (pattern, at) = ("", 0)
    for range in hidden {
      pattern += TextPattern.escaped(String(decoding: bytes[at..<range.lowerBound], as: UTF8.self)) + "[^/]+"
      at = range.upperBound
    }
    pattern += TextPattern.escaped(String(decoding: bytes[at...], as: UTF8.self))
    if let pattern = try? TextPattern(pattern) { rules.path = .condition(.all([.matches(pattern)])) }
    return rules
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
