internal import CassetteSystem

/// Provides sample strings for the formats of schemas.
enum FormatSample {
  /// Returns a string of a format, different for each number, or nil for an unknown format.
  ///
  /// Names and addresses are reserved for documentation (RFC 2606, RFC 5737, RFC 3849).
  static func text(of format: String, _ number: Int) -> String? {
    let suffix = number == 0 ? "" : "\(number)"
    let day = two(1 + number % 28)
    let (hour, minute) = (two(12 + number / 28 % 12), two(number / 336 % 60))
    return switch format {
    case "date-time": "2026-01-\(day)T\(hour):\(minute):00Z"
    case "date": "2026-01-\(day)"
    case "time": "\(hour):\(minute):\(two(number % 60))Z"
    case "duration": "P\(1 + number)D"
    case "email": "user\(suffix)@example.com"
    case "idn-email": "имя\(suffix)@example.com"
    case "hostname", "idn-hostname": "host\(suffix).example.com"
    case "ipv4": "192.0.2.\(1 + number % 250)"
    case "ipv6": "2001:db8::\(String(1 + number, radix: 16))"
    case "uri", "url", "iri": "https://example.com/\(suffix)"
    case "uri-reference", "iri-reference": "/path\(suffix)"
    case "uri-template": "/path\(suffix)/{id}"
    case "uuid": "3fa85f64-5717-4562-b3fc-" + hexadecimal(0x2c96_3f66_afa6 &+ number)
    case "json-pointer": "/path\(suffix)"
    case "relative-json-pointer": "\(number)"
    case "regex": "^a\(suffix)$"
    case "byte": number == 0 ? "c3RyaW5n" : "c3Ry" + String(hexadecimal(number).suffix(4))
    case "int32", "int64", "integer": "\(number)"
    case "float", "double", "decimal", "number": "\(number).5"
    case "phone": "+1-202-555-01\(two(number % 100))"
    default: nil
    }
  }

  /// Returns a longer string of the same format, or nil if the format does not allow it.
  static func lengthened(_ text: String, _ format: String, _ length: Int) -> String? {
    let short = length - text.unicodeScalars.count
    let more = String(repeating: "a", count: short)
    return switch format {
    case "email", "idn-email": more + text
    case "uri", "url", "iri", "uri-reference", "iri-reference", "uri-template", "json-pointer", "hostname": text + more
    case "int32", "int64", "integer": text + String(repeating: "0", count: short)
    case "byte": text + String(repeating: "AAAA", count: (short + 3) / 4)
    case "regex": more + text
    case "date-time": text.dropLast() + "." + String(repeating: "0", count: max(1, short - 1)) + "Z"
    default: text + more
    }
  }

  static func words(_ random: inout SeededRandom) -> String {
    (0..<(1 + random.below(3))).map { _ in plain[random.below(plain.count)] }.joined(separator: " ")
  }

  private static let plain = [
    "amber", "apple", "bridge", "candle", "cloud", "coral", "dawn", "ember", "field", "forest", "garden", "harbor",
    "island", "lake", "lemon", "meadow", "moon", "ocean", "olive", "paper", "planet", "river", "sail", "silver", "snow",
    "spring", "star", "summer", "timber", "valley", "water", "winter",
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func hexadecimal(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 12 - digits.count)) + digits.suffix(12)
  }
}
