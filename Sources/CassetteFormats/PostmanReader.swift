import Cassettes

enum PostmanReader {
  static func each(
    _ source: ImportSource, _ result: inout ImportSource.Result,
    _ use: (Interaction, SourcePlace) throws(CassetteError) -> Void
  ) throws(CassetteError) {
  }
}
