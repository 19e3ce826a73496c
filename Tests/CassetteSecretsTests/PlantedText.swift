import CassetteSecrets
import Testing

/// Templates in which each `%S` is replaced by several secrets.
enum PlantedText {
  static let secrets = ["Zk8vQ2xTw9Lm4s", "hunter2-Blue", "kittens4ever"]

  /// Redacts a string.
  static func redacted(_ text: String, _ context: ScannedText.Context) -> String {
    var pass = RedactionPass(.standard)
    pass.collect(Array(text.utf8), context)
    return pass.redacting(text, as: context)
  }

  /// Expects that each secret is found and redacted, and that findings do not reveal it.
  static func expectNone(
    _ text: String, _ context: ScannedText.Context, _ source: SourceLocation = #_sourceLocation
  ) {
    for secret in secrets {
      let planted = text.replacing("%S", with: secret)
      let kept = redacted(planted, context)
      #expect(!kept.contains(secret), "\(kept)", sourceLocation: source)
      let findings = SecretScanner(.standard).findings(in: Array(planted.utf8), context)
      #expect(!findings.isEmpty, sourceLocation: source)
      #expect(!findings.contains { $0.what.contains(secret) }, sourceLocation: source)
    }
  }

  /// Expects that the range of each finding is within the string.
  static func expectPlaces(
    in bytes: [UInt8], _ context: ScannedText.Context, _ source: SourceLocation = #_sourceLocation
  ) {
    let places = SecretScanner(.standard).findings(in: bytes, context).compactMap(\.range)
    #expect(places.allSatisfy { $0.upperBound <= bytes.count }, "\(places)", sourceLocation: source)
  }
}
