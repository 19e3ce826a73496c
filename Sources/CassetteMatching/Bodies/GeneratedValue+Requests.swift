extension GeneratedValue {
  /// Tells if texts differ, and only in values made anew at each call; a secret may be taken out of the recorded one.
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
