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

  /// The path of the file, relative to the cassette's folder.
  let path: String
  /// The number of bytes that are written.
  private(set) var size = 0
  /// The secrets that aliases in it stand for.
  private(set) var secrets: Set<Int> = []
  private let descriptor: Int32
  private let isForm: Bool
  private var waiting: [UInt8] = []
  private var known = 0

  /// Makes the file, and the folder for it.
  init(_ number: Int, besideFile cassette: String, isForm: Bool) throws(FileFailure) {
    let (parent, name) = (Folder.parent(of: cassette), JournalBodies.folder(besideFile: cassette))
    let folder = Folder.join(parent, name)
    mkdir(folder, 0o700)
    path = "\(name)/\(number)"
    self.isForm = isForm
    descriptor = try CassetteFileFolder(folder).create("\(number)", permissions: 0o600)
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
  }

  private mutating func write(
    upTo end: Int, isLast: Bool, _ pass: inout RedactionPass
  ) throws(FileFailure) {
    let seen = isLast ? waiting : Array(waiting.prefix(end + Self.margin))
    let part = pass.redacting(part: seen, known..<end, isLast: isLast, isForm: isForm)
    secrets.formUnion(part.secrets)
    try FileBytes.write(part.bytes, to: descriptor, path)
    size += part.bytes.count
    let rest = max(0, part.end - Self.context)
    waiting.removeFirst(rest)
    known = part.end - rest
  }

  /// Lets go of the file.
  func close() { FileBytes.close(descriptor) }

  /// Removes the file: nothing will come of it.
  func remove(besideFile cassette: String) {
    unlink(Folder.join(Folder.parent(of: cassette), path))
    close()
  }
}
