import CassetteMaintenance
internal import CassetteOpenAPI
import MockServerConsole

/// The main program, which parses the arguments, runs the command and returns the exit code.
enum Program {
  static func run(_ arguments: [String]) -> ExitCode {
    do {
      switch try Intent(arguments) {
      case .version:
        Console.output.write("mockserver \(version)\n")
      case .help(let command):
        let style = Console.output.style
        Console.output.write(command.map { Help.page(of: $0, style) } ?? Help.overview(style))
      case .helpAll:
        Console.output.write(Help.all(Console.output.style))
      case .run(let invocation):
        return try perform(invocation)
      }
      return .success
    } catch {
      Console.error.write(error.text(Console.error.style))
      return error.code
    }
  }

  private static func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    switch invocation.command.name {
    case .initialize: return try Initialize.run(invocation)
    case .serve: return try Serve.run(invocation)
    case .record: return try Record.run(invocation)
    case .proxy: return try Proxy.run(invocation)
    case .check:
      return try Check.run(invocation) { path in
        SpecificationAudit(path).map { ($0.problems, $0.operations) }
      }
    case .list: return try List.run(invocation)
    case .import: return try Import.run(invocation)
    case .export: return try Export.run(invocation)
    case .simulate: return try Simulate.run(invocation)
    case .generate: return try Generate.run(invocation)
    case .scan: return try Scan.run(invocation)
    case .verify: return try Verify.run(invocation)
    case .refresh: return try Refresh.run(invocation)
    case .diff: return try Diff.run(invocation)
    case .git: return try Git.run(invocation)
    case .mcp: return try MCP.run(invocation)
    case .journal: return try Replicas.journal(invocation)
    case .control: return try Replicas.control(invocation)
    case .reset: return try Replicas.reset(invocation)
    case .health: return try Replicas.health(invocation)
    case .schema: Console.output.write(CassetteSchema.text)
    case .completions:
      if let shell = invocation.operands.first.flatMap(Shell.init(rawValue:)) {
        Console.output.write(shell.completions)
      }
    case .help:
      break
    }
    return .success
  }
}
