internal import CassetteHTTP
internal import CassetteSystem
internal import Cassettes

/// Compares strings with recorded strings whose secrets were redacted.
package enum SecretPlaceholders {
  /// Returns true if a sent string such as `Bearer abc` may be the original of `Bearer {{secret:1}}`.
  static func matches(_ sent: some StringProtocol, placeholderIn recorded: some StringProtocol) -> Bool {
    PlaceholderPattern(Array(recorded.utf8))?.matches(Array(sent.utf8)) ?? false
  }

  /// Returns true if a string equals the recorded one, or may be its original.
  package static func equal(_ sent: some StringProtocol, _ recorded: some StringProtocol) -> Bool {
    sent == recorded || matches(sent, placeholderIn: recorded)
  }

  /// Returns true if the segments of a path equal the recorded ones, or may be their originals.
  package static func pathsEqual(_ sent: String, _ recorded: String) -> Bool {
    let sent = sent.split(separator: "/", omittingEmptySubsequences: false)
    let recorded = recorded.split(separator: "/", omittingEmptySubsequences: false)
    guard sent.count == recorded.count else { return false }
    return zip(sent, recorded).allSatisfy { now, then in
      equal(PercentEncoding.decodeText(now.utf8), PercentEncoding.decodeText(then.utf8))
    }
  }

  /// Returns true if a string contains a redacted secret, also within base64.
  package static func isIn(_ text: some StringProtocol) -> Bool { PlaceholderPattern(Array(text.utf8)) != nil }

  /// Returns true if a target may contain a redacted secret; a fast check, because most contain none.
  package static func mayBeIn(_ target: Span<UInt8>) -> Bool {
    RecordedTarget.hasPlaceholder(target)
      || target.withUnsafeBufferPointer { PlaceholderPattern.mayHoldEncoded(ByteSearch($0)) }
  }
}
