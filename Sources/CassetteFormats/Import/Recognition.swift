internal import CassetteJSON
internal import CassetteSystem
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

  /// Detects the format of a file.
  package static func recognize(_ path: String) throws(CassetteError) -> Recognized {
    let file = try SourceFile.wireMock(path)
    guard file.value.isObject || file.value.isArray else {
      throw CassetteError(
        file: path, line: file.line, column: 1, message: "expected \"{\" or \"[\": this is not a JSON recording")
    }
    return recognize(file.value)
  }

  private static func recognize(_ value: JSONValue) -> Recognized {
    if value.isArray {
      let first = value.elements.first
      if first?["scope"] != nil { return .format(.nock) }
      // The first versions of vcrpy and VCR wrote bare lists.
      if first?["request"]?["uri"] != nil { return .format(.vcr) }
      return first?["request"]?["url"] != nil && first?["response"] != nil ? .format(.dvr) : .unknown
    }
    var seen: Set<String> = []
    let isPact = value["consumer"] != nil && value["provider"] != nil
    for (name, value) in value.members {
      seen.insert(name)
      switch name {
      case "cassette": return .cassette
      case "log": return .format(.har)
      case "http_interactions": return .format(.vcr)
      case "interactions" where value.isArray && !isPact:
        guard let first = value.elements.first else { return .format(seen.contains("name") ? .dvr : .vcr) }
        // Both go-vcr and DVR have "url", but go-vcr writes the status as "code". The reader reports elements that are
        // not HTTP.
        return .format(first["request"]?["url"] != nil && first["response"]?["code"] == nil ? .dvr : .vcr)
      case "mappings": return .format(.wiremock)
      case "data" where value["pairs"] != nil: return .format(.hoverfly)
      case "info" where value["schema"]?.string?.contains("postman") == true: return .format(.postman)
      default: break
      }
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
