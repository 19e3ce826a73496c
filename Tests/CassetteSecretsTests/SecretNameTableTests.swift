import Testing

@testable import CassetteSecrets

/// Tests that each secret name contains a word for which the input is searched first.
@Suite struct SecretNameTableTests {
  @Test(arguments: SecretNames.words(SecretNameTable.names) + SecretNames.words(SecretNameTable.endings))
  func `a secret with a name from the table is redacted`(name: String) {
    PlantedText.expectNone(#"{"a":1,"\#(name)":"%S","b":2}"#, .body)
  }

  @Test(arguments: [
    "card_number", "card-number", "cardNumber", "cc_number", "ccNumber", "cc-number", "card_num", "recovery_phrase",
    "recoveryPhrase", "seed_phrase", "connection_string", "social_security_number", "security_answer", "pass_phrase",
    "pass-word", "client_assertion", "SAML_Response", "two_factor_code", "PHP_SESS_ID", "api-key", "web_hook_secret",
  ])
  func `a secret name is recognized with any separator between its words`(name: String) {
    PlantedText.expectNone(#"{"a":1,"\#(name)":"%S","b":2}"#, .body)
    PlantedText.expectNone("a=1&\(name)=%S&b=2", .form)
  }
}
