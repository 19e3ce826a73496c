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
  /// - `needsResponse`: False to read only requests and their rules; the responses are then empty.
  package static func interactions(
    in bytes: [UInt8], at start: Int, besides names: Set<String> = [], needsResponse: Bool = true
  ) throws(CassetteError) -> Cassette {
    var reader = CassetteFileReader(file: "body", folder: nil, collects: false)
    (reader.at, reader.foreignNames, reader.needsResponse) = (start, names, needsResponse)
    if bytes[start] == UInt8(ascii: "[") {
      try reader.readInteractions(bytes.span)
    } else {
      try reader.readInteraction(bytes.span)
    }
    let derivedIDs = try reader.assignIDs(bytes.span)
    var cassette = Cassette(name: "body")
    fill(&cassette, &reader, bytes, derivedIDs)
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
        try report(bytes, Int(record.id), "the id \"\(id)\" occurs twice", "omit it to derive one")
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
