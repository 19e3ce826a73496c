internal import CassetteHTTP
internal import CassetteSecrets

/// Compares two lists of parameters: between names the order is free, within a name it counts.
package enum ParameterComparison {
  /// Tells whether what was sent is what was recorded; a recorded secret equals any that was sent.
  package static func equal(_ sent: String, _ recorded: String) -> Bool {
    let then = QueryItem.parse(recorded)
    // The sort keeps the order within a name.
    let (sent, recorded) = (named(sent, as: then).sorted { $0.name < $1.name }, then.sorted { $0.name < $1.name })
    guard sent.count == recorded.count else { return false }
    return zip(sent, recorded).allSatisfy { now, then in
      now.name == then.name && SecretPlaceholders.equal(now.value ?? "", then.value ?? "")
    }
  }

  /// The parameters of a query; one whose name was a secret has the name that was recorded.
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

  /// Returns the names whose values differ; secrets are masked.
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
      // Of two secrets neither is told, but that they differ is.
      return Mismatch(
        part: "query.\(name)", sent: sent, recorded: sent == recorded && sent != nil ? "{{another secret}}" : recorded)
    }
  }

  private static func shown(_ values: [String]?, of name: String) -> String? {
    values.map { values in
      // A value may be a URL with parameters of its own.
      SecretNames.isParameter(name)
        ? SecretNames.mask
        : values.map { value in
          // A name may make a secret of what by itself looks like none: `key=0f3a…`.
          let item = "?\(name)=\(value)"
          return SecretNames.masked(url: item) == item ? SecretNames.masked(url: value) : SecretNames.mask
        }.joined(separator: ", ")
    }
  }
}
