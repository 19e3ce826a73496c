import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// A key that identifies a request in a cassette: repeated requests have equal keys.
///
/// The order of parameters, the spelling of a body, and the values of secrets do not affect the key.
package struct RecordedRequestKey: Hashable {
  /// The extent to which the body is part of the key.
  package enum Body {
    /// The body is ignored.
    case ignored
    /// The whole body is compared.
    case compared
    /// The body is compared without the values that appear to be generated at each call.
    case withoutGenerated
  }

  private let request: String
  private let body: BodyDigest?

  package init(_ interaction: Interaction, _ kind: Body) {
    let origin = RecordedTarget.origin(of: interaction.url) ?? ""
    let target = CanonicalTarget.spelling(of: SecretAlias.neutral(interaction.pathAndQuery).text)
    request = "\(interaction.method.rawValue) \(origin)\(target)"
    guard kind != .ignored, let bytes = try? interaction.requestBody?.bytes(), !bytes.isEmpty else {
      body = nil
      return
    }
    // Older cassettes contain redacted numbers as 0, without aliases.
    let text = SecretAlias.neutral(bytes).bytes.replacing("\"{{secret:}}\"".utf8, with: [UInt8(ascii: "0")])
    let normal = NormalBody(text, contentType: interaction.requestHeaders["Content-Type"])
    body = kind == .compared ? normal.digest : normal.skeleton
  }
}
