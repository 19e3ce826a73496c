import CassetteMaintenance
import CassetteRecording
internal import CassetteSecrets
import Cassettes
import MockServerConsole

/// The command `simulate`, which turns recordings into resources that imitate the recorded server.
enum Simulate {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let path = try Paths.file(invocation.operands)
    guard let output = invocation.text(Manual.intoFile) else {
      throw .usage(
        "simulate needs --into FILE", of: invocation.command,
        hint: "For instance: mockserver simulate \(path) --into \(suggestion(path))")
    }
    guard Folder.resolvedKind(of: output) == .missing else {
      let hint = "Remove it, or name another file: what a person changed in it would be lost."
      throw CommandError(.usage, "\(Printable.escaped(output)) is there already", hint: hint)
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
        .badCassette, "\(path) has no collection: nothing is created in it, and no list is read whose elements are",
        hint: "Record a POST that makes something, or a list and one of its elements.")
    }
    Console.output.write(summary(simulation, output))
    return .success
  }

  /// Returns a line for each resource, and a line for recordings that belong to none.
  static func summary(_ simulation: Simulation, _ output: String) -> String {
    var lines = simulation.found.map { found in
      "\(found.path): \(found.operations.joined(separator: ", ")); \(counted(found.elements, "element")) to begin "
        + "with; stands for \(counted(found.exchanges, "recording"))"
    }
    let kept = simulation.cassette.interactions.count
    if kept > 0 { lines.append("\(counted(kept, "recording")) of other paths: as recorded") }
    lines.append("Read \(output), change what is not so, and play it: mockserver --cassettes \(output)")
    return lines.map { Printable.escaped($0) + "\n" }.joined()
  }

  private static func suggestion(_ path: String) -> String {
    path.hasSuffix(".json") ? "\(path.dropLast(5)).resource.json" : "\(path).resource.json"
  }
}
