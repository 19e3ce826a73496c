/// A word that begins with two dashes, and what may follow it.
struct Option: Sendable {
  let name: String
  let kind: Kind
  /// The placeholder for the value in the help: `DIR`.
  let placeholder: String?
  /// The default when the option is not given, in words.
  let standard: String?
  let repeats: Bool
  let help: String

  init(
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
  var flag: String { "--\(name)" }

  /// The option as the help shows it: `--port PORT`, `--log requests|misses|none`.
  var synopsis: String {
    switch (kind, placeholder) {
    case (.choice(let choices), nil): "\(flag) \(choices.joined(separator: "|"))"
    case (_, let placeholder?): "\(flag) \(placeholder)"
    case (_, nil): flag
    }
  }
}

/// The kind of a value: decides how it is read, the message when it is wrong, and a shell's completions.
enum Kind: Equatable, Sendable {
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
enum Value: Equatable, Sendable {
  case flag
  case text(String)
  case number(Int)
  case seconds(Double)
  case factor(Double)
  /// Seconds, and the words they were typed in.
  case age(Double, String)
}

/// A command: the first word, the words and options it takes, and its page of the help.
struct Command: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case serve
    case record
    case proxy
    case check
    case list
    case `import`
    case export
    case simulate
    case generate
    case scan
    case verify
    case refresh
    case diff
    case git
    case mcp
    case journal
    case reset
    case health
    case schema
    case completions
    case help
  }

  /// The words after the options.
  struct Operand: Sendable {
    let placeholder: String
    let kind: Kind
    let count: ClosedRange<Int>
  }

  /// Options under one heading.
  struct Section: Sendable {
    let title: String
    let options: [Option]
  }

  /// A line to type and what it does.
  struct Example: Sendable {
    let line: String
    let does: String
  }

  let name: Name
  let summary: String
  var operand: Operand?
  var sections: [Section] = []
  var notes: [String] = []
  var examples: [Example] = []

  var options: [Option] { sections.flatMap(\.options) }

  /// The line after `Usage:`.
  var usage: String {
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
