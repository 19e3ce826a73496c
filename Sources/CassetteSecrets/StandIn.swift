internal import CassetteHTTP

/// The stand-in that a client gets instead of a secret: a value of the same type, made from the secret's number.
///
/// Stand-ins are deterministic, differ for different numbers, and are recognizably not real secrets.
package enum StandIn {
  /// The number of digits if the alias does not specify it.
  static let digits = 9

  /// Returns the stand-in for a secret's number and type; without a type, a word of unreserved characters (RFC 3986
  /// §2.3), which is valid in URLs, fields and cookies.
  package static func text(_ number: Int, _ shape: SecretType?) -> String {
    guard let shape else { return "secret-\(number)" }
    return switch shape.kind {
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

  /// Returns a number such as `700000005` with as many digits as the secret; the leading digit marks its start.
  private static func numeric(_ number: Int, _ detail: String) -> String {
    let parts = detail.drop { $0 == "-" }.split(separator: ".")
    let said = parts.first.flatMap { Int($0) } ?? digits
    let count = max(min(said, 64), "\(number)".utf8.count + 1)
    // Numbers of these lengths may be near the limits of integer types, or times since 1970, so they start with 1.
    let first = [3, 5, 10, 13, 16, 19, 20].contains(count) ? "1" : "7"
    let fraction = parts.count > 1 ? "." + String(repeating: "5", count: max(1, min(Int(parts[1]) ?? 1, 20))) : ""
    return (detail.hasPrefix("-") ? "-" : "") + first + padded(number, count - 1) + fraction
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns the time `number` seconds after the beginning of 2001, or `number` days if the format has no time.
  private static func date(_ number: Int, _ detail: String) -> String {
    let shape = detail.isEmpty ? "0000-00-00T00:00:00Z" : detail
    // After the day, a sign starts the time zone.
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
