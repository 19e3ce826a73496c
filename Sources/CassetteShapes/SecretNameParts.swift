/// The parts of names that say that a value is a secret.
package enum SecretNameParts {
  /// The parts of which every secret's name has one.
  package static let all = [
    "pass", "pwd", "pw", "secret", "token", "key", "sig", "cred", "auth", "code", "otp", "pin", "jw", "cv", "csrf",
    "xsrf", "sess", "bearer", "cookie", "saml", "assertion", "verifier", "cardnum", "ccnum", "ssn", "security", "sas",
    "connect", "sid", "salt", "private", "social", "cert", "license", "ticket", "nonce", "state", "hmac", "seed",
    "dpop", "oidc",
  ]
}
