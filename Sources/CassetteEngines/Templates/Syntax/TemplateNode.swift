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
