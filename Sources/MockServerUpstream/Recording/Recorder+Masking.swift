package import CassetteHTTP
internal import CassetteRecording
internal import Cassettes

extension Recorder {
  /// Texts without secrets.
  ///
  /// - Parameters:
  ///   - texts: What is to be shown.
  ///   - request: What they are about, unless that is kept: its own secrets are not known yet.
  /// - Returns: The texts with masks in the place of secrets.
  package func masking(_ texts: [String], about request: HTTPRequest?) -> [String] {
    var secrets = self.secrets
    if let request { try? secrets.collect(Interaction(shown: request)) }
    return texts.map { secrets.masking($0) }
  }
}
