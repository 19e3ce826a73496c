internal import CassetteSecrets

extension Mismatch {
  /// Creates a difference of bodies in words, secrets masked.
  package init(_ difference: BodyDifference) {
    let hides = difference.place.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    func shown(_ value: String) -> String {
      hides ? "\"\(SecretNames.mask)\"" : SecretNames.masked(body: value, contentType: nil)
    }
    self.init(
      part: difference.place.isEmpty ? "body" : "body.\(difference.place)", sent: difference.sent.map(shown),
      recorded: difference.recorded.map(shown), isGenerated: difference.isGenerated)
  }
}
