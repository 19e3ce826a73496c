import CassetteMaintenance
import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `git`, which installs and implements git drivers for displaying and merging cassettes.
enum Git {
  static let verbs = ["install", "textconv", "merge", "resolve"]

  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let operands = Array(invocation.operands.dropFirst())
    func wrong(_ usage: String) -> CommandError { .usage("usage: mockserver git \(usage)", of: invocation.command) }
    switch invocation.operands.first {
    case "install":
      return try GitInstallation.run(folders: operands)
    case "textconv":
      guard operands.count == 1 else { throw wrong("textconv FILE") }
      return try textconv(operands[0])
    case "merge":
      guard (3...4).contains(operands.count) else { throw wrong("merge BASE OURS THEIRS [PATH]") }
      return try merge(operands[0], operands[1], operands[2], name: operands.count > 3 ? operands[3] : operands[1])
    case "resolve":
      let wanted = [(Manual.ours, MergeConflict.Choice.ours), (Manual.theirs, .theirs), (Manual.both, .both)]
      let choices = wanted.filter { invocation.has($0.0) }.map(\.1)
      guard choices.count == 1, !operands.isEmpty else { throw wrong("resolve --ours|--theirs|--both FILE...") }
      return try resolve(choices[0], operands)
    default:
      throw .usage(
        "git takes \(series(verbs, "or")), not \"\(invocation.operands.first ?? "")\"", of: invocation.command)
    }
  }

  /// Prints a file for `git diff`, as lines if it is a cassette.
  private static func textconv(_ path: String) throws(CommandError) -> ExitCode {
    let bytes = try bytes(of: path)
    if Cassette.isCassette(bytes), let text = try? CassetteLines.text(of: bytes, name: path) {
      Console.output.write(text)
    } else {
      Console.output.write(bytes)
    }
    return .success
  }

  /// Merges into `ours`, as git requires of merge drivers.
  ///
  /// Files that are not cassettes are merged by `git merge-file`.
  private static func merge(
    _ base: String, _ ours: String, _ theirs: String, name: String
  ) throws(CommandError) -> ExitCode {
    let versions = (base: try bytes(of: base), ours: try bytes(of: ours), theirs: try bytes(of: theirs))
    guard Cassette.isCassette(versions.ours), Cassette.isCassette(versions.theirs) else {
      let labels = ["-L", "ours", "-L", "base", "-L", "theirs"]
      let status = try ChildCommand.run(["git", "merge-file"] + labels + ["--", ours, base, theirs]).status
      return status == 0 ? .success : .found
    }
    let shown = Printable.escaped(name)
    do throws(CassetteError) {
      let merge = try CassetteMerge(base: versions.base, ours: versions.ours, theirs: versions.theirs, name: name)
      try CassetteFileList.write(merge.bytes, to: ours)
      for conflict in merge.conflicts {
        Console.error.write("mockserver: \(shown): \(Printable.escaped(conflict.description))\n")
      }
      guard !merge.conflicts.isEmpty else { return .success }
      let word = Printable.escaped(ShellWord.path(name))
      Console.error.write(
        "  Both versions are in the file, which still loads. Resolve: mockserver git resolve --ours|--theirs|--both "
          + "\(word), or edit it; then: git add \(word)\n")
      return .found
    } catch {
      Console.error.write(
        "mockserver: \(shown) is not merged and keeps our version: \(Printable.escaped("\(error)"))\n")
      return .found
    }
  }

  /// Resolves the conflicts that a merge has left.
  private static func resolve(_ choice: MergeConflict.Choice, _ paths: [String]) throws(CommandError) -> ExitCode {
    for path in try Paths.resolve(paths, hint: "") {
      let count = try CommandError.reading([path]) { () throws(CassetteError) in
        var text = try CassetteText(try CassetteFile.bytes(of: path), name: path)
        let count = text.resolve(choice)
        let bytes = text.bytes
        _ = try CassetteFile.read(bytes: bytes, name: path, file: nil)
        if count > 0 { try CassetteFileList.write(bytes, to: path) }
        return count
      }
      let decided = count == 0 ? "no conflicts" : "\(counted(count, "conflict")) resolved as \(choice.rawValue)"
      Console.output.write("\(Printable.escaped(path)): \(decided)\n")
    }
    return .success
  }

  private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
    try CommandError.using { () throws(CassetteError) in try CassetteFile.bytes(of: path) }
  }
}
