import MockServerConsole

/// A place for a secret: a text in which `%S` is replaced by the secret.
struct PlantedPlace: Sendable {
  /// The part of an exchange that contains the text.
  enum Part: Sendable {
    case answer(String)
    case sent(String)
    case target
    case sentField(String)
    case field(String)
  }

  var part: Part
  var text: String

  /// True if the text is JSON, in which line ends are escaped as `\n`.
  var isJSON: Bool { text.hasPrefix("{") || text.hasPrefix("[") }

  /// True if the body can be sent in any encoding.
  var isText: Bool {
    switch part {
    case .answer: true
    case .sent(let type): !type.contains("form")
    default: false
    }
  }

  private static func all(_ part: Part, _ texts: String...) -> [PlantedPlace] {
    texts.map { PlantedPlace(part: part, text: $0) }
  }

  /// Places whose name identifies the secret.
  static let named: [PlantedPlace] =
    all(
      .answer("application/json"), #"{"user": "ada", "password": "%S"}"#,
      #"{"passwordConfirm":"%S"}"#,
      #"{"user":{"profile":{"login":{"pass":"%S","id":7}}}}"#, #"{"tokens": ["%S"], "n": 1}"#,
      #"{"credentials": {"user": "ada", "list": [{"a": "%S"}]}}"#,
      #"{"secrets":{"primary":"%S","backup":null}}"#,
      #"{"name": "DB_PASSWORD", "value": "%S"}"#,
      #"{"value": "%S", "type": "string", "key": "apiKey"}"#,
      #"{"env": [{"name": "A", "value": "b"}, {"name": "API_TOKEN", "value": "%S"}]}"#,
      #"[{"field": "X-Api-Key", "content": "%S"}]"#, #"{"payload": "{\"client_secret\": \"%S\"}"}"#,
      #"{"a": {"access_token": "%S"#,
      #"{"headers": {"authorization": "Bearer %S"}}"#,
      #"{"dsn": "postgres://ada:%S@db.example.com:5432/x"}"#,
      #"{"connectionString": "Server=a;User Id=sa;Password=%S;Encrypt=True"}"#,
      #"{"conn": "Server=a;User Id=sa;Password=%S;Encrypt=True"}"#,
      #"{"auth": {"bearer": [{"key": "token", "value": "%S", "type": "string"}]}}"#,
      #"{"errors": [{"field": "password", "message": "is too short", "value": "%S"}]}"#,
      #"{"message": "no user with password=%S"}"#,
      #"{"next": "https://api.example.com/x?page=2&access_token=%S"}"#, "{\"api_key\"\n:\n\"%S\"}",
      #"{"data": {"login": {"token": "%S", "__typename": "Session"}}}"#,
      "{\"x\":" + String(repeating: "[{\"y\":", count: 30) + "{\"refresh_token\":\"%S\"}"
        + String(repeating: "}]", count: 30) + "}")
    + all(
      .answer("text/xml"), "<a><password>%S</password></a>", "<add key=\"ApiKey\" value=\"%S\"/>",
      "<soap:Envelope><soap:Header><wsse:Password Type=\"#PasswordText\">%S</wsse:Password></soap:Header></soap:Envelope>",
      "<soap:Body><m:Login><m:user>a</m:user><m:passwd>%S</m:passwd></m:Login></soap:Body>",
      "<r><ApiKey><![CDATA[%S]]></ApiKey></r>", "<Credentials><Any>%S</Any></Credentials>",
      "<login password=\"%S\" user='a'/>", "<entry key=\"db.password\">%S</entry>",
      "<Credentials><AccessKeyId>x</AccessKeyId><SecretAccessKey>%S</SecretAccessKey></Credentials>"
    )
    + all(
      .answer("text/html"), "<input type=\"hidden\" name=\"csrf_token\" value=\"%S\">",
      "<form><input value='%S' type=hidden name=authenticity_token></form>",
      "<input type=\"password\" value=\"%S\">",
      "<input type=password value=%S>", "<meta name=\"csrf-token\" content=\"%S\" />",
      "<html><p>Login failed for password=%S</p></html>",
      "<table><tr><td>password: %S</td></tr></table>",
      "<script>var config = {apiKey: \"%S\", debug: true};</script>",
      "<script>window.token='%S';</script>", "<div data-token=\"%S\"></div>",
      "<a href=\"/reset?token=%S&amp;x=1\">reset</a>",
      "<textarea name=\"private_key\">%S</textarea>")
    + all(
      .answer("text/plain"), "Parameters: {\"user\"=>\"ada\", \"password\"=>\"%S\"}\n",
      "POST: {'user': 'ada', 'password': '%S'}\n",
      "User(name=ada, password=%S, id=1)\n",
      "level=info password=%S user=a\n",
      "X-Api-Key: %S\r\nAccept: */*\r\n", "GET /x HTTP/1.1\r\nAuthorization: Bearer %S\r\n\r\n",
      "Cookie: theme=dark; sid=%S\n",
      "curl -H 'Authorization: token %S' https://api.example.com/\n",
      "export DB_PASSWORD=%S\n", "A=1\nAPI_KEY=\"%S\"\nB=2\n", "client_secret = %S\n",

      "[db]\nuser = ada\npassword = %S ; of the test\n", "spring.datasource.password=%S\n",
      "see https://a.example/x?access_token=%S&b=1 or not\n",
      "provider \"x\" {\n  user     = \"ada\"\n  password = \"%S\"\n}\n",
    )
    + all(
      .answer("application/yaml"), "user: a\npassword: %S\nport: 1\n", "- name: a\n  token: '%S'\n",
      "environment:\n  - A=1\n  - DB_PASSWORD=%S\n")
    + all(
      .sent("application/json"),
      #"{"query": "mutation { login(user: \"a\", password: \"%S\") { id } }"}"#,
      #"{"query": "mutation($p: String!) { a(p: $p) { id } }", "variables": {"password": "%S"}}"#,
      #"{"variables": {"input": {"newPassword": "%S"}}}"#,
      #"{"grant_type":"password","password":"%S"}"#,
      #"{"jsonrpc":"2.0","method":"login","params":{"user":"a","api_key":"%S"}}"#)
    + all(.sent("application/graphql"), "mutation { login(user: \"a\", password: \"%S\") { id } }")
    + all(
      .sent("text/xml"),
      "<soap:Body><Login><user>a</user><password>%S</password></Login></soap:Body>")
    + all(
      .sent("application/x-www-form-urlencoded"), "user=a&pass=%S", "passwordConfirm=%S&a=1",
      "SAMLResponse=%S&RelayState=a", "card[cvc]=%S&x=1", "card%5Bcvc%5D=%S", "user[password]=%S",
      "client_assertion=%S&grant_type=a", "grant_type=refresh_token&refresh_token=%S",
      "code=%S&code_verifier=x",
      "user[credentials][]=%S")
    + all(
      .sent("multipart/form-data; boundary=b"),
      "--b\r\nContent-Disposition: form-data; name=password\r\n\r\n%S\r\n--b--\r\n",
      "--b\r\nContent-Disposition: form-data; name=\"user[password]\"\r\n\r\n%S\r\n--b--\r\n",
      "--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; filename=\"name\"; name=\"api_key\"\r\n\r\n%S\r\n"
        + "--b--\r\n",
      "--b\r\ncontent-disposition: form-data; name=x; filename=a.json\r\ncontent-type: application/json\r\n\r\n"
        + "{\"token\": \"%S\"}\r\n--b--\r\n")
    + all(
      .target, "?api_key=%S&x=1", "?auth=%S", ";jsessionid=%S", "?user[password]=%S",
      "?next=https%3A%2F%2Fb%3Ftoken%3D%S%26c%3D1",
      "?X-Amz-Signature=%S&X-Amz-Date=1", "?sig=%S",
      "?code=%S&state=x")
    + all(.sentField("Cookie"), "theme=dark; sid=%S", "access_token=%S")
    + all(.sentField("Authorization"), "Bearer %S", "token %S", "ApiKey %S")
    + all(.sentField("X-Api-Key"), "%S")
    + all(.sentField("Referer"), "https://a.example/x?token=%S")
    + all(.field("Set-Cookie"), "session=%S; Path=/; HttpOnly", "remember_me=%S")
    + all(
      .field("Location"), "https://app.example.com/cb#id_token=%S&expires_in=1",
      "https://b.example/cb?code=%S",
      "https://ada:%S@b.example/")
    + all(.field("X-Auth-Token"), "%S")
    + all(.field("Link"), "<https://a.example/x?api_key=%S>; rel=next")

  /// Places without a name: only the shape of a token identifies it.
  static let plain: [PlantedPlace] =
    all(
      .answer("application/json"), #"{"note": "see %S, it is new"}"#,
      #"{"a": [1, [2, {"b": ["x", "%S"]}]]}"#,
      #"{"raw": "{\"n\": \"%S\"}"}"#)
    + all(.answer("text/html"), "<html><!-- %S --><p>a</p></html>", "<p>use <code>%S</code></p>")
    + all(.answer("text/plain"), "deployed with %S by ada\n", "%S")
    + all(.answer("application/yaml"), "a: 1\n# %S\nb: 2\n")
    + all(.answer("text/csv"), "id,note\n1,%S\n")
    + all(.sent("application/json"), #"{"text": "%S"}"#) + all(.sent("text/plain"), "hello %S\n")
    + all(.target, "/files/%S/a", "?q=%S") + all(.sentField("X-Note"), "a %S b")
    + all(.field("X-Note"), "%S") + all(.field("Location"), "/x/%S#y")

  /// Places for secrets of several lines.
  static let keys: [PlantedPlace] =
    all(.answer("application/json"), #"{"file": "%S\n"}"#)
    + all(.answer("text/plain"), "a\n%S\nb\n")
    + all(.answer("application/yaml"), "a: |\n%S\nb: 1\n") + all(.answer("text/xml"), "<a>%S</a>")
    + all(.sent("application/json"), #"{"private_key": "%S"}"#)
    + all(
      .sent("multipart/form-data; boundary=b"),
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.pem\"\r\n\r\n%S\r\n--b--\r\n"
    )
}
