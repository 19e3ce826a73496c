/// A word that begins with two dashes, and what may follow it.
package struct Option: Sendable {
  package let name: String
  package let kind: Kind
  /// The placeholder for the value in the help: `DIR`.
  package let placeholder: String?
  /// The default when the option is not given, in words.
  package let standard: String?
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

  /// The option as it is typed: `--port`.
  package var flag: String { "--\(name)" }

  /// The option as the help shows it: `--port PORT`, `--log requests|misses|none`.
  package var synopsis: String {
    switch (kind, placeholder) {
    case (.choice(let choices), nil): "\(flag) \(choices.joined(separator: "|"))"
    case (_, let placeholder?): "\(flag) \(placeholder)"
    case (_, nil): flag
    }
  }
}

/// The kind of a value: decides how it is read, the message when it is wrong, and a shell's completions.
package enum Kind: Equatable, Sendable {
  /// No value: the option is there or it is not.
  case flag
  case text
  /// A file or a folder.
  case path
  case folder
  case choice([String])
  case number(ClosedRange<Int>)
  /// Bytes: `8192`, `64K`, `64MB`.
  case size(ClosedRange<Int>)
  /// Seconds: `75`, `0.5`, `10s`.
  case seconds(ClosedRange<Double>)
  /// Days or weeks: `90d`, `12w`.
  case age
  /// A factor: `10`, `0.5`, `10x`.
  case factor(ClosedRange<Double>)
}

/// A value that was read.
package enum Value: Equatable, Sendable {
  case flag
  case text(String)
  case number(Int)
  case seconds(Double)
  case factor(Double)
  /// Seconds, and the words they were typed in.
  case age(Double, String)
}

/// A command: the first word, the words and options it takes, and its page of the help.
package struct Command: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    case serve, record, proxy, check, list, `import`, export, simulate, generate, scan, verify, refresh, diff, git, mcp
    case journal, reset, health, schema, completions, help
  }

  /// The words after the options.
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

  /// Options under one heading.
  package struct Section: Sendable {
    package let title: String
    package let options: [Option]

    package init(title: String, options: [Option]) {
      self.title = title
      self.options = options
    }
  }

  /// A line to type and what it does.
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

  /// The line after `Usage:`.
  package var usage: String {
    var words = ["mockserver", name == Manual.standard ? "[\(name.rawValue)]" : name.rawValue]
    if options.count > 2 {
      words.append("[OPTIONS]")
    } else {
      words += options.map { "[\($0.synopsis)]" }
    }
    if let operand {
      let many = operand.count.upperBound > 1 ? "\(operand.placeholder)..." : operand.placeholder
      words.append(operand.count.lowerBound == 0 ? "[\(many)]" : many)
    }
    return words.joined(separator: " ")
  }
}
