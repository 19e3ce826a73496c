import CassetteHTTP
import CassetteJSON
import CassettePatterns
import Cassettes

/// The values that a template's expressions read during rendering.
///
/// Each part of the request is parsed at most once.
struct TemplateScope {
  /// The current item of an enclosing loop.
  struct Item {
    var value: TemplateValue
    var index: Int
    var count: Int
    var key: String?
    var name: String?
    var indexName: String?
  }

  var context: TemplateContext
  var items: [Item] = []
  var budget = TemplateBudget()
  /// The step budget for JSON path queries.
  private var matching = MatchingBudget()
  private lazy var query = QueryItem.parse(context.request.target.query ?? "")
  private lazy var form = QueryItem.parse(context.request.body)
  private lazy var pathNames = context.pathNames()
  private lazy var parts: TemplateValue = MultipartText.json(of: context.request).map { .json($0) } ?? .absent
  private lazy var json = JSONTree(context.request.body)

  init(_ context: TemplateContext) { self.context = context }

  mutating func value(of path: TemplatePath) -> TemplateValue {
    switch path.root {
    case .path: return pathValue(path)
    case .query: return named(query, path)
    case .form: return named(form, path)
    case .parts: return steps(Self.lowercasingField(path.steps)[...], from: parts)
    case .header: return several(context.request.headers.values(of: first(path)), path)
    case .cookie: return several(cookies(first(path)), path)
    case .body: return body(path)
    case .state: return context.state(path.steps.map(\.text).joined(separator: ".")).map { .text($0) } ?? .absent
    case .method: return .text(context.request.method.rawValue)
    case .url:
      // Requests through a proxy, and requests from a URLSession, have an absolute URL as their target.
      let target = context.request.target
      guard target.authority != nil, target.scheme != nil else { return .text(target.text) }
      return .text(target.query.map { "\(target.path)?\($0)" } ?? target.path)
    case .base: return .text(context.base)
    case .host: return .text(String(context.base.split(separator: "/").last ?? ""))
    case .session: return .text(context.session)
    case .item(let up):
      guard items.indices.contains(items.count - 1 - up) else { return .absent }
      return steps(path.steps[...], from: items[items.count - 1 - up].value)
    case .variable(let name):
      guard let item = items.last(where: { $0.name == name || $0.indexName == name }) else { return .absent }
      if item.name != name { return item.key.map { .text($0) } ?? .integer(item.index) }
      return steps(path.steps[...], from: item.value)
    case .index: return items.last.map { .integer($0.index) } ?? .absent
    case .first: return .bool(items.last?.index == 0)
    case .last: return .bool(items.last.map { $0.index == $0.count - 1 } ?? false)
    case .key: return items.last?.key.map { .text($0) } ?? items.last.map { .integer($0.index) } ?? .absent
    }
  }

  private func steps(_ steps: ArraySlice<TemplatePath.Step>, from value: TemplateValue) -> TemplateValue {
    steps.reduce(value) { value, step in
      switch step {
      case .member(let name): value.member(name)
      case .element(let index): value.element(index)
      }
    }
  }

  /// Returns the path `parts.NAME.headers.Content-Type` with the field name in lowercase, as fields are stored.
  private static func lowercasingField(_ steps: [TemplatePath.Step]) -> [TemplatePath.Step] {
    guard steps.count > 2, steps[1].text == "headers", case .member(let name) = steps[2] else { return steps }
    var steps = steps
    steps[2] = .member(name.lowercased())
    return steps
  }

  private func first(_ path: TemplatePath) -> String { path.steps.first?.text ?? "" }

  private func several(_ values: [String], _ path: TemplatePath) -> TemplateValue {
    let value: TemplateValue = values.isEmpty ? .absent : values.count == 1 ? .text(values[0]) : .several(values)
    return steps(path.steps.dropFirst(), from: value)
  }

  private func named(_ items: [QueryItem], _ path: TemplatePath) -> TemplateValue {
    let name = first(path)
    return several(items.filter { $0.name == name }.map { $0.value ?? "" }, path)
  }

  private func cookies(_ name: String) -> [String] {
    context.request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      guard pair.prefix(while: { $0 != "=" }) == name else { return nil }
      return String(pair.dropFirst(name.count + 1))
    }
  }

  private mutating func pathValue(_ path: TemplatePath) -> TemplateValue {
    let raw = context.request.target.path
    switch path.steps.first {
    case nil: return .text(raw)
    case .element(let index)?:
      // A route may use a number as the name of a path segment.
      if let value = pathNames[String(index)] { return .text(PercentEncoding.decodeText(value.utf8)) }
      let segments = raw.split(separator: "/", omittingEmptySubsequences: true)
      guard segments.indices.contains(index) else { return .absent }
      return .text(PercentEncoding.decodeText(segments[index].utf8))
    case .member(let name)?:
      return pathNames[name].map { .text(PercentEncoding.decodeText($0.utf8)) } ?? .absent
    }
  }

  private mutating func body(_ path: TemplatePath) -> TemplateValue {
    let bytes = context.request.body
    if bytes.isEmpty { return .absent }
    guard path.place != nil || Self.looksLikeJSON(bytes) || isJSON, let tree = json else {
      return path.place == nil ? .text(String(decoding: bytes, as: UTF8.self)) : .absent
    }
    guard let place = path.place else { return TemplateValue(tree.root, in: tree) }
    guard let nodes = place.nodes(in: tree, &matching) else { return .absent }
    if place.isSingular { return nodes.first.map { TemplateValue($0, in: tree) } ?? .absent }
    return .list(nodes.map { TemplateValue($0, in: tree) })
  }

  private var isJSON: Bool { context.request.headers.mediaType?.isJSON ?? false }

  private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The limits on the work for one response, and on its size.
struct TemplateBudget {
  /// The remaining steps.
  ///
  /// An expression, a loop iteration, and 256 bytes of processed text cost one step each.
  private var steps = 200_000
  /// The maximum size of a response, and of an intermediate string, in bytes.
  static let longest = 8 << 20

  mutating func spend(_ bytes: Int = 0) throws(TemplateError) {
    guard bytes <= Self.longest else { throw .tooLong }
    steps -= 1 + bytes >> 8
    guard steps > 0 else { throw TemplateError("the template takes too many steps", at: 0) }
  }
}
