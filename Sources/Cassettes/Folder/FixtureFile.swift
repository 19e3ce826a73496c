internal import CassetteHTTP

/// A file of a fixtures' folder as it was read, with the header lines beside it.
struct FixtureFile: Sendable {
  /// A file that is longer is not kept in memory; neither is what would make all of them longer than `longestTogether`.
  static let longest = BodyFile.longestWhole
  static let longestTogether = 256 << 20

  /// The signature, which changes when the file, or the one with its header lines, is written.
  let signature: String
  let body: Body
  let size: Int
  /// The header lines beside the fixture, with their problems; nil when there is no file with them.
  let fields: (headers: HTTPHeaders, problems: [(line: Int, message: String)])?

  /// Reads a file of a fixtures' folder; nil when it is written to meanwhile, as far as its activity is known.
  init?(
    in folder: String, at path: String, hasFields: Bool, room: Int, after old: FixtureFile? = nil,
    _ activity: FileActivity.Lookup?
  ) {
    let file = Folder.join(folder, path)
    let names = hasFields ? [file, "\(file).headers"] : [file]
    let before = names.map { activity?($0) }
    let signature = Self.signature(in: folder, at: path, hasFields: hasFields)
    var body = Body.lying(in: folder, at: path, as: Folder.signature(of: file))
    var size = 0
    // What cannot be read is said when it is asked for.
    if let found = try? body.openFile(), found.size <= min(Self.longest, room),
      let bytes = try? found.read(at: 0, count: found.size + 1)
    {
      guard bytes.count == found.size else { return nil }
      body = .read(bytes, from: path)
      size = bytes.count
    }
    fields = hasFields ? Fixtures.headerLines("\(file).headers") : nil
    let after = names.map { activity?($0) }
    guard before == after, !after.contains(where: { $0?.isWritten ?? false }),
      Self.signature(in: folder, at: path, hasFields: hasFields) == signature
    else { return nil }
    // A file that is being truncated is empty before its time of change says so.
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
