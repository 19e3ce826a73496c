internal import CassetteHTTP
package import Cassettes

/// Tells answers that are good for a condition of their request alone: a part of a body, that it has not changed, and that it has.
package enum ConditionalAnswer {
  private static let conditions = ["If-None-Match", "If-Modified-Since"]
  private static let preconditions = ["If-Match", "If-Unmodified-Since", "If-None-Match"]

  /// Tells whether a recording answers only requests that have a condition, as the recorded one had.
  package static func isOne(_ interaction: Interaction) -> Bool {
    switch interaction.status {
    case 206, 416: interaction.requestHeaders.contains("Range")
    case 412: preconditions.contains(where: interaction.requestHeaders.contains)
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
    let isPart = interaction.status == 206 || interaction.status == 416
    let fields = isPart ? ["Range"] : interaction.status == 412 ? preconditions : conditions
    let isRuled = rules?.headers.entries.contains { rule in
      fields.contains { $0.lowercased() == rule.name.lowercased() }
    }
    if isRuled ?? false { return true }
    guard isPart else { return fields.contains(where: request.headers.contains) }
    return request.headers["Range"] == interaction.requestHeaders["Range"]
  }
}
