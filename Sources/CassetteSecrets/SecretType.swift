internal import CassetteHTTP
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

  /// Detects the type of a secret; returns nil for a plain string.
  package init?(of secret: [UInt8]) {
    guard (1...16_384).contains(secret.count), secret.allSatisfy({ $0 > 0x1f && $0 < 0x7f }) else { return nil }
    let text = String(decoding: secret, as: UTF8.self)
    if let detail = Self.numeric(secret) {
      self.init(.digits, detail)
    } else if secret.count == 36, secret.searching({ $0.holdsUUID(at: 0) }) {
      self.init(.uuid, secret.contains { (0x41...0x46).contains($0) } ? "upper" : "")
    } else if let detail = Self.date(text) {
      self.init(.date, detail)
    } else if let detail = JWTStandIn.detail(of: secret) {
      self.init(.jwt, detail)
    } else if let scheme = Self.scheme(of: secret) {
      self.init(.url, scheme == "https" ? "" : scheme)
    } else if Self.isEmail(secret) {
      self.init(.email)
    } else {
      return nil
    }
  }

  /// Returns `4` for a number of four digits, `-2.3` for one with a sign and three decimals.
  private static func numeric(_ text: [UInt8]) -> String? {
    let digits = text.drop { $0 == UInt8(ascii: "-") }
    let whole = digits.prefix { $0 &- 0x30 < 10 }
    var rest = digits[whole.endIndex...]
    guard text.count - digits.count < 2, !whole.isEmpty else { return nil }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { $0 &- 0x30 < 10 }.count
      guard fraction > 0 else { return nil }
      rest = rest.dropFirst(fraction + 1)
    }
    if let exponent = rest.first, exponent | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst().drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }.drop { $0 &- 0x30 < 10 }
      fraction = max(fraction, 1)
    }
    guard rest.isEmpty else { return nil }
    return (digits.count < text.count ? "-" : "") + "\(whole.count)" + (fraction > 0 ? ".\(fraction)" : "")
  }

  /// Returns the format of a date: `http` for RFC 9110 §5.6.7, otherwise ISO 8601 with a zero for each digit.
  private static func date(_ text: String) -> String? {
    guard (8...35).contains(text.utf8.count) else { return nil }
    if text.utf8.count == 29, HTTPDate.parse(text) != nil { return "http" }
    let shape = String(decoding: text.utf8.map { $0 &- 0x30 < 10 ? 0x30 : $0 == 0x20 ? 0x5f : $0 }, as: UTF8.self)
    var rest = shape[...]
    func takes(_ texts: String...) -> Bool {
      guard let text = texts.first(where: rest.hasPrefix) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }
    let isBasic = takes("00000000T")
    guard isBasic || takes("0000-00-00") else { return nil }
    if isBasic || takes("T", "_") {
      guard isBasic ? takes("000000", "0000") : takes("00:00:00", "00:00") else { return nil }
      if takes(".0", ",0") { rest = rest.drop { $0 == "0" } }
      _ = takes("_")
      _ = takes("Z", "+00:00", "-00:00", "+0000", "-0000", "+00", "-00")
    }
    let digits = text.utf8.filter { $0 &- 0x30 < 10 }
    guard rest.isEmpty, (0x31...0x32).contains(digits[0]), digits[4] < 0x32, digits[6] < 0x34 else { return nil }
    return shape.replacing(",", with: ".")
  }

  /// Returns the scheme of an absolute URL with an authority (RFC 3986 §3).
  private static func scheme(of text: [UInt8]) -> String? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 1, colon < 16,
      text[colon...].starts(with: "://".utf8), text.count > colon + 3, !text.contains(0x20),
      text[..<colon].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "+") })
    else { return nil }
    return String(decoding: text[..<colon], as: UTF8.self).lowercased()
  }

  private static let inAddress = ByteSet.word.adding(".!#$%&'*+-/=?^_`{|}~")

  /// True if the value is an email address with a local part and a domain of several labels (RFC 5321 §4.1.2).
  private static func isEmail(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(inAddress.contains) else { return false }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { ByteSet.word.contains($0) || $0 == UInt8(ascii: "-") } }
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
