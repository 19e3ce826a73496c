internal import CassetteHTTP
package import Cassettes

/// Identifies answers that depend on a condition of their request: 206, 304, 412 and 416.
package enum ConditionalAnswer {
  /// Returns the condition fields that an answer with a status depends on (RFC 9110 §15).
  private static func conditions(of status: Int?) -> [String] {
    switch status {
    case 206, 416: ["Range"]
    case 304: ["If-None-Match", "If-Modified-Since"]
    case 412: ["If-Match", "If-Unmodified-Since", "If-None-Match"]
    default: []
    }
  }

  /// Returns true if a recording answers only conditional requests, because the recorded request was conditional.
  package static func isOne(_ interaction: Interaction) -> Bool {
    conditions(of: interaction.status).contains(where: interaction.requestHeaders.contains)
  }

  /// Returns true if a request has the same range, or any condition of the recording's kind (RFC 9110 §13, §14), or if
  /// rules decide.
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
