import CassetteFormats
import CassetteMaintenance
internal import CassetteOpenAPI
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `generate openapi`, which creates a specification from recordings.
enum Generate {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.first == "openapi" else {
      throw .usage(
        "generate supports openapi, not \"\(invocation.operands.first ?? "")\"", of: invocation.command,
        hint: "For instance: mockserver generate openapi cassettes/github.json")
    }
    let paths = try Paths.resolve(
      Array(invocation.operands.dropFirst()), hint: "Name recordings: mockserver generate openapi CASSETTE")
    var inference = SpecificationInference()
    var origins: [String: String] = [:]
    for (file, isNamed) in Paths.files(in: paths) {
      let isKnown = try recordings(of: file, isNamed: isNamed) { (interaction, _, isCassette) throws(CassetteError) in
        if isCassette, origins[file] == nil { origins[file] = try CassetteFile.read(path: file).origin ?? "" }
        let named = RecordedTarget.origin(of: interaction.url)
        inference.add(try ContractExchange(interaction), origin: named ?? origins[file])
      } orThrow: {
        .unreadable($0, paths: [file])
      }
      if !isKnown { Console.error.write("mockserver: \(Printable.escaped(file)) is not a recording and is skipped\n") }
    }
    for request in inference.leftOut {
      Console.error.write("mockserver: \(Printable.escaped(request)) is left out: OpenAPI cannot describe it\n")
    }
    guard inference.count > 0 else {
      throw CommandError(.noInput, "no recordings found in \(paths.joined(separator: " "))")
    }
    let document = inference.document(enums: invocation.has(Manual.enumerations))
    guard let output = invocation.text(Manual.intoSpecification) else {
      Console.output.write(String(decoding: document, as: UTF8.self))
      return .success
    }
    try Paths.write(document, to: output)
    Console.output.write(
      "\(Printable.escaped(output)) describes \(counted(inference.count, "exchange")). Review it, then: mockserver "
        + "verify --openapi \(Printable.escaped(ShellWord.path(output)))\n")
    return .success
  }

  /// Calls a function with each recorded exchange of a file.
  ///
  /// Returns false if the file does not contain recordings.
  static func recordings(
    of file: String, isNamed: Bool, _ use: (Interaction, Int, _ isCassette: Bool) throws(CassetteError) -> Void,
    orThrow failure: (CassetteError) -> CommandError
  ) throws(CommandError) -> Bool {
    do throws(CassetteError) {
      return try RecordedExchanges.each(of: file) { (interaction, line, isCassette) throws(CassetteError) in
        if interaction.failure == nil { try use(interaction, line, isCassette) }
      }
    } catch {
      // A fixture in a folder is skipped, but a file named by the user must contain recordings.
      guard !isNamed else { throw failure(error) }
      return false
    }
  }
}

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

/// The command `diff`, which lists new, removed and changed interactions.
enum Diff {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let (old, new) = (invocation.operands[0], invocation.operands[1])
    var total: [CassetteDiff.Change.Kind: Int] = [:]
    for pair in try pairs(old, new) {
      let names = (pair.old ?? pair.name, pair.new ?? pair.name)
      let diff = try CommandError.reading([]) { () throws(CassetteError) in
        try CassetteDiff(from: try bytes(pair.old), to: try bytes(pair.new), names: names)
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
    Console.error.write("mockserver: \(summary(total))\n")
    return total.isEmpty ? .success : .found
  }

  private static func summary(_ counts: [CassetteDiff.Change.Kind: Int]) -> String {
    if counts.isEmpty { return "no differences except layout and times" }
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
