import CassetteSecrets
import CassetteSystem
import Testing

/// Places in which services of today put secrets, and words beside secrets' names that are none.
@Suite struct SecretPlacesTests {
  @Test(arguments: [
    #"{"x":{"value":"%S","sensitive":true,"type":"string"}}"#, #"{"X":{"isSecret":true,"value":"%S"}}"#,
    #"[{"domain":".x","name":"SSID","value":"%S","httpOnly":true}]"#,
    #"{"kty":"EC","crv":"P-256","x":"abc","d":"%S"}"#, #"{"k":"%S","kty":"oct"}"#,
    #"{"OutputKey":"DbPassword","OutputValue":"%S"}"#, #"{"smsCode":"%S","oobCode":"%S"}"#,
    #"{"primaryMasterKey":"%S"}"#, #"{"auth_header":"Basic %S"}"#, #"{"unseal_keys_b64":["%S"]}"#,
    #"{"password":{"type":"plain","plain":"%S"}}"#, #"{"user":"ada","password":"%S"}"#,
    #"{"credentials":{"scopes":["Kd83jfLq02mXz7Rt"],"hint":"%S","x":1}}"#,
    "api_keys:\n- name: ci\n  value: %S\n", "credentials:\n  login: ada\n  value: %S\n", "a: {password: %S, b: c}\n",
    "secrets:\n  db: %S\n  mail: words\n", "credentials:\n  type: basic\n  main: '%S'\n",
    "id,note,token\n1,\"a\nb\",%S\n", "id,note,password\n1,\"a, \"\"b\"\"\n\nc\",%S\n2,d,e\n",
    "mutation($password:String = \"%S\"){a}", "<input type=hidden name=api_key value=%S>",
    "a { background: url(https://a.example/y.png?token=%S)}",
  ])
  func `a secret is taken out of where it stands`(text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "cb-access-passphrase", "x-encryption-key", "x-github-otp", "sforce-session", "x-account-key", "x-clickhouse-key",
    "x-deploy-key", "x-passcode", "passcode", "x-pwd", "x-db-pwd", "x-psk", "x-api-pass", "api-user-pass", "x-ticket",
    "x-cred", "x-sess", "x-oauth", "x-refresh", "session", "authsession", "credentials", "x-jfrog-art-api", "x-sas",
    "x-remember-me", "x-login-pw",
  ])
  func `a field is a secret if a member of its name would be`(field: String) {
    PlantedText.expectNone("%S", .header(field))
  }

  @Test(arguments: [
    #"{"errors":{"token":["has expired long ago"]}}"#,
    #"{"properties":{"password":{"type":"string","minLength":8,"description":"the user's password"}}}"#,
    #"{"securitySchemes":{"ApiKey":{"type":"apiKey","in":"header","name":"X-API-Key"}}}"#,
    #"{"serviceAccountToken":{"expirationSeconds":3607}}"#, #"{"otp":{"digits":6},"pin":{"lat":52.5,"lng":13.4}}"#,
    #"{"token":{"symbol":"USDT","name":"Tether USD","decimals":6}}"#, #"{"token":"Hello","logprob":-0.3}"#,
    #"{"code":"auth/invalid-api-key"}"#, #"{"dependencies":{"jsonwebtoken":"^9.0.0","csrf":"3.1.0"}}"#,
    #"{"name":"src/secrets/mod.rs","value":"words"}"#, #"{"mnemonic":"MOV","license_key":"mit"}"#,
    #"{"signatures":[{"keyid":"SHA256:x","sig":"MEUCIQDx1kPcDzHV0a8n3yX8ikPbLzr8Vq0sT2mW4yJ5n6o7pQ=="}]}"#,
    #"<DigestValue>q8Zk2Lm9Xw4Rt7Ypq8Zk2Lm9Xw4=</DigestValue><SignatureValue>q8Zk2Lm9Xw4Rt7Ypq8Zk2Lm9</SignatureValue>"#,
    #"{"credentials":"include"}"#, #"{"credentials":2}"#, #"{"accessKeyId":"AKIAIOSFODNN7EXAMPLE"}"#, ".token:hover{}",
    "a:\n  token: {type: string, format: a}\n", "type A { apiKey: ID }", "   password: String?,\n",
    #"{"name":"A","value":"b","sensitive":false}"#, #"{"PRIMARY_KEY":"id"}"#, #"{"kty":"RSA","n":"abc","e":"AQAB"}"#,
  ])
  func `words beside a secret's name stay`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: [
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="), ("x-cache-key", "9f86d081884c7d659a2feaa0c55ad015"),
    ("x-ratelimit-reset-tokens", "6ms"), ("x-ratelimit-limit-tokens", "150000"), ("session", "closed"),
    ("x-refresh", "true"), ("refresh", "5; url=https://a.example/"), ("x-team-key", "PLATFORM"),
    ("credentials", "include"), ("x-service-key", "billing-api"), ("code", "E1002"),
  ])
  func `a field whose name might be a secret's and whose value is none stays`(name: String, value: String) {
    #expect(PlantedText.redacted(value, .header(name)) == value)
  }

  @Test(arguments: [
    ("/x;token=%S/y", "/y"), ("/a;v=1;token=%S;w=2/b?c=d", ";w=2/b?c=d"), ("/a;token=%S?c=d", "?c=d"),
    ("/v1/access_token=%S/x", "/x"),
  ])
  func `a parameter of a segment ends with it`(url: String, rest: String) {
    PlantedText.expectNone(url, .url)
    #expect(PlantedText.redacted(url.replacing("%S", with: PlantedText.secrets[0]), .url).hasSuffix("}}\(rest)"))
  }

  @Test(arguments: [
    ("<input type=hidden name=api_key value=%S>", "<input type=hidden name=api_key value={{secret:1}}>"),
    ("url(https://a.example/y.png?token=%S)}", "url(https://a.example/y.png?token={{secret:1}})}"),
    ("secrets:\n  db: %S\n  type: words\n", "secrets:\n  db: {{secret:1}}\n  type: words\n"),
    ("id,note,token\n1,\"a\nb\",%S\n", "id,note,token\n1,\"a\nb\",{{secret:1}}\n"),
  ])
  func `nothing but the secret is taken`(text: String, kept: String) {
    #expect(PlantedText.redacted(text.replacing("%S", with: PlantedText.secrets[0]), .body) == kept)
  }

  @Test func `a field that only says that credentials are allowed stays`() {
    #expect(PlantedText.redacted("true", .header("access-control-allow-credentials")) == "true")
  }

  @Test(arguments: ["mysecretpassword", "topsecret", "my first dog was rex"])
  func `a password of plain words is one all the same`(word: String) {
    for text in ["{\"password\":\"\(word)\"}", "{\"passphrase\":[\"\(word)\"]}", "{\"secret\":{\"gpg\":\"\(word)\"}}"] {
      #expect(!PlantedText.redacted(text, .body).contains(word), "\(text)")
    }
  }

  @Test func `what stands behind lines of base64 is none of them`() {
    for width in [60, 76] {
      let size = width / 4 * 3 * 3
      let text = "DB_PASSWORD=kittens4ever\n" + String(repeating: "#", count: size - 25)
      let lines = Self.lined(text, width, "\n")
      let clean = Self.lined(text.replacing("kittens4ever", with: "{{secret:1}}"), width, "\n")
      for rest in ["end of file", "name: foo", "--q--", "done\nand over", "END"] {
        #expect(PlantedText.redacted("\(lines)\n\(rest)\n", .body) == "\(clean)\n\(rest)\n")
      }
    }
  }

  /// Base64 in lines, as a member of JSON, or as text.
  private static func lined(_ text: String, _ width: Int, _ separator: String) -> String {
    let encoded = BodyBase64.encode(Array(text.utf8))
    return stride(from: 0, to: encoded.count, by: width)
      .map { String(decoding: encoded[$0..<min($0 + width, encoded.count)], as: UTF8.self) }
      .joined(separator: separator)
  }

  @Test(arguments: [60, 64, 76], ["\n", "\r\n", "\\n", "\\r\\n", "\n    "])
  func `a secret is taken out of base64 that is broken into lines`(width: Int, separator: String) throws {
    let token = "ghp" + "_" + "aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gY"
    for shift in 0..<18 {
      let before = String(repeating: "# a line of a file\n", count: 3) + String(repeating: "x", count: shift)
      for secret in ["kittens4ever", token] {
        let text = "\(before)\nDB_PASSWORD=\(secret)\nEND=1\n\(String(repeating: "# the end\n", count: 5))"
        let lines = Self.lined(text, width, separator)
        let body = separator.hasPrefix("\\") ? "{\"encoding\":\"base64\",\"content\":\"\(lines)\"}" : lines
        let expected = text.replacing(secret, with: "{{secret:1}}")
        let kept = PlantedText.redacted(body, .body)
        #expect(kept == body.replacing(lines, with: Self.lined(expected, width, separator)), "\(shift)")
        #expect(!SecretSearch(.standard).findings(in: Array(body.utf8), .body).isEmpty)
      }
    }
  }

  private static let keyLines = (0..<4).map { "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC\($0 + 10)abcdefghi" }
  private static let dashes = String(repeating: "-", count: 5)

  @Test(arguments: [
    (
      "oauth_token=%S&oauth_token_secret=%S&oauth_callback_confirmed=true",
      "oauth_token={{secret:1}}&oauth_token_secret={{secret:1}}&oauth_callback_confirmed=true"
    ),
    ("access_token=%S&scope=&token_type=bearer", "access_token={{secret:1}}&scope=&token_type=bearer"),
    // No form: all of the line is the value.
    ("API_TOKEN=%S&more\nA=b", "API_TOKEN={{secret:1}}\nA=b"),
  ])
  func `a form is read as one whatever its type says`(_ text: String, _ expected: String) {
    for secret in PlantedText.secrets {
      #expect(PlantedText.redacted(text.replacing("%S", with: secret), .body) == expected)
    }
  }

  @Test func `a private key goes out of a form and a query, where a space is a plus`() {
    let key = "\(Self.dashes)BEGIN+PRIVATE+KEY\(Self.dashes)%0A\(Self.keyLines.joined(separator: "%0A"))%0A"
    let end = "\(Self.dashes)END+PRIVATE+KEY\(Self.dashes)%0A"
    #expect(!PlantedText.redacted("name=a&cert=\(key)\(end)", .form).contains("MIIE"))
    #expect(!PlantedText.redacted("/x?k=\(key)\(end)&b=1", .url).contains("MIIE"))
    #expect(!SecretSearch(.standard).findings(in: Array("name=a&cert=\(key)\(end)".utf8), .text).isEmpty)
  }

  @Test func `a private key goes out of the strings that a program joins, and out of their base64`() throws {
    let lines = ["\(Self.dashes)BEGIN PRIVATE KEY\(Self.dashes)"] + Self.keyLines
    let program = (lines + ["\(Self.dashes)END PRIVATE KEY\(Self.dashes)"]).map { "\"\($0)\\n\"" }.joined(
      separator: " +\n")
    #expect(PlantedText.redacted(program, .body) == "\"{{secret:1}}\\n\"")
    let body = "{\"content\":\"\(String(decoding: BodyBase64.encode(Array(program.utf8)), as: UTF8.self))\"}"
    let kept = PlantedText.redacted(body, .body)
    #expect(kept != body)
    #expect(!SecretScanner(.standard).holdsToken(Array(kept.utf8)))
  }

  @Test func `a private key goes whole out of base64 in lines`() {
    let lines = (0..<12).map { "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC\($0 + 10)abcdefghi" }
    let dashes = String(repeating: "-", count: 5)
    let key = "\(dashes)BEGIN PRIVATE KEY\(dashes)\n\(lines.joined(separator: "\n"))\n\(dashes)END PRIVATE KEY\(dashes)"
    for text in [key, "# before the key\n\n\(key)\n# behind it\n"] {
      let body = "{\"content\":\"\(Self.lined(text, 60, "\\n"))\"}"
      let kept = PlantedText.redacted(body, .body)
      let content = kept.replacing("{\"content\":\"", with: "").replacing("\"}", with: "").replacing("\\n", with: "")
      let decoded = BodyBase64.decode(Array(content.utf8)).map { String(decoding: $0, as: UTF8.self) }
      #expect(
        decoded == text.replacing(key, with: "{{secret:1}}") || kept == "{\"content\":\"{{secret:1}}\"}", "\(kept)")
      #expect(!SecretSearch(.standard).findings(in: Array(body.utf8), .body).isEmpty)
    }
  }
}
