/// The functions that templates can call.
package enum TemplateHelper: String, CaseIterable, Sendable {
  case now, date
  case uuid, random, fake, counter
  case jwt, base64, sha256
  case upper, lower, trim, capitalize, replace, substring, split, join, concat, size, first, last, lookup
  case number, string, json, parse, urlencode
  case eq, ne, lt, le, gt, ge, and, or, not, contains, startsWith, endsWith
  case add, subtract, multiply, divide, modulo, round, range

  /// The arguments that a helper accepts.
  struct Signature {
    var arguments: ClosedRange<Int>
    /// The names of the named arguments; nil if any name is accepted.
    var named: [String]? = []
    /// The number of leading arguments that may be words without quotes.
    var words = 0
    /// The accepted words for the first argument; nil if all values are accepted.
    ///
    /// A quoted string may have other values.
    var choices: [String]?
  }

  var signature: Signature {
    switch self {
    case .now: Signature(arguments: 0...1, named: ["offset", "zone"], words: 1, choices: TemplateTimeFormat.names)
    case .date: Signature(arguments: 1...2, named: ["offset", "zone"], words: 2)
    case .uuid: Signature(arguments: 0...0)
    case .random: Signature(arguments: 0...1000, named: ["length", "of"])
    case .fake: Signature(arguments: 1...1, words: 1, choices: TemplateFake.Kind.allCases.map(\.rawValue))
    case .counter: Signature(arguments: 1...1, named: ["start", "step"], words: 1)
    case .jwt: Signature(arguments: 0...0, named: nil)
    case .base64: Signature(arguments: 1...1, named: ["decode", "url"])
    case .sha256: Signature(arguments: 1...1, named: ["key", "as"])
    case .upper, .lower, .trim, .capitalize, .size, .first, .last, .number, .string, .json, .parse, .urlencode, .not:
      Signature(arguments: 1...1)
    case .split, .join, .round, .range: Signature(arguments: 1...2)
    case .lookup, .eq, .ne, .lt, .le, .gt, .ge, .contains, .startsWith, .endsWith, .add, .subtract, .multiply, .divide,
      .modulo:
      Signature(arguments: 2...2)
    case .substring: Signature(arguments: 2...3)
    case .replace: Signature(arguments: 3...3)
    case .concat, .and, .or: Signature(arguments: 1...1000)
    }
  }
}
