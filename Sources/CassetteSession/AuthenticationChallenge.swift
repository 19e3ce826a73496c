import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A challenge for credentials or trust in a recorded response, before the response is delivered.
struct AuthenticationChallenge: Sendable {
  enum Kind: Sendable {
    /// `WWW-Authenticate: Basic` or `Proxy-Authenticate: Basic` (RFC 7617).
    case basic(realm: String?, isProxy: Bool)
    case serverTrust, clientCertificate
  }

  let kind: Kind
  let url: URL

  /// Creates the challenge of a response; returns nil if it has none, or only challenges with unsupported schemes.
  init?(_ response: HTTPURLResponse) {
    let isProxy = response.statusCode == 407
    guard isProxy || response.statusCode == 401, let url = response.url else { return nil }
    let field = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
    guard let value = response.value(forHTTPHeaderField: field), let realm = Self.basicRealm(in: value) else {
      return nil
    }
    self.url = url
    kind = .basic(realm: realm.isEmpty ? nil : realm, isProxy: isProxy)
  }

  /// Creates the challenge for a TLS error; returns nil for other errors.
  init?(_ error: URLError, url: URL?) {
    guard let url else { return nil }
    self.url = url
    switch error.code {
    case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
      .serverCertificateNotYetValid:
      kind = .serverTrust
    case .clientCertificateRequired: kind = .clientCertificate
    default: return nil
    }
  }

  /// The name of the header field for the credentials.
  var field: String? {
    guard case .basic(_, let isProxy) = kind else { return nil }
    return isProxy ? "Proxy-Authorization" : "Authorization"
  }

  /// Returns the challenge to pass to a delegate.
  func made(failures: Int, response: HTTPURLResponse?, error: URLError?) -> URLAuthenticationChallenge {
    URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: failures, failureResponse: response,
      error: error, sender: ChallengeSender())
  }

  private var space: URLProtectionSpace {
    let host = url.host(percentEncoded: false) ?? ""
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    let scheme = url.scheme
    // Linux has no constants for the methods of TLS; the strings are the values of Apple's constants.
    switch kind {
    case .basic(let realm, let isProxy):
      let method = NSURLAuthenticationMethodHTTPBasic
      if isProxy {
        return URLProtectionSpace(proxyHost: host, port: port, type: scheme, realm: realm, authenticationMethod: method)
      }
      return URLProtectionSpace(host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
    case .serverTrust:
      return URLProtectionSpace(
        host: host, port: port, protocol: scheme, realm: nil,
        authenticationMethod: "NSURLAuthenticationMethodServerTrust")
    case .clientCertificate:
      return URLProtectionSpace(
        host: host, port: port, protocol: scheme, realm: nil,
        authenticationMethod: "NSURLAuthenticationMethodClientCertificate")
    }
  }

  /// Returns the realm of the challenge with the scheme Basic, empty if it has no realm; nil if there is no such
  /// challenge.
  static func basicRealm(in value: String) -> String? {
    var rest = value[...]
    while let found = rest.firstRange(of: "basic", ignoringCase: true) {
      let before = rest[..<found.lowerBound].last
      let after = rest[found.upperBound...].first
      rest = rest[found.upperBound...]
      guard before == nil || before == " " || before == ",", after == nil || after == " " || after == "," else {
        continue
      }
      guard let name = rest.firstRange(of: "realm=", ignoringCase: true),
        rest[..<name.lowerBound].allSatisfy({ $0 == " " })
      else { return "" }
      let realm = rest[name.upperBound...]
      if realm.first == "\"" {
        var text = ""
        var isEscaped = false
        for character in realm.dropFirst() {
          if !isEscaped, character == "\"" { break }
          isEscaped = !isEscaped && character == "\\"
          if !isEscaped { text.append(character) }
        }
        return text
      }
      return String(realm.prefix { $0 != "," && $0 != " " })
    }
    return nil
  }

  /// Returns the field value for a user and a password (RFC 7617 §2).
  static func basic(_ credential: URLCredential) -> String? {
    guard let user = credential.user else { return nil }
    return "Basic " + Data("\(user):\(credential.password ?? "")".utf8).base64EncodedString()
  }
}

extension Substring {
  fileprivate func firstRange(of word: String, ignoringCase: Bool) -> Range<Index>? {
    range(of: word, options: ignoringCase ? .caseInsensitive : [])
  }
}

/// A sender that ignores all answers, because the delegate answers through its completion handler.
private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
  func cancel(_ challenge: URLAuthenticationChallenge) {}
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
