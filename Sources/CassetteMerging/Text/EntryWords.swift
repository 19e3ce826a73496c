internal import CassetteHTTP
internal import CassetteSecrets
internal import Cassettes

/// Interactions in words.
enum EntryWords {
  /// The request's line, secrets masked: `GET /users/kean`.
  static func request(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(SecretNames.masked(url: interaction.url))"
  }

  /// Returns the outcome of the request: `200`, or the name of a failure.
  static func outcome(of interaction: Interaction) -> String {
    if let status = interaction.status { return "\(status)" }
    return interaction.failure?.name ?? "no response"
  }
}
