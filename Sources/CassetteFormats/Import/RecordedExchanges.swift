internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Reads the exchanges in a cassette or in a recording of another tool.
package enum RecordedExchanges {
  /// Calls `use` with each exchange, its line, and whether the file is a cassette.
  ///
  /// Returns false if the file is neither a cassette nor a recording; WireMock mappings are not recordings.
  @discardableResult
  package static func each(
    of path: String, _ use: (Interaction, Int, _ isCassette: Bool) throws(CassetteError) -> Void
  ) throws(CassetteError) -> Bool {
    switch try CassetteFormat.recognize(path) {
    case .cassette:
      for interaction in try CassetteFile.read(path: path).interactions {
        try use(interaction, interaction.place?.line ?? 1, true)
      }
    case .format(let format) where format != .wiremock:
      let source = ImportSource(format: format, paths: [path], name: "scanned", label: path)
      for (interaction, place) in try source.read().recordings where !interaction.isGap {
        try use(interaction, place.line, false)
      }
    default: return false
    }
    return true
  }
}
