internal import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
package import Cassettes

/// A specification in a file, with the files that it refers to.
package struct SpecificationFile: Sendable {
  private static let mostBytes = SpecificationBundle.mostBytes

  /// The path of the specification.
  let path: String
  package let document: OpenAPIDocument
  /// The contents of the specification and of the files that it refers to.
  let files: [(path: String, bytes: [UInt8])]
  private let text: SpecificationText

  /// Reads an OpenAPI document in JSON or YAML.
  ///
  /// Only files in its folder and subfolders are read; references and symbolic links to other folders are refused.
  package init(_ path: String) throws(CassetteError) {
    var problems: [CassetteError] = []
    try self.init(path, problems: &problems)
    if let first = problems.first { throw first }
  }

  /// Reads a document without its invalid parts, and adds their errors to `problems`.
  ///
  /// Throws if the file cannot be read, or is not an OpenAPI document.
  init(_ path: String, problems: inout [CassetteError]) throws(CassetteError) {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try CassetteFileBytes.read(path: path)
    } catch {
      throw CassetteError(file: path, message: "the specification cannot be read: \(error.message)")
    }
    do throws(OpenAPIError) {
      text = try Self.text(bytes, path)
      var found: [OpenAPIError] = []
      document = try OpenAPIDocument(text, problems: &found)
      problems += found.map { Self.error($0, path) }
      (self.path, files) = (path, text.sources.map { (Self.place(of: $0.path, beside: path), $0.bytes) })
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Returns the text of a specification, combined with its files.
  static func text(_ bytes: [UInt8], _ path: String) throws(OpenAPIError) -> SpecificationText {
    let folder = Folder.parent(of: path)
    let name = Folder.name(of: path)
    return try SpecificationBundle.text(bytes, name: name) { file in
      guard let real = CassetteFileBytes.realPath(Folder.join(folder, file)),
        let outer = CassetteFileBytes.realPath(folder)
      else { return .failure(OpenAPIDocument.FileProblem("the file does not exist")) }
      guard real.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/") else {
        return .failure(
          OpenAPIDocument.FileProblem(
            "a symbolic link to a place outside of the specification's folder is not followed"))
      }
      do throws(FileFailure) {
        let bytes = try CassetteFileBytes.read(path: real)
        guard bytes.count <= mostBytes else {
          return .failure(OpenAPIDocument.FileProblem("the file is larger than \(mostBytes >> 20) MB"))
        }
        return .success(bytes)
      } catch {
        return .failure(OpenAPIDocument.FileProblem(error.message))
      }
    }
  }

  /// Warnings about the keywords of other versions in the document, each with its location.
  var outdated: [CassetteError] {
    document.outdated.map { note in
      var warning = Self.error(note, path)
      warning.severity = .warning
      return warning
    }
  }

  private static func error(_ error: OpenAPIError, _ path: String) -> CassetteError {
    CassetteError(
      file: place(of: error.file, beside: path), line: error.line, column: error.column, message: error.message)
  }

  /// Returns the path of a file that is relative to the folder of a specification.
  static func place(of file: String, beside path: String) -> String {
    if file.isEmpty { return path }
    return path.contains("/") ? Folder.join(Folder.parent(of: path), file) : file
  }

  /// The document combined with its files, before the conversion of older keywords.
  var written: OpenAPINodes? { JSONTree(text.bytes).map { OpenAPINodes($0) } }

  /// Finds the file, line and column of a value by its JSON Pointer.
  ///
  /// - `pointer`: The location of the value. If there is no such value, the closest enclosing one is used.
  func place(of pointer: String, in nodes: OpenAPINodes) -> (file: String, line: Int, column: Int) {
    var pointer = pointer
    while true {
      if let node = nodes.node(at: pointer) {
        let place = text.place(of: node.range.lowerBound)
        return (Self.place(of: place.file, beside: path), place.line, place.column)
      }
      guard let slash = pointer.lastIndex(of: "/") else { return (path, 1, 1) }
      pointer = String(pointer[..<slash])
    }
  }

  /// True if no file has changed since it was read.
  var isCurrent: Bool { files.allSatisfy { path, bytes in (try? CassetteFileBytes.read(path: path)) == bytes } }
}

/// A specification as one JSON text, with the origins of its parts.
struct SpecificationText: Sendable {
  /// A file in its original form and as JSON.
  struct Source: Sendable {
    /// The path relative to the specification's folder; empty for the specification itself.
    let path: String
    let bytes: [UInt8]
    /// The bytes after a byte order mark.
    private let content: [UInt8]
    /// The JSON of a YAML file; nil if the file is JSON.
    private let document: YAMLDocument?

    /// Parses a file; throws if it is neither JSON nor YAML.
    init(_ path: String, _ bytes: [UInt8], isYAML: Bool = false) throws(OpenAPIError) {
      let content = bytes.withoutByteOrderMark
      (self.path, self.bytes, self.content) = (path, bytes, content)
      do throws(OpenAPIError) {
        let isBraced = content.first { $0 > 0x20 } == UInt8(ascii: "{")
        document = isBraced ? try Self.braced(content, isYAML) : try Self.document(content)
      } catch {
        throw OpenAPIError(error, at: JSONPosition.of(error.offset, in: content.span), file: path)
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

    var json: [UInt8] { document?.json ?? content }

    /// Returns the line and column in the original file of an offset in the JSON.
    func place(of offset: Int) -> (line: Int, column: Int) {
      JSONPosition.of(document?.offset(of: offset) ?? offset, in: content.span)
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

/// Distinguishes keywords of OpenAPI from members whose names are data.
package enum SpecificationWords {
  private static let named: Set = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "schemas",
    "parameters", "responses",
    "headers", "requestBodies", "examples", "paths", "pathItems", "webhooks", "content", "callbacks", "links",
    "securitySchemes", "variables", "mapping", "encoding", SpecificationBundle.member,
  ]
  private static let data: Set = ["example", "default", "enum", "const", "value"]

  /// The context of a value: part of an example, a list of names, or an object with keywords.
  package struct Context: Sendable {
    var isExample = false
    var hasNames = false
    /// True if the names are names of properties.
    private(set) var isProperties = false

    init(isExample: Bool = false, hasNames: Bool = false) {
      (self.isExample, self.hasNames) = (isExample, hasNames)
    }

    /// True if the member names are not keywords.
    var isPlain: Bool { isExample || hasNames }

    /// The context of an element of an array.
    var element: Context { Context(isExample: isExample) }

    /// Returns the context of a member's value.
    func member(_ name: String, _ value: JSONTree.Node) -> Context {
      if isExample || hasNames { return Context(isExample: isExample) }
      if data.contains(name) { return Context(isExample: true) }
      if name == "examples", case .array = value.kind { return Context(isExample: true) }
      var context = Context(hasNames: named.contains(name))
      context.isProperties = name == "properties"
      return context
    }
  }
}
