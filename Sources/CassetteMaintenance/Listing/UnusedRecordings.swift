internal import CassetteRecording
import Cassettes
import MockServerConsole

/// The command `check --unused`, which reports recordings that no test plays.
enum UnusedRecordings {
  static func run(_ invocation: Invocation, _ paths: [String], _ reports: Reports) throws(CommandError) -> ExitCode {
    let run = try TestRunReport(invocation.texts(Manual.unused))
    let style = Console.output.style
    var found: [CassetteError] = []
    var files: [String] = []
    var unopened: [String] = []
    var unused: [(file: String, ids: Set<String>)] = []
    for file in CassetteFileList.files(of: paths) {
      let cassette = try CommandError.reading(paths) { () throws(CassetteError) in try CassetteFile.read(path: file) }
      files.append(file)
      let played = run.played(in: file)
      if played == nil { unopened.append(file) }
      let never = cassette.interactions.filter { !(played ?? []).contains($0.id) }
      guard !never.isEmpty else { continue }
      if played != nil { unused.append((file, Set(never.map(\.id)))) }
      found += never.map { interaction in
        CassetteError(
          file: file, line: interaction.place?.line ?? 0, column: interaction.place?.column ?? 0,
          message: "\(interaction.shown) (\"\(interaction.id)\") was not played by any test", severity: .warning)
      }
    }
    Console.output.write(found.map { ProblemText.line($0, style) }.joined())
    for file in unopened { Console.error.write("mockserver: \(Printable.escaped(file)) was not opened by any test\n") }
    try reports.write(FindingsReport(name: "unused", files: files, problems: found, rule: "unused"))
    let count = found.isEmpty ? "all recordings were played" : "\(counted(found.count, "recording")) not played"
    Console.error.write("mockserver: \(run.summary): \(count)\n")
    guard invocation.has(Manual.pruneUnused) else { return found.isEmpty ? .success : .found }
    return try prune(unused, left: unopened, run)
  }

  private static func prune(
    _ unused: [(file: String, ids: Set<String>)], left: [String], _ run: TestRunReport
  ) throws(CommandError) -> ExitCode {
    guard run.failed.isEmpty else {
      throw CommandError(
        .found, "nothing was pruned: \(counted(run.failed.count, "test")) failed and might have played more recordings",
        hint: Printable.escaped(run.failed.prefix(5).joined(separator: "\n")))
    }
    for (file, ids) in unused {
      try CommandError.reading([file]) { () throws(CassetteError) in
        try CassetteFileLock.holding(file) { () throws(CassetteError) in
          var text = try CassetteText(try CassetteFile.bytes(of: file), name: file)
          text.remove(ids)
          let bytes = text.bytes
          _ = try CassetteFile.read(bytes: bytes, name: file, file: nil)
          try CassetteFileList.write(bytes, to: file)
        }
      }
      Console.output.write("\(Printable.escaped(file)): \(counted(ids.count, "recording")) removed\n")
    }
    if !left.isEmpty {
      Console.error.write(
        "mockserver: cassettes that no test opened were kept; remove them if nothing else needs them\n")
    }
    return left.isEmpty ? .success : .found
  }
}
