/// Parses the tokens of an executable document into definitions in normal form (GraphQL, October 2021, §2.2).
struct GraphQLParser {
  /// An operation or a fragment.
  struct Definition {
    var isFragment: Bool
    var name: [UInt8]
    var normal: [UInt8]
    /// The names of the fragments that the definition spreads.
    var spreads: Set<[UInt8]>
    /// The fragments spread at the top level of a mutation, or, in a fragment, those spread at its own top level.
    var serialSpreads: Set<[UInt8]>
    /// The normal form of a fragment at the top level of a mutation, where the order of fields is kept.
    var serial: [UInt8] = []
  }

  /// The maximum nesting depth, because documents come from untrusted clients; deeper documents are rejected.
  static let depthLimit = 100

  /// The normal form of an item, and the key by which items are sorted.
  private typealias Keyed = (key: [UInt8], text: [UInt8])

  private let tokens: [GraphQLToken]
  private var at = 0
  private var spreads: Set<[UInt8]> = []
  private var serialSpreads: Set<[UInt8]> = []
  /// True if the document may contain a mutation, for which the order of fields matters.
  private let hasMutation: Bool

  /// Returns the definitions of a document in their order; nil if the document violates the grammar.
  static func definitions(in tokens: [GraphQLToken]) -> [Definition]? {
    var parser = GraphQLParser(tokens: tokens)
    var definitions: [Definition] = []
    while parser.at < tokens.count {
      guard let definition = parser.definition() else { return nil }
      definitions.append(definition)
    }
    return definitions
  }

  private init(tokens: [GraphQLToken]) {
    self.tokens = tokens
    hasMutation = tokens.contains(.name(Array("mutation".utf8)))
  }

  // MARK: Tokens

  private func isNext(_ mark: Unicode.Scalar) -> Bool {
    at < tokens.count && tokens[at] == .punctuator(UInt8(ascii: mark))
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard isNext(mark) else { return false }
    at += 1
    return true
  }

  private mutating func takeName() -> [UInt8]? {
    guard at < tokens.count, case .name(let name) = tokens[at] else { return nil }
    at += 1
    return name
  }

  private func isName(_ word: String) -> Bool { at < tokens.count && tokens[at] == .name(Array(word.utf8)) }

  private static func joined(_ texts: [[UInt8]]) -> [UInt8] { Array(texts.joined(separator: [0x20])) }

  private static func joined(_ items: [Keyed]) -> [UInt8] {
    let ordered = items.sorted { first, second in
      first.key == second.key
        ? first.text.lexicographicallyPrecedes(second.text) : first.key.lexicographicallyPrecedes(second.key)
    }
    return joined(ordered.map(\.text))
  }

  /// Parses items up to a closing mark; returns nil if an item is invalid or the mark is missing.
  private mutating func items<Item>(until close: Unicode.Scalar, _ item: (inout GraphQLParser) -> Item?) -> [Item]? {
    var items: [Item] = []
    while !take(close) {
      guard let next = item(&self) else { return nil }
      items.append(next)
    }
    return items
  }

  // MARK: Definitions

  private mutating func definition() -> Definition? {
    spreads = []
    serialSpreads = []
    if isNext("{") {
      guard let selection = selectionSet(1) else { return nil }
      return Definition(
        isFragment: false, name: [], normal: Array("query".utf8) + selection, spreads: spreads, serialSpreads: [])
    }
    guard let keyword = takeName() else { return nil }
    switch String(decoding: keyword, as: UTF8.self) {
    case "fragment":
      guard !isName("on"), let name = takeName(), let condition = typeCondition(), let directives = directives(1)
      else { return nil }
      let (head, start) = (keyword + [0x20] + name + condition + directives, at)
      guard let selection = selectionSet(1) else { return nil }
      var serial: [UInt8] = []
      if hasMutation {
        at = start
        serial = head + (selectionSet(1, isSerial: true) ?? [])
      }
      return Definition(
        isFragment: true, name: name, normal: head + selection, spreads: spreads, serialSpreads: serialSpreads,
        serial: serial)
    case "query", "mutation", "subscription":
      let name = takeName() ?? []
      var variables: [UInt8] = []
      if take("(") {
        guard let items = items(until: ")", { $0.variable() }), !items.isEmpty else { return nil }
        variables = [UInt8(ascii: "(")] + Self.joined(items) + [UInt8(ascii: ")")]
      }
      let isSerial = keyword.first == UInt8(ascii: "m")
      guard let directives = directives(1), let selection = selectionSet(1, isSerial: isSerial) else { return nil }
      let head = name.isEmpty ? keyword : keyword + [0x20] + name
      return Definition(
        isFragment: false, name: name, normal: head + variables + directives + selection, spreads: spreads,
        serialSpreads: serialSpreads)
    default: return nil
    }
  }

  private mutating func variable() -> Keyed? {
    guard take("$"), let name = takeName(), take(":"), let type = type(1) else { return nil }
    var text = [UInt8(ascii: "$")] + name + [UInt8(ascii: ":")] + type
    if take("=") {
      guard let value = value(1) else { return nil }
      text += [UInt8(ascii: "=")] + value
    }
    guard let directives = directives(1) else { return nil }
    return (name, text + directives)
  }

  private mutating func type(_ depth: Int) -> [UInt8]? {
    guard depth < Self.depthLimit else { return nil }
    var text: [UInt8]
    if take("[") {
      guard let element = type(depth + 1), take("]") else { return nil }
      text = [UInt8(ascii: "[")] + element + [UInt8(ascii: "]")]
    } else {
      guard let name = takeName() else { return nil }
      text = name
    }
    if take("!") { text.append(UInt8(ascii: "!")) }
    return text
  }

  private mutating func typeCondition() -> [UInt8]? {
    guard isName("on") else { return nil }
    at += 1
    return takeName().map { Array(" on ".utf8) + $0 }
  }

  // MARK: Selections

  private mutating func selectionSet(_ depth: Int, isSerial: Bool = false) -> [UInt8]? {
    guard depth < Self.depthLimit, take("{"),
      let items = items(until: "}", { $0.selection(depth, isSerial: isSerial) }), !items.isEmpty
    else { return nil }
    return [UInt8(ascii: "{")] + (isSerial ? Self.joined(items.map(\.text)) : Self.joined(items))
      + [UInt8(ascii: "}")]
  }

  private mutating func selection(_ depth: Int, isSerial: Bool) -> Keyed? {
    if take(".") { return spread(depth, isSerial: isSerial) }
    guard let first = takeName() else { return nil }
    var text = first
    if take(":") {
      guard let name = takeName() else { return nil }
      text += [UInt8(ascii: ":")] + name
    }
    guard let arguments = arguments(depth), let directives = directives(depth) else { return nil }
    text += arguments + directives
    if isNext("{") {
      guard let inner = selectionSet(depth + 1) else { return nil }
      text += inner
    }
    return (first, text)
  }

  private mutating func spread(_ depth: Int, isSerial: Bool) -> Keyed? {
    var text = Array("...".utf8)
    if isName("on") || isNext("@") || isNext("{") {
      if isName("on") {
        guard let condition = typeCondition() else { return nil }
        text += condition.dropFirst()
      }
      guard let directives = directives(depth), let inner = selectionSet(depth + 1, isSerial: isSerial) else {
        return nil
      }
      return (Array("...".utf8), text + directives + inner)
    }
    guard let name = takeName(), let directives = directives(depth) else { return nil }
    spreads.insert(name)
    if isSerial { serialSpreads.insert(name) }
    return (text + name, text + name + directives)
  }

  /// Parses the arguments in parentheses, and returns them in normal form; empty if there are none.
  private mutating func arguments(_ depth: Int) -> [UInt8]? {
    guard take("(") else { return [] }
    guard let items = items(until: ")", { $0.member(depth) }), !items.isEmpty else { return nil }
    return [UInt8(ascii: "(")] + Self.joined(items) + [UInt8(ascii: ")")]
  }

  private mutating func member(_ depth: Int) -> Keyed? {
    guard let name = takeName(), take(":"), let value = value(depth + 1) else { return nil }
    return (name, name + [UInt8(ascii: ":")] + value)
  }

  /// Parses directives; their order is kept because it may be significant.
  private mutating func directives(_ depth: Int) -> [UInt8]? {
    var text: [UInt8] = []
    while take("@") {
      guard let name = takeName(), let arguments = arguments(depth) else { return nil }
      text += [UInt8(ascii: "@")] + name + arguments
    }
    return text
  }

  private mutating func value(_ depth: Int) -> [UInt8]? {
    guard depth < Self.depthLimit, at < tokens.count else { return nil }
    switch tokens[at] {
    case .value(let text), .name(let text):
      at += 1
      return text
    case .punctuator(UInt8(ascii: "$")):
      at += 1
      return takeName().map { [UInt8(ascii: "$")] + $0 }
    case .punctuator(UInt8(ascii: "[")):
      at += 1
      return items(until: "]", { $0.value(depth + 1) }).map { [UInt8(ascii: "[")] + Self.joined($0) + [0x5d] }
    case .punctuator(UInt8(ascii: "{")):
      at += 1
      return items(until: "}", { $0.member(depth + 1) }).map { [UInt8(ascii: "{")] + Self.joined($0) + [0x7d] }
    case .punctuator: return nil
    }
  }
}
