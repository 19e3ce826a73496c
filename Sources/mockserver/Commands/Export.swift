enum Export {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode { .success }
}
