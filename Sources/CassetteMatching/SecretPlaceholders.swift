internal import CassetteSystem
internal import Cassettes

/// Compares texts with what was left of them when secrets were taken out.
package enum SecretPlaceholders {
  /// Tells whether `Bearer abc` is what `Bearer {{secret:1}}` was made of: matching compares redacted with redacted.
  package static func matches(_ sent: some StringProtocol, placeholderIn recorded: some StringProtocol) -> Bool {
    PlaceholderPattern(Array(recorded.utf8))?.matches(Array(sent.utf8)) ?? false
  }

  /// Tells whether a text is the recorded one, or what that was made of.
  package static func equal(_ sent: some StringProtocol, _ recorded: some StringProtocol) -> Bool {
    sent == recorded || matches(sent, placeholderIn: recorded)
  }

  /// Tells whether a secret was taken out of a text, also within base64.
  package static func isIn(_ text: some StringProtocol) -> Bool { PlaceholderPattern(Array(text.utf8)) != nil }

  /// Tells whether a target may have one, at little cost: most have none.
  package static func mayBeIn(_ target: Span<UInt8>) -> Bool {
    RecordedTarget.hasPlaceholder(target)
      || target.withUnsafeBufferPointer { PlaceholderPattern.mayHoldEncoded(ByteSearch($0)) }
  }
}
