internal import CassetteHTTP
internal import CassetteJSON
internal import Cassettes

/// The name that a recorded `POST` gave to what it made: the last step of its path.
enum CreatedName {
  /// Reads it from `Location`, else from the members of the answer that usually hold it.
  ///
  /// - Parameter interaction: The recorded `POST`.
  /// - Returns: The name; nil when the answer does not say it.
  static func of(_ interaction: Interaction) -> String? {
    guard let response = interaction.response else { return nil }
    return of(response.headers, (try? response.body?.bytes()) ?? [])
  }

  /// Reads it from an answer.
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
