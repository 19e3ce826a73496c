import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
import Cassettes

/// A file of another tool, read as JSON.
struct SourceFile {
  let path: String
  let value: JSONValue
  /// The source of converted YAML scalars, by the offset of their JSON.
  private var texts: [Int: String] = [:]
  /// The line at which the value begins, counted from 1.
  let line: Int

  /// Reads a file of JSON, or of YAML, which is converted with each value on its original line.
  init(_ path: String) throws(CassetteError) {
    let bytes = try CassetteFile.bytes(of: path)
    let first = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    let isJSON = first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if isJSON || !Self.isYAML(String(decoding: bytes.prefix(4096), as: UTF8.self), path) {
      try self.init(path, json: bytes)
      return
    }
    do {
      // Libraries for Ruby and Python write YAML 1.1.
      let documents = try YAMLReader(schema: .legacy, tags: .ofRecorders).placedDocuments(in: bytes)
      guard documents.count == 1, let document = documents.first else {
        throw CassetteError(
          file: path, line: 1, column: 1, message: "has \(documents.count) YAML documents instead of one")
      }
      try self.init(path, json: document.json)
      for spelling in document.spellings { texts[spelling.json] = String(decoding: spelling.text, as: UTF8.self) }
    } catch let error as YAMLError {
      let place = JSONPosition.of(error.offset, in: bytes.span)
      throw CassetteError(file: path, line: place.line, column: place.column, message: "YAML: \(error.message)")
    } catch {
      throw error as? CassetteError ?? CassetteError(file: path, message: "cannot be read")
    }
  }

  /// The value for a reader that reports the parts it did not use.
  var source: SourceValue { SourceValue(value, texts) }

  /// Reads JSON text of a file.
  init(_ path: String, json bytes: [UInt8]) throws(CassetteError) {
    let text = bytes.withoutByteOrderMark
    do {
      try JSONScanner.validate(text.span)
    } catch {
      let place = JSONPosition.of(error.offset, in: text.span)
      throw CassetteError(file: path, line: place.line, column: place.column, message: error.message)
    }
    (self.path, value) = (path, JSONValue(checked: text))
    line = JSONPosition.of(value.offset, in: text.span).line
  }

  /// Returns true if a file without an opening bracket is YAML, by its name or its first line.
  private static func isYAML(_ opening: String, _ path: String) -> Bool {
    if path.hasSuffix(".yml") || path.hasSuffix(".yaml") { return true }
    let first = opening.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
    return first.hasPrefix("---") || first.hasPrefix("- ")
      || ["http_interactions:", "interactions:", "version:"].contains { first.hasPrefix($0) }
  }
}
