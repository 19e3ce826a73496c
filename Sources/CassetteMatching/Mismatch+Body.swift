internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem

extension Mismatch {
  /// Returns true if a value contains text in base64, which may be truncated and therefore cannot be searched for
  /// secrets.
  private static func holdsCodedText(_ value: String) -> Bool {
    value.utf8.split { !BodyBase64.alphabet.contains($0) }.contains { run in
      run.count >= 24
        && (0..<4).contains { offset in
          let part = run.dropFirst(offset)
          return BodyBase64.decode(Array(part.prefix(part.count & ~3))).map { BodyText.isText($0.filter { $0 > 0 }) }
            ?? false
        }
    }
  }

  /// Creates the description of a difference between bodies, with secrets masked.
  package init(_ difference: BodyDifference) {
    let hides = difference.place.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    func shown(_ value: String) -> String {
      hides || Self.holdsCodedText(value)
        ? "\"\(SecretNames.mask)\"" : SecretNames.masked(body: value, contentType: nil)
    }
    self.init(
      part: difference.place.isEmpty ? "body" : "body.\(difference.place)", sent: difference.sent.map(shown),
      recorded: difference.recorded.map(shown), isGenerated: difference.isGenerated)
  }
}
