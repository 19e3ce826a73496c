/// The options and commands, as tables that each program extends with its own commands.
package enum Manual {
  /// The default command, which is used if the command line names none.
  package static let standard = Command.Name.serve

  /// The operand of `help` for the help of all commands.
  package static let everyCommand = "all"

  package static let helpOption = Option("help", help: "Print the help of the command (-h does, too).")
  package static let versionOption = Option("version", help: "Print the version.")
  /// The options that every command supports.
  package static let everywhere = [helpOption, versionOption]
}
