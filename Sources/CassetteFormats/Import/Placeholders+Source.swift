import CassetteHTTP
internal import CassetteSecrets
import Cassettes

extension Placeholders {
  /// Returns a redaction that keeps the placeholders in recordings of VCR, which are not secrets and which users know.
  static func kept(of source: ImportSource, _ redaction: CassetteRedaction) throws(CassetteError) -> CassetteRedaction {
    guard source.format == .vcr else { return redaction }
    var found: Set<String> = []
    _ = try source.each { (interaction, _) throws(CassetteError) in
      collect(Array(interaction.url.utf8), &found)
      for field in interaction.requestHeaders { collect(Array(field.value.utf8), &found) }
      for field in interaction.response?.headers ?? [] { collect(Array(field.value.utf8), &found) }
      collect(try interaction.requestBody?.bytes() ?? [], &found)
      collect(try interaction.response?.body?.bytes() ?? [], &found)
    }
    return found.sorted().reduce(redaction) { $0.keeping(.value($1)) }
  }
}
