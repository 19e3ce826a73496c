internal import CassetteJSON
package import Cassettes

extension CassetteFormat {
  /// The kind of a file, detected from its content.
  package enum Recognized: Equatable, Sendable {
    case format(CassetteFormat)
    /// A cassette of this project.
    case cassette
    /// JSON in an unknown format.
    case unknown
  }

  /// Detects the format of a file, reading only as much as necessary.
  ///
  /// - Parameter path: The file.
  /// - Returns: The kind of the file.
  /// - Throws: An error if the file cannot be read or is not JSON or YAML.
  package static func recognize(_ path: String) throws(CassetteError) -> Recognized {
    do throws(CassetteError) {
      return try recognize(RecordingFeed.open(path))
    } catch {
      // WireMock also accepts JSON with comments.
      guard let relaxed = WireMockJSON.relaxed(path), let found = try? recognize(relaxed), found == .format(.wiremock)
      else { throw error }
      return found
    }
  }

  private static func recognize(_ feed: JSONFeed) throws(CassetteError) -> Recognized {
    if try feed.take("[") {
      guard try feed.hasElement(isFirst: true) else { return .unknown }
      let first = try feed.value()
      if first?["scope"] != nil { return .format(.nock) }
      // The first versions of vcrpy and VCR wrote bare lists.
      if first?["request"]?["uri"] != nil { return .format(.vcr) }
      return first?["request"]?["url"] != nil && first?["response"] != nil ? .format(.dvr) : .unknown
    }
    guard try feed.take("{") else { throw feed.problem("expected \"{\" or \"[\": this is not a JSON recording") }
    var seen: Set<String> = []
    while let name = try feed.nextName(isFirst: seen.isEmpty) {
      seen.insert(name)
      switch name {
      case "cassette": return .cassette
      case "log": return .format(.har)
      case "http_interactions": return .format(.vcr)
      case "interactions":
        guard try feed.take("[") else { break }
        guard try feed.hasElement(isFirst: true) else { return .format(seen.contains("name") ? .dvr : .vcr) }
        let first = try feed.value()
        // Both go-vcr and DVR have "url", but go-vcr writes the status as "code". The reader reports elements that are
        // not HTTP.
        let isDVR = first?["request"]?["url"] != nil && first?["response"]?["code"] == nil
        return .format(isDVR ? .dvr : .vcr)
      case "mappings": return .format(.wiremock)
      default: break
      }
      let value = try feed.value(limit: 1 << 20)
      if name == "data", value == nil || value?["pairs"] != nil { return .format(.hoverfly) }
      if name == "info", value?["schema"]?.string?.contains("postman") == true { return .format(.postman) }
    }
    if seen.isSuperset(of: ["data", "meta"]) { return .format(.hoverfly) }
    if seen.isSuperset(of: ["info", "item"]) { return .format(.postman) }
    // A WireMock mapping requires only a response.
    if seen.contains("request"), !seen.isDisjoint(with: ["response", "responseDefinition"]) {
      return .format(.wiremock)
    }
    return .unknown
  }
}
