#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
