internal import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML

/// A specification as one JSON text, with the origins of its parts.
struct SpecificationText: Sendable {
  /// A file in its original form and as JSON.
  struct Source: Sendable {
    /// The path relative to the specification's folder; empty for the specification itself.
    let path: String
    let bytes: [UInt8]
    /// The JSON of a YAML file; nil if the file is JSON.
    private let document: YAMLDocument?

    /// Parses a file; throws if it is neither JSON nor YAML.
    init(_ path: String, _ bytes: [UInt8], isYAML: Bool = false) throws(OpenAPIError) {
      (self.path, self.bytes) = (path, bytes)
      let first = bytes.first { $0 > 0x20 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
      do throws(OpenAPIError) {
        document = first == UInt8(ascii: "{") ? try Self.braced(bytes, isYAML) : try Self.document(bytes)
      } catch {
        throw OpenAPIError(error, at: JSONPosition.of(error.offset, in: bytes.span), file: path)
      }
    }

    /// Parses a file that begins with a brace.
    ///
    /// Returns nil if it is JSON; YAML flow style is accepted if the file name indicates YAML.
    private static func braced(_ bytes: [UInt8], _ isYAML: Bool) throws(OpenAPIError) -> YAMLDocument? {
      do {
        try JSONScanner.validate(bytes.span)
        return nil
      } catch {
        guard !isYAML else { return try document(bytes) }
        throw OpenAPIError(message: error.message, offset: error.offset)
      }
    }

    static func isYAML(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    private static func document(_ bytes: [UInt8]) throws(OpenAPIError) -> YAMLDocument {
      let documents: [YAMLDocument]
      do {
        documents = try YAMLReader().placedDocuments(in: bytes)
      } catch {
        throw OpenAPIError(message: "YAML: \(error.message)", offset: error.offset)
      }
      guard documents.count == 1, let document = documents.first else {
        throw OpenAPIError(message: "YAML: expected one document, not \(documents.count)", offset: 0)
      }
      return document
    }

    var json: [UInt8] { document?.json ?? bytes }

    /// Returns the line and column in the original file of an offset in the JSON.
    func place(of offset: Int) -> (line: Int, column: Int) {
      JSONPosition.of(document?.offset(of: offset) ?? offset, in: bytes.span)
    }
  }

  /// A part of the text that was copied from a file: its start in the text, and the offset in the file's JSON.
  struct Part: Sendable {
    var start: Int
    var source: Int
    var offset: Int
  }

  let sources: [Source]
  let parts: [Part]
  let bytes: [UInt8]
  /// The errors of references to files that could not be resolved.
  var problems: [OpenAPIError] = []

  /// Returns the file, line and column of an offset in the text.
  func place(of offset: Int) -> (file: String, line: Int, column: Int) {
    let next = parts.partitioningIndex { $0.start > offset }
    guard next > 0 else { return (sources[0].path, 1, 1) }
    let part = parts[next - 1]
    let place = sources[part.source].place(of: part.offset + offset - part.start)
    return (sources[part.source].path, place.line, place.column)
  }
}
