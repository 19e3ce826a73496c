import CassetteMaintenance
import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `simulate`, which turns recordings into resources that imitate the recorded server.
enum Simulate {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let path = try Paths.file(invocation.operands)
    guard let output = invocation.text(Manual.intoFile) else {
      throw .usage(
        "simulate needs --into FILE", of: invocation.command,
        hint: "For instance: mockserver simulate \(ShellWord.path(path)) --into \(ShellWord.path(suggestion(path)))")
    }
    guard Folder.resolvedKind(of: output) == .missing else {
      let hint = "Remove it, or name another file: edits of the existing file would be lost."
      throw CommandError(.usage, "\(Printable.escaped(output)) already exists", hint: hint)
    }
    let redaction = invocation.has(Manual.keepSecrets) ? .none : try invocation.redaction()
    let simulation = try CommandError.reading([path]) { () throws(CassetteError) in
      let simulation = try Simulation(
        try CassetteFile.read(path: path), name: CassetteFile.name(ofFile: output), redaction: redaction)
      if !simulation.found.isEmpty { try CassetteFile.write(simulation.cassette.forNewFile(output), to: output) }
      return simulation
    }
    guard !simulation.found.isEmpty else {
      throw CommandError(
        .badCassette,
        "\(path) has no collections: no element is created, and no list is recorded together with one of its elements",
        hint: "Record a POST that creates an element, or a list and one of its elements.")
    }
    Console.output.write(summary(simulation, output))
    return .success
  }

  /// Returns a line for each resource, and a line for recordings that belong to none.
  static func summary(_ simulation: Simulation, _ output: String) -> String {
    var lines = simulation.found.map { found in
      "\(found.path): \(found.operations.joined(separator: ", ")); \(counted(found.elements, "initial element")); "
        + "replaces \(counted(found.exchanges, "recording"))"
    }
    let kept = simulation.cassette.interactions.count
    if kept > 0 { lines.append("\(counted(kept, "recording")) of other paths: unchanged") }
    lines.append("Review \(output), correct it, and serve it: mockserver --cassettes \(ShellWord.path(output))")
    return lines.map { Printable.escaped($0) + "\n" }.joined()
  }

  private static func suggestion(_ path: String) -> String {
    path.hasSuffix(".json") ? "\(path.dropLast(5)).resource.json" : "\(path).resource.json"
  }
}
