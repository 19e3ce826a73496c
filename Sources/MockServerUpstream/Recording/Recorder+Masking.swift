package import CassetteHTTP
internal import CassetteRecording
internal import CassetteSecrets
internal import Cassettes

extension Recorder {
  /// Returns strings with their secrets masked.
  ///
  /// - Parameters:
  ///   - texts: The strings to display.
  ///   - request: The request that the strings refer to; nil if it is recorded, because its secrets are already known
  ///     then.
  /// - Returns: The strings with masks instead of secrets.
  package func masking(_ texts: [String], about request: HTTPRequest?) -> [String] {
    var secrets = self.secrets
    if let request { try? secrets.collect(Interaction(shown: request)) }
    return texts.map { secrets.masking($0) }
  }
}
