internal import CassetteSystem
import MockServerConsole

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
