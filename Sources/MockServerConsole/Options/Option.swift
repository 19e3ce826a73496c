/// A command-line option, which begins with two dashes.
package struct Option: Sendable {
  package let name: String
  package let kind: Kind
  /// The placeholder for the value in the help, such as `DIR`.
  package let placeholder: String?
  /// The default value as shown in the help.
  let standard: String?
  package let repeats: Bool
  package let help: String

  package init(
    _ name: String, _ kind: Kind = .flag, _ placeholder: String? = nil, standard: String? = nil, repeats: Bool = false,
    help: String
  ) {
    self.name = name
    self.kind = kind
    self.placeholder = placeholder
    self.standard = standard
    self.repeats = repeats
    self.help = help
  }

  /// The option as typed, such as `--port`.
  package var flag: String { "--\(name)" }

  /// The option as shown in the help, such as `--port PORT` or `--log requests|misses|none`.
  var synopsis: String {
    switch (kind, placeholder) {
    case (.choice(let choices), nil): "\(flag) \(choices.joined(separator: "|"))"
    case (_, let placeholder?): "\(flag) \(placeholder)"
    case (_, nil): flag
    }
  }
}

/// The type of an option's value, which determines its parser, its error message and its shell completions.
package enum Kind: Equatable, Sendable {
  /// The option has no value.
  case flag
  case text
  /// The path of a file or folder.
  case path
  case folder
  case choice([String])
  case number(ClosedRange<Int>)
  /// A size in bytes, such as `8192`, `64K` or `64MB`.
  case size(ClosedRange<Int>)
  /// A time in seconds, such as `75`, `0.5` or `10s`.
  case seconds(ClosedRange<Double>)
  /// A number of days or weeks, such as `90d` or `12w`.
  case age
  /// A factor, such as `10`, `0.5` or `10x`.
  case factor(ClosedRange<Double>)
}

/// A parsed value.
package enum Value: Equatable, Sendable {
  case flag
  case text(String)
  case number(Int)
  case seconds(Double)
  case factor(Double)
  /// The time in seconds, and the text of the option.
  case age(Double, String)
}

/// A command with its operands, its options and its help.
package struct Command: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    case initialize = "init"
    case serve, record, proxy, check, list, `import`, export, simulate, generate, scan, verify, refresh, diff, git, mcp
    case journal, control, reset, health, schema, completions, help
  }

  /// The operands of a command.
  package struct Operand: Sendable {
    package let placeholder: String
    package let kind: Kind
    package let count: ClosedRange<Int>

    package init(placeholder: String, kind: Kind, count: ClosedRange<Int>) {
      self.placeholder = placeholder
      self.kind = kind
      self.count = count
    }
  }

  /// Options with a common heading.
  package struct Section: Sendable {
    package let title: String
    let options: [Option]

    package init(title: String, options: [Option]) {
      self.title = title
      self.options = options
    }
  }

  /// An example command line and its explanation.
  package struct Example: Sendable {
    package let line: String
    package let does: String
  }

  package let name: Name
  package let summary: String
  package var operand: Operand?
  package var sections: [Section] = []
  package var notes: [String] = []
  package var examples: [Example]

  package init(
    name: Name, summary: String, operand: Operand? = nil, sections: [Section] = [], notes: [String] = [],
    examples: KeyValuePairs<String, String> = [:]
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.sections = sections
    self.notes = notes
    self.examples = examples.map { Example(line: $0.key, does: $0.value) }
  }

  package var options: [Option] { sections.flatMap(\.options) }

  /// The command line shown after `Usage:`.
  package var usage: String {
    var words = ["mockserver", name == Manual.standard ? "[\(name.rawValue)]" : name.rawValue]
    if options.count > 2 {
      words.append("[OPTIONS]")
    } else {
      words += options.map { "[\($0.synopsis)]" }
    }
    if let operand {
      let many = operand.count.upperBound == .max ? "\(operand.placeholder)..." : operand.placeholder
      words.append(operand.count.lowerBound == 0 ? "[\(many)]" : many)
    }
    return words.joined(separator: " ")
  }
}
