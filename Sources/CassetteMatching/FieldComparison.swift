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

  /// Returns the differences in fields that select an operation; `isOther` is true if the operation is another one.
  ///
  /// A recording without fields is not compared.
  package static func operationMismatches(
    _ request: HTTPRequest, _ recorded: HTTPHeaders, _ rules: MatchRules?
  ) -> [(mismatch: Mismatch, isOther: Bool)] {
    if recorded.isEmpty { return [] }
    var found: [(mismatch: Mismatch, isOther: Bool)] = []
    func compare(_ name: String, _ now: String?, _ then: String?, _ presence: OperationField.Presence) {
      if now == then || now.flatMap({ now in then.map { SecretPlaceholders.equal(now, $0) } }) ?? false { return }
      if rules?.headers.entries.contains(where: { ASCII.equalIgnoringCase($0.name, name) }) ?? false { return }
      var isOther = presence == .selects
      if let now, let then {
        isOther = !GeneratedValue.differsOnly(Array(now.utf8), Array(then.utf8), named: Array(name.utf8))
      }
      found.append((Mismatch(part: "header.\(name)", sent: now, recorded: then), isOther))
    }
    var seen: [String] = []
    for headers in [request.headers, recorded] {
      for field in headers {
        guard let operation = OperationField.named(field.name), operation.concerns(request.method),
          !seen.contains(where: field.isNamed)
        else { continue }
        seen.append(field.name)
        compare(field.name, operation.value(in: request.headers), operation.value(in: recorded), operation.presence)
      }
    }
    let now = OperationField.versions(ofAccept: request.headers.values(of: "Accept"))
    let then = now.isEmpty ? [] : OperationField.versions(ofAccept: recorded.values(of: "Accept"))
    if !then.isEmpty, now.isDisjoint(with: then) {
      compare("Accept", request.headers["Accept"], recorded["Accept"], .selects)
    }
    return found
  }

  /// Returns true if a recorded request has fields that select an operation or its version.
  package static func selectsOperation(_ interaction: Interaction) -> Bool {
    let method = interaction.method
    return interaction.requestHeaders.contains { field in
      OperationField.named(field.name)?.concerns(method)
        ?? (field.isNamed("Accept") && !OperationField.versions(ofAccept: [field.value]).isEmpty)
    }
  }

  /// Returns the differences in the fields with the given names.
  package static func mismatches(of names: [String], _ request: HTTPRequest, _ recorded: HTTPHeaders) -> [Mismatch] {
    names.map { name in
      let (sent, then) = (request.headers.values(of: name), recorded.values(of: name))
      func shown(_ values: [String]) -> String? {
        values.isEmpty ? nil : SecretNames.masked(field: name, value: values.joined(separator: ", "))
      }
      return Mismatch(part: "header.\(name)", sent: shown(sent), recorded: shown(then))
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

  /// Returns true if a value equals a recorded one, or differs from it only in secrets and generated values.
  package static func mayEqual(_ sent: String, _ recorded: String, named name: String) -> Bool {
    SecretPlaceholders.equal(sent, recorded)
      || GeneratedValue.differsOnly(Array(sent.utf8), Array(recorded.utf8), named: Array(name.utf8))
  }

  /// Returns true for fields that describe the client, the page, caches, proxies or credentials.
  ///
  /// The name is in lower case.
  package static func isCircumstance(_ name: String) -> Bool {
    isIncidental(name, .exact) || name == "cookie" || CredentialField.isNamed(name) || PreconditionField.isNamed(name)
      || circumstances.contains(name) || circumstancePrefixes.contains(where: name.hasPrefix)
      || circumstanceSuffixes.contains(where: name.hasSuffix)
  }

  private static let circumstances: Set = [
    "referer", "origin", "dnt", "priority", "pragma", "cache-control", "upgrade-insecure-requests", "forwarded", "via",
    "baggage", "sentry-trace", "idempotency-key", "content-md5", "content-encoding", "digest", "content-digest",
    "x-amz-date", "x-amz-content-sha256", "last-event-id", "accept-charset",
  ]
  private static let circumstanceSuffixes = [
    "csrf-token", "xsrf-token", "request-id", "requestid", "correlation-id", "trace-id", "session-id",
  ]
  private static let circumstancePrefixes = [
    "sec-", "x-forwarded-", "x-b3-", "x-datadog-", "x-stainless-", "amz-sdk-", "x-amz-user-agent", "x-goog-api-client",
  ]

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
