import CassetteFiles
import CassetteListing
import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `git install`, which changes `.gitattributes` and the configuration of this clone.
enum GitInstallation {
  /// The patterns for the usual folders of cassettes.
  private static let folders = ["**/cassettes", "**/Cassettes"]

  static func run(folders named: [String]) throws(CommandError) -> ExitCode {
    let top = try git(["rev-parse", "--show-toplevel"])
    let path = Folder.join(top, ".gitattributes")
    var old = ""
    // An existing file that cannot be read must not be replaced.
    if Folder.resolvedKind(of: path) != .missing {
      old = try CommandError.using { () throws(CassetteError) in
        String(decoding: try CassetteFile.bytes(of: path), as: UTF8.self)
      }
    }
    var added: [String] = []
    for pattern in try named.isEmpty ? folders : patterns(named) {
      let line = "\(pattern)/**/*.json merge=cassette diff=cassette"
      let isThere = old.split(whereSeparator: \.isNewline).contains {
        $0.split(separator: " ").joined(separator: " ") == line
      }
      if !isThere { added.append(line) }
    }
    if !added.isEmpty {
      let start = old.isEmpty || old.hasSuffix("\n") ? old : old + "\n"
      try CommandError.using { () throws(CassetteError) in
        try CassetteFileList.write(Array((start + added.map { $0 + "\n" }.joined()).utf8), to: path)
      }
    }
    for line in added { Console.output.write("added to .gitattributes: \(Printable.escaped(line))\n") }
    if added.isEmpty { Console.output.write(".gitattributes has the lines already\n") }

    let program = ShellWord.quoted(Self.program)
    let settings = [
      ("merge.cassette.name", "cassettes, by interaction"),
      ("merge.cassette.driver", "\(program) git merge %O %A %B %P"),
      ("diff.cassette.textconv", "\(program) git textconv"),
    ]
    for (name, value) in settings {
      let before = try ChildCommand.run(["git", "config", "--local", "--get", name])
      if before.status == 0, before.output == value {
        Console.output.write("git config has it already: \(name)\n")
      } else {
        _ = try git(["config", "--local", name, value])
        Console.output.write("git config --local \(name) '\(Printable.escaped(value))'\n")
      }
    }
    Console.output.write(
      "Commit .gitattributes. The configuration is of this clone: everybody runs mockserver git install once.\n")
    return .success
  }

  /// Converts folders to patterns relative to the top of the repository.
  private static func patterns(_ named: [String]) throws(CommandError) -> [String] {
    let prefix = try git(["rev-parse", "--show-prefix"])
    return named.map { folder in
      var path = folder
      while path.hasPrefix("./") { path.removeFirst(2) }
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      // White space would end the pattern, so `?` is used, which matches any character.
      return "/\(prefix)\(path)".map { $0 == " " ? "?" : String($0) }.joined()
    }
  }

  private static func git(_ arguments: [String]) throws(CommandError) -> String {
    let result = try ChildCommand.run(["git"] + arguments)
    guard result.status == 0 else {
      throw CommandError(
        .noInput, "git \(arguments.joined(separator: " ")) failed", hint: "Run it in a clone: git init makes one.")
    }
    return result.output
  }

  /// The command with which this program was started: its name or its absolute path.
  private static var program: String {
    let called = CommandLine.arguments.first ?? "mockserver"
    return called.contains("/") ? CassetteFileBytes.realPath(called) ?? called : called
  }
}
