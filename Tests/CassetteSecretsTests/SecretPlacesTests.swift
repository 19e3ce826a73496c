import CassetteSecrets
import Testing

/// Tests secrets in the places of rule 1, and harmless values under a secret's name.
@Suite struct SecretPlacesTests {
  @Test(arguments: [
    // JSON, and fragments of JSON.
    #"{"password": "%S"}"#, #"{"passwordConfirm":"%S"}"#, #"{"password_confirmation" : "%S"}"#, #"{'secret': '%S'}"#,
    #"{"tokens": ["%S"]}"#, #"{"credentials": {"id": "%S", "list": [{"a": "%S"}]}}"#, #"{"secrets":{"db":"%S"}}"#,
    #"{"name": "DB_PASSWORD", "value": "%S"}"#, #"{"value": "%S", "type": "string", "key": "apiKey"}"#,
    #"{"env": [{"name": "A", "value": "b"}, {"name": "API_TOKEN", "value": "%S"}]}"#, #"{"user":{"pwd":"%S"}}"#,
    #"[{"field": "X-Api-Key", "content": "%S"}]"#, #"{"payload": "{\"client_secret\": \"%S\"}"}"#,
    #"{"a": {"access_token": "%S"#, #"{"a":]},"token":"%S"}"#, #"{"a":"b" "password":"%S"}"#, #"{"password": %S}"#,
    #"{"passwords": {"db": [{"v": "%S"}]}}"#, #"{"apiKeys": [{"name": "ci", "value": "%S"}]}"#,
    #"{"tokens": [[{"a": "%S"}]]}"#, #"{"secrets": {"a": {"b": [["%S"]]}}}"#, #"{"auth": {"bearer": "%S"}}"#,
    #"["curl", "--token", "%S", "-v"]"#, #"["--password=%S"]"#,
    #"callback({"name":"ada","token":"%S"});"#, #"{"password":["a b c", "%S"]}"#, "\u{feff}{\"password\": \"%S\"}",
    "data: {\"token\":\ndata:  \"%S\"}\n\n", #"{"x":"{\"a\":\"{\\\"password\\\":\\\"%S\\\"}\"}"}"#,
    #"{"next":"https://a.test/?x=%7B%22token%22%3A%22%S%22%7D"}"#, #"{"url":"https:\/\/ada:%S@a.test\/x"}"#,
    #"{"acc\u0065ss_token":"%S"}"#, #"{"query":"{ login(password: \"%S\") { id } }"}"#,
    // XML, SOAP, HTML.
    "<password>%S</password>", "<wsse:Password Type=\"x\">%S</wsse:Password>", "<ApiKey><![CDATA[%S]]></ApiKey>",
    "<Credentials><Any>%S</Any><Key> %S </Key></Credentials>", "<login password=\"%S\" user='a'/>",
    "<add key=\"ApiKey\" value=\"%S\"/>", "<entry key=\"db.password\">%S</entry>", "<input type=password value=%S>",
    "<input value='%S' type=hidden name=authenticity_token>", "<meta name=\"csrf-token\" content=\"%S\" />",
    "<textarea name='private_key'>%S</textarea>", "<p>Login failed for password=%S</p>", "<td>password: %S</td>",
    "<a href=\"/x?token=%S&amp;y=1\">x</a>", "<a b='a>c' token=\"%S\">", "<a\n  token = '%S'\n>",
    // GraphQL, lines, configuration files, logs.
    "mutation { login(user: \"a\", password: \"%S\") { id } }", "mutation { login(password: \"\"\"%S\"\"\") { id } }",
    #"{"query": "mutation { login(password: \"\"\"\n  %S\n\"\"\") { id } }"}"#, "user,password\nada,%S\n",
    "id;User Name;Password\r\n1;ada;\"%S\"\r\n", "machine a.example login ada password %S\n",
    "machine a.example\n  login ada\n  password %S\n", "default login anonymous password %S\n",
    // Programs.
    "a=\"x\";n.clientSecret=\"%S\"", "\"use strict\";n.clientSecret=\"%S\"", "const c={apiKey:`%S`}",
    "x.password=y;n.token=q||'%S'", "const apiKey = process.env.API_KEY ?? \"%S\";",
    "function f(){fetch('https://a.test/x?token=%S7&a=b')}",
    "<script>a='x';n.clientSecret=\"%S\"</script>", "<script>f(){}</script>password=%S",
    "run() {\n  curl x\n}\nexport DB_PASSWORD=%S\n", "user: a\npassword: %S\nport: 1\n",
    "- name: a\n  token: '%S'\n", "export DB_PASSWORD=%S\n", "A=1\nAPI_KEY=\"%S\"\n", "client_secret = %S\n",
    "X-Api-Key: %S\r\nAccept: */*\r\n", "Authorization: Bearer %S\r\n", "level=info password=%S user=a",
    "Cookie: theme=dark; sid=%S\n", "curl -H 'X-Api-Key: %S' https://a.example to see them\n",
    "spring.datasource.password=%S\n", "Server=a;User Id=sa;Password=%S;Encrypt=True", "var c = {apiKey: \"%S\"};",
    "see https://a.example/x?access_token=%S&b=1", "x#access_token=%S&expires=3600", "db: postgres://a:%S@h:5/d\n",
    #"{"message":"got {\"password\": \"%S\"} from ada"}"#, "POST {\"password\": \"%S\"} failed",
  ])
  func `a secret in a body is redacted`(text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "/a?api_key=%S&x=1", "/a?auth=%S", "/a;jsessionid=%S", "/a;v=1;token=%S;w=2/b?c=d", "/a?x=1#id_token=%S",
    "/a?redirect=https%3A%2F%2Fb%3Ftoken%3D%S%26c%3D1", "/a?%74oken=%S", "/a?user%5Bpassword%5D=%S", "/a?q=1?token=%S",
    "https://ada:%S@a.test/", "https://b.test/cb?code=%S&state=x", "/a?sid=%S", "/a?q=%7B%22token%22%3A%22%S%22%7D",
  ])
  func `a secret in a URL is redacted`(text: String) { PlantedText.expectNone(text, .url) }

  @Test(arguments: [
    "user=a&pass=%S", "password=%S", "passwordConfirm=%S&a=1", "SAMLResponse=%S&RelayState=a", "card[cvc]=%S&x=1",
    "card%5Bcvc%5D=%S", "user[password]=%S", "client_assertion=%S&grant_type=a", "payload=%7B%22token%22%3A%22%S%22%7D",
    "grant_type=authorization_code&code=%S",
  ])
  func `a secret in a form is redacted`(text: String) {
    PlantedText.expectNone(text, .form)
    PlantedText.expectNone(text, .body)
  }

  @Test(arguments: [
    "--b\r\nContent-Disposition: form-data; name=password\r\n\r\n%S\r\n--b--\r\n",
    "--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; filename=\"name\"; name=\"api_key\"\r\n\r\n%S\r\n--b--\r\n",
    "--b\r\nContent-Disposition: form-data; name=x\r\n\r\n{\"token\": \"%S\"}\r\n--b--\r\n",
  ])
  func `a secret in a multipart body is redacted`(text: String) {
    PlantedText.expectNone(text, .multipart(boundary: "b"))
  }

  @Test(arguments: [
    "x-api-key", "authorization", "proxy-authorization", "cookie", "x-auth-token", "x-csrf-token", "x-vault-token",
    "ocp-apim-subscription-key", "x-hub-signature-256", "x-db-pwd", "cb-access-passphrase", "private-token",
  ])
  func `the value of a secret header field is redacted`(name: String) { PlantedText.expectNone("%S", .header(name)) }

  @Test(arguments: [
    #"{"tokens": 12, "max_tokens": 99, "total_tokens": 1234567, "usage": {"prompt_tokens": 12}}"#,
    #"{"secret": "https://github.githubassets.com/images/icons/emoji/unicode/3299.png?v8"}"#,
    #"{"license": {"key": "mit"}, "audio_tokens": 1200, "token_type": "bearer", "tokens": [464, 9206, 3]}"#,
    "login('x', password='&lt;password&gt;')", #"{"access-control-allow-credentials": "true"}"#,
    #"{"signature": "-----BEGIN PGP SIGNATURE-----\n\nwsBcBAABCAAQBQJ\n-----END PGP SIGNATURE-----\n"}"#,
    #"{"key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7", "title": "a"}"#, #"{"password": "REDACTED"}"#,
    #"{"token": "..."}"#, #"{"Authorization": "token <INSTALLATION_TOKEN>"}"#, #"{"token": "$token"}"#,
    "The password must be at least 8 characters.", "tokens: 12\n", #"{"code":"not_found","message":"x"}"#,
    "see the token: it is new", "<password/>", "<password></password>", "id,name\n1,secret\n",
    #"["password", "abc"]"#, "<label for=\"password\">Password</label>", "use the <token> of x, or \"<secret>\"",
    "a compass: north", "{{secret:10}}", #"{"has_password": true, "bypass": "left"}"#, #"{"n":"a","value":"token"}"#,
  ])
  func `a secret name without a secret value is unchanged`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretScanner(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: [
    "this.credentials=e.credentials||this.credentials||\"same-origin\";fetch(u,{credentials:\"omit\"})",
    "var a=b?c:d;if(e.token=f.token,x){y=\"\"+z}", "function f(password,token=null){return password=token,password}",
    "class A{#token=null;constructor(t){this.#token=t,this.#b=1}get(){return x?token=y:z}}", "f={secret:`a-${b}`}",
    "function a(b) {\n  b.token = c;\n  this.password = password;\n  return {\n    password: b.password,\n  };\n}\n",
    "function f() {\n  ask('New password: ')\n  ask('Again: ')\n}\n",
    "{\"a\":function(){},\"password\":e.password}", "<script>function a(b){b.token=c}</script>",
  ])
  func `a program without a secret is unchanged`(_ text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretScanner(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: [
    #"{"credentials": {"type": "AWSAssumeRole", "role": "admin", "user": "root", "cap": ["CAP_AUDIT_CONTROL"]}}"#,
    #"{"type": "input_tokens", "value": 50000}"#, #"<m name="input_tokens" value="50000"/>"#,
    "<tokens>1200</tokens>", "max_tokens=4096", #"{"tokens": [{"id": "Zk8vQ2xTw9", "scopes": ["Lm4sR7yU"]}]}"#,
    "Dear user, password\nThen, click\n", "user,password\nonly one cell\n", #"["--use-token", "--verbose"]"#,
    "machine learning needs a password today", #"{"securitySchemes": {"bearer": {"type": "http"}}}"#,
    #"{"token": "secret-12"}"#,
  ])
  func `a count, a setting, or prose is unchanged`(_ text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
  }

  @Test(arguments: [
    ("permissions-policy", "midi=(), otp-credentials=(), usb=()"),
    ("permissions-policy", "otp-credentials=(self \"https://a.example\"), x-credentials=self, y-credentials=*"),
    ("accept-ch", "a;token=(b)"), ("sec-websocket-protocol", "graphql-ws, bearer"),
  ])
  func `a field with a list of policies or protocols is unchanged`(_ name: String, _ value: String) {
    #expect(PlantedText.redacted(value, .header(name)) == value)
  }

  @Test(arguments: [
    ("sec-websocket-protocol", "bearer, %S"), ("sec-websocket-protocol", "graphql-ws, access_token, %S"),
    ("authentication-info", "rspauth=\"%S\", qop=auth"), ("link", "<https://a.example/x?token=%S>; rel=\"next\""),
  ])
  func `a secret in a part of a header field is redacted`(_ name: String, _ value: String) {
    PlantedText.expectNone(value, .header(name))
  }

  @Test(arguments: ["theme=dark; lang=en-US; n=1", "consent=yes"])
  func `settings in cookies are unchanged`(_ text: String) {
    #expect(PlantedText.redacted(text, .header("cookie")) == text)
  }

  @Test(arguments: [
    ("password=%S&x=a%26b", "password={{secret:1}}&x=a%26b"), ("API_TOKEN=%S&more\nA=b", "API_TOKEN={{secret:1}}\nA=b"),
    ("oauth_token=%S&oauth_token_secret=%S", "oauth_token={{secret:1}}&oauth_token_secret={{secret:1}}"),
    ("(token=%S), x", "(token={{secret:1}}), x"),
    ("<input name=api_key value=%S>", "<input name=api_key value={{secret:1}}>"),
    ("[x](https://a.test/?token=%S), y", "[x](https://a.test/?token={{secret:1}}), y"),
    (
      "user,password,note\nada,\"%S\",\"a,\nb\"\neve,%S,\n",
      "user,password,note\nada,\"{{secret:1}}\",\"a,\nb\"\neve,{{secret:1}},\n"
    ),
    (#"{"t":"a=b&token=%S%26x\n","u":1}"#, #"{"t":"a=b&token={{secret:1}}\n","u":1}"#),
  ])
  func `only the secret is redacted, and the rest is unchanged`(text: String, kept: String) {
    #expect(PlantedText.redacted(text.replacing("%S", with: PlantedText.secrets[0]), .body) == kept)
  }

  @Test(arguments: [
    #"[{"delta":"%A"},{"delta":"%B"}]"#, #"{"deltas":["see %A","%B."]}"#,
    #"[{"choices":[{"delta":{"content":"a %A"}}]}, {"choices":[{"delta":{"content":"%B b"}}]}]"#,
    "data: {\"choices\":[{\"delta\":{\"content\":\"%A\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"%B\"}}]}\n\n",
    #"[{"candidates":[{"content":{"parts":[{"text":"%A"}]}}]}, {"candidates":[{"content":{"parts":[{"text":"%B"}]}}]}]"#,
    ["%A", "x", "%B", "y"].enumerated().map {
      "data: {\"choices\":[{\"delta\":{\"content\":\"\($1)\"},\"index\":\($0 % 2)}]}\n\n"
    }.joined(),
    ["%A", "x", "%B", "y"].enumerated().map {
      "data: {\"type\":\"delta\",\"output_index\":\($0 % 2),\"delta\":\"\($1)\"}\n\n"
    }.joined(),
    // An index that counts events does not identify a choice.
    ["%A", "%B"].enumerated().map { "{\"index\":\($0),\"text\":\"\($1)\"}\n" }.joined(),
  ])
  func `a token split over the elements of a list is redacted`(_ text: String) {
    let planted = text.replacing("%A", with: "ghp_Zk8vQ2xTw9Lm4s").replacing("%B", with: "R7yUiPaSdFgHjKlZxCvBn")
    let kept = PlantedText.redacted(planted, .body)
    #expect(!kept.contains("Zk8vQ2xTw9Lm4s") && !kept.contains("R7yUiPaSdFgHjKlZxCvBn"), "\(kept)")
    #expect(!SecretScanner(.standard).findings(in: Array(planted.utf8), .body).isEmpty)
  }

  @Test func `300 tokens with a common prefix get 300 placeholders, and a repeated token the same one`() {
    let tokens = (100..<400).map { "ghp_Zk8vQ2xTw9Lm4sR7yUiPaSdFgHjKlZxCv\($0)" }
    let kept = PlantedText.redacted("[\"\(tokens.joined(separator: "\",\""))\"] \(tokens[7])!", .body)
    #expect(!kept.contains("ghp_"))
    let numbers = kept.split(separator: "{{secret:").dropFirst().map { $0.prefix { $0 != "}" } }
    #expect(numbers.count == 301 && Set(numbers).count == 300 && numbers[7] == numbers[300], "\(numbers)")
  }

  @Test func `findings in a truncated input are within its bounds`() {
    let text =
      #"{"a":"\"token\":\"x","password":{"b":[1,"c"]},"name":"secret","value":"v"} data: {"token":'y'} <a name="token" "#
      + #"value='v'><password>x<![CDATA[y]]></password> token=z&password=%41; X-Api-Key: q\ngraphql(password: "r") u:p@h"#
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      for context in [ScannedText.Context.body, .url, .form, .header("location"), .multipart(boundary: "a")] {
        PlantedText.expectPlaces(in: Array(bytes[..<end]), context)
        PlantedText.expectPlaces(in: Array(bytes[end...]), context)
      }
    }
  }
}
