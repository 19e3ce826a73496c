import CassetteFormats
import CassetteMaintenance
import Cassettes
import MockServerConsole

/// The command `export`, which converts a cassette for other tools.
enum Export {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let path = try Paths.file(invocation.operands)
    if let output = invocation.text(Manual.output), Paths.areOne(output, path) {
      throw .usage(
        "--output \(Printable.escaped(output)) is the exported cassette itself and would overwrite it",
        of: invocation.command,
        hint: "Name another file, or omit --output to print to standard output.")
    }
    let text = try CommandError.reading([path]) { () throws(CassetteError) in
      try bytes(of: try CassetteFile.read(path: path), as: invocation.text(Manual.to) ?? "har")
    }
    if let output = invocation.text(Manual.output) {
      try Paths.write(text, to: output)
    } else {
      Console.output.write(text)
    }
    return .success
  }

  static func bytes(of cassette: Cassette, as format: String) throws(CassetteError) -> [UInt8] {
    switch format {
    case "wiremock":
      let (bytes, left) = try WireMockWriter.export(cassette)
      for left in left {
        let times = left.count == 1 ? "once" : "\(left.count) times"
        note(cassette, "not exported: \(left.what) (\(times))")
      }
      return bytes
    case "curl":
      let bytes = try CurlWriter.bytes(of: cassette)
      // A curl command sends one request, and cannot express rules.
      let count = cassette.interactions.count { !$0.match.isEmpty || !$0.replay.isEmpty }
      if count > 0 { note(cassette, "not exported: match and replay of \(count) recordings") }
      noteResources(cassette)
      return bytes
    default:
      // HAR has no templates, so other tools take them as literal text.
      let templates = cassette.interactions.count { $0.response?.isTemplate == true }
      if templates > 0 { note(cassette, "the templates of \(templates) recordings are exported as literal text") }
      noteResources(cassette)
      return try HARWriter.bytes(of: cassette, version: version)
    }
  }

  private static func noteResources(_ cassette: Cassette) {
    if !cassette.resources.isEmpty { note(cassette, "not exported: \(counted(cassette.resources.count, "resource"))") }
  }

  private static func note(_ cassette: Cassette, _ words: String) {
    Console.error.write(Printable.escaped("\(cassette.name): \(words)") + "\n")
  }
}
