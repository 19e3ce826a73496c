import CassetteHTTP
internal import CassetteSystem

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
  package static func external(_ body: Body, copying: Bool) throws(CassetteError) -> [UInt8]? {
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

  package static func bytes(
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

  package init(cassette: String) { self.cassette = Self.plain(cassette) }

  /// Returns the name of the folder in `bodies` for a cassette's body files.
  package static func folder(of cassette: String) -> String { plain(cassette) }

  mutating func take(_ path: String) { taken.insert(path.lowercased()) }

  package mutating func next(id: String, type: String?, isText: Bool) -> String {
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
