internal import CassetteSystem
import MockServerConsole

// What `swift package cassettes` starts.
exit(Tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
