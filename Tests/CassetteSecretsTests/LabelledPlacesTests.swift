import CassetteSecrets
import CassetteShapes
import Testing

/// Secrets behind labels, in answers to what was refused, and of letters alone; and the words that stand in such places.
@Suite struct LabelledPlacesTests {
  @Test(arguments: [
    "<p><b>Password:</b> %S</p>", "<p>Password: <b>%S</b></p>", "<li><strong>API key</strong>: %S</li>",
    "<p>Your temporary password: <strong>%S</strong></p>",
    "<tr><td>DB_PASSWORD</td><td><pre class=\"sf-dump\">\"<span class=sf-dump-str>%S</span>\"</pre></td></tr>",
    #"{"errors":[{"type":"field","value":"%S","msg":"too short","path":"password"}]}"#,
    "<li>Field error in object 'user' on field 'password': rejected value [%S]; codes [Size]</li>",
    #"{"query":"mutation($e:String!,$p:String!){login(email:$e,password:$p){ok}}","variables":{"e":"a@b.test","p":"%S"}}"#,
    #"{"query":"query Q($token: String = \"%S\") { verify(token: $token) }"}"#,
    "proxy_set_header Authorization \"Bearer %S\";\n", "CREATE USER app WITH PASSWORD '%S';",
    "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"u.csv\"\r\n\r\nemail,password\r\na@b.test,%S\r\n--b--\r\n",
    "event: row\ndata: user,password,role\ndata: ada,%S,admin\n\nevent: row\ndata: x,y,z\n\n",
  ])
  func `a secret is taken out behind a label`(text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "login user=kean password=nktlqiifanef ip=10.0.0.1\n", "mysqldump --user=root --password=qbybleyquzqi app\n",
    "<dict><key>Password</key><string>njgmtzijpdnk</string></dict>", #"{"passwords":{"alice":"qmpfrxvsxaww"}}"#,
    "<transactionKey>dEcfRGqOOKbDsLso</transactionKey>", #"{"accessCode":"ewnfynxelfpg"}"#,
    #"{"ApiKeyV2":"myhoFFVQGMhZfcjJqSQHUYMpEKfkYivw"}"#, #"{"routing_key":"CQ47EO7U1QQSJGXAI4IA3OCD3IPO3DXJ"}"#,
    "db:\n  password: JEMTw.fdlHyh\n", "DB_PASSWORD=SYYHKVk.tWj\n", "CREATE USER app IDENTIFIED BY '4438858892';",
    "<tr><th>Password</th><td>7207089513</td></tr>", #"{"password":"$XriGBozxjv"}"#, #"{"passwords":{"a":"dy1fRH"}}"#,
    #"{"data":[{"type":"api_keys","attributes":{"key":"8b2e682c3418f27ad88943b04f40e711"}}]}"#,
    "Unseal Key 1: +qqSZiWmwKPxIOxU8TlXuZGhzf/Qp8wNBD6vml441+Z7\n", "totp_code=554180&remember=on",
    "POST /services/T0AB12CD3/B0EF45GH6/Rb9vFvhLEqw4ggCRVvRMeQPp HTTP/1.1\n",
  ])
  func `letters, digits and what has a sign in it are found under a secret's name`(text: String) {
    let context: ScannedText.Context = text.hasPrefix("totp") ? .form : .body
    #expect(PlantedText.redacted(text, context) != text)
    #expect(!SecretSearch(.standard).findings(in: Array(text.utf8), context).isEmpty)
  }

  @Test(arguments: [
    #"{"token":"Zugangstoken","password":"Passwort"}"#, #"{"input_token":"NextToken","token":"color.primary"}"#,
    "  return { token: accessToken };\n", "  config.apiKey = process.env.API_KEY;\n", "const token = tokens[0];\n",
    "exports.verifySignature = void 0;\n", "const verifySignature = require(\"./verify\");\n", "e.apiKey=r||\"\"",
    "err.code = 'EBADSIZE'\n", "this.code = code\n", #"<a accesskey="n" href="/">x</a>"#, "  id-token: write\n",
    #"{"permissions":["password:change","secrets:read"]}"#, #"{"tokens":[464,9206,3]}"#,
    #"{"apiKey":"sk_live_****1234"}"#, #"{"cookies":{"cookie0":"value0","cookie1":"value1"}}"#,
    #"{"packages":{"node_modules/js-tokens":{"integrity":"sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9b=="}}}"#,
    #"{"scripts":{"test:code":"tap --cov test/index.js"}}"#,
  ])
  func `words, code and names of secrets stay`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: ["change", "identifier", "NextToken", "sunshine"])
  func `a word is taken out where it is a secret, and nowhere else`(word: String) {
    var pass = RedactionPass(.standard)
    let (secret, other) = (#"{"password":"\#(word)"}"#, #"{"\#(word)s":["a \#(word)"]}"#)
    pass.collecting { _ = $0.replacing(in: secret, .body) }
    let (begins, replaced) = (pass.beginReplacing(onlyKnown: false), pass.replacing(in: other, .body))
    #expect(begins && replaced == nil)
  }

  @Test func `what a recorder left is no finding`() {
    for text in [
      "--X\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n{{secret:1}}\r\n--X--\r\n",
      "curl -H 'Authorization: Bearer {{secret:1}}' --password={{secret:2}} postgres://{{secret}}@db/x\n",
      #"{"body":{"text":["--X\r\n","Content-Disposition: form-data; name=\"password\"\r\n","\r\n","{{secret:1}}\r\n","--X--\r\n"]}}"#,
      #"{"text":["<Auth>\n","  <Password>\n","    {{secret:1}}\n","  </Password>\n","</Auth>"]}"#,
      "token={{secret:3:jwt,alg=RS256,sub,exp=1700000000}}&a=b", #"{"apiKeys":["{{secret:4}}"]}"#,
    ] {
      #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty, "\(text)")
    }
  }

  @Test func `words can be read, what a generator made cannot`() {
    for word in [
      "change", "nextPageToken", "Zugangstoken", "access_token", "motDePasse", "BootstrapFewShot", "Straße",
    ] {
      #expect(ReadableText.isReadable(word.utf8), "\(word)")
    }
    for text in ["nktlqiifanef", "dEcfRGqOOKbDsLso", "PIfmEvcM", "qmpfrxvsxaww", "abc123", "a=b", "zxqjvkbp"] {
      #expect(!ReadableText.isReadable(text.utf8), "\(text)")
    }
  }
}
