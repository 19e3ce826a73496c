import Cassettes

enum WireMockReader {
  static func each(
    _ source: ImportSource, _ result: inout ImportSource.Result,
    _ use: (Interaction, SourcePlace) throws(CassetteError) -> Void
  ) throws(CassetteError) {
  }
  static func root(of path: String) -> String? { nil }
  static func mappings(in folder: String) -> [String] { [] }
}
