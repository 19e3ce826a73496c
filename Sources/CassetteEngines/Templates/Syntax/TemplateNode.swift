import CassetteJSON

/// A node of a parsed template.
indirect enum TemplateNode: Sendable {
  /// Text that is copied unchanged.
  case literal([UInt8])
  /// An expression that is replaced by its value: `{{query.page}}`.
  ///
  /// Between three braces (`isRaw`) the value is not escaped unless that would be unsafe.
  case value(TemplateExpression, isRaw: Bool = false)
  /// A part that is rendered conditionally or repeatedly: `{{#each …}}…{{/each}}`.
  case block(TemplateBlock)
}

/// A block with its body and its `else` part: `{{#if …}}…{{else}}…{{/if}}`.
struct TemplateBlock: Sendable {
  var head: TemplateBlockHead
  var body: [TemplateNode]
  var otherwise: [TemplateNode]
}

/// The opening tag of a block, without the braces.
struct TemplateBlockHead: Sendable {
  enum Kind: String, CaseIterable, Sendable { case `if`, unless, each, with }

  var kind: Kind
  var subject: TemplateExpression
  /// The name of the item within the block: `as |item|`.
  var name: String?
  /// The name of the item's index or key: `as |item index|`.
  var indexName: String?
}

/// An expression, which evaluates to a value.
indirect enum TemplateExpression: Sendable {
  case literal(TemplateValue)
  /// A range of numbers: `1..6`.
  case range(TemplateRange)
  case path(TemplatePath)
  case call(TemplateCall)
  /// An expression with a default, which is evaluated if the first expression has no value.
  case defaulted(TemplateExpression, TemplateExpression)
}

/// A closed range of numbers.
struct TemplateRange: Sendable {
  var lower: Double
  var upper: Double
  /// The number of decimal places, from the bound that has more.
  var decimals: Int
}

/// A path to a value: `query.page`, `body.$.items[0].id`, `@index`.
struct TemplatePath: Sendable {
  /// The object at which a path starts.
  enum Root: Sendable, Equatable {
    case path, query, header, cookie, form, parts, body, state, method, url, base, host, session
    /// The item of an enclosing loop; `up` is the number of loops between.
    case item(up: Int)
    /// The item or index of a loop, by its block parameter.
    case variable(String)
    case index, first, last, key
  }

  enum Step: Sendable, Hashable {
    case member(String)
    case element(Int)

    var text: String {
      switch self {
      case .member(let name): name
      case .element(let index): String(index)
      }
    }
  }

  var root: Root
  var steps: [Step] = []
  /// The JSON path within the body, if `root` is `body` and the path continues with `.$`.
  var place: JSONQuery?
}

/// A call of a helper: `random 1..6`, `now iso8601 offset=-1d`.
struct TemplateCall: Sendable {
  var helper: TemplateHelper
  var arguments: [TemplateExpression]
  var named: [(name: String, value: TemplateExpression)]
  /// The offset of the call in the template.
  var offset: Int
}

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

/// An error in a template, with its location.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of the error, to be printed after its location.
  package var message: String
  /// The offset of the error in the template, in bytes.
  var offset: Int
  /// A suggestion for correcting the error.
  package var suggestion: String?
  /// The unknown name that caused the error.
  ///
  /// `known` contains the valid names, for a "did you mean" suggestion.
  package var unknown: String?
  var known: [String] = []

  package init(_ message: String, at offset: Int, _ suggestion: String? = nil) {
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
  }

  /// Creates an error about an unknown name.
  init(_ message: String, at offset: Int, unknown: String, known: [String], _ suggestion: String? = nil) {
    self.init(message, at: offset, suggestion)
    self.unknown = unknown
    self.known = known
  }

  /// The error for a result above `TemplateBudget.longest`.
  static let tooLong = TemplateError("the result is larger than 8 MB", at: 0)

  /// The message and the suggestion, without the location.
  package var description: String { message + (suggestion.map { ", \($0)" } ?? "") }
}
