import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reads cassettes from files, and writes them.
public enum CassetteFile {
  /// Reads a cassette; throws the first error, with its position.
  ///
  /// Checks every byte. Strings and bodies are decoded later, on access.
  public static func read(path: String) throws(CassetteError) -> Cassette {
    try read(bytes: try bytes(of: path), name: name(ofFile: path), file: path)
  }

  /// Reads a cassette from bytes, with a name; throws the first error, with its position.
  ///
  /// Body files can be read only if the path of the cassette's file is given.
  public static func read(bytes: [UInt8], name: String, file: String?) throws(CassetteError) -> Cassette {
    var reader: CassetteFileReader
    var cassette: Cassette
    let derivedIDs: [UInt8]
    do throws(CassetteError) {
      (reader, cassette, derivedIDs) = try scan(bytes, name: name, file: file, collects: false)
    } catch {
      throw foreignFile(bytes, error.file) ?? error
    }
    (cassette.name, cassette.file) = (name, file)
    fill(&cassette, &reader, bytes, derivedIDs)
    return cassette
  }

  /// Reads an interaction, or an array of interactions, from JSON in the format of a cassette; throws the first error.
  ///
  /// The names of standard methods may be in lower case.
  ///
  /// - `needsResponse`: False to read only requests and their rules; the responses are then empty.
  package static func interactions(
    in bytes: [UInt8], at start: Int, besides names: Set<String> = [], needsResponse: Bool = true
  ) throws(CassetteError) -> Cassette {
    var reader = CassetteFileReader(file: "body", folder: nil, collects: false)
    (reader.at, reader.foreignNames, reader.needsResponse, reader.isFile) = (start, names, needsResponse, false)
    if bytes[start] == UInt8(ascii: "[") {
      try reader.readInteractions(bytes.span)
    } else {
      try reader.readInteraction(bytes.span)
    }
    let derivedIDs = try reader.assignIDs(bytes.span)
    var cassette = Cassette(name: "body")
    fill(&cassette, &reader, bytes, derivedIDs)
    for index in cassette.interactions.indices {
      let method = HTTPMethod(ignoringCase: cassette.interactions[index].method.rawValue)
      if cassette.interactions[index].method != method { cassette.interactions[index].method = method }
    }
    return cassette
  }

  private static func fill(
    _ cassette: inout Cassette, _ reader: inout CassetteFileReader, _ bytes: [UInt8], _ derivedIDs: [UInt8]
  ) {
    let source = CassetteFileSource(
      bytes: bytes, file: reader.file, folder: reader.folder, records: reader.records, rules: reader.rules,
      derivedIDs: derivedIDs)
    reader.records = []
    cassette.interactions = source.records.indices.map { Interaction(source: source, index: UInt32($0)) }
    cassette.warnings = listed(reader)
  }

  /// Checks every byte in the same way as reading.
  static func check(bytes: [UInt8], name: String) throws(CassetteError) {
    _ = try scan(bytes, name: name, file: nil, collects: false)
  }

  /// Returns all problems of a cassette that can be found, ordered by position.
  ///
  /// Body files are checked only if the path of the cassette's file is given.
  public static func problems(bytes: [UInt8], name: String, file: String?) -> [CassetteError] {
    if let foreign = foreignFile(bytes, file ?? "\(name).json") { return [foreign] }
    do {
      return listed(try scan(bytes, name: name, file: file, collects: true).reader)
    } catch {
      return [error]
    }
  }

  /// Returns the name of a file without its folder and `.json`.
  package static func name(ofFile path: String) -> String {
    let name = Folder.name(of: path)
    return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  /// Returns the offset of the JSON, after a byte order mark that some editors write.
  package static func contentStart(_ bytes: Span<UInt8>) -> Int {
    bytes.count >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf ? 3 : 0
  }

  package static func bytes(of path: String) throws(CassetteError) -> [UInt8] {
    do {
      return try CassetteFileBytes.read(path: path)
    } catch {
      throw CassetteError(file: path, message: error.message)
    }
  }

  private static func scan(
    _ bytes: [UInt8], name: String, file: String?, collects: Bool
  ) throws(CassetteError) -> (reader: CassetteFileReader, cassette: Cassette, derivedIDs: [UInt8]) {
    var reader = CassetteFileReader(
      file: file ?? "\(name).json", folder: file.map(Folder.parent(of:)), collects: collects)
    var cassette = Cassette(name: name)
    do throws(CassetteError) {
      if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
        throw CassetteError(
          file: reader.file, line: 1, column: 1, message: "is UTF-16, and JSON files are UTF-8 (RFC 8259 §8.1)",
          suggestion: "save it as UTF-8")
      }
      cassette = try reader.read(bytes.span)
    } catch {
      // Broken JSON ends the reading; the problems found before it are still reported.
      guard collects else { throw error }
      reader.problems.append(error)
      return (reader, cassette, [])
    }
    let derivedIDs = try reader.assignIDs(bytes.span)
    return (reader, cassette, derivedIDs)
  }

  private static func listed(_ reader: CassetteFileReader) -> [CassetteError] {
    var problems = reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    if reader.omitted > 0 {
      let hasErrors = problems.contains { $0.severity == .error }
      problems.append(
        CassetteError(
          file: reader.file, message: "\(reader.omitted) more like these", severity: hasErrors ? .error : .warning))
    }
    return problems
  }
}

extension CassetteFileReader {
  /// Checks that ids are unique, and returns derived ids for interactions without one, each in quotes.
  mutating func assignIDs(_ bytes: Span<UInt8>) throws(CassetteError) -> [UInt8] {
    var ids = CassetteFileIDs(capacity: records.count)
    for record in records where record.id > 0 {
      if !Self.withContent(at: record.id, in: bytes, { ids.insert($0) }) {
        let id = CassetteFileSource.text(at: record.id, in: bytes)
        try report(bytes, Int(record.id), "the id \"\(id)\" occurs twice", "omit it: an id is derived from the request")
      }
    }
    var derived: [UInt8] = []
    for index in records.indices where records[index].id == 0 {
      let method = CassetteFileSource.content(at: records[index].method, in: bytes)
      let url = CassetteFileSource.content(at: records[index].url, in: bytes)
      records[index].id = UInt32(derived.count)
      records[index].hasDerivedID = true
      derived.append(UInt8(ascii: "\""))
      derived += ids.derive(method: bytes.extracting(method.range), url: bytes.extracting(url.range))
      derived.append(UInt8(ascii: "\""))
    }
    return derived
  }
}

extension CassetteFile {
  /// Returns the bytes of a file in a folder; a path that leaves the folder is refused.
  package static func bodyBytes(of path: String, in folder: String) throws(CassetteError) -> [UInt8] {
    do {
      return try CassetteFileFolder(folder).read(path)
    } catch {
      throw CassetteError(file: path, message: error.message)
    }
  }
}

extension CassetteFile {
  /// The maximum size in bytes of text in the cassette; longer text is written to a separate file.
  static let longestText = 64 << 10
  /// The maximum size of binary data in the cassette; longer data is written to a separate file.
  static let longestBinary = 4 << 10

  /// Returns the bytes of a cassette's file, which depend only on the cassette; throws an error if a reader would
  /// refuse them.
  ///
  /// Missing ids are derived, and duplicate ids get a number. Bodies are part of the result, except bodies in files.
  public static func bytes(of cassette: Cassette) throws(CassetteError) -> [UInt8] {
    try bytes(of: cassette, ids: ids(of: cassette), files: [])
  }

  /// Returns a cassette of one exchange without white space and without a derived id; throws an error if a reader would
  /// refuse it, which is not checked if the exchange is known to be readable.
  package static func compactBytes(of interaction: Interaction, isReadable: Bool) throws(CassetteError) -> [UInt8] {
    var writer = CassetteFileWriter(room: 2 << 10, isCompact: true)
    try writer.write(Cassette(name: "journal", interactions: [interaction]))
    if !isReadable { try check(bytes: writer.output, name: "journal") }
    return writer.output
  }

  /// Writes a cassette to a folder that exists, and long bodies to files; throws an error if a reader would refuse the
  /// cassette.
  ///
  /// Each file is replaced atomically, bodies first; a file with unchanged bytes is not written.
  public static func write(_ cassette: Cassette, to path: String) throws(CassetteError) {
    try write(cassette, to: path) { _ in }
  }

  /// Writes a cassette like ``write(_:to:)``, and calls `note` with the bytes before they replace the old file.
  package static func write(
    _ cassette: Cassette, to path: String, noting note: (_ bytes: [UInt8]) throws(CassetteError) -> Void
  ) throws(CassetteError) {
    // If the path is a link, its target is written, so that the link stays.
    let target = CassetteFileBytes.resolvingLink(path)
    let folderPath = Folder.parent(of: target)
    let isElsewhere = cassette.file.map { Folder.parent(of: $0) != Folder.parent(of: path) } ?? false
    let ids = ids(of: cassette)
    var names = BodyNames(cassette: name(ofFile: path))
    for case .file(let path)? in cassette.interactions.flatMap({ [$0.requestBody?.form, $0.responseBody?.form] })
    where !JournalName.holds(path) {
      names.take(path)
    }
    var files: [[String?]] = []
    var bodies: [(path: String, bytes: [UInt8])] = []
    var links: [(path: String, name: String)] = []
    for (index, interaction) in cassette.interactions.enumerated() {
      var row: [String?] = []
      let sides = [
        (interaction.requestBody, interaction.requestHeaders, ".request"),
        (interaction.responseBody, interaction.response?.headers ?? [], ""),
      ]
      for (body, headers, suffix) in sides {
        if let body, case .file(let path) = body.form, JournalName.holds(path) {
          let type = headers["Content-Type"]
          let isText = type.flatMap { MediaType($0) }.map { $0.isText || $0.isJSON } ?? false
          let name = names.next(id: ids[index] + suffix, type: type, isText: isText)
          links.append((path, name))
          row.append(name)
          continue
        }
        guard let body, let bytes = try Self.external(body, copying: isElsewhere) else {
          row.append(nil)
          continue
        }
        let file: String
        if case .file(let old) = body.form {
          file = old
        } else {
          file = names.next(id: ids[index] + suffix, type: headers["Content-Type"], isText: body.form == .text)
        }
        row.append(file)
        bodies.append((file, bytes))
      }
      files.append(row)
    }
    let output = try bytes(of: cassette, ids: ids, files: files)
    try note(output)
    do {
      let folder = try CassetteFileFolder(folderPath)
      for body in bodies { try folder.write(body.bytes, to: body.path) }
      for link in links { try folder.link(link.path, as: link.name) }
      try folder.write(output, to: Folder.name(of: target))
    } catch {
      throw CassetteError(error, of: path)
    }
  }

  /// Returns the bytes of a body that must be written to a separate file; nil if there is nothing to write.
  private static func external(_ body: Body, copying: Bool) throws(CassetteError) -> [UInt8]? {
    switch body.form {
    case .chunks: return nil
    case .file: return copying ? try body.bytes() : nil
    case .json, .text, .base64:
      let bytes = try body.bytes()
      guard bytes.count > longestBinary else { return nil }
      switch body.storingForm(bytes) {
      case .text: return bytes.count > longestText ? bytes : nil
      case .base64: return bytes
      default: return nil
      }
    }
  }

  private static func bytes(
    of cassette: Cassette, ids: [String], files: [[String?]]
  ) throws(CassetteError) -> [UInt8] {
    var writer = CassetteFileWriter(room: 2 << 10, ids: ids, files: files)
    try writer.write(cassette)
    // Detects a method with a space or a field with a line end when the cassette is written, not when it is next
    // played.
    try check(bytes: writer.output, name: cassette.name)
    return writer.output
  }

  private static func ids(of cassette: Cassette) -> [String] {
    let given = cassette.interactions.map(\.id)
    var ids = CassetteFileIDs(capacity: given.count)
    var isNew: [Bool] = []
    for id in given {
      let bytes = Array(id.utf8)
      isNew.append(!id.isEmpty && ids.insert(bytes.span))
    }
    return cassette.interactions.indices.map { index in
      if isNew[index] { return given[index] }
      return cassette.interactions[index].withRequestLine { method, url in
        String(decoding: ids.derive(method: method, url: url), as: UTF8.self)
      }
    }
  }
}

/// Generates names of body files, such as `bodies/github/get-logo.png`.
///
/// The same body gets the same name each time.
package struct BodyNames {
  private let cassette: String
  /// The names in use, in lower case, because some file systems ignore case.
  private var taken: Set<String> = []

  init(cassette: String) { self.cassette = Self.plain(cassette) }

  /// Returns the name of the folder in `bodies` for a cassette's body files.
  package static func folder(of cassette: String) -> String { plain(cassette) }

  mutating func take(_ path: String) { taken.insert(path.lowercased()) }

  mutating func next(id: String, type: String?, isText: Bool) -> String {
    let base = "bodies/\(cassette)/\(Self.plain(id))"
    let end = Self.fileExtension(type) ?? (isText ? "txt" : "bin")
    var name = "\(base).\(end)"
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(base)-\(number).\(end)"
      number += 1
    }
    return name
  }

  private static func plain(_ text: String) -> String {
    let characters = text.prefix(120).map { character -> Character in
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character)) ? character : "-"
    }
    let name = String(characters)
    return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
  }

  private static func fileExtension(_ type: String?) -> String? {
    type.flatMap { MediaType($0) }.flatMap { fileExtensions["\($0.type)/\($0.subtype)".lowercased()] }
  }

  private static let fileExtensions = [
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
    "application/pdf": "pdf", "application/zip": "zip", "application/gzip": "gz", "application/x-gzip": "gz",
    "application/json": "json", "application/xml": "xml", "text/xml": "xml", "text/html": "html", "text/css": "css",
    "text/csv": "csv", "text/javascript": "js", "application/javascript": "js", "video/mp4": "mp4",
    "audio/mpeg": "mp3", "font/woff2": "woff2",
  ]
}
