import CassetteHTTP

/// Formats times, by a named format or by a pattern such as `yyyy-MM-dd HH:mm`.
struct TemplateTimeFormat: Sendable {
  /// The names of the predefined formats.
  static let names = ["iso8601", "date", "time", "http", "epoch", "millis"]

  /// Validates the format, the offset and the zone of a call, as far as they are literals.
  static func check(_ call: TemplateCall) throws(TemplateError) {
    guard call.helper == .now || call.helper == .date else { return }
    let place = call.helper == .now ? 0 : 1
    if call.arguments.indices.contains(place), case .literal(let format) = call.arguments[place],
      let letter = unknownLetter(in: format.text)
    {
      throw TemplateError(
        "unknown letter \"\(letter)\" in the time format \"\(format.text)\"", at: call.offset,
        "write yyyy-MM-dd, HH:mm:ss.SSS, EEE, MMM, a, X, and other words in single quotes")
    }
    for (name, value) in call.named {
      guard case .literal(let text) = value else { continue }
      let isRight = name == "offset" ? seconds(ofOffset: text.text) != nil : zone(text.text) != nil
      guard !isRight, name != "default" else { continue }
      throw TemplateError(
        "\"\(text.text)\" is not a valid \(name)", at: call.offset,
        name == "offset" ? "write -1d or +2h30m" : "write +02:00 or Z")
    }
  }

  /// Formats a time.
  ///
  /// - `nanoseconds`: The time, in nanoseconds since 1970.
  /// - `zone`: The offset of the time zone from UTC, in seconds.
  static func value(_ nanoseconds: Int, _ format: String, zone: Int) -> TemplateValue {
    switch format {
    case "epoch": return .integer(nanoseconds.quotient(by: 1_000_000_000))
    case "millis": return .integer(nanoseconds.quotient(by: 1_000_000))
    case "http": return .text(HTTPDate.format(nanoseconds.quotient(by: 1_000_000_000)))
    case "iso8601": return .text(written(nanoseconds, "yyyy-MM-dd'T'HH:mm:ssXXX", zone))
    case "date": return .text(written(nanoseconds, "yyyy-MM-dd", zone))
    case "time": return .text(written(nanoseconds, "HH:mm:ss", zone))
    default: return .text(written(nanoseconds, format, zone))
    }
  }

  // MARK: Patterns

  private static let letters: Set<Character> = ["y", "M", "d", "E", "H", "h", "m", "s", "S", "a", "X", "Z", "z"]

  private static func unknownLetter(in format: String) -> Character? {
    if names.contains(format) { return nil }
    return runs(of: format).first { $0.isPattern && !letters.contains($0.letter) }?.letter
  }

  private static func runs(of format: String) -> [(isPattern: Bool, letter: Character, text: String)] {
    var runs: [(isPattern: Bool, letter: Character, text: String)] = []
    var isQuoted = false
    var last: Character?
    for character in format {
      defer { last = character }
      if character == "'" {
        // Two quotes are an escaped quote.
        if last == "'", !isQuoted { runs.append((false, "'", "'")) }
        isQuoted.toggle()
      } else if !isQuoted, character.isASCII, character.isLetter {
        if let run = runs.last, run.isPattern, run.letter == character, last == character {
          runs[runs.count - 1].text.append(character)
        } else {
          runs.append((true, character, String(character)))
        }
      } else {
        runs.append((false, character, String(character)))
      }
    }
    return runs
  }

  private static func written(_ nanoseconds: Int, _ format: String, _ zone: Int) -> String {
    let seconds = nanoseconds.quotient(by: 1_000_000_000)
    let moment = HTTPDate.Moment(seconds: min(max(seconds, -62_135_596_800), 253_402_300_799 - 86_400) + zone)
    let fraction = nanoseconds - seconds * 1_000_000_000
    var text = ""
    for run in runs(of: format) {
      guard run.isPattern else {
        text += run.text
        continue
      }
      let width = run.text.count
      func padded(_ number: Int) -> String { HTTPDate.Moment.padded(number, min(width, 9)) }
      switch run.letter {
      case "y": text += width == 2 ? padded(moment.year % 100) : padded(moment.year)
      case "M": text += width < 3 ? padded(moment.month) : width == 3 ? moment.monthName : moment.longMonthName
      case "d": text += padded(moment.day)
      case "E": text += width < 4 ? moment.weekday : moment.longWeekday
      case "H": text += padded(moment.hour)
      case "h": text += padded((moment.hour + 11) % 12 + 1)
      case "m": text += padded(moment.minute)
      case "s": text += padded(moment.second)
      case "S": text += HTTPDate.Moment.padded(fraction, 9).prefix(width)
      case "a": text += moment.hour < 12 ? "AM" : "PM"
      case "z": text += zone == 0 ? "UTC" : offset(zone, colon: true)
      case "Z": text += offset(zone, colon: false)
      default: text += zone == 0 ? "Z" : offset(zone, colon: width > 2)
      }
    }
    return text
  }

  private static func offset(_ seconds: Int, colon: Bool) -> String {
    let minutes = abs(seconds) / 60
    let (hours, rest) = (minutes / 60, minutes % 60)
    let (first, second) = (HTTPDate.Moment.padded(hours), HTTPDate.Moment.padded(rest))
    return "\(seconds < 0 ? "-" : "+")\(first)\(colon ? ":" : "")\(second)"
  }

  // MARK: Offsets and zones

  /// Parses a duration such as `-1d`, `+2h30m` or `3 days`.
  ///
  /// Returns its seconds, or nil if `text` is not a duration.
  static func seconds(ofOffset text: String) -> Double? {
    var rest = text.utf8.filter { $0 > 0x20 }[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var total = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { ($0 | 0x20) &- 0x61 < 26 }
      rest = rest.dropFirst(unit.count)
      guard digits.count < 16, let number = Double(String(decoding: digits, as: UTF8.self)),
        let length = units[String(decoding: unit, as: UTF8.self)]
      else { return nil }
      total += number * length
    }
    // The limit is about a thousand years, because later dates cannot be formatted.
    return min(total, 3.2e10) * (isNegative ? -1 : 1)
  }

  /// The seconds of each unit.
  ///
  /// A month has 30 days and a year 365, because a duration has no calendar.
  private static let units: [String: Double] = {
    var units: [String: Double] = ["ms": 0.001, "": 1]
    for (names, length) in [
      ("s second seconds", 1.0), ("m min minute minutes", 60), ("h hour hours", 3600), ("d day days", 86_400),
      ("w week weeks", 604_800), ("month months", 2_592_000), ("y year years", 31_536_000),
    ] {
      for name in names.split(separator: " ") { units[String(name)] = length }
    }
    return units
  }()

  /// Parses a time zone such as `+02:00`.
  ///
  /// Returns its offset from UTC in seconds, or nil if `text` is not a zone.
  static func zone(_ text: String) -> Int? {
    if ["Z", "UTC", "GMT", "z", "utc"].contains(text) { return 0 }
    let bytes = Array(text.utf8)
    guard bytes.count >= 3, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-") else { return nil }
    let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let (hours, minutes) = digits.count == 2 ? (value, 0) : (value / 100, value % 100)
    guard hours <= 14, minutes < 60 else { return nil }
    return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
