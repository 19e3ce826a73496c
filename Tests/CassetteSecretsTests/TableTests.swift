import CassetteSecrets
import Testing

/// Secrets in tables, and in files and fields whose syntax alone tells what is one; `%S` stands where a secret does.
@Suite struct TableTests {
  @Test(arguments: [
    #"{"columns":["user","password"],"rows":[["ada","%S"],["bob","%S"]]}"#,
    #"{"data": [["ada", "%S"]], "columns": ["user", "password"], "index": [0]}"#,
    #"{"range":"A1:B2","values":[["user","api_key"],["ada","%S"]]}"#,
    #"{"columns":[{"name":"user"},{"name":"password","type":"text"}],"rows":[["ada","%S"]]}"#,
    #"{"schema":{"fields":[{"name":"user"},{"name":"token"}]},"rows":[{"f":[{"v":"ada"},{"v":"%S"}]}]}"#,
    #"{"rowType":[{"name":"USER"},{"name":"PASSWORD"}],"data":[["ada","%S"]]}"#,
    #"{"payload":"{\"columns\":[\"user\",\"password\"],\"rows\":[[\"ada\",\"%S\"]]}"}"#,
  ])
  func `a column of rows in JSON is found by its head`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "# Users\n\n| user | password |\n|------|----------|\n| ada  | %S |\n| bob | `%S` |\n\nend",
    #"{"body": "| user | password |\n|---|:--|\n| ada | %S |\n"}"#,
    " user | password \n------+----------\n ada  | %S\n(1 row)\n",
    "user | api key\n--- | ---\nada | %S",
  ])
  func `a column of a text's table is found by its head`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    "db.example.com:5432:app:ada:%S\n", "# of the test\nlocalhost:*:*:ada:%S", "a:5432:b:c:%S\nb:5432:b:c:x9-Kq2\n",
    "sqlplus scott/%S@orcl\n", "jdbc:oracle:thin:scott/%S@db:1521:orcl",
    #"{"dsn": "scott/%S@//db.example.com:1521/x"}"#,
    #"{"url": "scott/%S@db.example.com:1521/orclpdb"}"#, #"{"auth":["ada","%S"]}"#,
    #"{"auth": [ "ada" , "%S" ], "n": 1}"#,
    #"{"clave": "%S"}"#, #"{"parola":"%S"}"#, #"{"secret_id": "%S"}"#, "clave=%S\n",
    "--b\r\nContent-Disposition: form-data; name=\"token\"; filename=\"%S\"\r\n\r\nx\r\n--b--\r\n",
  ])
  func `a password that its syntax tells is found`(_ text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    ("sec-websocket-protocol", "access_token, %S"), ("sec-websocket-protocol", "graphql-ws, bearer, %S"),
    ("sec-websocket-protocol", "v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.%S"), ("x-key", "%S"),
  ])
  func `a field that browsers put tokens in is read`(_ name: String, _ value: String) {
    PlantedText.expectNone(value, .header(name))
  }

  @Test func `a random subprotocol is a token, and a key in a URL is one`() {
    let token = "q8Zk20fJw3RtY7uXbN5mPz"
    #expect(!PlantedText.redacted("graphql-ws, \(token)", .header("sec-websocket-protocol")).contains(token))
    #expect(!PlantedText.redacted("/maps?key=q8Zk20fJw3RtY7&x=1", .url).contains("q8Zk20fJw3RtY7"))
  }

  @Test(arguments: [
    #"{"required":["user","password"],"values":[["a"],["b"]]}"#, #"{"columns":["user","password"],"rows":[]}"#,
    #"{"columns":["user","password"],"rows":[["ada","must not be empty"],["ada",null]]}"#,
    "| Parameter | Token | Default |\n|---|---|---|\n| name | required | no |\n| size | see [the token](#token) | 1 |\n",
    "uses: actions/checkout@v4 and owner/repository@main, a/b@sha256:12ab", "@scope/package@1.2.3 and x/y@example.com",
    "12:30:45 started\n12:30:46:a:b\n", "a:b:c:d:e\n", "error: src/main.swift:12:5: note\n", #"{"clave": "ES-MD"}"#,
    #"{"secret_id": "my-secret-2024", "parola": "casa"}"#, #"{"auth": ["read", "write", "admin"]}"#,
    "/search?key=PROJECT-1234",
  ])
  func `what is no secret stays`(_ text: String) { #expect(PlantedText.redacted(text, .body) == text) }

  @Test(arguments: [
    "graphql-transport-ws", "v10.stomp, v11.stomp", "actioncable-v1-json, actioncable-unsupported", "soap",
  ])
  func `the names of subprotocols stay`(_ text: String) {
    #expect(PlantedText.redacted(text, .header("sec-websocket-protocol")) == text)
  }

  @Test func `in a table that is cut off anywhere nothing is found behind its end`() {
    let text =
      #"{"columns":[{"name":"user"},{"name":"password"}],"rows":[["a","b"]],"r":[{"f":[{"v":"a"}]}],"auth":["a","b"]}"#
      + " a/b@//c:1521 | a | token |\n|--|--|\n| x | y |\n"
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      PlantedText.expectPlaces(in: Array(bytes[..<end]), .body)
      PlantedText.expectPlaces(in: Array(bytes[end...]), .body)
    }
  }
}
