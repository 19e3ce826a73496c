import MockServerConsole

extension Help {
  /// Returns the overview page for new users.
  static func overview(_ style: Style) -> String {
    var text = "mockserver answers HTTP requests from recordings kept in files.\n\n"
    text += heading("Usage", style)
    for command in Manual.commands { text += "  \(command.usage)\n" }
    text += "\n" + heading("Commands", style)
    for command in Manual.commands { text += row(command.name.rawValue, command.summary) }
    if let section = Manual.serve.sections.first { text += "\n" + page(of: section, named: "Options of serve", style) }
    text += "\nMore options, limits and examples: mockserver help serve\n"
    text += "\n" + examples(of: Manual.serve, style)
    text += "\n" + heading("Exit codes", style)
    for code in ExitCode.allCases { text += row("\(code.rawValue)", code.meaning) }
    return text
  }
}
