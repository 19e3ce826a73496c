import CassetteHTTP
internal import CassetteSystem
import Cassettes

/// A cassette written exchange by exchange, so that it is never in memory as a whole.
///
/// The draft is written into a temporary folder; the caller moves the folder when the draft is finished.
final class CassetteDraft {
  private let name: String
  private let folder: CassetteFileFolder
  private let file: CassetteFileAppender
  private var ids = CassetteFileIDs(capacity: 64)
  private var names: BodyNames
  /// The number of exchanges.
  private(set) var count = 0

  /// Creates the cassette's file.
  ///
  /// - Parameters:
  ///   - name: The file name without `.json`.
  ///   - path: The path of an existing folder.
  ///   - origin: The scheme and authority of relative URLs.
  ///   - schema: The value of `$schema`.
  /// - Throws: ``CassetteError`` if the file cannot be written.
  init(name: String, in path: String, origin: String?, schema: String? = nil) throws(CassetteError) {
    self.name = name
    names = BodyNames(cassette: name)
    folder = try Self.open(path)
    file = try Self.create("\(name).json", in: folder)
    var empty = Cassette(name: name, origin: origin)
    empty.schema = schema
    let frame = try CassetteFile.bytes(of: empty)
    // Everything before the end of the empty array.
    try append(Array(frame.dropLast(Self.end.utf8.count)))
  }

  private static func open(_ path: String) throws(CassetteError) -> CassetteFileFolder {
    do {
      return try CassetteFileFolder(path)
    } catch {
      throw CassetteError(error, of: path)
    }
  }

  private static func create(
    _ name: String, in folder: borrowing CassetteFileFolder
  ) throws(CassetteError) -> CassetteFileAppender {
    do {
      return try CassetteFileAppender(name, in: folder)
    } catch {
      throw CassetteError(error, of: name)
    }
  }

  private static let end = "]\n}\n"
  private static let closing = "\n  ]\n}\n"

  /// Adds an exchange; assigns an id if it has none, and writes long bodies to separate files.
  ///
  /// - Parameter interaction: The exchange to add.
  /// - Throws: ``CassetteError`` if the exchange cannot be represented in a cassette, or if writing fails.
  func append(_ interaction: Interaction) throws(CassetteError) {
    let given = Array(interaction.id.utf8)
    var id = interaction.id
    if id.isEmpty || !ids.insert(given.span) {
      id = interaction.withRequestLine { method, url in
        String(decoding: ids.derive(method: method, url: url), as: UTF8.self)
      }
    }
    var row: [String?] = []
    var bodies: [(path: String, bytes: [UInt8])] = []
    let sides = [
      (interaction.requestBody, interaction.requestHeaders, ".request"),
      (interaction.responseBody, interaction.response?.headers ?? [], ""),
    ]
    for (body, headers, suffix) in sides {
      guard let body, let bytes = try CassetteFile.external(body, copying: true) else {
        row.append(nil)
        continue
      }
      let path = names.next(id: id + suffix, type: headers["Content-Type"], isText: body.form == .text)
      row.append(path)
      bodies.append((path, bytes))
    }
    // A cassette with one exchange is written and checked like any other; then its frame is removed.
    let whole = try CassetteFile.bytes(
      of: Cassette(name: name, interactions: [interaction]), ids: [id], files: [row])
    let opening = "{\n  \"cassette\": 1,\n  \"interactions\": ["
    var text = Array(count > 0 ? ",".utf8 : "".utf8)
    text += whole.dropFirst(opening.utf8.count).dropLast(Self.closing.utf8.count)
    for body in bodies {
      do {
        try folder.write(body.bytes, to: body.path)
      } catch {
        throw CassetteError(error, of: body.path)
      }
    }
    try append(text)
    count += 1
  }

  /// Completes the file and waits until it is on the disk.
  ///
  /// - Throws: ``CassetteError`` if writing fails.
  func finish() throws(CassetteError) {
    try append(Array((count > 0 ? Self.closing : Self.end).utf8))
    do {
      try file.finish()
    } catch {
      throw CassetteError(error, of: "\(name).json")
    }
  }

  private func append(_ bytes: [UInt8]) throws(CassetteError) {
    do {
      try file.append(bytes)
    } catch {
      throw CassetteError(error, of: "\(name).json")
    }
  }
}
