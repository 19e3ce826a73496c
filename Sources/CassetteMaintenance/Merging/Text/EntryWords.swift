internal import Cassettes

/// Describes interactions.
enum EntryWords {
  /// Returns the outcome of the request: `200`, or the name of a failure.
  static func outcome(of interaction: Interaction) -> String {
    if let status = interaction.status { return "\(status)" }
    return interaction.failure?.name ?? "no response"
  }
}
