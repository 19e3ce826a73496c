import CassetteFormats
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

/// Secrets identified by their names, in parts of files that an import does not read.
struct NamedLeakTests {
  private func leaks(_ text: String, _ redaction: CassetteRedaction = .standard) throws -> [String] {
    let folder = try ScratchFolder()
    try Data(text.utf8).write(to: URL(filePath: folder.path("a.json")))
    return try LeakScanner(redaction).leaks(in: folder.path("a.json")).map { "\($0.line): \($0.what)" }
  }

  private static let postman = #"""
    {"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "auth": {"type": "bearer", "bearer": [
       {"key": "token", "value": "hunter2pw99", "type": "string"}]},
     "variable": [
       {"key": "apiKey", "value": "k3yk3yk3y99"}],
     "item": [{"name": "a", "request": {"method": "GET", "url": "https://a.b/x", "header": [
       {"key": "X-Api-Key", "value": "hunter2pw99"}]}, "response": []}]}
    """#

  private static func har(status: Int) -> String {
    #"""
    {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
    {"request": {"method": "GET",
    "url": "https://a.b/x?access_token=hunter2pw", "headers": [
    {"name": "Authorization", "value": "Bearer abcd1234"}]},
    "response": {"status": \#(status), "headers": [], "content": {}}}]}}
    """#
  }

  @Test func `variables and credentials of a Postman collection are scanned`() throws {
    #expect(
      try leaks(Self.postman) == [
        "3: the field token in the clear", "5: the field apiKey in the clear", "7: the field X-Api-Key in the clear",
      ])
  }

  @Test(arguments: [0, 101]) func `entries that an import skips are scanned`(status: Int) throws {
    #expect(
      try leaks(Self.har(status: status)) == [
        "3: the parameter access_token in the clear", "4: the field Authorization in the clear",
      ])
  }

  @Test(arguments: [
    (
      #"{"request": {"headers": {"Authorization": {"equalTo": "Bearer abcd1234efgh"}}}, "response": {"status": 200}}"#,
      ["Authorization"]
    ),
    (
      #"{"request": {"url": "/"}, "response": {"status": 200, "headers": {"Set-Cookie": "sid=abcd1234"}}}"#,
      ["Set-Cookie"]
    ),
    (#"{"headers": {"x-secure-cookie": "abcd1234efgh", "Cookie": {"equals": "sid=abcd1234"}}}"#, ["Cookie"]),
    (#"[["Accept", "a/b"], ["Authorization", "Bearer abcd1234efgh"]]"#, ["Authorization"]),
    (
      #"{"cassette": 1, "interactions": [{"request": {"headers": [["Authorization", "Bearer abcd1234efgh"]]}, "respons": 1}]}"#,
      ["Authorization"]
    ),
  ])
  func `a secret in any JSON document is found by its member name`(text: String, fields: [String]) throws {
    #expect(try leaks(text) == fields.map { "1: the field \($0) in the clear" })
  }

  @Test func `a file with a byte order mark is scanned`() throws {
    #expect(try leaks("\u{feff}{\"access_token\": \"hunter2short\"}") == ["1: $.access_token in the clear"])
  }

  @Test(arguments: [
    #"["Authorization", "Cookie"]"#, #"{"headers": [["Authorization", "Bearer token"]]}"#,
    #"{"headers": {"Authorization": {"equalTo": "Bearer {{token}}"}}}"#,
    #"{"name": "token", "in": "query", "value": "<TOKEN>"}"#, #"{"name": "theme", "value": "abcd1234efgh"}"#,
    #"{"error": {"key": "code", "value": "already_exists"}, "nextPageToken": "abcd1234efgh"}"#,
  ])
  func `a secret name without a secret value is not reported`(text: String) throws {
    #expect(try leaks(text) == [])
  }

  @Test func `a field, parameter, value or path that is kept is not reported in unread parts`() throws {
    let text = Self.har(status: 0)
    #expect(try leaks(text, .keeping(.header("Authorization"), .query("access_token"))) == [])
    #expect(try leaks(text, .keeping(.value("Bearer abcd1234"), .value("hunter2pw"))) == [])
    let account = #"{"account": {"list": [{"token": "abcd1234x"}]}}"#
    #expect(try leaks(account, .keeping(.json("$.account"))) == [])
    #expect(try leaks(account, .keeping(.json("$.account.list[*]"))) == [])
  }

  @Test(arguments: [
    "abc123def456ghi", "my secret pass 11", "1212121", "[realsecret9", "<b>realsecret9</b>", "!@#$%^&*", "yourpass99",
    "00000000000000a1b2c3",
  ])
  func `a value that only contains a placeholder is reported as a secret`(value: String) throws {
    let body = #"{"password": "\#(value)"}"#
    #expect(try leaks(body) == ["1: $.password in the clear"])
  }

  @Test(arguments: [
    "<TOKEN>", "{{token}}", "${TOKEN}", "[FILTERED]", "xxxxxxxx", "********", "0000000000000001", "REDACTED",
    "FILTERED", "**REDACTED**", "(redacted)", "__TOKEN__", "$TOKEN", "%TOKEN%", "YOUR_API_KEY", "your-token-here",
    "dummy", "changeme", "null", "none", "deleted", "{{user}}:{{password}}",
  ])
  func `a placeholder is not reported, with and without an authorization scheme`(value: String) throws {
    #expect(try leaks(#"{"password": "\#(value)"}"#) == [])
    #expect(try leaks(#"{"Authorization": "Bearer \#(value)"}"#) == [])
    #expect(try leaks(#"{"name": "Authorization", "value": "token \#(value)"}"#) == [])
  }

  @Test(arguments: [
    ("sid=abc123def456ghi; v=1", false), ("sid={{secret:1}}; v=1", true),
    ("sid=<SESSION>; lang={{secret:2}}; v=1", true), ("a=<SESSION>; sid=abc123def456ghi", false),
  ])
  func `each value of a cookie field is scanned separately`(cookie: String, isClean: Bool) throws {
    let text = #"""
      {"cassette": 1, "interactions": [{"request": {"method": "GET", "url": "/", "headers": [["Cookie", "\#(cookie)"]]},
        "response": {"status": 200}}]}
      """#
    #expect(try leaks(text).isEmpty == isClean)
  }

  @Test(arguments: ["Bearer", "Basic", "Token", "token"])
  func `a random value after an authorization scheme is found in text`(scheme: String) throws {
    let value = "9fJ2kLm8QwErTy1UiOp4AsDfq8Zx3Lm9Rt5Vw2Kp"
    #expect(
      try leaks("a:\n- Authorization: \(scheme) \(value)\n") == ["2: the field Authorization in the clear"])
  }

  @Test(arguments: [
    "DB_PASSWORD=swordfish", "# of the test\n\nexport DB_HOST=a\nDB_PASSWORD=swordfish\n", "a=1&password=swordfish",
  ])
  func `a plain word is reported as a password in an environment file and in a form`(text: String) throws {
    #expect(try leaks(text).count == 1)
  }

  @Test(arguments: ["def password = swordfish\n", "Enter the password: swordfish\nor leave.\n"])
  func `a plain word after "password" is not reported in source code and prose`(text: String) throws {
    #expect(try leaks(text) == [])
  }
}
