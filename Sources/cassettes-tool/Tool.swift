import CassetteMaintenance
import MockServerConsole

/// The program with two commands of `mockserver`, which have the same options, output and exit codes.
enum Tool {
  static func run(_ arguments: [String]) -> ExitCode {
    let commands = [Manual.list, Manual.check]
    do {
      switch try Intent(arguments, of: commands) {
      case .version:
        Console.output.write("mockserver \(version)\n")
      case .help(let command):
        let pages = (command.map { [$0] } ?? commands).map { Help.page(of: $0, Console.output.style) }
        Console.output.write(pages.joined(separator: "\n"))
      case .helpAll:
        Console.output.write(commands.map { Help.page(of: $0, Console.output.style) }.joined(separator: "\n"))
      case .run(let invocation):
        return invocation.command.name == .list ? try List.run(invocation) : try Check.run(invocation)
      }
      return .success
    } catch {
      Console.error.write(error.text(Console.error.style))
      return error.code
    }
  }
}
