internal import CassetteSystem

/// The header fields with credentials, which distinguish authenticated requests from anonymous ones.
///
/// Matching considers the presence of these fields, but not their values or schemes. Cookies are handled separately,
/// because clients send them with every request.
public enum CredentialField {
  /// The endings of field names that contain credentials, such as `Authorization`, `X-Api-Key` or `Private-Token`.
  private static let endings: [StaticString] = [
    "authorization", "api-key", "apikey", "-token", "auth-key", "access-key", "subscription-key", "functions-key",
  ]
  /// The names of tokens that protect a form or continue a list, and do not identify the client.
  private static let others: [StaticString] = ["csrf-token", "xsrf-token", "page-token", "continuation-token"]

  /// Returns true if a field contains credentials, based on its name (RFC 9110 §11.6.2 and the names common in APIs).
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the head.
  ///   - name: The range of the field name in the head.
  /// - Returns: True for a field with credentials.
  @inline(__always)
  public static func isNamed(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard name.count > 5 else { return false }
    // All endings have "n" or "y" as the last letter, which rules out most names.
    let last = bytes[name.upperBound - 1] | 0x20
    guard last == UInt8(ascii: "n") || last == UInt8(ascii: "y") else { return false }
    return hasEnding(bytes, name)
  }

  /// Returns true if a field with this name contains credentials.
  public static func isNamed(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return isNamed(bytes.span, 0..<bytes.count)
  }

  private static func hasEnding(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    func ends(_ ending: StaticString) -> Bool {
      let count = ending.utf8CodeUnitCount
      return name.count >= count && ASCII.isWord(ending, bytes, name.upperBound - count..<name.upperBound)
    }
    return endings.contains(where: ends) && !others.contains(where: ends)
  }
}
