internal import CassetteHTTP

/// A stand-in that a client gets in the place of a secret: a value of the secret's type, made from its number.
///
/// Always the same for a number, another for another number, and seen to be none of the real ones.
package enum StandIn {
  /// The number of digits of a number of which nothing is said.
  static let digits = 9

  /// Returns the stand-in for the secret of a number.
  package static func text(_ number: Int, _ shape: SecretType) -> String {
    switch shape.kind {
    case .int, .number, .digits: numeric(number, shape.detail)
    case .uuid:
      (shape.detail == "upper" ? "5EC2E700-0000-4000-8000-" : "5ec2e700-0000-4000-8000-")
        + padded(number % 1_000_000_000_000, 12)
    case .date: date(number, shape.detail)
    case .email: "secret-\(number)@example.invalid"
    case .url: "\(shape.detail.isEmpty ? "https" : shape.detail)://secret-\(number).invalid/"
    case .jwt: JWTStandIn.token(number, shape.detail)
    }
  }

  /// `700000005`, of as many digits as it had: the leading digit says where the number begins.
  private static func numeric(_ number: Int, _ detail: String) -> String {
    let parts = detail.drop { $0 == "-" }.split(separator: ".")
    let said = parts.first.flatMap { Int($0) } ?? digits
    let count = max(min(said, 64), "\(number)".utf8.count + 1)
    // So many digits are near the end of an integer's range, or a time since 1970.
    let first = [3, 5, 10, 13, 16, 19, 20].contains(count) ? "1" : "7"
    let fraction = parts.count > 1 ? "." + String(repeating: "5", count: max(1, min(Int(parts[1]) ?? 1, 20))) : ""
    return (detail.hasPrefix("-") ? "-" : "") + first + padded(number, count - 1) + fraction
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns the time that is a number of seconds after the beginning of 2001, or of days where there is no time.
  private static func date(_ number: Int, _ detail: String) -> String {
    let shape = detail.isEmpty ? "0000-00-00T00:00:00Z" : detail
    // Behind the day a sign is a zone's.
    let end = shape.dropFirst(10).firstIndex { ".+-Z".contains($0) } ?? shape.endIndex
    let places = shape == "http" ? 14 : shape[..<end].count { $0 == "0" }
    let unit = places <= 8 ? 86_400 : places <= 12 ? 60 : 1
    let http = HTTPDate.format(978_307_200 + number % 1_000_000 * unit)
    guard shape != "http" else { return http }
    let parts = http.split(separator: " ")
    guard parts.count == 6, let month = HTTPDate.months.firstIndex(of: String(parts[2])) else { return http }
    var digits = "\(parts[3])\(padded(month + 1, 2))\(parts[1])\(parts[4].filter(\.isNumber))".prefix(places)
    return String(
      shape.map { character in
        if character == "_" { return " " }
        guard character == "0" else { return character }
        return digits.popFirst() ?? "0"
      })
  }
}
