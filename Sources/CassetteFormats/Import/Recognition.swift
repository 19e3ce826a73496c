internal import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
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
      _ = try source.each { (interaction, place) throws(CassetteError) in
        if !interaction.isGap { try use(interaction, place.line, false) }
      }
    default: return false
    }
    return true
  }
}

/// Opens recordings of other tools as JSON.
enum RecordingFeed {
  /// Opens a file as JSON; YAML is converted with each value on its original line.
  static func open(_ path: String) throws(CassetteError) -> JSONFeed {
    let feed = try JSONFeed(path: path)
    guard let first = try feed.peek(), first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return feed }
    guard isYAML(feed.opening, path) else { return feed }
    let bytes = try CassetteFile.bytes(of: path)
    do {
      // Libraries for Ruby and Python write YAML 1.1.
      let documents = try YAMLReader(schema: .legacy, tags: .ofRecorders).documents(in: bytes)
      guard documents.count == 1, let text = documents.first else {
        throw CassetteError(
          file: path, line: 1, column: 1, message: "has \(documents.count) YAML documents instead of one")
      }
      return JSONFeed(path: path, text: text)
    } catch let error as YAMLError {
      let place = JSONPosition.of(error.offset, in: bytes.span)
      throw CassetteError(file: path, line: place.line, column: place.column, message: "YAML: \(error.message)")
    } catch {
      throw error as? CassetteError ?? CassetteError(file: path, message: "cannot be read")
    }
  }

  /// Returns true if a file without an opening bracket is YAML, by its name or its first line.
  private static func isYAML(_ opening: String, _ path: String) -> Bool {
    if path.hasSuffix(".yml") || path.hasSuffix(".yaml") { return true }
    let first = opening.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
    return first.hasPrefix("---") || first.hasPrefix("- ")
      || ["http_interactions:", "interactions:", "version:"].contains { first.hasPrefix($0) }
  }
}
