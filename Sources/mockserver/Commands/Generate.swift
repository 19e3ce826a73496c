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
