package import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// Compares header fields with the recorded ones: they affect the preference, and at the level `exact` they decide.
package enum FieldComparison {
  /// Returns the rank of a request's fields: 0 if one differs, and otherwise the greater, the better they match.
  package static func rank(_ request: HTTPRequest, _ recorded: HTTPHeaders, _ rules: MatchRules?) -> Int {
    // Fields with a rule match already, because the recording would otherwise not be a candidate.
    let ruled = rules?.headers.entries ?? []
    let fields = compared(recorded, rules, level: .careful)
    // One differing field outweighs any number of equal ones; a recording with more requirements that are met is
    // preferred.
    if fields.contains(where: { !isEqual(request, $0) && !isOtherScheme(request, $0) }) { return 0 }
    return 1 + fields.count { isEqual(request, $0) } + ruled.count { $0.condition != .ignore }
      + (rules?.cookies.entries.count ?? 0)
  }

  /// Returns true if the fields of a request permit a recording to answer it.
  package static func suits(
    _ request: HTTPRequest, _ interaction: Interaction, _ rules: MatchRules?, level: MatchLevel
  ) -> Bool {
    switch level {
    case .exact: mismatches(request, interaction.requestHeaders, rules, level: .exact).isEmpty
    case .careful: ConditionalAnswer.isMet(by: request, interaction, rules)
    case .loose: true
    }
  }

  /// Returns the recorded fields that were not sent with the same value; values of secret fields are masked.
  package static func mismatches(
    _ request: HTTPRequest, _ recorded: HTTPHeaders, _ rules: MatchRules?, level: MatchLevel
  ) -> [Mismatch] {
    compared(recorded, rules, level: level).filter { field in
      let count = request.headers.values(of: field.name).count
      return !isEqual(request, field) && !isOtherScheme(request, field)
        // An additional field of the same name changes the request.
        || level == .exact && count > recorded.values(of: field.name).count
    }.map { field in
      let sent = request.headers.values(of: field.name)
      return Mismatch(
        part: "header.\(field.name)",
        sent: sent.isEmpty
          ? nil : sent.map { SecretNames.masked(field: field.name, value: $0) }.joined(separator: ", "),
        recorded: SecretNames.masked(field: field.name, value: field.value))
    }
  }

  private static func compared(_ recorded: HTTPHeaders, _ rules: MatchRules?, level: MatchLevel) -> [HTTPHeaders.Field]
  {
    let ruled = rules?.headers.entries ?? []
    return recorded.filter { field in
      !isIncidental(field.name, level) && !ruled.contains { field.isNamed($0.name) }
        // Credentials are compared by presence, never by value.
        && !(level == .exact && (CredentialField.isNamed(field.name) || field.isNamed("Cookie")))
    }
  }

  /// Returns true if credentials were sent in a scheme other than the recorded one, which only lowers the rank.
  private static func isOtherScheme(_ request: HTTPRequest, _ field: HTTPHeaders.Field) -> Bool {
    CredentialField.isNamed(field.name) && field.value.contains("{{secret") && request.headers.contains(field.name)
  }

  /// Returns true if a field was sent with the recorded value; a redacted secret equals any value.
  private static func isEqual(_ request: HTTPRequest, _ field: HTTPHeaders.Field) -> Bool {
    request.headers.values(of: field.name).contains { sent in
      SecretPlaceholders.equal(sent, field.value) || isSameMultipart(sent, field)
    }
  }

  /// Returns true if two multipart types differ only in parameters: clients generate a new boundary each time (RFC 2046
  /// §5.1.1).
  private static func isSameMultipart(_ sent: String, _ field: HTTPHeaders.Field) -> Bool {
    guard field.isNamed("Content-Type"), let sent = MediaType(sent), let then = MediaType(field.value) else {
      return false
    }
    return sent.type == "multipart" && then.type == "multipart" && sent.subtype == then.subtype
  }

  /// Returns true for fields that describe the client or the transport rather than the request, and are never compared.
  private static func isIncidental(_ name: String, _ level: MatchLevel) -> Bool {
    switch name.lowercased() {
    case "host", "user-agent", "connection", "content-length", "transfer-encoding", "accept-encoding", "date",
      "traceparent", "tracestate", "x-request-id", "x-mock-session", "expect", "te", "keep-alive":
      true
    case "accept-language": level != .exact
    default: false
    }
  }
}
