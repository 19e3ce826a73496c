internal import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
internal import Cassettes

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
