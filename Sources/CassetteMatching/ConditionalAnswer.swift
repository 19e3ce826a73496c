internal import CassetteHTTP
package import Cassettes

/// Tells answers that are good for a condition of their request alone: a part of a body, and that it has not changed.
package enum ConditionalAnswer {
  private static let conditions = ["If-None-Match", "If-Modified-Since"]

  /// Tells whether a recording answers only requests that have a condition, as the recorded one had.
  package static func isOne(_ interaction: Interaction) -> Bool {
    switch interaction.status {
    case 206: interaction.requestHeaders.contains("Range")
    case 304: conditions.contains(where: interaction.requestHeaders.contains)
    default: false
    }
  }

  /// Tells whether a request has the condition: the very range, or any for what it has already (RFC 9110 §13, §14).
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - interaction: The recording.
  ///   - rules: What a person wrote of its fields, which decides.
  /// - Returns: Whether the recording may answer.
  static func isMet(by request: HTTPRequest, _ interaction: Interaction, _ rules: MatchRules?) -> Bool {
    guard isOne(interaction) else { return true }
    let fields = interaction.status == 206 ? ["Range"] : conditions
    let isRuled = rules?.headers.entries.contains { rule in
      fields.contains { $0.lowercased() == rule.name.lowercased() }
    }
    if isRuled ?? false { return true }
    guard interaction.status == 206 else { return conditions.contains(where: request.headers.contains) }
    return request.headers["Range"] == interaction.requestHeaders["Range"]
  }
}
