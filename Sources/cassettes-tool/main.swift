internal import CassetteSystem
import MockServerConsole

// The program that `swift package cassettes` starts.
exit(Tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
