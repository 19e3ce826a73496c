import CassetteMaintenance
internal import CassetteRecording
internal import CassetteSecrets
import Cassettes
import MockServerConsole

/// The command `diff`, which lists new, removed and changed interactions.
enum Diff {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let (old, new) = (invocation.operands[0], invocation.operands[1])
    var total: [CassetteDiff.Change.Kind: Int] = [:]
    for pair in try pairs(old, new) {
      let names = (pair.old ?? pair.name, pair.new ?? pair.name)
      let diff = try CommandError.reading([]) { () throws(CassetteError) in
        try CassetteDiff(
          from: try bytes(pair.old), to: try bytes(pair.new), names: names, times: invocation.has(Manual.times))
      }
      guard !diff.isEmpty else { continue }
      // The text of the files is escaped, but not the line breaks of the report.
      let files = [pair.old, pair.new].compactMap(\.self).filter { $0 != nowhere }
      var secrets = try CommandError.reading(files) { () throws(CassetteError) in try RedactionPass(knowing: files)
      }
      let lines = secrets.masking(diff.text).split(separator: "\n").map { Printable.escaped(String($0)) + "\n" }
      Console.output.write(Console.output.style.bold(Printable.escaped(pair.name)) + "\n" + lines.joined())
      for kind in kinds { total[kind, default: 0] += diff.count(kind) }
    }
    let ignored = "layout\(invocation.has(Manual.times) ? "" : " and times")"
    Console.error.write("mockserver: \(summary(total, ignoring: ignored))\n")
    return total.isEmpty ? .success : .found
  }

  private static func summary(_ counts: [CassetteDiff.Change.Kind: Int], ignoring parts: String) -> String {
    if counts.isEmpty { return "no differences except \(parts)" }
    return kinds.map { "\(counts[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
  }

  private static let kinds: [CassetteDiff.Change.Kind] = [.new, .gone, .changed]

  /// The path that `git diff` passes for a file that does not exist.
  private static let nowhere = "/dev/null"

  private static func bytes(_ path: String?) throws(CassetteError) -> [UInt8] {
    guard let path, path != nowhere else { return [] }
    return try CassetteFile.bytes(of: path)
  }

  /// Returns the pairs of files to compare: two files, or the files with equal names in two folders.
  private static func pairs(
    _ old: String, _ new: String
  ) throws(CommandError) -> [(name: String, old: String?, new: String?)] {
    _ = try Paths.resolve([old, new].filter { $0 != nowhere }, hint: "")
    let folders = [old, new].map { Folder.resolvedKind(of: $0) == .folder }
    guard folders[0] || folders[1] else { return [(new == nowhere ? old : new, old, new)] }
    guard folders[0] == folders[1] else {
      throw CommandError(
        .usage, "\(old) and \(new) cannot be compared: one is a file and one a folder",
        hint: "Name two files or two folders.")
    }
    let files = [old, new].map { Set(CassetteFileList.files(in: $0)) }
    return files[0].union(files[1]).sorted().map { name in
      (
        name, files[0].contains(name) ? Folder.join(old, name) : nil,
        files[1].contains(name) ? Folder.join(new, name) : nil
      )
    }
  }
}
