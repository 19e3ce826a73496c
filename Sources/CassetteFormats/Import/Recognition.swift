internal import CassetteFiles
internal import CassetteJSON
package import Cassettes

extension CassetteFormat {
  /// The kind of a file, told by its content.
  package enum Recognized: Equatable, Sendable {
    case format(CassetteFormat)
    /// One of ours.
    case cassette
    /// JSON, but none of the formats.
    case unknown
  }

  /// Tells which format a file has; no more is read than is needed.
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
      // vcrpy's first cassettes and those of VCR 1 are bare lists.
      if first?["request"]?["uri"] != nil { return .format(.vcr) }
      return first?["request"]?["url"] != nil && first?["response"] != nil ? .format(.dvr) : .unknown
    }
    guard try feed.take("{") else { throw feed.problem("expected \"{\" or \"[\": this is no JSON recording") }
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
        // go-vcr says "url", as DVR does, and the status as "code". What is no HTTP is told by the reader.
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
    // A WireMock mapping needs a response only.
    if seen.contains("request"), !seen.isDisjoint(with: ["response", "responseDefinition"]) {
      return .format(.wiremock)
    }
    return .unknown
  }
}
