/// The parsed meaning of a command line: help, the version, or a command to run.
package enum Intent: Sendable {
  case help(Command?)
  /// The help of all commands: `help all`.
  case helpAll
  case version
  case run(Invocation)
}

/// A command with its options and operands.
package struct Invocation: Sendable {
  package let command: Command
  package var operands: [String] = []
  private var values: [String: [Value]] = [:]

  package init(_ command: Command) { self.command = command }

  /// Sets the value of an option.
  ///
  /// A repeated option overrides the previous value unless it accepts several values.
  package mutating func set(_ option: Option, to value: Value) {
    values[option.name] = option.repeats ? values[option.name, default: []] + [value] : [value]
  }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package func text(_ option: Option) -> String? { texts(option).last }

  package func texts(_ option: Option) -> [String] {
    (values[option.name] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// Returns the selected choice of an option as a value of its type; nil if the option is not set.
  package func choice<Choice: RawRepresentable<String>>(_ option: Option) -> Choice? {
    text(option).flatMap(Choice.init(rawValue:))
  }

  package func number(_ option: Option) -> Int? {
    if case .number(let number)? = values[option.name]?.last { number } else { nil }
  }

  package func factor(_ option: Option) -> Double? {
    if case .factor(let factor)? = values[option.name]?.last { factor } else { nil }
  }

  package func age(_ option: Option) -> (seconds: Double, words: String)? {
    if case .age(let seconds, let words)? = values[option.name]?.last { (seconds, words) } else { nil }
  }

  package func seconds(_ option: Option) -> Double? {
    if case .seconds(let seconds)? = values[option.name]?.last { seconds } else { nil }
  }
}
