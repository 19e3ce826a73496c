import CassetteMaintenance
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
    if Folder.kind(of: path) == .link {
      throw CommandError(
        .noInput, "\(path) is a symbolic link, which git does not read", hint: "Replace the link with a file.")
    }
    var old = ""
    // An existing file that cannot be read must not be replaced.
    if Folder.resolvedKind(of: path) != .missing {
      old = try CommandError.using { () throws(CassetteError) in
        String(decoding: try CassetteFile.bytes(of: path), as: UTF8.self)
      }
    }
    var added: [String] = []
    for pattern in try named.isEmpty ? folders : patterns(named, below: top) {
      // Git must not convert the line ends of body files (`core.autocrlf`), because they are content.
      for line in ["\(pattern)/**/*.json merge=cassette diff=cassette", "\(pattern)/**/bodies/** -text"] {
        let isThere = old.split(whereSeparator: \.isNewline).contains {
          $0.split(separator: " ").joined(separator: " ") == line
        }
        if !isThere { added.append(line) }
      }
    }
    if !added.isEmpty {
      let start = old.isEmpty || old.hasSuffix("\n") ? old : old + "\n"
      try CommandError.using { () throws(CassetteError) in
        try CassetteFileList.write(Array((start + added.map { $0 + "\n" }.joined()).utf8), to: path)
      }
    }
    for line in added { Console.output.write("added to .gitattributes: \(Printable.escaped(line))\n") }
    if added.isEmpty { Console.output.write(".gitattributes is up to date\n") }

    let program = ShellWord.quoted(Self.program)
    let settings = [
      ("merge.cassette.name", "cassettes, by interaction"),
      // Without the dashes, a file of a folder such as -x would be an option. In a driver, git replaces %O and the like.
      ("merge.cassette.driver", "\(program.replacing("%", with: "%%")) git merge -- %O %A %B %P"),
      ("diff.cassette.textconv", "\(program) git textconv --"),
    ]
    for (name, value) in settings {
      let before = try ChildCommand.run(["git", "config", "--local", "--get", name])
      if before.status == 0, before.output == value {
        Console.output.write("git config is up to date: \(name)\n")
      } else {
        _ = try git(["config", "--local", name, value])
        Console.output.write("git config --local \(name) '\(Printable.escaped(value))'\n")
      }
    }
    Console.output.write(
      "Commit .gitattributes. The configuration is local to this clone: run mockserver git install once in every "
        + "clone.\n")
    return .success
  }

  /// Returns the patterns of folders for `.gitattributes`, from the top of the repository.
  private static func patterns(_ named: [String], below top: String) throws(CommandError) -> [String] {
    let prefix = try git(["rev-parse", "--show-prefix"])
    return try named.map { (folder) throws(CommandError) in
      let path = folder.hasPrefix("/") ? folder : Folder.join(Folder.join(top, prefix), folder)
      let steps = (CassetteFileBytes.realPath(path) ?? path).split(separator: "/").filter { $0 != "." }
      let above = top.split(separator: "/")
      guard steps.starts(with: above), !steps.contains("..") else {
        throw CommandError(
          .noInput, "\(folder) is outside of the clone \(top)",
          hint: "Name a folder of this clone, or run the command in the other clone.")
      }
      return "/" + steps.dropFirst(above.count).joined(separator: "/").map(character).joined()
    }
  }

  /// Returns a character of a pattern, or `?` for a character that ends a pattern or has a meaning in it.
  private static func character(_ one: Character) -> String {
    one.isWhitespace || one.unicodeScalars.contains { $0.value < 32 } || "*?[\\".contains(one) ? "?" : String(one)
  }

  private static func git(_ arguments: [String]) throws(CommandError) -> String {
    let result = try ChildCommand.run(["git"] + arguments)
    guard result.status == 0 else {
      throw CommandError(
        .noInput, "git \(arguments.joined(separator: " ")) failed",
        hint: "Run the command in a git clone; git init creates one.")
    }
    return result.output
  }

  /// The command with which this program was started: its name or its absolute path.
  private static var program: String {
    let called = CommandLine.arguments.first ?? "mockserver"
    return called.contains("/") ? CassetteFileBytes.realPath(called) ?? called : called
  }
}
