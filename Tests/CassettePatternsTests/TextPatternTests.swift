import TestSupport
import Testing

@testable import CassettePatterns

@Suite struct TextPatternTests {
  @Test(arguments: [
    (#"/users/\d+"#, ["/users/1", "/users/123"], ["/users/", "/users/a", "/users/1/"]),
    ("/a.*", ["/a", "/abc"], ["a", "/b", "/a\nb"]), ("(?s)a.*", ["a\nb"], []),
    ("a|bc|", ["a", "bc", ""], ["ab", "b"]), ("[a-c_-]+", ["abc", "-_"], ["d", ""]),
    ("[^/]+/x", ["ab/x"], ["a/b/x", "/x"]), (#"[\w.]+@[\w.]+"#, ["a.b@c"], ["a@", "@c"]),
    ("a{2}", ["aa"], ["a", "aaa"]), ("a{2,}", ["aa", "aaaa"], ["a"]), ("a{1,3}?b", ["ab", "aaab"], ["b", "aaaab"]),
    ("x{a}", ["x{a}"], ["xa"]), ("{", ["{"], []), ("(?i)ab(c)", ["ABC", "abc"], ["abd"]), ("a(?i:b)", ["aB"], ["AB"]),
    ("(?i)É", ["é", "É"], ["e"]), ("^a$", ["a"], ["aa"]), (#"a\b.*"#, ["a", "a b"], ["ab"]),
    ("(?=.*b)a.*", ["ab", "acb"], ["a", "ac"]), ("(?!.*secret).*", ["/a"], ["/secret/a"]),
    (#"\Qa.b\E+"#, ["a.b", "a.bbb"], ["a.b+"]), (#"\x41\u0042"#, ["AB"], ["ab"]), ("(?<name>a)(?:b)", ["ab"], []),
    (#"\/a\-b\.c"#, ["/a-b.c"], ["/a-bxc"]), ("é🐟", ["é🐟"], []), (#"\s*\S"#, [" \tx", "x"], [" "]),
    ("[]a]", ["]", "a"], ["b"]), (#"[\]\[]"#, ["]", "["], ["a"]), ("()", [""], ["a"]),
    (#"\p{Lu}\p{L}*"#, ["Éa", "A"], ["éa"]), (#"[\P{N}]"#, ["a"], ["٣"]), (#"\u{1f41f}"#, ["🐟"], []),
    ("(a*)*b", ["b", "aab"], ["a"]),
    ("(?i)[ ,]*(sky|walker|k|r2-d2)[ ,]*", ["SKY", " walker,", "K", "R2-D2"], ["skyw", "r2+d2", "\u{212A}"]),
    ("(?:abc|xbc|bc)d", ["abcd", "xbcd", "bcd"], ["cd", "abc"]), ("(abc|b.+|c)", ["abc", "bx", "c"], ["b", "x"]),
  ])
  func `a pattern matches a whole string, not a part of it`(_ pattern: String, _ matching: [String], _ others: [String])
    throws
  {
    let compiled = try TextPattern(pattern)
    for text in matching { #expect(compiled.matches(text), "\(pattern) \(text)") }
    for text in others { #expect(!compiled.matches(text), "\(pattern) \(text)") }
  }

  @Test(arguments: [
    ("(a", 1, "the group is not closed: \")\" is missing"), ("a)", 2, "\")\" without \"(\""),
    ("[a", 1, "the class is not closed: \"]\" is missing"), ("*a", 1, "there is nothing to repeat"),
    (#"(a)\1"#, 4, "back references are not supported"), ("a++", 2, "possessive quantifiers are not supported"),
    ("(?<=a)b", 1, "look-behind is not supported"), ("(?>a)", 1, "atomic groups are not supported"),
    (
      #"\p{Script=Greek}"#, 1,
      #"\p{Script=Greek} is not supported: use a general category of Unicode"#
    ), ("[b-a]", 2, "the end of the range is below its start"),
    ("[a&&b]", 3, "&& in a class is not supported"), ("a{3,2}", 2, "the second number must not be less than the first"),
    ("(((a{1000}){1000}){1000})", 1, "the pattern has too many repetitions"), ("a\\", 2, "a backslash at the end"),
    ("(?x)a", 1, "only the flags i and s are supported"),
  ])
  func `an unsupported or malformed pattern is an error with its column`(
    _ pattern: String, _ column: Int, _ message: String
  ) {
    #expect(throws: TextPattern.Problem(message: message, column: column)) { try TextPattern(pattern) }
  }

  @Test(arguments: 0..<20)
  func `a random pattern matches the same strings as Swift's Regex`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    for _ in 0..<15 {
      let pattern = Self.pattern(depth: 3, &random)
      let ours = try TextPattern(pattern)
      // Swift matches a class by characters instead of scalars. In ASCII both are the same.
      let theirs = try Regex(pattern)
      for _ in 0..<10 {
        let text = String(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab1".randomElement(using: &random) ?? "a" })
        let expected = try theirs.wholeMatch(in: text) != nil
        #expect(ours.matches(text) == expected, "\(pattern) on \(text)")
      }
    }
  }

  private static func pattern(depth: Int, _ random: inout Seeded) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &random) {
    case 0: return "a"
    case 1: return "[ab]"
    case 2: return #"\d"#
    case 3: return "."
    case 4: return "(" + pattern(depth: depth - 1, &random) + "|" + pattern(depth: depth - 1, &random) + ")"
    case 5: return "(?:" + pattern(depth: depth - 1, &random) + ")*"
    case 6: return "(?:" + pattern(depth: depth - 1, &random) + "){1,2}"
    case 7: return "(?:" + pattern(depth: depth - 1, &random) + ")?"
    default: return pattern(depth: depth - 1, &random) + pattern(depth: depth - 1, &random)
    }
  }

  @Test func `a pattern that makes backtracking engines exponential is matched in linear time`() throws {
    let pattern = try TextPattern("(a+)+$|(a|a)*b|(.*)*c")
    #expect(!pattern.matches(String(repeating: "a", count: 5_000) + "d"))
    let ahead = try TextPattern("(?:(?=.*b)a)*c")
    #expect(ahead.matches("c") && !ahead.matches(String(repeating: "a", count: 50_000) + "b"))
    #expect(try !TextPattern(".*").matches(String(repeating: "a", count: TextPattern.longestText + 1)))
  }

  @Test func `an escaped string as a pattern matches only this string`() throws {
    let text = #"/a.b*(c)[d]{e}\f$^|?+"#
    let pattern = try TextPattern(TextPattern.escaped(text))
    #expect(pattern.matches(text))
    #expect(!pattern.matches(text.replacing(".", with: "x")))
  }
}
