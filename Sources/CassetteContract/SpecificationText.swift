internal import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML

/// A specification as one JSON text, and the files and lines that its parts come from.
struct SpecificationText: Sendable {
  /// A file, as it was written and as the JSON that was made of it.
  struct Source: Sendable {
    /// The path from the specification's folder; empty for the specification itself.
    let path: String
    let bytes: [UInt8]
    /// The JSON of a YAML text; nil where the text is JSON.
    private let document: YAMLDocument?

    /// Reads a text; throws what is neither JSON nor YAML, with its place.
    init(_ path: String, _ bytes: [UInt8], isYAML: Bool = false) throws(OpenAPIError) {
      (self.path, self.bytes) = (path, bytes)
      let first = bytes.first { $0 > 0x20 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
      do throws(OpenAPIError) {
        document = first == UInt8(ascii: "{") ? try Self.braced(bytes, isYAML) : try Self.document(bytes)
      } catch {
        throw OpenAPIError(error, at: JSONPosition.of(error.offset, in: bytes.span), file: path)
      }
    }

    /// Reads a text that begins with a brace: nil for JSON, else YAML of that style where its file's name says so.
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

    /// The line and column of a byte of the JSON in the text as it was written.
    func place(of offset: Int) -> (line: Int, column: Int) {
      JSONPosition.of(document?.offset(of: offset) ?? offset, in: bytes.span)
    }
  }

  /// A part of the text: from where on it is a copy of which file, from which byte of its JSON.
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

  /// The file, the line and the column of a byte of the text.
  func place(of offset: Int) -> (file: String, line: Int, column: Int) {
    let next = parts.partitioningIndex { $0.start > offset }
    guard next > 0 else { return (sources[0].path, 1, 1) }
    let part = parts[next - 1]
    let place = sources[part.source].place(of: part.offset + offset - part.start)
    return (sources[part.source].path, place.line, place.column)
  }
}
