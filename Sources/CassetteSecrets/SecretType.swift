internal import CassetteHTTP
internal import CassettePatterns
internal import CassetteSystem

/// The type and format of a secret, so that clients can parse its stand-in like the secret.
package struct SecretType: Hashable, Sendable {
  /// The types that stand-ins preserve.
  package enum Kind: String, Sendable {
    /// An integer or decimal JSON number, and a number in a string.
    case int, number, digits
    case uuid, date, email, url, jwt

    /// True if it is a JSON number: in the file, its alias is in additional quotes.
    package var isBare: Bool { self == .int || self == .number }
    package var isNumeric: Bool { isBare || self == .digits }
  }

  package var kind: Kind
  /// The format, for some types, in characters that are valid in JSON, URLs, fields and cookies.
  package var detail = ""

  package init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }

  /// Parses the part of an alias after its number: `uuid`, `date,0000-00-00`; returns nil for an unknown type.
  package init?(notation: ArraySlice<UInt8>) {
    let text = String(decoding: notation, as: UTF8.self)
    let name = text.prefix { $0 != "," && $0 != ";" }
    guard let kind = Kind(rawValue: String(name)) else { return nil }
    self.init(kind, String(text.dropFirst(name.count + 1)))
  }

  /// The notation after the alias number: `:uuid`.
  package var notation: String { detail.isEmpty ? ":\(kind.rawValue)" : ":\(kind.rawValue),\(detail)" }

  /// Returns the type for a secret in a string, or for a JSON number.
  package func placed(asNumber isNumber: Bool) -> SecretType {
    guard kind.isNumeric else { return self }
    return SecretType(isNumber ? detail.contains(".") ? .number : .int : .digits, detail)
  }

  // MARK: Detection

  private static let number = try? TextPattern(#"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]*)?"#)
  /// A date of ISO 8601 with a zero for each digit and an underscore for each space.
  private static let isoDate = try? TextPattern(
    #"(?:0000-00-00(?:[T_]00:00(?::00)?X)?|00000000T0000(?:00)?X)"#
      .replacing("X", with: #"(?:[.,]0+)?_?(?:Z|[+\-]00(?::?00)?)?"#))
  /// An absolute URL with an authority (RFC 3986 §3).
  private static let url = try? TextPattern(#"[a-zA-Z0-9+]{2,15}://[^ ]+"#)
  /// An address with a local part and a domain of several labels (RFC 5321 §4.1.2).
  private static let email = try? TextPattern(
    #"[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]+@[a-zA-Z0-9\-]+(?:\.[a-zA-Z0-9\-]+)+"#)

  /// Detects the type of a secret; returns nil for a plain string.
  package init?(of secret: [UInt8]) {
    guard (1...16_384).contains(secret.count), secret.allSatisfy({ $0 > 0x1f && $0 < 0x7f }) else { return nil }
    let text = String(decoding: secret, as: UTF8.self)
    if Self.number?.matches(text) == true {
      self.init(.digits, Self.format(ofNumber: text))
    } else if secret.count == 36, secret.searching({ $0.holdsUUID(at: 0) }) {
      self.init(.uuid, secret.contains { (0x41...0x46).contains($0) } ? "upper" : "")
    } else if let format = Self.format(ofDate: text) {
      self.init(.date, format)
    } else if let detail = JWTStandIn.detail(of: secret) {
      self.init(.jwt, detail)
    } else if Self.url?.matches(text) == true {
      let scheme = text.prefix { $0 != ":" }.lowercased()
      self.init(.url, scheme == "https" ? "" : scheme)
    } else if Self.email?.matches(text) == true {
      self.init(.email)
    } else {
      return nil
    }
  }

  /// Returns `4` for a number of four digits, `-2.3` for one with a sign and three decimals.
  private static func format(ofNumber text: String) -> String {
    let mantissa = text.prefix { $0 != "e" && $0 != "E" }
    let parts = mantissa.drop { $0 == "-" }.split(separator: ".").map(\.count)
    let decimals = parts.count > 1 ? parts[1] : mantissa.endIndex < text.endIndex ? 1 : 0
    return (text.hasPrefix("-") ? "-" : "") + "\(parts[0])" + (decimals > 0 ? ".\(decimals)" : "")
  }

  /// Returns the format of a date: `http` for RFC 9110 §5.6.7, otherwise ISO 8601 with a zero for each digit.
  private static func format(ofDate text: String) -> String? {
    guard (8...35).contains(text.utf8.count) else { return nil }
    if text.utf8.count == 29, HTTPDate.parse(text) != nil { return "http" }
    let shape = String(text.map { $0.isNumber ? "0" : $0 == " " ? "_" : $0 })
    let digits = text.utf8.filter(\.isDigit)
    guard isoDate?.matches(shape) == true, (0x31...0x32).contains(digits[0]), digits[4] < 0x32, digits[6] < 0x34
    else { return nil }
    return shape.replacing(",", with: ".")
  }

  // MARK: Recorded again

  /// True if a newly recorded secret may keep the format in the cassette: times and lengths may differ.
  package func isLike(_ old: SecretType) -> Bool {
    guard kind == old.kind || kind.isNumeric && old.kind.isNumeric else { return false }
    guard kind.isNumeric else { return Self.withoutDigits(detail) == Self.withoutDigits(old.detail) }
    let (now, then) = (Self.whole(detail), Self.whole(old.detail))
    return detail.contains(".") == old.detail.contains(".") && abs(now - then) < 2
  }

  /// Returns the number of digits before the decimal point, negative for numbers with a sign.
  private static func whole(_ detail: String) -> Int { Int(detail.prefix { $0 != "." }) ?? StandIn.digits }

  /// Replaces each run of digits by a zero and removes a zero fraction, which a format without fraction omits.
  private static func withoutDigits(_ text: String) -> String {
    text.reduce(into: "") { output, character in
      if !character.isNumber { output.append(character) } else if output.last != "0" { output.append("0") }
    }.replacing(".0", with: "")
  }
}
