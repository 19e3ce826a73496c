internal import CassetteFiles
package import Cassettes

/// The exchanges of a file, whatever tool wrote it.
package enum RecordedExchanges {
  /// Reads the exchanges of a file one after the other.
  ///
  /// - Parameters:
  ///   - path: A cassette, or a recording of another tool.
  ///   - use: Called with each exchange, its line, and whether the file is a cassette.
  /// - Returns: False when the file is none of these, or a mapping of WireMock, which is no recording.
  /// - Throws: What is wrong with the file, or what `use` throws.
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
      _ = try source.each { (interaction, place) throws(CassetteError) in try use(interaction, place.line, false) }
    default: return false
    }
    return true
  }
}
