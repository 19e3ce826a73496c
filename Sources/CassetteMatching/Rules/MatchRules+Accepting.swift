package import CassetteHTTP
internal import CassettePatterns
internal import CassetteSecrets
package import Cassettes

/// Checking a request against an interaction's rules, and describing the differences.
extension MatchRules {
  /// Returns true if the rules accept a method.
  package func accepts(method: HTTPMethod, recorded: HTTPMethod) -> Bool {
    switch methods {
    case .any: true
    case .listed(let methods): methods.contains(method)
    case .except(let methods): !methods.contains(method)
    case nil: method == recorded
    }
  }

  /// Returns true if the rules accept path and query.
  package func accepts(target reading: RequestReading, of interaction: Interaction) -> Bool {
    // With the recorded path, conditions on the query exclude most requests, and can be checked without reading the
    // recording.
    if url == nil, path == nil {
      return isQueryMet(reading) && isPathMet(reading.target, interaction, &reading.budget)
        && unlistedMismatches(reading, interaction).isEmpty
    }
    return isPathMet(reading.target, interaction, &reading.budget) && isQueryMet(reading)
      && unlistedMismatches(reading, interaction).isEmpty
  }

  /// Returns true if the rules accept path and query, or if that is undecided.
  package func mayAccept(target reading: RequestReading, of interaction: Interaction) -> Bool {
    let before = reading.budget.undecided
    return accepts(target: reading, of: interaction) || reading.budget.undecided != before
  }

  /// The result of checking a request against rules.
  package enum Verdict {
    case met, unmet
    /// The evaluation of patterns exceeded the budget.
    case undecided
  }

  /// Returns the result of checking a request, apart from its method, within the budget.
  package func verdict(on reading: RequestReading, _ interaction: Interaction) -> Verdict {
    let before = reading.budget.undecided
    if accepts(reading, interaction) { return .met }
    return reading.budget.undecided == before ? .unmet : .undecided
  }

  /// Returns true if the rules accept a request, apart from its method.
  ///
  /// The cost of patterns is subtracted from the reading's budget; once it is spent, no pattern is met.
  package func accepts(_ reading: RequestReading, _ interaction: Interaction) -> Bool {
    // The target is checked first because it excludes most rules, and the body last because it is the most expensive.
    accepts(target: reading, of: interaction)
      && headers.entries.allSatisfy { isMet($0, reading, interaction) }
      && cookies.entries.allSatisfy { $0.condition.isMet(by: reading.cookie($0.name), &reading.budget) }
      && authorization?.isMet(by: reading) ?? true
      && body.allSatisfy { $0.isMet(by: reading) }
  }

  /// Returns the differences between a request and the rules, apart from the method.
  package func mismatches(of reading: RequestReading, from interaction: Interaction) -> [Mismatch] {
    var found = [pathMismatch(reading.target, interaction, &reading.budget)].compactMap(\.self)
    found += queryMismatches(reading, interaction)
    for entry in headers.entries where !isMet(entry, reading, interaction) {
      let sent = reading.header(entry.name).map(\.string)
      found.append(
        Mismatch(
          part: "header.\(entry.name)",
          sent: sent.isEmpty
            ? nil : SecretNames.masked(field: entry.name, value: sent.joined(separator: ", ")),
          wanted: SecretNames.masked(field: entry.name, value: wanted(entry, interaction))))
    }
    for entry in cookies.entries where !entry.condition.isMet(by: reading.cookie(entry.name), &reading.budget) {
      // All cookies are treated as secrets.
      found.append(
        Mismatch(
          part: "cookie.\(entry.name)", sent: reading.cookie(entry.name).isEmpty ? nil : SecretNames.mask,
          wanted: SecretNames.masked(field: "Cookie", value: entry.condition.words)))
    }
    found += authorization?.mismatches(of: reading) ?? []
    for rule in body { found += rule.mismatches(of: reading) }
    if !found.isEmpty, let words = reading.budget.words {
      found.append(Mismatch(part: Mismatch.patterns, sent: nil, wanted: words))
    }
    return found
  }

  /// Returns true if a header field meets its condition, or equals the recorded field if the rule requires that.
  private func isMet(_ entry: NamedConditions.Entry, _ reading: RequestReading, _ interaction: Interaction) -> Bool {
    guard entry.condition == .recorded else {
      return entry.condition.isMet(by: reading.header(entry.name), &reading.budget)
    }
    let sent = reading.request.headers.values(of: entry.name)
    let recorded = interaction.requestHeaders.values(of: entry.name)
    return sent.count == recorded.count
      && zip(sent, recorded).allSatisfy { SecretPlaceholders.equal($0, $1) }
  }

  private func wanted(_ entry: NamedConditions.Entry, _ interaction: Interaction) -> String {
    guard entry.condition == .recorded else { return entry.condition.words }
    let recorded = interaction.requestHeaders.values(of: entry.name)
    return recorded.isEmpty ? "none" : "\"\(recorded.joined(separator: ", "))\""
  }

  private func isPathMet(
    _ sent: RequestReading.Target, _ interaction: Interaction, _ budget: inout MatchingBudget
  ) -> Bool {
    if let url { return url.isMet(by: [ConditionText(sent.whole)], &budget) }
    switch path {
    case .condition(let condition): return condition.isMet(by: [ConditionText(sent.path)], &budget)
    case .template(let template): return template.canonical.matches(sent.canonicalPath)
    case .literal(let text): return sent.canonicalPath == CanonicalTarget.spelling(of: text)
    case nil: return sent.canonicalPath == Self.target(of: interaction).canonicalPath
    }
  }

  private static func target(of interaction: Interaction) -> RequestReading.Target {
    RequestReading.Target(interaction.pathAndQuery)
  }

  private func pathMismatch(
    _ sent: RequestReading.Target, _ interaction: Interaction, _ budget: inout MatchingBudget
  ) -> Mismatch? {
    if isPathMet(sent, interaction, &budget) { return nil }
    if let url { return Mismatch(part: "url", sent: SecretNames.masked(url: sent.whole), wanted: url.words) }
    switch path {
    case .condition(let condition): return Mismatch(part: "path", sent: sent.path, wanted: condition.words)
    case .template(let template): return Mismatch(part: "path", sent: sent.path, wanted: "\"\(template.text)\"")
    case .literal(let text): return Mismatch(part: "path", sent: sent.path, wanted: "\"\(text)\"")
    case nil: return Mismatch(part: "path", sent: sent.path, recorded: Self.target(of: interaction).path)
    }
  }

  /// Returns true if all parameters with a rule meet their conditions.
  private func isQueryMet(_ reading: RequestReading) -> Bool {
    guard url == nil else { return true }
    return query.entries.allSatisfy {
      $0.name == "*" || $0.condition.isMet(by: reading.parameter($0.name), &reading.budget)
    }
  }

  private func queryMismatches(_ reading: RequestReading, _ interaction: Interaction) -> [Mismatch] {
    guard url == nil else { return [] }
    var found: [Mismatch] = []
    for entry in query.entries where entry.name != "*" {
      let values = reading.parameter(entry.name)
      if entry.condition.isMet(by: values, &reading.budget) { continue }
      let isSecret = SecretNames.isParameter(entry.name)
      let shown = values.map(\.string).joined(separator: ", ")
      found.append(
        Mismatch(
          part: "query.\(entry.name)", sent: values.isEmpty ? nil : isSecret ? SecretNames.mask : shown,
          wanted: isSecret ? SecretNames.mask : entry.condition.words))
    }
    return found + unlistedMismatches(reading, interaction)
  }

  /// Returns the differences in parameters without a rule, which are compared with the recorded ones.
  private func unlistedMismatches(_ reading: RequestReading, _ interaction: Interaction) -> [Mismatch] {
    let listed = Set(query.entries.map(\.name))
    // With `"*": "ignore"`, parameters without a rule are ignored.
    if url != nil || listed.contains("*") { return [] }
    let recorded = Self.target(of: interaction).query
    return ParameterComparison.mismatches(sent: reading.target.query, recorded: recorded, except: listed)
  }
}
