internal import CassetteHTTP
internal import CassettePatterns
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Checking the credentials of a request.
extension AuthorizationRule {
  func isMet(by reading: RequestReading) -> Bool {
    let fields = reading.header("Authorization").map(\.string)
    guard self != .none else { return fields.isEmpty }
    return fields.contains { field in
      let (scheme, rest) = Self.parts(of: field)
      switch self {
      case .none: return false
      case .basic(let user, let password):
        guard scheme == "basic", let pair = BodyBase64.decode(Array(rest.utf8)) else { return false }
        let name = pair.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < pair.count else { return false }
        return user?.isMet(by: [ConditionText(Array(name))], &reading.budget) ?? true
          && password?.isMet(by: [ConditionText(Array(pair.dropFirst(name.count + 1)))], &reading.budget) ?? true
      case .bearer(let token):
        guard scheme == "bearer", !rest.isEmpty else { return false }
        return token?.isMet(by: [ConditionText(rest)], &reading.budget) ?? true
      }
    }
  }

  /// Returns the scheme, whose case is irrelevant (RFC 9110 §11.1), and the rest of the field.
  private static func parts(of field: String) -> (scheme: String, rest: String) {
    let scheme = field.prefix { $0 != " " }
    return (scheme.lowercased(), field.dropFirst(scheme.count).trimmingPrefix { $0 == " " }.description)
  }

  func mismatches(of reading: RequestReading) -> [Mismatch] {
    guard !isMet(by: reading) else { return [] }
    let sent = reading.header("Authorization").first.map { "\(Self.parts(of: $0.string).scheme) credentials" }
    return [Mismatch(part: "authorization", sent: sent, wanted: words)]
  }

  /// A description of the required credentials; tokens and passwords are secret, user names are not.
  private var words: String {
    switch self {
    case .none: "none"
    case .basic(let user, _): "basic credentials" + (user.map { " of \($0.words)" } ?? "")
    case .bearer(let token): token == nil ? "a bearer token" : "a bearer token that matches the rule"
    }
  }
}
