/// An executable GraphQL document in normal form: two that ask for the same in another spelling are the same bytes.
///
/// White space, commas and comments are gone; fields, arguments, variables and members of input objects are ordered by
/// name. The fields of a mutation keep their order, in which they run (GraphQL, October 2021, §6.2.2).
struct GraphQLDocument {
  /// The normal form of what runs.
  let normal: [UInt8]
  /// The name of the operation that runs, or that was asked to; empty where it has none.
  let name: [UInt8]
  /// `query`, `mutation` or `subscription`; empty where none can run.
  let type: String

  /// Reads a document; nil when it is none that can be executed.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - operation: The name of the operation that runs; nil for the only one.
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
      normal = Self.joined(definitions) + (operation.map { [UInt8(ascii: " "), UInt8(ascii: "#")] + $0 } ?? [])
      (name, type) = (operation ?? [], "")
      return
    }
    // What does not run says nothing.
    var fragments: [[UInt8]: GraphQLParser.Definition] = [:]
    for definition in definitions where definition.isFragment { fragments[definition.name] = definition }
    var used: [GraphQLParser.Definition] = []
    var pending = Array(chosen.spreads)
    while let name = pending.popLast() {
      guard let fragment = fragments.removeValue(forKey: name) else { continue }
      used.append(fragment)
      pending += fragment.spreads
    }
    (name, type) = (chosen.name, String(decoding: chosen.normal.prefix { (0x61...0x7a).contains($0) }, as: UTF8.self))
    normal = chosen.normal + (used.isEmpty ? [] : [UInt8(ascii: " ")] + Self.joined(used))
  }

  private static func joined(_ definitions: [GraphQLParser.Definition]) -> [UInt8] {
    Array(definitions.map(\.normal).sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x20]))
  }
}
