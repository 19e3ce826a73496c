import CassetteSecrets
import Testing

/// Values in statements, files and lists whose name stands apart from them.
@Suite struct StatementTests {
  @Test(arguments: [
    "INSERT INTO users (id, email, password_hash, api_token) VALUES\n(1, 'a@b.test', '$2b$x', '%S'),\n(2, 'c', NULL, NULL);\n",
    "insert into `t` (`name`, `password`) values ('it''s', '%S');",
    "COPY public.users (id, email, api_token) FROM stdin;\n1\ta@b.test\t%S\n2\tc@d.test\t%S\n\\.\n",
    "CREATE USER 'app'@'%' IDENTIFIED BY '%S';",
    "variable \"db_password\" {\n  type    = string\n  default = \"%S\"\n}\n",
    "# Netscape HTTP Cookie File\n.a.test\tTRUE\t/\tTRUE\t1799999999\tsessionid\t%S\n",
    "# HTTP Cookie File\r\n#HttpOnly_.a.test\tTRUE\t/\tTRUE\t0\t_sess\t%S\r\n",
    "+ redis-cli -h db -a %S ping\n", "+ sqlcmd -S db -U sa -P %S -Q x\n", "openssl enc -aes-256-cbc -k %S -in f\n",
    "+ echo %S | docker login -u x --password-stdin\n", "C: AUTH PLAIN %S\n",
    "| Key | Value |\n|---|---|\n| API key | `%S` |\n| Region | eu-west-1 |\n",
    "let apiKey: String = \"%S\"", "val apiKey: String = \"%S\"", "let api_key: &str = \"%S\";",
    "const token string = \"%S\"", "Dim pwd As String = \"%S\"", "let secret = #\"%S\"#", "NSString *apiKey = @\"%S\";",
    "CREATE LOGIN k WITH PASSWORD = N'%S'", "SET PASSWORD FOR 'a' = PASSWORD('%S');", "c.setPassword(\"%S\");",
    "const secret = process.env.SECRET ?? \"%S\"", "const secret = process.env.SECRET || '%S'",
    "API_KEY ?= %S\n", "System.setProperty(\"db.password\", \"%S\");", "STRIPE_API_KEY: Final[str] = \"%S\"\n",
    "axios.defaults.headers.common[\"X-Auth\"]=\"%S\";",
  ])
  func `a secret is taken out of a statement`(text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    #"{"ActivationKey":"29AV1-3OFV9-VVIUB-NKT0I-LRO6V"}"#, "app_key = \"6jebqhqc82omtqj9\"",
    "db_creds = \"vXZDFfcPQaxI7V8p4UfjAHAMFWRHOV2k\"", "proxy_auth: vXZDFfcPQaxI7V8p4UfjAHAMFWRHOV2k\n",
    "tokens = [f(1), \"vXZDFfcPQaxI7V8p4UfjAHAMFWRHOV2k\"]", "passwords = ['letmein-2nite', \"x\"]",
    "secrets = { a = env.A, b = \"letmein-2nite\" }", "credentials = { user: f(x), password: 'let me in now' }",
    "credentials = {\n  user: x, // don't\n  password: \"let me in now\"\n}\n", "secrets = [b4se-$64/x, 7]",
  ])
  func `a short key, and what is random under a weak name, is found`(text: String) {
    #expect(PlantedText.redacted(text, .body).contains("{{secret:1}}"), "\(PlantedText.redacted(text, .body))")
  }

  @Test(arguments: [
    "tokens = {\n  'root': [\n    (r'\\s+', Whitespace), include('array2string'),\n  ],\n}\n",
    "class A:\n    password: str\n    api_key: bytes,\n    SECRET: Final[str]\n    token: Token = None\n",
    "def f(token: Optional[str] = None): ...\n", "auth: _Auth | None = None\n",
    "f(\n    client_token=client_token,\n    key_password=None,\n)\nself.client_token = client_token\n",
    "secret_key = upload_credentials[\"SecretAccessKey\"]\n",
    "exports.MessageSignature = {\n  toJSON(message) {\n    return digest512;\n  },\n};\n",
    "  auth: parsedURL.username || parsedURL.password,\n", "conf.otp = await readUserInfo.otp(\n", "  secret: 42,\n",
    "-----BEGIN " + "PRIVATE KEY-----\\nXXXX\\nXXXX\\n-----END " + "PRIVATE KEY-----",
  ])
  func `what a program writes down stays`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: [
    #"{"keys":[{"keyName":"key1","value":"%S","permissions":"FULL"}]}"#, #"{"key1":"%S","key2":"%S"}"#,
    #"{"secondaryReadonlyMasterKey":"%S"}"#, #"{"keys":["%S","%S"],"keys_base64":["%S"]}"#,
    #"{"session":{"name":"ada","key":"%S"}}"#, #"{"token_parts":["%S","%S"]}"#,
    #"{"field":"apiKey","from":"%S","to":"x"}"#,
    #"{"Name":"/app/x","Type":"SecureString","Value":"%S"}"#, #"{"type":"CONCEALED","label":"r","value":"%S"}"#,
    #"{"stateHandle":"%S"}"#, "APP_KEY=base64:%S\n", #"{"private":"%S","sess":"%S"}"#,
  ])
  func `a random secret is taken out of lists and objects`(text: String) {
    let text = text.replacing("%S", with: "Zk8vQ2xTw9Lm4sPd71hRbY3nKq5W")
    #expect(!PlantedText.redacted(text, .body).contains("Zk8vQ2x"), "\(PlantedText.redacted(text, .body))")
    #expect(!SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: [
    "level=info user=ada password=marmalade ip=1", "password=marmalade user=ada\n", "f --password=marmalade x",
    "mysql -u root -pmarmalade db", "<a><password>the marmalade in a saddle</password></a>",
    "user: ada\npassword: the marmalade in a saddle\nport: 1\n", "A=1\nDB_PASSWORD=the marmalade in a saddle\n",
    #"{"password":"my secret marmalade cobalt"}"#, "Your password is: UmbraMarmalade7553!",
    "Your new password was: Umbramarmalade7553",
  ])
  func `a password of words is taken out where it is named`(text: String) {
    #expect(
      !PlantedText.redacted(text, .body).lowercased().contains("marmalade"), "\(PlantedText.redacted(text, .body))")
  }

  @Test(arguments: [
    "<password>must be at least 8 characters</password>", "password: the value has to be long\n", "mysql -p db",
    "login(user=name, password=secretvalue)", "f(user=a password=string b=1)", "use --password=PASSWORD here",
    "The password for Windows2024 is set.", "getToken(\"user-1\")", "const token = options.token || \"none\"",
    "token = x ?? \"\"", "case password(\"at least 8\")", "public string Password = null;",
  ])
  func `words beside a password's name stay`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test func `the words of a wallet are a secret, also those that name secrets`() {
    let words = "token battery secret code horse falcon river dragon tiger mountain summer winter"
    #expect(!PlantedText.redacted(#"{"mnemonic":"\#(words)"}"#, .body).contains("falcon"))
  }

  @Test func `the private lines of PuTTY are taken out whole, and nothing behind them`() {
    let key = "jb4lDhnlzDnKbFGIOsqdKunGAi1wqO3nkz4rHe+lSpQ8lywZ"
    let text = "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n\(key)\nQx9Vz1Kd4w==\nPrivate-MAC: 5c46\n"
    let redacted = PlantedText.redacted(text, .body)
    #expect(!redacted.contains("jb4l") && !redacted.contains("Qx9V"), "\(redacted)")
    #expect(redacted.hasSuffix("\nPrivate-MAC: 5c46\n"))
    #expect(SecretScanner().holdsToken(Array(text.utf8)))
  }

  @Test(arguments: [
    "INSERT INTO users (id, password) VALUES ($1, $2)", "insert into notes (id, text) values (1, 'Ab3dEf6hIj9kLm2n');",
    "variable \"db_password\" {\n  description = \"Ab3dEf6hIj9kLm2n\"\n}\n", "echo Ab3dEf6hIj9kLm2n | sha256sum\n",
    #"{"cacheKey":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b","Key":"photos/2026/a.png"}"#,
    #"{"key":"menu.file.open","keys":["a","b"]}"#,
    "volumes:\n  - name: creds\n    secret:\n      secretName: db-credentials\n", #"{"gate_code":"B22"}"#,
    #"{"components":[{"key":"f5f05dc61d00ddb784e81af4d84d98306a903874"}]}"#,
    "| token | the token of the user |\n|---|---|\n| password | 8 or more |\n",
    "copy that (password) from him\nAb3dEf6hIj9kLm2n\n",
    #"{"key_id":"56807","key":"CfKqCVbJtMnzYqEoCF1lUHdGqYVQ3bGm9w8JxPjW4T0=","publicKey":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"}"#,
  ])
  func `what stands where a secret might stays`(text: String) { #expect(PlantedText.redacted(text, .body) == text) }
}
