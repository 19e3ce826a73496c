/// Commands and options, in tables that each program makes of those it has.
package enum Manual {
  /// The command that is meant when none is named.
  package static let standard = Command.Name.serve

  package static let helpOption = Option("help", help: "Print the help of the command (-h does, too).")
  package static let versionOption = Option("version", help: "Print the version.")
  /// Options that every command understands.
  package static let everywhere = [helpOption, versionOption]
}
