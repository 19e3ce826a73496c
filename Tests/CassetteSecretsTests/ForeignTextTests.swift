import CassetteSecrets
import Testing

/// Texts of other programs, in which `%S` stands where a secret does.
@Suite struct ForeignTextTests {
  @Test(arguments: [
    "PGPASSWORD=%S psql -h a\n", "setenv API_KEY %S\n", "ENV API_KEY %S\n", "fish: set -x API_TOKEN %S\n",
    "set -gx API_TOKEN %S\n", "aws configure set aws_secret_access_key %S\n", "tool --token %S\n",
    "tool --api-key \"%S\" x\n", "tool --password '%S'\n", "wget --http-password %S https://a\n",
    "curl --oauth2-bearer %S https://a\n", "curl -uada:%S https://a/\n", "curl --proxy-user ada:%S https://a\n",
    "curl -b 'sid=%S' https://a\n", "curl --cookie \"sid=%S\" https://a\n", "mysql -u root -p%S db\n",
    "docker login -u ada -p %S\n", "sshpass -p %S ssh a\n", #"{"args": ["--token", "%S"]}"#,
    #"{"command": "tool --token %S"}"#, #"{"cmd": ["curl", "-u", "ada:%S"]}"#,
  ])
  func `a command's password is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "machine api.example.com login ada password %S\n", "machine api.example.com\n  login ada\n  password %S\n",
    "default login ada password %S\n", "[db]\npassword = \"\"\"%S\"\"\"\n", "db.password %S\n",
    "password: !secret \"%S\"\n", "password: !!str \"%S\"\n", "password: &one %S\n",
    "auths:\n  registry.example.com:\n    auth: %S\n", "users:\n- name: ada\n  user:\n    client-key-data: %S\n",
    "Server=a;User Id=sa;Password='%S';Encrypt=True", "Server=a;User Id=sa;Password=\"%S\";Encrypt=True",
    "ada:%S@tcp(127.0.0.1:3306)/x", "# users\nuser,password\na,%S\n",
  ])
  func `a file's password is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "$config['password'] = '%S';", "os.environ[\"API_TOKEN\"] = \"%S\"", "define('DB_PASSWORD', '%S');",
    "localStorage.setItem(\"token\",\"%S\")", "headers.set(\"Authorization\", \"Bearer %S\")",
    "xhr.setRequestHeader('X-Api-Key', '%S');", "const token: string = \"%S\";", "http.SetBasicAuth(\"ada\", \"%S\")",
    "requests.get(url, auth=('ada', '%S'))", #"{"query":"mutation { login(password: \"\"\"%S\"\"\") { id } }"}"#,
  ])
  func `a program's password is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "Invalid token %S", "The token \"%S\" is invalid", "Unknown API key: %S", "bad password '%S' for user ada",
    "Your password is %S", "Your temporary password is: %S", "Your verification code is %S",
    #"{"detail":"Invalid API key provided: %S"}"#, #"{"error":{"message":"Incorrect API key provided: %S. Look at"}}"#,
    #"{"message":"password \"%S\" is too weak"}"#, "[info] Authorization: Bearer %S",
    "* Server auth using Basic with user 'ada' password '%S'", "2026-01-01 INFO token %S accepted",
  ])
  func `a sentence's password is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    #"{"apiKeys":[{"id":1,"key":"%S"}]}"#, #"[{"op":"replace","path":"/user/password","value":"%S"}]"#,
    #"{"loc":["body","password"],"msg":"too short","input":"%S"}"#, #"{"key":"password","old":"%S","new":"b"}"#,
    #"{"headers":["Authorization","Bearer %S"]}"#, #"{"raw":["Host","a","Authorization","Bearer %S","X-Api-Key","b"]}"#,
    #"{"header":"Authorization: Bearer %S\r\nX: y"}"#, #"{"path":"/reset-password/%S"}"#,
    #"{"url":"https://a.example/reset/%S"}"#, #"{"type":"note: password: %S"}"#,
    "<property name=\"password\"><value>%S</value></property>", "<data name=\"Token\"><value>%S</value></data>",
  ])
  func `a name that stands apart from its value is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "passwort", "Kennwort", "mot_de_passe", "contraseña", "contrase\\u00f1a", "senha", "wachtwoord", "пароль", "密码",
    "パスワード", "비밀번호", "şifre", "hasło", "salasana", "lösenord", "heslo", "dbPass", "smtp_pass", "securityAnswer",
  ])
  func `a password's name is known in other languages, and cut short`(_ name: String) {
    PlantedText.expectNone("{\"\(name)\": \"%S\"}", .body)
  }

  @Test(arguments: [
    "x-auth", "x-session", "x-sid", "x-signature", "x-hub-signature-256", "x-jwt-assertion", "dd-application-key",
    "x-parse-master-key", "x-forwarded-cookie", "x-ms-authorization-auxiliary",
  ])
  func `a field's name is known`(_ name: String) { PlantedText.expectNone("%S", .header(name)) }

  @Test(arguments: ["/reset-password/%S", "https://a.example/reset/%S", "https://a.example/magic-link/%S?x=1"])
  func `a path in a field is read`(_ text: String) { PlantedText.expectNone(text, .header("location")) }

  @Test(arguments: ["/a?sid=%S", "/a?session=%S", "/a?q=password%3D%S", "/invitations/%S", "/sessions/%S"])
  func `a session in a URL is found`(_ text: String) { PlantedText.expectNone(text, .url) }

  @Test(arguments: [
    ("b", "--b\nContent-Disposition: form-data; name=\"password\"\n\n%S\n--b--\n"),
    ("", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n%S\r\n--b--\r\n"),
    ("other", "preamble\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n%S\r\n--b--\r\n"),
  ])
  func `parts are found without their boundary`(_ boundary: String, _ text: String) {
    PlantedText.expectNone(text, .multipart(boundary: boundary))
    PlantedText.expectNone(text, .body)
  }

  @Test(arguments: [
    "tool --token $TOKEN --password-stdin --token <TOKEN> --token $(cat token)", "docker run -u 1000:1000 --user a:b x",
    "Use the --token option to log in.", "the token version2 and token 2026-01-01, password sha-256",
    "a password is required", "secret scanning is new", "see the token `name` and the secret \"value\"",
    #"{"required": ["user", "password"], "vary": ["Authorization", "X-Api-Key", "Accept"]}"#,
    #"{"path": "src/token", "content": "abc123def456"}"#, "if(a.password!==b){x={password:!0,image:!1}}",
    "/repos/a/actions/secrets/secret_name2", #"{"client_assertion": [{"matcher": "exact", "value": "fake"}]}"#,
    "x.set(\"name\", \"value\"); y.set(\"token\", null)", "https://a.example/reset/password and /verify/account-now",
  ])
  func `what is no secret stays`(_ text: String) { #expect(PlantedText.redacted(text, .body) == text) }

  @Test(arguments: [
    #"[{"delta":"%A"},{"delta":"%B"}]"#, #"{"deltas":["see %A","%B."]}"#,
    #"[{"choices":[{"delta":{"content":"a %A"}}]}, {"choices":[{"delta":{"content":"%B b"}}]}]"#,
    #"{"data":[{"n":1,"chunk":{"text":"%A"}},{"n":2,"chunk":{"text":"%B"}}]}"#,
    "data: {\"choices\":[{\"delta\":{\"content\":\"%A\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"%B\"}}]}\n\n",
    #"[{"candidates":[{"content":{"parts":[{"text":"%A"}]}}]}, {"candidates":[{"content":{"parts":[{"text":"%B"}]}}]}]"#,
    ["%A", "x", "%B", "y"].enumerated().map {
      "data: {\"choices\":[{\"delta\":{\"content\":\"\($1)\"},\"index\":\($0 % 2)}]}\n\n"
    }.joined(),
    ["%A", "x", "%B", "y"].enumerated().map {
      "data: {\"type\":\"delta\",\"output_index\":\($0 % 2),\"delta\":\"\($1)\"}\n\n"
    }.joined(),
    // An index that counts events says nothing of choices.
    ["%A", "%B"].enumerated().map { "{\"index\":\($0),\"text\":\"\($1)\"}\n" }.joined(),
  ])
  func `a token in the pieces of a list is found`(_ text: String) {
    let planted = text.replacing("%A", with: "ghp_Zk8vQ2xTw9Lm4s").replacing("%B", with: "R7yUiPaSdFgHjKlZxCvBn")
    let kept = PlantedText.redacted(planted, .body)
    #expect(!kept.contains("Zk8vQ2xTw9Lm4s") && !kept.contains("R7yUiPaSdFgHjKlZxCvBn"), "\(kept)")
    #expect(!SecretSearch(.standard).findings(in: Array(planted.utf8), .body).isEmpty)
  }

  @Test func `of many tokens that begin alike each is another, wherever it stands`() {
    let tokens = (100..<400).map { "ghp_Zk8vQ2xTw9Lm4sR7yUiPaSdFgHjKlZxCv\($0)" }
    let kept = PlantedText.redacted("[\"\(tokens.joined(separator: "\",\""))\"] \(tokens[7])!", .body)
    #expect(!kept.contains("ghp_"))
    let numbers = kept.split(separator: "{{secret:").dropFirst().map { $0.prefix { $0 != "}" } }
    #expect(numbers.count == 301 && Set(numbers).count == 300 && numbers[7] == numbers[300], "\(numbers)")
  }

  @Test func `in a text that is cut off anywhere nothing is found behind its end`() {
    let text =
      #"curl -u "a:b" --token "x" machine a login b password c setItem("token","x") 'y'] = '"""z""" {"loc":["a","token"],"input":"#
      + #""q","tokens":[{"key":"k"}],"path":"/token","value":!t &a "s"}<a name="token"><value>v</value>a:b@tcp( /reset/x"#
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      PlantedText.expectPlaces(in: Array(bytes[..<end]), .body)
      PlantedText.expectPlaces(in: Array(bytes[end...]), .header("location"))
    }
  }
}
