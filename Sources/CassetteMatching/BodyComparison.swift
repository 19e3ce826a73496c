internal import CassetteJSON

/// Decides which differences count for rules about a body: secrets do not, and are masked in messages.
enum BodyComparison {
  /// A difference in words, secrets masked.
  static func mismatch(_ difference: JSONDifference) -> Mismatch {
    Mismatch(
      BodyDifference(place: difference.path, sent: difference.sent, recorded: difference.recorded, isGenerated: false))
  }

  /// Tells whether values differ only in that one of them is a secret that was taken out.
  static func isSecret(_ difference: JSONDifference) -> Bool {
    guard let recorded = difference.recorded, let sent = difference.sent else { return false }
    if SecretPlaceholders.matches(sent, placeholderIn: recorded) { return true }
    // A long value is shown cut: what follows the secret cannot be told any more.
    return sent.hasSuffix("…") && SecretPlaceholders.matches(sent.dropLast() + "\"", placeholderIn: recorded)
  }
}
