import CassetteJSON

/// A part of a template.
indirect enum TemplateNode: Sendable {
  /// Text that stays as it is.
  case literal([UInt8])
  /// `{{query.page}}`: a value in the place of an expression; between three braces it is not escaped where that is safe.
  case value(TemplateExpression, isRaw: Bool = false)
  /// `{{#each …}}…{{/each}}`: a part that is there or not, or there several times.
  case block(TemplateBlock)
}

/// `{{#if …}}…{{else}}…{{/if}}` and its like.
struct TemplateBlock: Sendable {
  var head: TemplateBlockHead
  var body: [TemplateNode]
  var otherwise: [TemplateNode]
}

/// The opening expression of a block, between its braces.
struct TemplateBlockHead: Sendable {
  enum Kind: String, CaseIterable, Sendable { case `if`, unless, each, with }

  var kind: Kind
  var subject: TemplateExpression
  /// The name of the item within the block: `as |item|`.
  var name: String?
  /// The name of the item's number or key: `as |item index|`.
  var indexName: String?
}

/// An expression, which has a value.
indirect enum TemplateExpression: Sendable {
  case literal(TemplateValue)
  /// `1..6`
  case range(TemplateRange)
  case path(TemplatePath)
  case call(TemplateCall)
  /// With what is taken where the first has no value.
  case defaulted(TemplateExpression, TemplateExpression)
}

/// A range of two numbers and all between them.
struct TemplateRange: Sendable {
  var lower: Double
  var upper: Double
  /// The digits behind the point, of the bound that has more.
  var decimals: Int
}

/// `query.page`, `body.$.items[0].id`, `@index`.
struct TemplatePath: Sendable {
  /// The start of a path.
  enum Root: Sendable, Equatable {
    case path, query, header, cookie, form, parts, body, state, method, url, base, host, session
    /// The item of the loop so many levels up.
    case item(up: Int)
    /// An item, by the name that its loop gives it.
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
  /// The path inside a JSON body.
  var place: JSONQuery?
}

/// `random 1..6`, `now iso8601 offset=-1d`.
struct TemplateCall: Sendable {
  var helper: TemplateHelper
  var arguments: [TemplateExpression]
  var named: [(name: String, value: TemplateExpression)]
  /// The offset in the template.
  var offset: Int
}
