/// An executable GraphQL document in normal form: two that ask for the same in another spelling are the same bytes.
///
/// White space, commas and comments are gone; fields, arguments, variables and members of input objects are ordered by
/// name. The fields of a mutation keep their order, in which they run, also those of its fragments (GraphQL, October
/// 2021, §6.2.2).
struct GraphQLDocument {
  /// The normal form of what runs.
  let normal: [UInt8]
  /// The name of the operation that runs, or that was asked to; empty where it has none.
  let name: [UInt8]
  /// `query`, `mutation` or `subscription`; empty where none can run.
  let type: String

  /// Reads a document and its operation of a name, or its only one; nil when it is none that can be executed.
  init?(_ text: [UInt8], operation: [UInt8]?) {
    guard let tokens = GraphQLTokens.all(of: text), !tokens.isEmpty,
      let definitions = GraphQLParser.definitions(in: tokens)
    else { return nil }
    let operations = definitions.filter { !$0.isFragment }
    guard !operations.isEmpty else { return nil }
    let named = operation.flatMap { name in operations.first { $0.name == name } }
    let hasTwins = [operations, definitions.filter(\.isFragment)].contains { Set($0.map(\.name)).count < $0.count }
    guard !hasTwins, let chosen = named ?? (operation == nil && operations.count == 1 ? operations[0] : nil) else {
      // A server refuses it: as it is, with the name.
      let wanted = operation.map { [UInt8(ascii: " "), UInt8(ascii: "#")] + $0 } ?? []
      normal = Self.joined(definitions.map(\.normal)) + wanted
      (name, type) = (operation ?? [], "")
      return
    }
    // What does not run says nothing.
    var fragments: [[UInt8]: GraphQLParser.Definition] = [:]
    for definition in definitions where definition.isFragment { fragments[definition.name] = definition }
    // Those among the fields of a mutation run in their order.
    var serial: Set<[UInt8]> = []
    var pending = Array(chosen.serialSpreads)
    while let name = pending.popLast() {
      guard serial.insert(name).inserted, let fragment = fragments[name] else { continue }
      pending += fragment.serialSpreads
    }
    var used: [[UInt8]] = []
    pending = Array(chosen.spreads)
    while let name = pending.popLast() {
      guard let fragment = fragments.removeValue(forKey: name) else { continue }
      used.append(serial.contains(name) ? fragment.serial : fragment.normal)
      pending += fragment.spreads
    }
    (name, type) = (chosen.name, String(decoding: chosen.normal.prefix { (0x61...0x7a).contains($0) }, as: UTF8.self))
    normal = chosen.normal + (used.isEmpty ? [] : [UInt8(ascii: " ")] + Self.joined(used))
  }

  private static func joined(_ texts: [[UInt8]]) -> [UInt8] {
    Array(texts.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x20]))
  }
}
