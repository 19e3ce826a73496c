internal import CassetteSystem

/// Detects strings and numbers that denote a date with a time of day, in the spellings that clients send.
///
/// A date without a time of day, such as a birthday, is not detected because it is not generated at each call.
enum GeneratedTime {
  /// The maximum length of a time.
  private static let longest = 72

  /// Returns true if the whole range is a point in time with a precision of at least a minute.
  ///
  /// The formats are RFC 3339 and ISO 8601 (basic and extended), the three forms of RFC 9110, RFC 5322, and the output
  /// of `toString` in common libraries: numbers and names of a date, one time of day, a zone.
  static func isTime(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    guard (13...longest).contains(range.count) else { return false }
    var reader = Reader(text: text, at: range.lowerBound, end: range.upperBound)
    return reader.readsTime()
  }

  /// Returns true if digits, with an optional fraction, count seconds or milliseconds since 1970, from 2001 to 2100.
  static func isEpoch(_ text: ByteSearch, _ range: Range<Int>) -> Bool {
    var whole = 0
    var at = range.lowerBound
    while at < range.upperBound, text[at] &- 0x30 < 10, at - range.lowerBound < 14 {
      whole = whole * 10 + Int(text[at] &- 0x30)
      at += 1
    }
    let digits = at - range.lowerBound
    if at < range.upperBound {
      guard text[at] == UInt8(ascii: "."), range.upperBound - at <= 10, at + 1 < range.upperBound else { return false }
      for index in at + 1..<range.upperBound where text[index] &- 0x30 >= 10 { return false }
    }
    // 2001-01-01 to 2100-01-01.
    let years = 978_307_200..<4_102_444_800
    return digits <= 10 ? years.contains(whole) : digits <= 13 && years.contains(whole / 1000)
  }

  /// Returns true if a member with this name may contain a time in seconds: phone and account numbers have ten digits,
  /// too.
  static func mayCount(named name: [UInt8]) -> Bool {
    let letters = String(decoding: name, as: UTF8.self).lowercased().filter { $0.isLetter }
    if measures.contains(where: letters.contains) { return false }
    guard letters.hasSuffix("id") || letters.hasSuffix("ids") || letters.hasSuffix("number") else { return true }
    return calls.contains(where: letters.contains)
  }

  private static let measures = [
    "phone", "mobile", "msisdn", "fax", "account", "iban", "card", "ean", "gtin", "barcode", "isbn", "sku", "amount",
    "price", "total", "cost", "balance", "zip", "postal", "size", "count", "length", "bytes", "population",
  ]
  /// The words in names of ids that identify a call rather than an element.
  private static let calls = ["request", "trace", "span", "message", "correlation", "nonce", "event", "idempotency"]
}

/// Parses the parts of a date and a time in any order.
private struct Reader {
  let text: ByteSearch
  var at: Int
  let end: Int
  var hasClock = false
  var hasYear = false
  /// The number of months and days of a month.
  var parts = 0

  mutating func readsTime() -> Bool {
    while at < end {
      let byte = text[at]
      if byte &- 0x30 < 10 {
        guard readNumber() else { return false }
      } else if (byte | 0x20) &- 0x61 < 26 {
        guard readWord() else { return false }
      } else {
        // Separators between the parts; a sign begins a zone.
        guard Self.between.contains(byte) else { return false }
        at += 1
      }
    }
    return hasClock && hasYear && parts >= 2
  }

  private static let between = ByteSet(adding: " ,:/.-+()'")

  private func digits(from start: Int) -> Int {
    var index = start
    while index < end, index - start < 16, text[index] &- 0x30 < 10 { index += 1 }
    return index - start
  }

  private func value(_ start: Int, _ count: Int) -> Int {
    var value = 0
    for index in start..<start + count { value = value * 10 + Int(text[index] &- 0x30) }
    return value
  }

  private mutating func readNumber() -> Bool {
    let (start, count) = (at, digits(from: at))
    at += count
    if count <= 2, at < end, text[at] == UInt8(ascii: ":"), !hasClock, hasYear || parts == 0 || parts >= 2 {
      return readClock(hour: value(start, count))
    }
    let follows = at < end ? text[at] | 0x20 : 0
    switch count {
    case 4 where hasClock && start > 0 && Self.signs.contains(text[start - 1]):
      // A zone such as +0100, or the year after the time in asctime format.
      if hasYear { return value(start, 2) <= 14 && value(start + 2, 2) < 60 }
      return readYear(start)
    case 4: return readYear(start)
    case 8 where !hasYear:
      // 20261122T010203Z
      guard follows == UInt8(ascii: "t"), readYear(start) else { return false }
      guard isMonth(value(start + 4, 2)), isDay(value(start + 6, 2)) else { return false }
      parts += 2
      let clock = digits(from: at + 1)
      guard clock == 4 || clock == 6, isClock(at + 1, clock) else { return false }
      at += 1 + clock
      hasClock = true
      skipFraction()
      return true
    case 1, 2:
      // Hours or minutes of a zone.
      if hasClock, hasYear, parts >= 2 { return value(start, count) < 60 }
      guard isDay(value(start, count)), parts < 2 else { return false }
      parts += 1
      return true
    default: return false
    }
  }

  private static let signs = ByteSet(adding: "+-")

  private mutating func readYear(_ start: Int) -> Bool {
    guard !hasYear, (1900..<2200).contains(value(start, 4)) else { return false }
    hasYear = true
    return true
  }

  private mutating func readClock(hour: Int) -> Bool {
    guard hour < 24, digits(from: at + 1) == 2, value(at + 1, 2) < 60 else { return false }
    at += 3
    hasClock = true
    guard at < end, text[at] == UInt8(ascii: ":") else { return true }
    guard digits(from: at + 1) == 2, value(at + 1, 2) <= 60 else { return false }
    at += 3
    skipFraction()
    return true
  }

  private mutating func skipFraction() {
    guard at + 1 < end, text[at] == UInt8(ascii: ".") || text[at] == UInt8(ascii: ",") else { return }
    at += 1 + digits(from: at + 1)
  }

  private func isClock(_ start: Int, _ count: Int) -> Bool {
    value(start, 2) < 24 && value(start + 2, 2) < 60 && (count == 4 || value(start + 4, 2) <= 60)
  }

  private func isMonth(_ number: Int) -> Bool { (1...12).contains(number) }
  private func isDay(_ number: Int) -> Bool { (1...31).contains(number) }

  private mutating func readWord() -> Bool {
    let start = at
    while at < end, (text[at] | 0x20) &- 0x61 < 26 { at += 1 }
    var word = ""
    for index in start..<at { word.unicodeScalars.append(Unicode.Scalar(text[index] | 0x20)) }
    if Self.months.contains(word) || word.count > 3 && Self.longMonths.contains(word) {
      parts += 1
      return true
    }
    return Self.words.contains(word)
  }

  private static let months: Set<String> = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
  ]
  private static let longMonths: Set<String> = [
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
  ]
  private static let words: Set<String> = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "t", "z", "gmt", "utc", "am", "pm", "at", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "cet",
    "cest", "eet", "eest", "wet", "west", "bst", "ist", "jst", "msk", "coordinated", "universal", "time", "standard",
    "daylight", "central", "european", "eastern", "pacific", "mountain", "summer",
  ]
}
