import CassetteSecrets
import Testing

/// A text in which `%S` stands where a secret does.
private struct Planted: Sendable, CustomTestStringConvertible {
  var context: ScannedText.Context
  var text: String

  init(_ context: ScannedText.Context, _ text: String) { (self.context, self.text) = (context, text) }

  var testDescription: String { text }
}

private func redacted(_ text: String, _ context: ScannedText.Context, _ redaction: CassetteRedaction = .standard)
  -> String
{
  var pass = RedactionPass(redaction)
  pass.collecting { _ = $0.replacing(in: text, context) }
  guard pass.beginReplacing(onlyKnown: false) else { return text }
  return pass.replacing(in: text, context) ?? text
}

@Suite struct NotationTests {
  private static let planted: [Planted] =
    [
      // JSON, and what is left of it.
      #"{"password": "%S"}"#, #"{"passwordConfirm":"%S"}"#, #"{"password_confirmation" : "%S"}"#, #"{'secret': '%S'}"#,
      #"{"tokens": ["%S"]}"#, #"{"credentials": {"user": "%S", "list": [{"a": "%S"}]}}"#,
      #"{"name": "DB_PASSWORD", "value": "%S"}"#, #"{"value": "%S", "type": "string", "key": "apiKey"}"#,
      #"{"env": [{"name": "A", "value": "b"}, {"name": "API_TOKEN", "value": "%S"}]}"#,
      #"[{"field": "X-Api-Key", "content": "%S"}]"#, #"{"payload": "{\"client_secret\": \"%S\"}"}"#,
      #"{"a": {"access_token": "%S"#, #"var config = {apiKey: "%S", debug: true};"#, #"{"user":{"pwd":"%S"}}"#,
      // XML, SOAP, HTML.
      "<password>%S</password>", "<wsse:Password Type=\"x\">%S</wsse:Password>", "<ApiKey><![CDATA[%S]]></ApiKey>",
      "<Credentials><Any>%S</Any><Key> %S </Key></Credentials>", "<login password=\"%S\" user='a'/>",
      "<add key=\"ApiKey\" value=\"%S\"/>", "<entry key=\"db.password\">%S</entry>",
      "<soap:Body><m:Login><m:passwd>%S</m:passwd></m:Login></soap:Body>",
      "<input type=\"hidden\" name=\"csrf_token\" value=\"%S\">",
      "<input value='%S' type=hidden name=authenticity_token>",
      "<input type=\"password\" value=\"%S\">", "<meta name=\"csrf-token\" content=\"%S\" />",
      "<html><p>Login failed for password=%S</p></html>", "<td>password: %S</td>",
      // GraphQL.
      "mutation { login(user: \"a\", password: \"%S\") { id } }",
      #"{"query": "mutation { login(password: \"%S\") { id } }"}"#,
      // YAML, environment files, headers, logs.
      "user: a\npassword: %S\nport: 1\n", "- name: a\n  token: '%S'\n", "secret: |\n  %S\nnext: 1\n",
      "tokens:\n  - %S\n  - %S\nuser: a\n", "export DB_PASSWORD=%S\n", "A=1\nAPI_KEY=\"%S\"\n", "client_secret = %S\n",
      "X-Api-Key: %S\r\nAccept: */*\r\n", "Authorization: Bearer %S\r\n", "level=info password=%S user=a",
      "Cookie: theme=dark; sid=%S\n", "curl -H 'X-Api-Key: %S' https://a.example to see them\n",
      "spring.datasource.password=%S\n",
      // Tables.
      "id,user,password\n1,a,%S\n2,b,%S\n", "user;api_key\na;\"%S\"\n", "name\tsecret\nx\t%S\n",
      // URLs within text.
      "see https://a.example/x?access_token=%S&b=1", "x#access_token=%S&expires=3600",
    ].map { Planted(.body, $0) }
    + [
      "user=a&pass=%S", "password=%S", "passwordConfirm=%S&a=1", "SAMLResponse=%S&RelayState=a", "card[cvc]=%S&x=1",
      "card%5Bcvc%5D=%S", "user[password]=%S", "client_assertion=%S&grant_type=a",
    ].map { Planted(.form, $0) }
    + [
      "/a?api_key=%S&x=1", "/a?auth=%S", "/a;jsessionid=%S", "/a?x=1#id_token=%S", "/reset-password/%S",
      "/token/%S/use",
      "/a?redirect=https%3A%2F%2Fb%3Ftoken%3D%S%26c%3D1",
    ].map { Planted(.url, $0) }
    + [
      "--b\r\nContent-Disposition: form-data; name=password\r\n\r\n%S\r\n--b--\r\n",
      "--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; filename=\"name\"; name=\"api_key\"\r\n\r\n%S\r\n--b--\r\n",
    ].map { Planted(.multipart(boundary: "b"), $0) }

  @Test(arguments: planted)
  private func `a secret is found by its name in every notation`(_ planted: Planted) {
    var secrets: [String] = []
    var text = ""
    for (index, piece) in planted.text.split(separator: "%S", omittingEmptySubsequences: false).enumerated() {
      if index > 0 {
        secrets.append("Zk8\(index)vQ2xTw9Lm4s")
        text += secrets[index - 1]
      }
      text += piece
    }
    let kept = redacted(text, planted.context)
    for secret in secrets { #expect(!kept.contains(secret), "\(kept)") }
    // And nothing else is.
    var rest = kept[...]
    for piece in planted.text.split(separator: "%S") {
      guard let found = rest.firstRange(of: piece) else { return #expect(Bool(false), "\(kept)") }
      rest = rest[found.upperBound...]
    }
    let shown = SecretMask.masked(text, planted.context)
    for secret in secrets { #expect(!shown.contains(secret), "\(shown)") }
  }

  @Test(arguments: [
    #"{"tokens": 12, "max_tokens": 99, "total_tokens": 1234567, "usage": {"prompt_tokens": 12}}"#,
    #"{"secret": "https://github.githubassets.com/images/icons/emoji/unicode/3299.png?v8"}"#,
    // HTML's code, and what stands in it; placeholders; programs, and blocks in them.
    "<p>It is closed by <code>issue.closed()</code>, and <code>Release.assets</code> is new.</p>",
    "login('x', password='&lt;password&gt;')", #"{"access-control-allow-credentials": "true"}"#,
    "token = service.get_auth_token(username, prompt=loop_input)", #"login("x", password=os.environ["GHPASS"])"#,
    "if credentials:\n    config.define_placeholder(\n        str(base64.b64encode(x))\n    )\n",
    #"{"signature": "-----BEGIN PGP SIGNATURE-----\n\nwsBcBAABCAAQBQJ\n-----END PGP SIGNATURE-----\n"}"#,
    #"{"key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7", "title": "a"}"#, #"{"password": "REDACTED"}"#,
    #"{"token": "..."}"#, #"{"Authorization": "token <INSTALLATION_TOKEN>"}"#, #"{"token": "$token"}"#,
    "The password must be at least 8 characters.", "password: must be at least 8 characters", "tokens: 12\n",
    "type Login { password: String! token: ID }", "see the token: it is new", #"{"tokens": ["Hel", "lo", " world"]}"#,
    "mutation($password: String!) { login(password: $password) { id } }", "<password/>", "<password></password>",
    "id,name\n1,secret\n", #"["password", "abc"]"#, "<label for=\"password\">Password</label>",
  ])
  func `what only bears a secret's name stays`(_ text: String) { #expect(redacted(text, .body) == text) }

  @Test(arguments: ["theme=dark; lang=en-US; n=1", "consent=yes"])
  func `settings in cookies stay`(_ text: String) { #expect(redacted(text, .header("cookie")) == text) }
}
