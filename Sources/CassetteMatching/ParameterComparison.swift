internal import CassetteHTTP
internal import CassetteSecrets

/// Compares two lists of parameters: the order of different names is irrelevant, the order within a name is not.
package enum ParameterComparison {
  /// Returns true if the sent and recorded parameters are equal; a redacted secret equals any value.
  package static func equal(_ sent: String, _ recorded: String) -> Bool {
    let then = QueryItem.parse(recorded)
    // The stable sort keeps the order within a name.
    let (sent, recorded) = (named(sent, as: then).sorted { $0.name < $1.name }, then.sorted { $0.name < $1.name })
    guard sent.count == recorded.count else { return false }
    return zip(sent, recorded).allSatisfy { now, then in
      now.name == then.name && SecretPlaceholders.equal(now.value ?? "", then.value ?? "")
    }
  }

  /// Returns the parameters of a query; a name that matches a redacted one is replaced by the recorded name.
  private static func named(_ sent: String, as recorded: [QueryItem]) -> [QueryItem] {
    let names = Set(recorded.map(\.name))
    let coded = names.filter(SecretPlaceholders.isIn).sorted()
    let sent = QueryItem.parse(sent)
    return coded.isEmpty
      ? sent
      : sent.map { item in
        guard !names.contains(item.name) else { return item }
        let name = coded.first { SecretPlaceholders.matches(item.name, placeholderIn: $0) }
        return QueryItem(name: name ?? item.name, value: item.value)
      }
  }

  /// Returns the parameters whose values differ, with secrets masked.
  package static func mismatches(sent: String, recorded: String, except listed: Set<String> = []) -> [Mismatch] {
    if sent == recorded { return [] }
    let then = QueryItem.parse(recorded)
    let sent = Dictionary(grouping: named(sent, as: then), by: \.name)
    let recorded = Dictionary(grouping: then, by: \.name)
    return Set(sent.keys).union(recorded.keys).subtracting(listed).sorted().compactMap { name in
      let (now, then) = (sent[name]?.map { $0.value ?? "" }, recorded[name]?.map { $0.value ?? "" })
      let isEqual =
        now == then
        || now?.count == then?.count
          && zip(now ?? [], then ?? []).allSatisfy { SecretPlaceholders.equal($0, $1) }
      guard !isEqual else { return nil }
      let (sent, recorded) = (shown(now, of: name), shown(then, of: name))
      // Two different secrets are masked, but reported as different.
      return Mismatch(
        part: "query.\(name)", sent: sent, recorded: sent == recorded && sent != nil ? "{{another secret}}" : recorded)
    }
  }

  private static func shown(_ values: [String]?, of name: String) -> String? {
    values.map { values in
      // A value may be a URL that contains parameters.
      SecretNames.isParameter(name)
        ? SecretNames.mask
        : values.map { value in
          // The name may identify a secret that the value alone does not: `key=0f3a…`.
          let item = "?\(name)=\(value)"
          return SecretNames.masked(url: item) == item ? SecretNames.masked(url: value) : SecretNames.mask
        }.joined(separator: ", ")
    }
  }
}
