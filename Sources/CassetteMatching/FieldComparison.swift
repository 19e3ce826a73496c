package import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// Compares header fields with the recorded ones: they prefer, and at the level `exact` they decide.
package enum FieldComparison {
  /// Ranks the fields of a request: 0 when one differs, else the greater the better they fit.
  package static func rank(_ request: HTTPRequest, _ recorded: HTTPHeaders, _ rules: MatchRules?) -> Int {
    // What a rule speaks of is met, or the recording were no candidate.
    let ruled = rules?.headers.entries ?? []
    let fields = compared(recorded, rules, level: .careful)
    // One field that differs outweighs any number that do not; asking for more and getting it is better than not asking.
    if fields.contains(where: { !isEqual(request, $0) && !isOtherScheme(request, $0) }) { return 0 }
    return 1 + fields.count { isEqual(request, $0) } + ruled.count { $0.condition != .ignore }
      + (rules?.cookies.entries.count ?? 0)
  }

  /// Tells whether the fields of a request let a recording answer it.
  package static func suits(
    _ request: HTTPRequest, _ interaction: Interaction, _ rules: MatchRules?, level: MatchLevel
  ) -> Bool {
    switch level {
    case .exact: mismatches(request, interaction.requestHeaders, rules, level: .exact).isEmpty
    case .careful: ConditionalAnswer.isMet(by: request, interaction, rules)
    case .loose: true
    }
  }

  /// Returns the recorded fields that were not sent, or with another value; values of secret ones masked.
  package static func mismatches(
    _ request: HTTPRequest, _ recorded: HTTPHeaders, _ rules: MatchRules?, level: MatchLevel
  ) -> [Mismatch] {
    compared(recorded, rules, level: level).filter { field in
      let count = request.headers.values(of: field.name).count
      return !isEqual(request, field) && !isOtherScheme(request, field)
        // One more asks for something else.
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
        // Of credentials the presence is compared, never the value.
        && !(level == .exact && (CredentialField.isNamed(field.name) || field.isNamed("Cookie")))
    }
  }

  /// Tells if credentials were sent in another scheme than recorded: no difference, but a lower rank.
  private static func isOtherScheme(_ request: HTTPRequest, _ field: HTTPHeaders.Field) -> Bool {
    CredentialField.isNamed(field.name) && field.value.contains("{{secret") && request.headers.contains(field.name)
  }

  /// Tells whether a field was sent with the recorded value; a secret that was taken out equals any.
  private static func isEqual(_ request: HTTPRequest, _ field: HTTPHeaders.Field) -> Bool {
    request.headers.values(of: field.name).contains { sent in
      SecretPlaceholders.equal(sent, field.value) || isSameMultipart(sent, field)
    }
  }

  /// A boundary is made up anew each time (RFC 2046 §5.1.1).
  private static func isSameMultipart(_ sent: String, _ field: HTTPHeaders.Field) -> Bool {
    guard field.isNamed("Content-Type"), let sent = MediaType(sent), let then = MediaType(field.value) else {
      return false
    }
    return sent.type == "multipart" && then.type == "multipart" && sent.subtype == then.subtype
  }

  /// Fields that say who asks and how, not what is asked: they never decide.
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
