import CassetteSecrets
import Testing

/// Documents that describe an API name secrets, and have few.
@Suite struct APIDescriptionTests {
  private static let paths = #"""
    "paths":{"/authorizations":{"post":{"operationId":"authorize","tags":["auth"],"description":"Signs a user in"}},\#
    "/app/access_tokens":{"get":{"operationId":"apps/list-tokens"}}},\#
    "components":{"schemas":{"access-token":{"type":"object","properties":{\#
    "token":{"$ref":"#/components/schemas/token-text"},"password":{"type":"string","example":"%E"}}}},\#
    "examples":{"installation-token":{"value":{"id":1,"name":"octocat"%V}}}}
    """#

  @Test(arguments: [
    #"{"openapi":"3.0.3",%P}"#, #"{ "info": {}, %P, "swagger": "2.0" }"#, #"{"asyncapi":"2.6.0",%P}"#,
    #"{"smithy":"2.0",%P}"#,
    #"{"operations":{"GetToken":{"name":"GetToken","input":{"shape":"GetTokenRequest"}}},"shapes":{"a":1},%P}"#,
    #"{"operations":{"GetToken":{"name":"GetToken"}},%P}"#, #"{"shapes":{"Token":{"type":"string"}},%P}"#,
    #"{"pagination":{"ListAccessKeys":{"limit_key":"MaxItems","result_key":"AccessKeys"}},%P}"#,
    #"{"service":{},"resources":{"AccessKey":{"identifiers":[{"name":"Id"}]}},%P}"#,
  ])
  func `the names of a document are no secrets'`(frame: String) {
    let text = frame.replacing("%P", with: Self.paths.replacing("%E", with: "words").replacing("%V", with: ""))
    #expect(PlantedText.redacted(text, .body) == text)
    #expect(SecretSearch(.standard).findings(in: Array(text.utf8), .body).isEmpty)
  }

  @Test func `a secret in an example is one, and so is a token anywhere`() {
    let token = "ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"
    for place in ["%V", "%E"] {
      var text = #"{"openapi":"3.0.3",\#(Self.paths)}"#
      text = text.replacing("%V", with: place == "%V" ? #","client_secret":"%S","x":"\#("a\\n\\u0041")""# : "")
      text = text.replacing("%E", with: place == "%E" ? token : "words")
      if place == "%V" {
        PlantedText.expectNone(text, .body)
      } else {
        #expect(!PlantedText.redacted(text, .body).contains(token))
      }
    }
  }

  @Test func `an example within an example, and the name behind it, are told apart`() {
    let text = #"{"openapi":"3.1.0","a":{"example":{"value":{"x":1},"client_secret":"%S"}},"token":{"title":"b c d"}}"#
    PlantedText.expectNone(text, .body)
    #expect(PlantedText.redacted(text.replacing("%S", with: "1"), .body).contains(#""token":{"title":"b c d"}"#))
  }

  @Test(arguments: [
    #"{"spec":{"openapi":"3.0.3","paths":{}},"client_secret":"%S"}"#, #"{"openapi":true,"client_secret":"%S"}"#,
    #"{"swagger":"on","client_secret":"%S"}"#, #"{"shapes":"3","operations":{},"client_secret":"%S"}"#,
    #"{"client_secret":"%S","x":"openapi"}"#, #"{"operations":{"name":"a"},"client_secret":"%S"}"#,
    #"{"operations":{"a":{"name":"b","client_secret":"%S"}}}"#, #"{"shapes":{"a":{"client_secret":"%S"}}}"#,
    #"{"resources":{"db":{"type":"a","password":"%S"}}}"#,
  ])
  func `a text that only speaks of one is read as any other`(text: String) { PlantedText.expectNone(text, .body) }
}
