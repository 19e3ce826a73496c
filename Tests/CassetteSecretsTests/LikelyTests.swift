import CassetteSecrets
import Testing

/// What is likely in any text, where a name alone says little: `scan` tells of nothing else in programs and pages.
@Suite struct LikelyTests {
  private func isLikely(_ text: String) -> Bool {
    SecretSearch(.standard).findings(in: Array(text.utf8), .body).contains(where: \.isLikely)
  }

  @Test(arguments: [
    "password = \"%S\"", "DB_PASSWORD=%S\n", "password: %S\n", "curl -u ada:%S https://a.example/",
    "postgres://ada:%S@db/x", "machine a login ada password %S\n", "with pytest: login(password='%S')",
  ])
  func `a password with a digit is likely to be one`(text: String) {
    for secret in ["hunter2", "hunter2-Blue", "kittens4ever", "Zk8vQ2xTw9Lm4s"] {
      #expect(isLikely(text.replacing("%S", with: secret)), "\(secret)")
    }
  }

  @Test(arguments: [
    "Zk8vQ2xTw9Lm4s", "3f4ca100e2fc675ea123f4eb12c4a012", "Blue-xKdPq-12-aBzDqF", "aBcd!Efg*1234_hIjK",
    "QPmxvzRkLtWqNb", "+oaFsNk7tLco+C/obP9GhhcOzGcKOayTmE3LnAmAmH4=", "0xzxgA9YoW9h58u8SvOmXRTw",
    "20999d87-e304-4725-ad84-832dcbfd7fc5",
  ])
  func `a token that a generator made is likely to be one`(value: String) {
    #expect(isLikely("token: \(value)\n") && isLikely("const apiKey = \"\(value)\";"))
  }

  @Test(arguments: [
    "<add connectionString=\"Server=a;User Id=b;Password=%S;\"/>", "<a><password>%E</password></a>",
    "Authorization: Digest username=\"a\", realm=\"r\", uri=\"/\", response=\"%S\"\n",
  ])
  func `a token is likely to be one within a value of several, and in entities`(text: String) {
    let token = "Qu4hpUmZFX1sN8546X6GU8h9Tm"
    let entities = token.utf8.map { "&#\($0);" }.joined()
    #expect(isLikely(text.replacing("%S", with: token).replacing("%E", with: entities)))
    #expect(!isLikely(text.replacing("%S", with: "None").replacing("%E", with: "&#9679;&#9679;&#9679;&#9679;&#9679;")))
  }

  @Test(arguments: [
    "token = Keyword.Type2", "PASS: ld-x86-64/property-x86-lam-u48-2", "access_key=creds2['access_key2'],",
    "token: x25519.X25519PrivateKey", "code = 'validator-v1-signature'", "keymap: \"serbian-latin-cp1250\"",
    "password = \"EXAMPLE-p4ssword\"", "PASSWORD=changeme123", "api_key = \"your-api-key-123456\"",
    "password = parts['password2'],", "password=${DB2_PASSWORD}", "git fetch http://user:pass@host/repo",
    "/*[clinic end generated code: output=dd21b28f0db26a4b input=fa56a709a035666e]*/",
    "apply(self, password: \"SecretStr\", token=self.token2)",
  ])
  func `what programs and pages say of secrets is not`(text: String) { #expect(!isLikely(text)) }
}
