internal import HTTP

/// Files whose path is the path of the request they answer.
enum Fixtures {
  /// Reads a folder of fixtures; the files themselves are opened when they are played.
  static func read(_ folder: String) -> (fixtures: [Interaction], warnings: [CassetteError]) {
    var fixtures: [Interaction] = []
    var warnings: [CassetteError] = []
    var owners: [String: String] = [:]
    let found = Folder.files(in: folder)
    func warn(_ file: String, _ message: String, line: Int = 1) {
      let path = Folder.join(folder, file)
      warnings.append(CassetteError(file: path, line: line, column: 1, message: message, severity: .warning))
    }
    for link in found.links { warn(link, "is a link and was passed over: a fixture lies in its folder") }
    let files = Set(found.files)
    for file in found.files {
      if file.hasSuffix(".headers") {
        if !files.contains(String(file.dropLast(8))) { warn(file, "adds header lines to a file that is not there") }
        continue
      }
      let name = FixtureName(relativePath: file)
      var headers = HTTPHeaders()
      if files.contains("\(file).headers") {
        let lines = headerLines(Folder.join(folder, "\(file).headers"))
        headers = lines.headers
        for problem in lines.problems { warn("\(file).headers", problem.message, line: problem.line) }
      }
      if !headers.contains("Content-Type"), let type = MediaType.forFileExtension(name.fileExtension) {
        headers.append("Content-Type", type)
      }
      for path in name.paths {
        let key = "\(name.method.rawValue) \(path)"
        if let owner = owners[key] {
          if path == name.paths[0] { warn(file, "answers \(key), as \(owner) does already; \(owner) is played") }
          continue
        }
        owners[key] = file
        fixtures.append(
          Interaction(
            id: file, method: name.method, url: path,
            outcome: .response(
              RecordedResponse(status: name.status, headers: headers, body: .lying(in: folder, at: file)))))
      }
    }
    return (fixtures, warnings)
  }

  /// Lines `Name: value`; empty ones and those that begin with `#` say nothing.
  private static func headerLines(_ path: String) -> (headers: HTTPHeaders, problems: [(line: Int, message: String)]) {
    var headers = HTTPHeaders()
    var problems: [(line: Int, message: String)] = []
    guard let bytes = try? CassetteFile.bytes(of: path) else { return (headers, [(1, "cannot be read")]) }
    let text = String(decoding: bytes, as: UTF8.self)
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let colon = line.firstIndex(of: ":") else {
        problems.append((number + 1, "is no header line: write \"Name: value\""))
        continue
      }
      let name = String(line[..<colon])
      let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
      guard FieldSyntax.isToken(name), FieldSyntax.isValue(value) else {
        problems.append((number + 1, "\"\(name)\" is no header field: a name is letters, digits and hyphens"))
        continue
      }
      headers.append(name, String(value))
    }
    return (headers, problems)
  }
}
