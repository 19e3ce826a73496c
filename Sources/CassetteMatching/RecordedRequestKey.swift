import CassetteHTTP
internal import CassetteSecrets
package import Cassettes

/// A request as it is found again in a cassette: equal for those that are one request, asked twice.
///
/// Parameters in another order, a body that says the same in another spelling, and another secret make no other request.
package struct RecordedRequestKey: Hashable {
  /// The part of a body that counts.
  package enum Body {
    /// None of it.
    case ignored
    /// All it says.
    case compared
    /// All it says, except the values that look as if they were made anew each time.
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
    // Before numbers had aliases they were 0.
    let text = SecretAlias.neutral(bytes).bytes.replacing("\"{{secret:}}\"".utf8, with: [UInt8(ascii: "0")])
    let normal = NormalBody(text, contentType: interaction.requestHeaders["Content-Type"])
    body = kind == .compared ? normal.digest : normal.skeleton
  }
}
