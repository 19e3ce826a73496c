/// An executable GraphQL document in normal form: equivalent documents in different spellings have the same bytes.
///
/// White space, commas and comments are removed; fields, arguments, variables and members of input objects are sorted
/// by name. The fields of a mutation, including those of its fragments, keep their order because they are executed in
/// this order (GraphQL, October 2021, §6.2.2).
struct GraphQLDocument {
  /// The normal form of the operation that is executed and its fragments.
  let normal: [UInt8]
  /// The name of the executed or requested operation; empty if it has no name.
  let name: [UInt8]
  /// `query`, `mutation` or `subscription`; empty if no operation can be executed.
  let type: String

  /// Parses a document and selects the named or only operation; returns nil if the document is not executable.
  init?(_ text: [UInt8], operation: [UInt8]?) {
    guard let tokens = GraphQLTokens.all(of: text), !tokens.isEmpty,
      let definitions = GraphQLParser.definitions(in: tokens)
    else { return nil }
    let operations = definitions.filter { !$0.isFragment }
    guard !operations.isEmpty else { return nil }
    let named = operation.flatMap { name in operations.first { $0.name == name } }
    let hasTwins = [operations, definitions.filter(\.isFragment)].contains { Set($0.map(\.name)).count < $0.count }
    guard !hasTwins, let chosen = named ?? (operation == nil && operations.count == 1 ? operations[0] : nil) else {
      // A server rejects this request, so the normal form contains all definitions and the requested name.
      let wanted = operation.map { [UInt8(ascii: " "), UInt8(ascii: "#")] + $0 } ?? []
      normal = Self.joined(definitions.map(\.normal)) + wanted
      (name, type) = (operation ?? [], "")
      return
    }
    // Fragments that are not used are ignored.
    var fragments: [[UInt8]: GraphQLParser.Definition] = [:]
    for definition in definitions where definition.isFragment { fragments[definition.name] = definition }
    // The fields of fragments that a mutation spreads at its top level keep their order.
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
