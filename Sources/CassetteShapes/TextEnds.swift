package import CassetteSystem

/// The ends of lines, words and strings, in a text as it is and in a string of JSON.
package enum TextEnds {
  /// Returns where a line begins if nothing stands before a name in it but what introduces one.
  package static func beginningOfLine(_ text: ByteSearch, _ start: Int) -> Int? {
    let at = text.beginning(of: lead, before: start)
    if at == 0 || opensLine.contains(text[at - 1]) { return at }
    for word in ["export", "set", "SET", "ENV"] where at >= word.utf8.count && at < start {
      let before = at - word.utf8.count
      if text.has(Array(word.utf8), at: before), before == 0 || opensLine.contains(text[before - 1]) { return before }
    }
    return nil
  }

  /// The end of a line's value: in a string, the escape of a line's end, and before the backslashes of a quote.
  package static func endOfLine(_ value: Range<Int>, from line: Int, in text: ByteSearch) -> Int {
    var end = value.lowerBound
    lazy var most = longestEscape(around: line, in: text)
    while let slash = text.first(UInt8(ascii: "\\"), in: end..<value.upperBound) {
      end = text.end(of: backslash, from: slash)
      if text.at(end) == UInt8(ascii: "\"") || letters.contains(text.at(end)) && end - slash <= most { return slash }
    }
    return value.upperBound
  }

  /// The end of the first value of a form that nothing says to be one: `oauth_token=x&oauth_token_secret=y`.
  package static func endInForm(_ value: Range<Int>, in text: ByteSearch) -> Int {
    guard let first = text.first(UInt8(ascii: "&"), in: value), text.first(0x20, in: value) == nil else {
      return value.upperBound
    }
    var mark = first
    while mark < value.upperBound {
      let sign = text.end(of: nameBytes, from: mark + 1)
      guard sign > mark + 1, text.at(sign) == UInt8(ascii: "=") else { return value.upperBound }
      mark = text.first(UInt8(ascii: "&"), in: sign..<value.upperBound) ?? value.upperBound
    }
    return first
  }

  /// The most backslashes of a line's end in the string that a line stands in; 0 where it stands in none.
  ///
  /// A string of JSON in JSON is written with a backslash before its quotes, and with one more before the `n` of its
  /// lines.
  private static func longestEscape(around line: Int, in text: ByteSearch) -> Int {
    let open = text.beginning(behind: opensString, before: line, after: max(0, line - 4096))
    guard open > 0, !ByteSet.lineEnd.contains(text[open - 1]) else { return 0 }
    let first = text.beginning(of: backslash, before: open - 1)
    let before = text.at(text.beginning(of: .space, before: first) - 1)
    return beginsValue.contains(before) ? open - first : 1
  }

  /// Tells whether a quote ends the string of JSON that a name stands in: `{"delta": "TOKEN="}`.
  package static func endsJSON(_ quote: Int, behind start: Int, in text: ByteSearch) -> Bool {
    guard behindString.contains(text.at(text.skippingBlanks(quote + 1))) else { return false }
    let line = text.beginning(behind: .lineEnd, before: start, after: max(0, start - 4096))
    var isWithin = false
    var at = line
    while let mark = text.first(UInt8(ascii: "\""), in: at..<start) {
      if mark == 0 || text[mark - 1] != UInt8(ascii: "\\") { isWithin.toggle() }
      at = mark + 1
    }
    return isWithin
  }

  private static let behindString = ByteSet(adding: ",}]")
  /// Finds the end of a scheme's parameters (RFC 9110 §11.4): `Digest username="ada", response="…"`.
  package static func endOfParameters(_ text: ByteSearch, behind scheme: Range<Int>) -> Int? {
    guard let blank = text.first(0x20, in: scheme), text.at(scheme.upperBound) == UInt8(ascii: "\"") else { return nil }
    var end: Int?
    var at = blank + 1
    while true {
      let sign = text.end(of: nameBytes, from: at)
      guard sign > at, text.at(sign) == UInt8(ascii: "=") else { return end }
      if text.at(sign + 1) == UInt8(ascii: "\"") {
        guard let quote = endOfString(text, from: sign + 2, UInt8(ascii: "\""), limit: 4096) else { return end }
        at = quote + 1
      } else {
        at = text.end(before: endsWord, from: sign + 1)
      }
      end = at
      guard text.at(at) == UInt8(ascii: ",") else { return end }
      at = text.skippingBlanks(at + 1)
    }
  }

  package static let opensString = ByteSet(adding: "\n\r\"")
  private static let beginsValue = ByteSet(adding: ":,[{(")
  private static let backslash = ByteSet(adding: "\\")
  /// The letters of escapes that end a word.
  package static let letters = ByteSet(adding: "nrt")
  private static let lead = ByteSet(adding: " \t-*#")
  private static let opensLine = ByteSet(adding: "\n\r\"'>`\0")
  package static let endsLine = ByteSet(adding: "\n\r<\"`")
  package static let endsQuote = endsLine.adding("'")
  package static let endsWord = ByteSet(0...0x20, adding: "\"'<>`,;&)]}\\")
  /// The bytes of a name without quotes.
  package static let nameBytes = ByteSet.word.adding("_-.%[]+$~")

  /// Finds the quote that ends a string, over escapes.
  package static func endOfString(_ text: ByteSearch, from start: Int, _ mark: UInt8, limit: Int = .max) -> Int? {
    var at = start
    while at < text.count, at - start < limit {
      if text[at] == mark { return at }
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
