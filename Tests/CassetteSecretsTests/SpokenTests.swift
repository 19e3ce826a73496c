import CassetteSecrets
import Testing

/// Secrets in what people say, in commands and calls, and in tables without a separator.
@Suite struct SpokenTests {
  @Test(arguments: [
    "Ihr Passwort lautet: %S", "Votre mot de passe : %S", "Su contraseña es: %S", "ваш пароль: %S", "パスワード: %S",
    "<p>Your password is <b>%S</b></p>", "Temporary password\n\n    %S\n", "creds: admin:%S", "Credentials are kay:%S",
    "Generated password for root@localhost: %S", "A temporary password is generated for root@localhost: %S",
    "Please use the following password to unlock: %S", "The initial admin password has been set to %S",
    "using key (api_key) %S", "password -> %S", "api_key <- \"%S\"", "密码：%S",
    "a:1:{s:8:\"password\";s:14:\"%S\";}", "array(1) {\n  [\"password\"]=>\n  string(14) \"%S\"\n}\n",
    "enable secret 0 %S\n", "username ada privilege 15 password 7 %S\n", "radius-server key %S\n",
    "snmp-server user u g v3 auth sha %S priv aes 128 x\n", "%any : PSK \"%S\"\n", "1.1 [0 ::1] \"AUTH\" \"%S\"\n",
    "set system root-authentication plain-text-password-value \"%S\"\n",
    "<auth-user-pass>\nada\n%S\n</auth-user-pass>\n",
  ])
  private func `a sentence says a secret`(text: String) {
    // A word with a number behind it is a secret where it is told to be one, and has a capital.
    let secrets =
      text.contains("is") || text.contains(":") ? ["Zk8vQ2xTw9Lm4s", "RavenFlicker6787!"] : ["Zk8vQ2xTw9Lm4s"]
    for secret in secrets {
      let kept = PlantedText.redacted(text.replacing("%S", with: secret), .body)
      #expect(!kept.contains(secret), "\(kept)")
    }
  }

  @Test(arguments: [
    "htpasswd -b f ada %S\n", "net use Z: \\\\srv\\s /user:ada %S\n", "ConvertTo-SecureString \"%S\" -AsPlainText\n",
    "echo 'ada:%S' | chpasswd\n", "echo %S | sudo -S ls\n", "mongo -u a -p %S --authenticationDatabase admin\n",
    "bcp t out f -Usa -P%S\n", "ldapsearch -D cn=a -w %S -b dc=x\n", "smbclient //a/b -U ada%%S\n",
    "rclone config create x s3 secret_access_key %S\n", "helm registry login -u k -p %S r\n", "vault login %S\n",
    "gh secret set T --body \"%S\"\n", "az login --service-principal -u x -p %S --tenant t\n", "zip -P %S a.zip f\n",
    "7z x -p%S a.7z\n", "keytool -list -storepass %S\n", "xfreerdp /u:k /p:%S /v:h\n", "twine upload -u x -p %S\n",
    "mc alias set m http://x AK %S\n", "schtasks /create /ru k /rp %S\n", "http -a ada:%S x\n",
    #"{"argv":["mysqldump","-u","root","-p%S","db"]}"#, "test: [\"CMD\", \"mysqladmin\", \"ping\", \"-p%S\"]\n",
    "password: str = \"%S\"\n", "const TOKEN: &'static str = \"%S\";\n", "btoa(\"ada:%S\")\n",
    "DriverManager.getConnection(\"jdbc:mysql://h/d\", \"root\", \"%S\");\n",
    "new NetworkCredential(\"ada\", \"%S\")\n",
    "buildConfigField \"String\", \"API_KEY\", \"\\\"%S\\\"\"\n", "new mysqli('h','root','%S','db')\n",
    "new PDO('mysql:host=x', 'root', '%S')\n", "ENV.fetch(\"API_TOKEN\") { \"%S\" }\n", "WiFi.begin(\"S\", \"%S\");\n",
    "DBI->connect(\"dbi:x\", \"root\", \"%S\")\n", "crypt('%S', gen_salt('bf'))\n",
    #"[{"query":"mutation { changePassword(old: \"%S\", new: \"x\") }"}]"#,
    #"{"jsonrpc":"2.0","method":"login","params":["ada","%S"]}"#,
    #"{"method":"call","params":{"service":"common","method":"login","args":["db","admin","%S"]}}"#,
  ])
  private func `a command and a call hand over a secret`(text: String) {
    for secret in ["Zk8vQ2xTw9Lm4s", "uyhAz0or8kL0Qfwq9CUF"] {
      let planted = text.replacing("%S", with: secret)
      let kept = PlantedText.redacted(planted, .body)
      #expect(!kept.contains(secret), "\(kept)")
      // What stands around it stays.
      #expect(kept.hasPrefix(text.prefix { $0 != "%" && $0 != "a" }) && kept.hasSuffix(text.suffix(1)), "\(kept)")
    }
  }

  @Test(arguments: [
    "<table><tr><th>User</th><th>Password</th></tr><tr><td>ada</td><td>%S</td></tr></table>",
    "<label>API token</label><input readonly value=\"%S\">",
    "<label for=\"f\">Client secret</label> <input id=\"f\" value=\"%S\">",
    "<Attribute Name=\"apiToken\"><AttributeValue>%S</AttributeValue></Attribute>",
    "<select name=\"token\"><option value=\"%S\" selected>default</option></select>", "| Password | `%S` |\n",
    "password = <<-EOT\n  %S\nEOT\n", "id: 7\nevent: token\ndata: %S\n\n",
    "<methodCall><methodName>wp.getPosts</methodName><params><param><value><int>1</int></value></param><param><value>"
      + "<string>ada</string></value></param><param><value><string>%S</string></value></param></params></methodCall>",
    "setting,value\nhost,x\nsmtp_password,%S\n", "Report of users\n\nid,password\n1,%S\n", "NAME   TOKEN\nada    %S\n",
    "Key      Value\n---      -----\npassword %S\n", #"{"data":[{"k":"password","v":"%S"}]}"#,
    #"{"fields":[{"designation":"password","name":"p","value":"%S"}]}"#,
    #"{"lease_id":"","data":{"data":{"foo":"%S"},"metadata":{"version":3}}}"#,
    "<RSAKeyValue><Modulus>rwmj</Modulus><D>%S</D></RSAKeyValue>", #"{"a":"CREDS","x":1,"API_CREDS":"ada:%S"}"#,
    "[api]\nkey=%SytfOcePx3rX7wCIjPtd7\n", #"{"qr":"WIFI:T:WPA;S:Net;P:%S;;"}"#,
    #"{"functionKeys":{"default":"%S%S"}}"#,
  ])
  private func `a table, a label and a list hold a secret`(text: String) {
    let kept = PlantedText.redacted(text.replacing("%S", with: "Zk8vQ2xTw9Lm4s"), .body)
    #expect(!kept.contains("Zk8vQ2x"), "\(kept)")
  }

  @Test(arguments: [
    "0:\"Your api_ke\"\n0:\"y=Zk8vQ\"\n0:\"2xTw9Lm4s\"\n", "[{\"t\":\"api_key=Zk8vQ\"},\n{\"t\":\"2xTw9Lm4s\"}]\n",
  ])
  private func `a secret that comes in lines of a stream is found`(text: String) {
    #expect(!PlantedText.redacted(text, .body).contains("2xTw9Lm4s"), "\(PlantedText.redacted(text, .body))")
  }

  @Test func `what hexadecimal digits say is read, and written again`() {
    func hex(_ text: String) -> String {
      text.utf8.map { String($0, radix: 16) }.joined()
    }
    let body = #"{"data":"\#(hex(#"{"password":"Zk8vQ2xTw9Lm4s","a":1}"#))","sha":"\#(hex("ABCDEFGHIJKLMNO"))ff"}"#
    let expected = body.replacing(hex("Zk8vQ2xTw9Lm4s"), with: hex("{{secret:1}}"))
    #expect(PlantedText.redacted(body, .body) == expected)
  }

  @Test(arguments: [
    "The token is used for parsing: nothing else.", "A password is required to login to this account.",
    "password reset\n\nYour account was updated.\n", "credentials: see the manual\n", "Bearer authentication is used",
    #"{"method":"login","params":["ada","en-US",3]}"#, "http -a b http://a.example/path:1\n", "zip -r a.zip folder2\n",
    "<table><tr><th>Password</th><th>Age</th></tr><tr><td>required</td><td>3</td></tr></table>",
    "NAME    KEYS\nada     3\n", "Name     Value\n---      -----\ntokens   300\n", "setting,value\nhost,x1.example\n",
    "<p>Of the form <code>d604721fxaaqy9.cloudfront.net</code>. </p>", #"{"Sid":"AllowModifyVpc","Effect":"Allow"}"#,
    #"{"AWS::IAM::AccessKey":"600da347bb3f084e"}"#, "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-a1b2c3",
    "sin_signature = cos_signature\n", "aws x list --starting-token Z3M3LMPEXAMPLE7\n",
    #"{"sha":"d604721fd604721fd604721fd604721fd604721f"}"#, "decrypt(\"message\")\n", "fetch(\"token\") { \"none\" }\n",
    "def f(self, tokens: ParseResults) -> None:\n", "    code: PydanticErrorCodes,\n",
    "parser=lambda code: parse_expression(\n",
    "x = {\n  \"tokens\": tokens.asList(),\n  'token': credentials['Token'],\n}\n", "Token: '#dcdccc',\n",
    "np.add(a, sig='ii->i', signature='D->D')\n",
    #"{"AuditCredentials":{"Arn":"arn:aws:iam::aws:policy/X","Version":"2012"}}"#,
    "E_NO_CREDENTIALS: Final = -2146893043\nPASSWORD: Final = 10174\n", "if token == \"L\" and pin == \"off\":\n",
    #"{"encryptionKey":"arn:aws:kms:eu-west-1:123456789012:alias/aws/s3"}"#,
    #"{"Auth":"Configure who may call the methods of this API and how."}"#,
    "new PDO($dsn, $user, $password)\n", "GET /login 200\npassword page served\n",
  ])
  private func `what only looks so stays`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text, "\(PlantedText.redacted(text, .body))")
    let findings = SecretSearch(.standard).findings(in: Array(text.utf8), .body)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test(arguments: [
    "0:\"", "0:\"\n", "[", "[{", ",\n{", "token", "password:", "password (", "(password)", "password <b>",
    "password:\n", "a\n\n",
    "A  B", "A  B\n", "\n\n\n", "TOKEN  B\n\n", "</th>", "<tr><th>password</th>", "<label>password</label><input",
    "crypt(",
    "crypt('", "mysqli('a','b',", "\"login\"", "{\"login\"", "\"lease_id\"", "s:8:\"password\";s:", "[\"password\"]=>",
    "vault login ", "password = <<EOT\n",
    "| Password |", "<methodname>wp.<value><value><value>",
    "htpasswd -", "echo ", "echo a:b | chpasswd", "</RSAKeyValue>", "setting,value\n", "setting,value\n\n",
  ])
  private func `a beginning of each is no harm`(text: String) {
    for context: ScannedText.Context in [.body, .text, .form, .url, .header("a")] {
      _ = PlantedText.redacted(text, context)
      _ = PlantedText.redacted("{\"a\":\"\(text)\"}", context)
      PlantedText.expectPlaces(in: Array(text.utf8), context)
    }
  }

  @Test(arguments: [
    "<select name=\"token\"><option ", "{\"lease_id\":\"\",\"data\":{\"data\":", "<methodName>wp.<value>",
    "<th>password</th>",
    "0:\"api_ke\"\n", "password\n\n",
  ])
  private func `many beginnings of one another are no harm either`(text: String) {
    PlantedText.expectPlaces(in: Array(String(repeating: text, count: 20_000).utf8), .body)
  }
}
