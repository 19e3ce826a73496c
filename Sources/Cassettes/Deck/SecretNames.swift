internal import HTTP

/// The names whose values are secrets wherever they stand, and how to show a message without them.
package enum SecretNames {
  /// What stands in place of a secret that is shown rather than stored.
  package static let mask = "{{secret}}"

  /// Whether a recorded text stands for a secret that was taken out when it was kept: `{{secret:1}}`.
  package static func isPlaceholder(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("{{secret") && text.hasSuffix("}}")
  }

  /// Whether a header field's value is a secret.
  package static func isField(_ name: String) -> Bool {
    let name = name.lowercased()
    switch name {
    case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-auth-token", "x-access-token",
      "x-csrf-token", "x-xsrf-token", "x-amz-security-token", "x-goog-api-key", "x-functions-key", "x-session-id",
      "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-server-side-encryption-customer-key":
      return true
    // Where a list goes on; whoever has it can read what it points to, no more.
    case "x-next-page-token", "x-page-token", "x-continuation-token": return false
    default:
      return name.hasSuffix("api-key") || name.hasSuffix("apikey") || name.hasSuffix("-secret")
        || name.hasSuffix("auth-key") || name.hasSuffix("-token") || name.hasSuffix("subscription-key")
        || name.hasSuffix("-authorization") || name.hasSuffix("-password") || name.hasSuffix("access-key")
    }
  }

  /// Whether the value of a query parameter, a form field or a JSON member is a secret.
  package static func isParameter(_ name: some StringProtocol) -> Bool {
    var letters = ""
    for character in name.lowercased() where character.isLetter || character.isNumber { letters.append(character) }
    switch letters {
    case "code", "password", "passwd", "pwd", "passphrase", "secret", "sig", "signature", "jwt", "otp", "pin", "apikey",
      "privatekey", "accesskey", "secretkey", "authkey", "bearer", "credential", "credentials", "sessionid", "auth",
      "authorization", "clientassertion", "codeverifier", "passcode", "authcode", "authorizationcode", "devicecode",
      "awsaccesskeyid", "accesskeyid", "sessionkey", "signingkey", "encryptionkey", "csrf", "xsrf", "cvv", "cvc":
      return true
    // Where a list goes on; whoever has it can read what it points to, no more.
    case "pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "nextcontinuationtoken", "synctoken",
      "nextsynctoken":
      return false
    default:
      return letters.hasSuffix("token") || letters.hasSuffix("secret") || letters.hasSuffix("password")
        || letters.hasSuffix("apikey") || letters.hasSuffix("accesskey") || letters.hasSuffix("privatekey")
        || letters.hasSuffix("signature") || letters.hasSuffix("credential")
    }
  }

  /// A URL or a path with the values of secret parameters, and of user information, taken out.
  package static func masked(url: String) -> String {
    guard let question = url.firstIndex(of: "?") else { return maskedTokens(maskedUserInformation(url)) }
    let fragment = url[question...].firstIndex(of: "#") ?? url.endIndex
    let query = url[url.index(after: question)..<fragment]
    return maskedTokens(maskedUserInformation(String(url[..<question])) + "?" + masked(form: query) + url[fragment...])
  }

  private static let tokenBytes = ByteSet.word.adding("-_")

  /// Text with what is a known token by its shape taken out, wherever it stands: `/reset/ghp_…`.
  private static func maskedTokens(_ text: String) -> String {
    // Hardly any text has so long a word, and then there is nothing to look for.
    var word = 0
    for byte in text.utf8 where word < 15 { word = tokenBytes.contains(byte) ? word + 1 : 0 }
    guard word >= 15 else { return text }
    let bytes = Array(text.utf8)
    let tokens = SecretScanner().tokens(in: bytes).sorted { $0.utf8.count > $1.utf8.count }
    return tokens.reduce(text) { $0.replacing($1, with: mask) }
  }

  /// Parameters `a=b&c=d` with the secret values taken out.
  package static func masked(form: some StringProtocol) -> String {
    form.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "="),
        isParameter(PercentEncoding.decodeText(pair[..<equals].utf8, plusIsSpace: true))
      else { return String(pair) }
      return pair[...equals] + mask
    }.joined(separator: "&")
  }

  private static func maskedUserInformation(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    guard let at = rest.prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return url }
    return url[..<scheme.upperBound] + mask + url[at...]
  }

  /// A field's value as it may be shown.
  package static func masked(field name: String, value: String) -> String {
    if isField(name) { return mask }
    switch name.lowercased() {
    case "referer", "location", "content-location", "link": return masked(url: value)
    default: return maskedTokens(value)
    }
  }
}
