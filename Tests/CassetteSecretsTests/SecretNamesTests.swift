import TestSupport
import Testing

@testable import CassetteSecrets

@Suite struct SecretNamesTests {
  @Test(arguments: [
    "Authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie", "X-Api-Key", "api-key", "apikey", "X-RapidAPI-Key",
    "X-Auth-Token", "X-CSRF-Token", "Private-Token", "X-Vault-Token", "X-Client-Secret", "X-Amz-Security-Token",
    "Ocp-Apim-Subscription-Key", "X-Forwarded-Authorization",
  ])
  func `the value of a secret header field is masked`(name: String) {
    #expect(SecretNames.isField(name))
    #expect(SecretNames.masked(field: name, value: "abc") == SecretNames.mask)
  }

  @Test(arguments: [
    "Accept", "Host", "Content-Type", "ETag", "WWW-Authenticate", "X-Keyboard", "Cookies-Accepted", "Authority",
  ])
  func `the value of any other header field is not masked`(name: String) {
    #expect(!SecretNames.isField(name))
    #expect(SecretNames.masked(field: name, value: "abc") == "abc")
  }

  @Test(arguments: [
    "access_token", "accessToken", "refresh-token", "token", "TOKEN", "api_key", "apiKey", "client_secret", "code",
    "password",
    "new_password", "passphrase", "otp", "signature", "user[password]",
  ])
  func `a secret parameter is recognized by its name`(name: String) { #expect(SecretNames.isParameter(name)) }

  @Test(arguments: ["page", "q", "codec", "country_code", "tokens", "keyword", "name", "author"])
  func `any other parameter is not secret`(name: String) { #expect(!SecretNames.isParameter(name)) }

  @Test(arguments: [
    ("/a?page=1&access_token=abc&x=2", "/a?page=1&access_token={{secret}}&x=2"), ("/a?token", "/a?token"),
    ("/a?%74oken=abc", "/a?%74oken={{secret}}"), ("/a?user%5Bpassword%5D=abc#f", "/a?user%5Bpassword%5D={{secret}}#f"),
    ("/a?q=token", "/a?q=token"), ("/a", "/a"),
    ("http://kean:abc@h/a?token=b", "http://{{secret}}@h/a?token={{secret}}"),
    ("http://h/a@b", "http://h/a@b"), ("/a?x=1?token=abc", "/a?x=1?token={{secret}}"),
    ("/a?token=a=b&c=d", "/a?token={{secret}}&c=d"),
    (
      "/reset/ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2/x?s=ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2",
      "/reset/{{secret}}/x?s={{secret}}"
    ),
  ])
  func `secrets in a URL are masked`(url: String, shown: String) {
    #expect(SecretNames.masked(url: url) == shown)
    #expect(SecretNames.masked(field: "Location", value: url) == shown)
  }

  @Test(arguments: [
    ("password=abc&user=kean", "password={{secret}}&user=kean"), ("a=1", "a=1"), ("", ""), ("&&", "&&"),
    ("pass%77ord=abc", "pass%77ord={{secret}}"), ("client_secret=", "client_secret="),
  ])
  func `secrets in a form are masked`(form: String, shown: String) {
    #expect(SecretNames.masked(body: form, contentType: "application/x-www-form-urlencoded; charset=utf-8") == shown)
  }

  @Test(arguments: [
    (#"{"password":"abc","a":1}"#, #"{"password":"{{secret}}","a":1}"#),
    (#"{ "password" : "abc" }"#, #"{ "password" : "{{secret}}" }"#),
    (#"{"password":"a\"b\\"}"#, #"{"password":"{{secret}}"}"#),
    (#"{"pass\u0077ord":"abc"}"#, #"{"pass\u0077ord":"{{secret}}"}"#),
    (#"{"wpa_psk":"abcdefgh","psk":"abc"}"#, #"{"wpa_psk":"{{secret}}","psk":"{{secret}}"}"#),
    (#"{"secret_key_base":"abc","otpCode":"123456"}"#, #"{"secret_key_base":"{{secret}}","otpCode":"{{secret}}"}"#),
    (
      #"{"ParameterKey":"DbPassword","ParameterValue":"abc"}"#,
      #"{"ParameterKey":"DbPassword","ParameterValue":"{{secret}}"}"#
    ),
    (
      #"{"propertyPath":"password","invalidValue":"abc"}"#, #"{"propertyPath":"password","invalidValue":"{{secret}}"}"#
    ),
    (#"{"Plaintext":"some words"}"#, #"{"Plaintext":"some words"}"#),
    (#"{"path":"docs/secrets/a.md","content":"words"}"#, #"{"path":"docs/secrets/a.md","content":"words"}"#),
    (#"{"pin":1234,"otp":true,"token":null}"#, #"{"pin":"{{secret}}","otp":"{{secret}}","token":"{{secret}}"}"#),
    (
      #"{"token":{"value":"abc","n":[1,"x"]},"a":"b"}"#,
      #"{"token":{"value":"{{secret}}","n":["{{secret}}","{{secret}}"]},"a":"b"}"#
    ),
    (#"{"password":["abc", "def"],"a":"b"}"#, #"{"password":["{{secret}}", "{{secret}}"],"a":"b"}"#),
    (#"{"password":[],"a":"b"}"#, #"{"password":[],"a":"b"}"#), (#"["password","abc"]"#, #"["password","abc"]"#),
    (#"{"a":{"token":"abc"},"b":["c"]}"#, #"{"a":{"token":"{{secret}}"},"b":["c"]}"#),
    ("[1, -2.5e3, true]", "[1, -2.5e3, true]"),
    (#"{"a":"\"password\":\"x\""}"#, #"{"a":"\"password\":\"{{secret}}\""}"#), ("plain text", "plain text"), ("", ""),
  ])
  func `secrets in JSON are masked`(body: String, shown: String) {
    #expect(SecretNames.masked(body: body, contentType: "application/json") == shown)
    #expect(SecretNames.masked(body: body, contentType: nil) == shown)
  }

  @Test(arguments: [
    #"{"password":"abcdef"#, #"{"password":"abcdef\"#, #"{"password": abcdef"#, #"{"a":]},"token":"abcdef"}}}"#,
    #"{"token":{"b":"abcdef"#, #"{"a":"b" "password":"abcdef"}"#, #"{"password":'abcdef'"#,
  ])
  func `secrets in malformed or truncated JSON are masked`(body: String) {
    #expect(!SecretNames.masked(body: body, contentType: "application/json").contains("abcdef"))
  }

  @Test(arguments: ["/x?a%2Fpasswd=1", "/x?a%2Fpasswd=1&b=2", "https://a.test/x?%74oken=abc12345", "a%2Fpasswd=1"])
  func `a parameter with an encoded name has one mask even if it is masked twice`(target: String) {
    let shown = target.replacing("=1", with: "=\(SecretNames.mask)").replacing("abc12345", with: SecretNames.mask)
    for context in [ScannedText.Context.url, .form, .text, .body, .header("referer")] {
      let masked = SecretMask.masked(target, context)
      #expect(masked == target || masked == shown, "\(context)")
      #expect(SecretMask.masked(shown, context) == shown, "\(context)")
    }
  }

  @Test func `a secret part of a multipart form is masked`() {
    let body =
      "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nkean\r\n--b\r\ncontent-disposition: form-data; "
      + "name=\"password\"\r\nContent-Type: text/plain\r\n\r\nabc\r\ndef\r\n--b--\r\n"
    let shown = SecretNames.masked(body: body, contentType: "multipart/form-data; boundary=b")
    #expect(shown == body.replacing("abc\r\ndef", with: SecretNames.mask))
  }

  @Test(arguments: 0..<30)
  func `random JSON without secret names is unchanged`(seed: UInt64) {
    var json = RandomJSON(random: Seeded(seed), space: ["", " ", "\n"])
    let text = json.value()
    guard !text.isEmpty, !text.contains("{{") else { return }
    #expect(SecretNames.masked(body: text, contentType: "application/json") == text)
  }
}
