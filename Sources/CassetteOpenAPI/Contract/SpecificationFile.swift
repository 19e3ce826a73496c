internal import CassetteJSON
package import Cassettes

/// A specification in a file, with the files that it refers to.
package struct SpecificationFile: Sendable {
  private static let mostBytes = SpecificationBundle.mostBytes

  /// The path of the specification.
  package let path: String
  package let document: OpenAPIDocument
  /// The contents of the specification and of the files that it refers to.
  package let files: [(path: String, bytes: [UInt8])]
  private let text: SpecificationText

  /// Reads an OpenAPI document in JSON or YAML.
  ///
  /// Only files in its folder and subfolders are read; references and symbolic links to other folders are refused.
  ///
  /// - Parameter path: The path of the document.
  /// - Throws: The first error, with file, line and column.
  package init(_ path: String) throws(CassetteError) {
    var problems: [CassetteError] = []
    try self.init(path, problems: &problems)
    if let first = problems.first { throw first }
  }

  /// Reads a document without its invalid parts, and adds their errors to `problems`.
  ///
  /// Throws if the file cannot be read, or is not an OpenAPI document.
  package init(_ path: String, problems: inout [CassetteError]) throws(CassetteError) {
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
  package var outdated: [CassetteError] {
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
  package var written: OpenAPINodes? { JSONTree(text.bytes).map { OpenAPINodes($0) } }

  /// Finds the file, line and column of a value by its JSON Pointer.
  ///
  /// - Parameters:
  ///   - pointer: The location of the value. If there is no such value, the closest enclosing one is used.
  ///   - nodes: The values of `written`.
  /// - Returns: The file, line and column.
  package func place(of pointer: String, in nodes: OpenAPINodes) -> (file: String, line: Int, column: Int) {
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
  package var isCurrent: Bool { files.allSatisfy { path, bytes in (try? CassetteFileBytes.read(path: path)) == bytes } }
}
