internal import CassetteHTTP
package import Cassettes

/// Tells answers that are good for a condition of their request alone: a part of a body, that it has not changed, and that it has.
package enum ConditionalAnswer {
  /// The fields that an answer of a status is good for (RFC 9110 §15).
  private static func conditions(of status: Int?) -> [String] {
    switch status {
    case 206, 416: ["Range"]
    case 304: ["If-None-Match", "If-Modified-Since"]
    case 412: ["If-Match", "If-Unmodified-Since", "If-None-Match"]
    default: []
    }
  }

  /// Tells whether a recording answers only requests that have a condition, as the recorded one had.
  package static func isOne(_ interaction: Interaction) -> Bool {
    conditions(of: interaction.status).contains(where: interaction.requestHeaders.contains)
  }

  /// Tells if a request has the very range, or any condition for what it has (RFC 9110 §13, §14), unless rules decide.
  static func isMet(by request: HTTPRequest, _ interaction: Interaction, _ rules: MatchRules?) -> Bool {
    guard isOne(interaction) else { return true }
    let fields = conditions(of: interaction.status)
    let isRuled = rules?.headers.entries.contains { rule in
      fields.contains { $0.lowercased() == rule.name.lowercased() }
    }
    if isRuled ?? false { return true }
    guard fields == ["Range"] else { return fields.contains(where: request.headers.contains) }
    return request.headers["Range"] == interaction.requestHeaders["Range"]
  }
}
