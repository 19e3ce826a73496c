internal import CassetteHTTP

/// Reads fixtures: files whose path is the path of the request that they answer.
package enum Fixtures {
  /// The fixtures of a folder.
  package struct Content: Sendable {
    package var fixtures: [Interaction] = []
    package var warnings: [CassetteError] = []
    /// The files, by their paths in the folder.
    var files: [String: FixtureFile] = [:]
    /// True if a file is being written: its previous version answers, if there is one.
    var isUnsettled = false

    /// The signature, which changes when a file is added, removed or written.
    var signature: String { files.map { "\($0) \($1.signature)" }.sorted().joined(separator: "\n") }
  }

  /// Reads a folder of fixtures.
  package static func read(_ folder: String) -> Content { read(folder, reusing: [:], nil) }

  /// Reads a folder of fixtures; reuses files that did not change or are being written.
  static func read(
    _ folder: String, reusing previous: [String: FixtureFile] = [:], _ activity: FileActivity.Lookup? = nil
  ) -> Content {
    var content = Content()
    var kept = 0
    var owners: [String: String] = [:]
    let found = Folder.files(in: folder)
    func warn(_ file: String, _ message: String, line: Int = 1) {
      let path = Folder.join(folder, file)
      content.warnings.append(CassetteError(file: path, line: line, column: 1, message: message, severity: .warning))
    }
    for link in found.links { warn(link, "is a symbolic link and was skipped: put the file itself into the folder") }
    for folder in found.unreadable { warn(folder, "cannot be read and was skipped") }
    let files = Set(found.files)
    for file in found.files {
      if file.hasSuffix(".headers") {
        if !files.contains(String(file.dropLast(8))) {
          warn(file, "sets the header fields of a file that does not exist")
        }
        continue
      }
      let name = FixtureName(relativePath: file)
      let hasFields = files.contains("\(file).headers")
      let old = previous[file]
      let isSame =
        old.map { $0.signature == FixtureFile.signature(in: folder, at: file, hasFields: hasFields) } ?? false
      let new =
        isSame
        ? old
        : FixtureFile(
          in: folder, at: file, hasFields: hasFields, room: FixtureFile.longestTogether - kept, after: old, activity)
      if new == nil { content.isUnsettled = true }
      // While the new version is incomplete, the last complete version is used.
      guard let read = new ?? old else { continue }
      content.files[file] = read
      kept += read.size
      if let problem = name.problem { warn(file, "answers \(name.method.rawValue) \(name.paths[0]): \(problem)") }
      if let error = read.jsonError {
        warn(file, "is not JSON, and is sent as it is: \(error.message)", line: error.line)
      }
      var headers = read.fields?.headers ?? []
      for problem in read.fields?.problems ?? [] { warn("\(file).headers", problem.message, line: problem.line) }
      if !headers.contains("Content-Type"), let type = MediaType.forFileExtension(name.fileExtension) {
        headers.append("Content-Type", type)
      }
      for path in name.paths {
        let key = "\(name.method.rawValue) \(path)"
        if let owner = owners[key] {
          if path == name.paths[0] { warn(file, "has the same request as \(owner): \(key); \(owner) is played") }
          continue
        }
        owners[key] = file
        content.fixtures.append(
          Interaction(
            id: file, method: name.method, url: path,
            outcome: .response(RecordedResponse(status: name.status, headers: headers, body: read.body))))
      }
    }
    return content
  }

  /// Parses lines of the form `Name: value`; skips empty lines and lines that begin with `#`.
  static func headerLines(_ path: String) -> (headers: HTTPHeaders, problems: [(line: Int, message: String)]) {
    var headers = HTTPHeaders()
    var problems: [(line: Int, message: String)] = []
    guard let bytes = try? CassetteFile.bytes(of: path) else { return (headers, [(1, "cannot be read")]) }
    let text = String(decoding: bytes, as: UTF8.self)
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let colon = line.firstIndex(of: ":") else {
        problems.append((number + 1, "is not a header line: write \"Name: value\""))
        continue
      }
      let name = String(line[..<colon])
      let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
      guard FieldSyntax.isToken(name), FieldSyntax.isValue(value) else {
        problems.append((number + 1, "\"\(name)\" is not a header field name: use letters, digits and hyphens"))
        continue
      }
      headers.append(name, String(value))
    }
    return (headers, problems)
  }
}
