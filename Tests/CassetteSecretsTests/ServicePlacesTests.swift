import CassetteSecrets
import CassetteSystem
import Testing

/// Secrets where services put them that tools for secrets forget, and ordinary words that only look like secrets.
@Suite struct ServicePlacesTests {
  @Test(arguments: [
    #"{"x":{"value":"%S","masked":true}}"#, #"{"type":"sensitive","key":"X","value":"%S"}"#,
    #"{"key":"STRIPE_SECRET","values":[{"value":"%S"}]}"#, #"{"key":"NPM_PASS","value":"%S"}"#,
    #"{"ftpPass":"%S","signed_request":"%S"}"#, #"<machineKey validationKey="%S" decryptionKey="%S"/>"#,
    "r = get(u, headers={'Authorization': f'Bearer %S'})", "x = {\"password\": b\"%S\"}",
    #"{"ftp_pw":"%S","bindPw":"%S"}"#, #"{"pw1":"%S","pw2":"%S"}"#, #"{"wifi_psk":"%S","wifiPsk":"%S"}"#,
    #"{"Password:":"%S"}"#, #"{"basicAuth":"ada:%S"}"#, #"{"backup_codes":[{"code":"%S","used":false}]}"#,
    #"{"com_example_enterprise_configuration_production_database_primary_password":"%S"}"#,
    "COM_EXAMPLE_ENTERPRISE_CONFIGURATION_PRODUCTION_DATABASE_PRIMARY_PASSWORD=%S\n",
    "data: {\"password\":\ndata: \"%S\"}\n\n", "a.env" + String(repeating: "\0", count: 90) + "DB_PASSWORD=%S\n",
    "Content-Transfer-Encoding: quoted-printable\n\npassword=3D=\n\"%S\"\n",
    "{\"name\":\"password\",\"x\":\"\(String(repeating: "y ", count: 9000))\",\"value\":\"%S\"}",
    "Authorization: Digest username=\"ada\", realm=\"r\", uri=\"/x\", response=\"%S\"\n", "**Password:** `%S`\n",
    "**Token:** %S\n",
    #"{"clientToken":"%S"}"#, "cn: ada\nuserPassword: {SSHA}%S\n", "card[number]=%S", #"{"cc_number":"%S"}"#,
  ])
  func `a secret is taken out of where it stands`(text: String) { PlantedText.expectNone(text, .body) }

  @Test(arguments: [
    ("API_KEY=\(random) done\n", "API_KEY={{secret:1}} done\n"),
    (
      #"{"birth_token":"1990-05-17","next":"/on?date=1990-05-17"}"#,
      #"{"birth_token":"{{secret:1:date,0000-00-00}}","next":"/on?date={{secret:1:date,0000-00-00}}"}"#
    ),
  ])
  func `a value ends where it does, and a date is found again`(text: String, redacted: String) {
    #expect(PlantedText.redacted(text, .body) == redacted)
  }

  @Test(arguments: [
    #"{"password":"        ","token":"    "}"#, "api_key = \"            \"\n", "<password>         </password>",
  ])
  func `a value of blanks is none`(text: String) { #expect(PlantedText.redacted(text, .body) == text) }

  @Test(arguments: [
    #"{"d":{"content":"TOKEN="}}"# + "\n\ndata: " + #"{"id":"c1"}"#,
    #"[{"text":"_auth="},{"id":"c1"}]"#, #"{"text":"password=", "id":"c1"}"#,
  ])
  func `a name at the end of a string has no value in the next one`(text: String) {
    #expect(PlantedText.redacted("data: \(text)\n\n", .body) == "data: \(text)\n\n")
  }

  @Test(arguments: [
    "authentication", "auth", "fastly-key", "x-admin-key", "api-sign", "x-shopify-hmac-sha256", "jenkins-crumb",
  ])
  func `a field of a service is a secret`(field: String) { PlantedText.expectNone("%S", .header(field)) }

  private static let random = "Zk8vQ2xTw9Lm4sPd71hRbY3n"

  @Test(arguments: [
    (
      "https://api.telegram.org/bot883644333:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
      "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
    ),
    ("https://a.test/reset/MQ/bx3k2p-4f0c2d8e1a9b7c6d5e4f/", "bx3k2p-4f0c2d8e1a9b7c6d5e4f"),
    ("https://a.test/hook/\(random)", random), ("/data?q=Bern&appid=4f0c2d8e1a9b7c6d5e4f3a2b1c0d9e8f", "4f0c2d8e1a9b"),
  ])
  func `a secret in the address of a service is taken out`(url: String, secret: String) {
    #expect(!PlantedText.redacted(url, .url).contains(secret), "\(PlantedText.redacted(url, .url))")
    #expect(!SecretSearch(.standard).findings(in: Array(url.utf8), .url).isEmpty)
  }

  @Test(arguments: [
    "$2b$12$eImiTXuWVxfM37uY4JANjQ.e9nYyVqGkL0qO8h5m1QpQ1m0v7H4uW",
    "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b27jQ9mMpLqWx", "$6$9xQ1vZ0a$Qw3rT6yU8iO0pLkJhGfDsAz",
    "$apr1$x9Qv0aZ1$Qw3rT6yU8iO0pLkJhGfDs.",
  ])
  func `the hash of a password is one, whatever its name`(hash: String) {
    #expect(!PlantedText.redacted(#"{"h":"\#(hash)"}"#, .body).contains(hash))
    #expect(!SecretSearch(.standard).findings(in: Array("ada:\(hash)\n".utf8), .body).isEmpty)
  }

  @Test(arguments: ["583920", "ABC7K2", "Xy7Kq2"])
  func `a code that is sent to a person is taken out`(code: String) {
    #expect(!PlantedText.redacted(#"{"code":"\#(code)"}"#, .body).contains(code))
  }

  @Test(arguments: [
    "see {{secret:10}} here", "/?token={{secret:10}}", #"{"a":"{{secret:124:jwt}} and {{secret:14:digits,2}}"}"#,
    "curl -u {{secret:1}} https://a.test", #"<add key="ClearTextPassword" value="{{secret:12}}" />"#,
  ])
  func `a placeholder of our own is no secret`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
    #expect(!SecretScanner().holdsToken(Array(text.utf8)))
  }

  @Test(arguments: [
    #"{"newPassword":"New password","pin":"PIN code","forgotPassword":"Passwort vergessen?"}"#,
    #"{"code":"SPRING30"}"#, #"{"code":"J45.901"}"#, #"{"code":"271649006"}"#, #"{"key":"Enter","code":"ArrowLeft"}"#,
    #"{"token":"brown123","start_offset":10}"#, #"{"ClientToken":"5f4c2d8e-1a9b-4c6d-8e4f-3a2b1c0d9e8f"}"#,
    #"{"fromToken":"ETH","toToken":"USDC"}"#, #"{"pass":23,"pin":13}"#, #"{"dependencies":{"cookie":"0.5.0"}}"#,
    #"{"secret":{"secretName":"db","defaultMode":420}}"#, "password = var.db_password", "{apiKey:n.apiKey}",
    #"{"signature":"Best regards, Ada and all of us"}"#, #"{"type":"string","value":"words","masked":false}"#,
    #"{"Sid":"DRSRecoveryInstancePolicy3"}"#, #"{"Sid":"AmazonSageMakerServiceCatalogTemplatePermission"}"#,
    #"{"code":"DBInstanceNotFound"}"#, "License: BSD-3-clause-with-weird-numbering\n",
    #"{"pagination":{"ListParts":{"input_token":"PartNumberMarker","output_token":"NextPartNumberMarker"}}}"#,
    #"{"secret":"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-us2"}"#, #"{"auth":"basic","proxy_auth":"basic"}"#,
    "credential: allow wildcard patterns when matching config\n", "user_auth: required\n",
    #"{"Credentials":{"Expiration":"2026-11-15T00:05:07Z"}}"#, #"{"appKey":"settings.user.7","sortKey":"created_at"}"#,
    #"{"sid":"SM911731a6b2dc782b911731a6b2dc782b","token_address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"}"#,
  ])
  func `words of services stay`(text: String) {
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test(arguments: ["Bearer ", "Token:", "Access token", "username", "Signature", "\nmsgstr "])
  func `a word under a secret's name is not looked for elsewhere`(word: String) {
    var pass = RedactionPass(.standard)
    pass.collecting { _ = $0.replacing(in: #"{"password":"\#(word)"}"#, .body) }
    let text = "Bearer x, Token: y, Access token z, username, Signature, \nmsgstr w"
    #expect(pass.beginReplacing(onlyKnown: true) ? pass.replacing(in: text, .text) == nil : true)
  }

  /// Texts that cost 20 to 60 seconds when each name looked at all the others: here it is the number of steps that
  /// counts, and a suite that does not end.
  @Test(arguments: [
    "]]></password>", "<x>b</x></password>", #"<input name="password" value=""#, "name: password\n", "kind: Secret\n",
    "</password>", #"{"name":"password","x":"#,
  ])
  func `a text that repeats a name is read in a time like its length`(piece: String) {
    let text = Array(String(repeating: piece, count: 1 << 15 / piece.utf8.count).utf8)
    _ = SecretSearch(.standard).findings(in: text, .body)
  }
}
