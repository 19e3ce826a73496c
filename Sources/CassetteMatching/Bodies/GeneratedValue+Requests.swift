extension GeneratedValue {
  /// Returns true if two strings differ only in values that are generated at each call, or in a redacted secret.
  static func differsOnly(_ sent: [UInt8], _ recorded: [UInt8], named name: [UInt8]) -> Bool {
    differsOnly(GeneratedText.masked(sent, named: name), GeneratedText.masked(recorded, named: name))
  }

  /// Returns true if two lines of text differ only in tokens that are generated at each call, or in a redacted secret.
  static func differsOnly(inTokens sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    differsOnly(GeneratedText.masked(tokensOf: sent), GeneratedText.masked(tokensOf: recorded))
  }

  private static func differsOnly(_ now: [UInt8]?, _ then: [UInt8]?) -> Bool {
    guard let now, let then else { return false }
    return now == then || PlaceholderPattern(then)?.matches(now) ?? false
  }
}
