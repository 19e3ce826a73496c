internal import CassetteContract
import CassetteFiles
import CassetteFormats
import CassetteListing
import Cassettes
import MockServerConsole
import MockServerOptions

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `generate openapi`: recordings become a specification.
enum Generate {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.first == "openapi" else {
      throw .usage(
        "generate makes openapi, not \"\(invocation.operands.first ?? "")\"", of: invocation.command,
        hint: "For instance: mockserver generate openapi cassettes/github.json")
    }
    let paths = try Paths.resolve(
      Array(invocation.operands.dropFirst()), hint: "Name recordings: mockserver generate openapi CASSETTE")
    var inference = SpecificationInference()
    for path in paths {
      let isFolder = Folder.resolvedKind(of: path) == .folder
      for file in isFolder ? Folder.files(in: path).files.map({ Folder.join(path, $0) }) : [path] {
        var isKnown = false
        var origin: String?
        do {
          isKnown = try RecordedExchanges.each(of: file) { (interaction, _, isCassette) throws(CassetteError) in
            guard interaction.failure == nil else { return }
            if isCassette, origin == nil { origin = try CassetteFile.read(path: file).origin ?? "" }
            let named = RecordedTarget.origin(of: interaction.url)
            inference.add(try ContractExchange(interaction), origin: named ?? origin)
          }
        } catch {
          // A fixture of a folder is no recording; a file that somebody named is meant as one.
          guard isFolder else { throw .unreadable(error, paths: [file]) }
        }
        if !isKnown { Console.error.write("mockserver: \(Printable.escaped(file)) is no recording\n") }
      }
    }
    for request in inference.leftOut {
      Console.error.write("mockserver: \(Printable.escaped(request)) has no place in an OpenAPI document\n")
    }
    guard inference.count > 0 else {
      throw CommandError(.noInput, "there is no recording in \(paths.joined(separator: " "))")
    }
    let document = inference.document(enums: invocation.has(Manual.enumerations))
    guard let output = invocation.text(Manual.intoSpecification) else {
      Console.output.write(String(decoding: document, as: UTF8.self))
      return .success
    }
    try Paths.write(document, to: output)
    Console.output.write(
      "\(Printable.escaped(output)) speaks for \(counted(inference.count, "exchange")). Read it, then: mockserver verify "
        + "--openapi \(Printable.escaped(output))\n")
    return .success
  }
}
