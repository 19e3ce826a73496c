internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// A loaded file of a folder of fixtures, with the header fields in the `.headers` file next to it.
package struct FixtureFile: Sendable {
  /// The maximum size of a file that is kept in memory; all of them together have at most `longestTogether` bytes.
  static let longest = BodyFile.longestWhole
  static let longestTogether = 256 << 20

  /// The signature, which changes if the file or its `.headers` file is written.
  package let signature: String
  let body: Body
  let size: Int
  /// The header fields from the `.headers` file, with its problems; nil if there is no such file.
  let fields: (headers: HTTPHeaders, problems: [(line: Int, message: String)])?
  /// The syntax error of a file with the extension `json`; nil for valid JSON and other files.
  let jsonError: (line: Int, message: String)?

  /// Reads a file of a folder of fixtures; returns nil if the file is known to be written in the meantime.
  init?(
    in folder: String, at path: String, hasFields: Bool, room: Int, after old: FixtureFile? = nil,
    _ activity: FileActivity.Lookup?
  ) {
    let file = Folder.join(folder, path)
    let names = hasFields ? [file, "\(file).headers"] : [file]
    let before = names.map { activity?($0) }
    let signature = Self.signature(in: folder, at: path, hasFields: hasFields)
    var jsonError: (line: Int, message: String)?
    var body = Body.lying(in: folder, at: path, as: Folder.signature(of: file))
    var size = 0
    // An unreadable file is reported when a request needs it.
    if let found = try? body.openFile(), found.size <= min(Self.longest, room),
      let bytes = try? found.read(at: 0, count: found.size + 1)
    {
      guard bytes.count == found.size else { return nil }
      body = .read(bytes, from: path)
      size = bytes.count
      if path.hasSuffix(".json"), size > 0 {
        do throws(JSONTextError) {
          try JSONScanner.validate(bytes.span)
        } catch {
          jsonError = (bytes.prefix(error.offset).count { $0 == 0x0a } + 1, error.message)
        }
      }
    }
    self.jsonError = jsonError
    fields = hasFields ? Fixtures.headerLines("\(file).headers") : nil
    let after = names.map { activity?($0) }
    guard before == after, !after.contains(where: { $0?.isWritten ?? false }),
      Self.signature(in: folder, at: path, hasFields: hasFields) == signature
    else { return nil }
    // A file that is being truncated is empty before its modification time changes.
    if size == 0, let old, old.size > 0, Self.withoutSize(old.signature) == Self.withoutSize(signature) { return nil }
    self.signature = signature
    self.body = body
    self.size = size
  }

  private static func withoutSize(_ signature: String) -> Substring { signature.drop { $0 != " " } }

  static func signature(in folder: String, at path: String, hasFields: Bool) -> String {
    let file = Folder.join(folder, path)
    return Folder.signature(of: file) + (hasFields ? " \(Folder.signature(of: "\(file).headers"))" : "")
  }
}
