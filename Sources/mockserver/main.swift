internal import CassetteSystem

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
