import Foundation

/// The names of fields and parameters whose values are masked in logs.
struct Secrets: Sendable {
  /// The names in addition to well-known ones.
  var names: Set<String> = []

  /// Returns true if the value of this name is a secret, regardless of the spelling of the name.
  func contains(_ name: String) -> Bool {
    if names.contains(where: { $0.caseInsensitiveCompare(name) == .orderedSame }) { return true }
    let name = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return ["authorization", "cookie", "token", "secret", "password", "apikey"].contains { name.hasSuffix($0) }
      || ["code", "passwd", "pwd", "sig", "signature", "sessionid", "xamzsignature"].contains(name)
  }

  /// Masks the value of a header field, except for the authentication scheme and the names of cookies.
  func mask(_ value: String, of field: String, _ replace: (String) -> String) -> String {
    guard contains(field) else { return value }
    switch field.lowercased() {
    case "set-cookie":
      // Several cookies may be joined by commas. Dates also contain a comma, but no equals sign after it.
      return value.replacing(/(^|, )([^=;,\s]+=)([^;,]*)/) { "\($0.1)\($0.2)\(replace(String($0.3)))" }
    case "cookie": return pairs(in: value, "; ", replace) { _ in true }
    case "authorization", "proxy-authorization":
      guard let space = value.firstIndex(of: " ") else { return replace(value) }
      return value[...space] + replace(String(value[space...].dropFirst()))
    default: return replace(value)
    }
  }

  /// Masks the password and the values of query parameters in a URL.
  func mask(url: String, _ replace: (String) -> String) -> String {
    let text = url.replacing(/^([^:]+:\/\/)([^\/?#]*)@/) { $0.1 + replace(String($0.2)) + "@" }
    guard let mark = text.firstIndex(of: "?") else { return text }
    return text[...mark] + pairs(in: String(text[mark...].dropFirst()), "&", replace) { contains($0) }
  }

  /// Masks the values of JSON members or form fields in a body.
  func mask(body: String, type: String?, _ replace: (String) -> String) -> String {
    if type?.hasPrefix("application/x-www-form-urlencoded") == true {
      return pairs(in: body, "&", replace) { contains($0) }
    }
    return body.replacing(/"([^"\\]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/) { match in
      guard contains(String(match.1)) else { return String(match.0) }
      return match.0[..<match.2.startIndex] + replace(String(match.2)) + "\""
    }
  }

  private func pairs(
    in text: String, _ separator: String, _ replace: (String) -> String, where isSecret: (String) -> Bool
  ) -> String {
    text.components(separatedBy: separator).map { pair in
      guard let sign = pair.firstIndex(of: "="), isSecret(String(pair[..<sign])) else { return pair }
      return pair[...sign] + replace(String(pair[sign...].dropFirst()))
    }.joined(separator: separator)
  }
}
