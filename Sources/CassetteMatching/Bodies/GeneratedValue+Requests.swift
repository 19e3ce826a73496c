extension GeneratedValue {
  /// Tells whether two texts differ only in values that clients make anew at each call.
  ///
  /// In what was recorded a secret may have been taken out.
  ///
  /// - Parameters:
  ///   - sent: The text that was sent.
  ///   - recorded: The text that was recorded.
  ///   - name: The name of the member or field they belong to.
  /// - Returns: Whether nothing else differs, and something does.
  static func differsOnly(_ sent: [UInt8], _ recorded: [UInt8], named name: [UInt8]) -> Bool {
    guard let now = GeneratedText.masked(sent, named: name), let then = GeneratedText.masked(recorded, named: name)
    else { return false }
    return now == then || PlaceholderPattern(then)?.matches(now) ?? false
  }

  /// Tells whether two lines of a longer text differ only in such values.
  static func differsOnly(inTokens sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    guard let now = GeneratedText.masked(tokensOf: sent), let then = GeneratedText.masked(tokensOf: recorded) else {
      return false
    }
    return now == then || PlaceholderPattern(then)?.matches(now) ?? false
  }
}
