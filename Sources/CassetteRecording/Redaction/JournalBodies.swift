internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The folder beside a cassette for long bodies while it is recorded: `.github.json.journal`.
///
/// The bodies in it are redacted already. When the cassette is written its files get names in `bodies`, and the folder
/// is removed.
enum JournalBodies {
  /// The folder's name, for a cassette's file.
  static func folder(besideFile path: String) -> String {
    ".\(Folder.name(of: path))\(JournalName.suffix)"
  }

  /// Removes the folder beside a cassette, with what is in it.
  static func remove(besideFile path: String) {
    let folder = Folder.join(Folder.parent(of: path), folder(besideFile: path))
    guard Folder.kind(of: folder) == .folder else { return }
    for file in Folder.files(in: folder).files { unlink(Folder.join(folder, file)) }
    rmdir(folder)
  }
}

/// A long body on its way to the disk: redacted part by part, so that neither the whole nor a secret is ever there.
struct JournalBody {
  /// The number of bytes that are looked at together.
  private static let window = 256 << 10

  /// The number of bytes only looked at together with what follows: no secret is longer.
  private static let margin = 16 << 10
  /// The number of earlier bytes that are looked at again, for the names of what follows.
  private static let context = 1 << 10

  /// The end of the name of a file with aliases in it: they get other numbers in the cassette.
  static let redacted = ".redacted"

  /// The path of the file, relative to the cassette's folder.
  private(set) var path: String
  /// The number of bytes that are written.
  private(set) var size = 0
  private var isRedacted = false
  private let folder: String
  private let descriptor: Int32
  private let isForm: Bool
  private var waiting: [UInt8] = []
  private var known = 0

  /// Makes the file, and the folder for it.
  init(_ number: Int, besideFile cassette: String, isForm: Bool) throws(FileFailure) {
    folder = Folder.parent(of: cassette)
    let name = JournalBodies.folder(besideFile: cassette)
    mkdir(Folder.join(folder, name), 0o700)
    path = "\(name)/\(number)"
    self.isForm = isForm
    descriptor = try CassetteFileFolder(Folder.join(folder, name)).create("\(number)", permissions: 0o600)
  }

  /// Takes what came next.
  mutating func append(
    _ bytes: [UInt8], _ pass: inout RedactionPass
  ) throws(FileFailure) {
    waiting += bytes
    while waiting.count - known >= Self.window + Self.margin {
      try write(upTo: known + Self.window, isLast: false, &pass)
    }
  }

  /// Writes the rest, and waits until all is on the disk.
  mutating func finish(_ pass: inout RedactionPass) throws(FileFailure) {
    while waiting.count - known > Self.window + Self.margin {
      try write(upTo: known + Self.window, isLast: false, &pass)
    }
    try write(upTo: waiting.count, isLast: true, &pass)
    guard fsync(descriptor) == 0 else { throw .system("write", path) }
    guard isRedacted else { return }
    let name = path + Self.redacted
    guard rename(Folder.join(folder, path), Folder.join(folder, name)) == 0 else { throw .system("write", path) }
    path = name
  }

  /// The end of a part behind which no alias begins that is not whole.
  fileprivate static func end(ofWhole part: [UInt8]) -> Int {
    // Text that was in base64 stands in one.
    let tail = max(0, part.count - 2 * (window + margin))
    guard let last = part[tail...].lastIndex(of: UInt8(ascii: "{")) else { return part.count }
    let start = last > tail && part[last - 1] == part[last] ? last - 1 : last
    return part.firstIndex(of: [0x7d, 0x7d], from: start) == nil ? start : part.count
  }

  private mutating func write(
    upTo end: Int, isLast: Bool, _ pass: inout RedactionPass
  ) throws(FileFailure) {
    let seen = isLast ? waiting : Array(waiting.prefix(end + Self.margin))
    let part = pass.redacting(part: seen, known..<end, isLast: isLast, isForm: isForm)
    isRedacted = isRedacted || part.isRedacted
    try FileBytes.write(part.bytes, to: descriptor, path)
    size += part.bytes.count
    let rest = max(0, part.end - Self.context)
    waiting.removeFirst(rest)
    known = part.end - rest
  }

  /// Lets go of the file.
  func close() { FileBytes.close(descriptor) }

  /// Removes the file: nothing will come of it.
  func remove() {
    unlink(Folder.join(folder, path))
    close()
  }
}

extension Body {
  /// Returns a long body of a journal with the numbers that its secrets have in the cassette; others as they are.
  func folding(_ pass: inout RedactionPass) throws(CassetteError) -> Body {
    guard let (folder, path) = lyingPlace, path.hasSuffix(JournalBody.redacted), let file = try openLongFile() else {
      return self
    }
    let folded = path + ".folded"
    let descriptor: Int32
    do throws(FileFailure) {
      let (parent, name) = (Folder.parent(of: Folder.join(folder, folded)), Folder.name(of: folded))
      // It is there if it was folded before, and could not be kept.
      unlink(Folder.join(parent, name))
      descriptor = try CassetteFileFolder(parent).create(name, permissions: 0o600)
    } catch {
      throw CassetteError(error, of: path)
    }
    defer { FileBytes.close(descriptor) }
    var waiting: [UInt8] = []
    var failure: FileFailure?
    func write(upTo end: Int) {
      let part = Array(waiting[..<end])
      waiting.removeFirst(end)
      do throws(FileFailure) {
        try FileBytes.write(pass.folding(part) ?? part, to: descriptor, path)
      } catch { failure = error }
    }
    try file.eachPart(overlap: 0) { part in
      waiting += part
      write(upTo: JournalBody.end(ofWhole: waiting))
      return failure == nil
    }
    write(upTo: waiting.count)
    if failure == nil, fsync(descriptor) != 0 { failure = .system("write", path) }
    if let failure { throw CassetteError(failure, of: path) }
    return .lying(in: folder, at: folded)
  }
}
