extension GeneratedValue {
  /// Tells if texts differ, and only in values made anew at each call; a secret may be taken out of the recorded one.
  static func differsOnly(_ sent: [UInt8], _ recorded: [UInt8], named name: [UInt8]) -> Bool {
    differsOnly(GeneratedText.masked(sent, named: name), GeneratedText.masked(recorded, named: name))
  }

  /// Tells whether two lines of a longer text differ only in such values.
  static func differsOnly(inTokens sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    differsOnly(GeneratedText.masked(tokensOf: sent), GeneratedText.masked(tokensOf: recorded))
  }

  private static func differsOnly(_ now: [UInt8]?, _ then: [UInt8]?) -> Bool {
    guard let now, let then else { return false }
    return now == then || PlaceholderPattern(then)?.matches(now) ?? false
  }
}
