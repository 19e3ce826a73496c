internal import CassetteFiles
package import Cassettes

/// The exchanges of a file, whatever tool wrote it.
package enum RecordedExchanges {
  /// Gives each exchange of a recording, its line, and if the file is a cassette; false for mappings and other files.
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
      _ = try source.each { (interaction, place) throws(CassetteError) in
        if !interaction.isGap { try use(interaction, place.line, false) }
      }
    default: return false
    }
    return true
  }
}
