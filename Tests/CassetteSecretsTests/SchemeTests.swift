import CassetteSecrets
import Testing

/// Tests authorization schemes before secrets: only a known scheme is kept.
@Suite struct SchemeTests {
  private static let secret = "Zk8vQ2xTw9Lm4s"

  @Test(arguments: [
    "Basic", "Bearer", "bearer", "Digest", "DPoP", "GNAP", "HOBA", "Mutual", "Negotiate", "OAuth", "PrivateToken",
    "SCRAM-SHA-1", "SCRAM-SHA-256", "vapid", "Token", "AWS4-HMAC-SHA256", "ApiKey",
  ])
  private func `a known authorization scheme is kept before the redacted secret`(scheme: String) {
    #expect(
      PlantedText.redacted("\(scheme) \(Self.secret)", .header("authorization")) == "\(scheme) {{secret:1}}")
    #expect(
      PlantedText.redacted("{\"auth_token\": \"\(scheme) \(Self.secret)\"}", .body)
        == "{\"auth_token\": \"\(scheme) {{secret:1}}\"}")
  }

  @Test(arguments: ["AAA", "hunter2-Blue", "sk-Live", "Basically", "Bear"])
  private func `an unknown word before a secret is redacted with it`(word: String) {
    #expect(
      PlantedText.redacted("{\"auth_token\": \"\(word) \(Self.secret)\"}", .body)
        == "{\"auth_token\": \"{{secret:1}}\"}")
    #expect(PlantedText.redacted("{\"auth_token\": \"\(word) BBB\"}", .body) == "{\"auth_token\": \"{{secret:1}}\"}")
    #expect(PlantedText.redacted("\(word) \(Self.secret)", .header("authorization")) == "{{secret:1}}")
  }

  @Test func `the value after an unknown scheme is redacted in other places too`() {
    let kept = PlantedText.redacted("{\"auth_token\": \"Custom \(Self.secret)\", \"note\": \"\(Self.secret)\"}", .body)
    #expect(!kept.contains(Self.secret), "\(kept)")
  }
}
