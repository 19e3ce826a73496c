/// The formatter of help pages.
package enum Help {
  private static let width = 80
  private static let column = 28

  /// Returns the help page of a command with all its options.
  package static func page(of command: Command, _ style: Style) -> String {
    var text = "\(command.summary)\n\n\(heading("Usage", style))  \(command.usage)\n"
    for section in command.sections { text += "\n" + page(of: section, named: section.title, style) }
    text += "\n" + page(of: Command.Section(title: "", options: Manual.everywhere), named: "Everywhere", style)
    for note in command.notes { text += "\n" + wrapped(note, width: width).joined(separator: "\n") + "\n" }
    if !command.examples.isEmpty { text += "\n" + examples(of: command, style) }
    return text
  }

  /// Returns the options of a section with a heading.
  package static func page(of section: Command.Section, named title: String, _ style: Style) -> String {
    heading(title, style)
      + section.options.map { option in
        row(option.synopsis, option.help + (option.standard.map { " Default: \($0)." } ?? ""))
      }.joined()
  }

  /// Returns the example command lines with their explanations.
  package static func examples(of command: Command, _ style: Style) -> String {
    let left = command.examples.map(\.line.count).max() ?? 0
    let right = command.examples.map(\.does.count).max() ?? 0
    let fitsBeside = left + right + 6 <= width
    return heading("Examples", style)
      + command.examples.map { example in
        let note = style.dim("# \(example.does)")
        return fitsBeside ? "  \(padded(example.line, to: left))  \(note)\n" : "  \(note)\n  \(example.line)\n"
      }.joined()
  }

  /// Returns a heading.
  package static func heading(_ title: String, _ style: Style) -> String { style.bold("\(title):") + "\n" }

  /// Returns a row with a term on the left and its explanation on the right, or below if the term is too long.
  package static func row(_ left: String, _ right: String) -> String {
    let indent = String(repeating: " ", count: column)
    let lines = wrapped(right, width: width - column)
    let first = "  \(left)"
    if first.count + 2 > column { return ([first] + lines.map { indent + $0 }).joined(separator: "\n") + "\n" }
    return ([padded(first, to: column) + (lines.first ?? "")] + lines.dropFirst().map { indent + $0 })
      .joined(separator: "\n") + "\n"
  }
}
