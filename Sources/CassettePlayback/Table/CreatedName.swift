internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes

/// The name of the element that a recorded `POST` created: the last segment of its path.
enum CreatedName {
  /// Reads the name from `Location`, or else from the members of the response that usually contain it.
  ///
  /// - `interaction`: The recorded `POST`.
  static func of(_ interaction: Interaction) -> String? {
    guard let response = interaction.response else { return nil }
    return of(response.headers, (try? response.body?.bytes()) ?? [])
  }

  /// Reads the name from the fields and body of a response.
  static func of(_ headers: HTTPHeaders, _ bytes: [UInt8]) -> String? {
    if let name = (headers["Location"] ?? headers["Content-Location"]).flatMap(lastStep) { return name }
    guard let json = JSONValue(bytes), json.isObject else { return nil }
    for member in ["id", "_id", "uuid"] { if let name = json[member]?.scalar { return name } }
    for member in ["url", "href", "self"] {
      if let name = json[member]?.string.flatMap(lastStep) { return name }
    }
    return nil
  }

  private static func lastStep(of url: String) -> String? {
    RecordedChanges.path(of: RecordedTarget.pathAndQuery(of: url)).split(separator: "/").last.map(String.init)
  }
}
