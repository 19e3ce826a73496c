internal import CassetteSystem

/// The header fields that say who asks: a request with one of them is a request with credentials.
///
/// Their presence is part of what was asked, their value and scheme are not. Cookies are told apart: a jar sends them
/// with every request, whoever asks.
public enum CredentialField {
  /// Names that end in one of these carry credentials: `Authorization`, `X-Api-Key`, `Private-Token`.
  private static let endings: [StaticString] = [
    "authorization", "api-key", "apikey", "-token", "auth-key", "access-key", "subscription-key", "functions-key",
  ]
  /// Tokens that guard a form or continue a list, and say nothing of who asks.
  private static let others: [StaticString] = ["csrf-token", "xsrf-token", "page-token", "continuation-token"]

  /// Tells credentials from other fields by the field's name; RFC 9110 §11.6.2 and the names that APIs made up.
  ///
  /// - Parameters:
  ///   - bytes: A head.
  ///   - name: The range of a field's name in it.
  /// - Returns: True for a field that carries credentials.
  @inline(__always)
  public static func isNamed(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard name.count > 5 else { return false }
    // All endings end in one of two letters: most names are told by that.
    let last = bytes[name.upperBound - 1] | 0x20
    guard last == UInt8(ascii: "n") || last == UInt8(ascii: "y") else { return false }
    return hasEnding(bytes, name)
  }

  /// Tells credentials from other fields by the field's name.
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
