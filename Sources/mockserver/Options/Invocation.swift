/// The request of a command line: help, the version, or a command to run.
enum Intent: Sendable {
  case help(Command?)
  case version
  case run(Invocation)
}

/// A command with the values it was given.
struct Invocation: Sendable {
  let command: Command
  var operands: [String] = []
  private var values: [String: [Value]] = [:]

  init(_ command: Command) {
    self.command = command
  }

  /// Keeps a value; the last one of an option that does not repeat wins, so that a script's default can be overridden.
  mutating func set(_ option: Option, to value: Value) {
    values[option.name] = option.repeats ? values[option.name, default: []] + [value] : [value]
  }

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  func text(_ option: Option) -> String? { texts(option).last }

  func texts(_ option: Option) -> [String] {
    (values[option.name] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  func number(_ option: Option) -> Int? {
    if case .number(let number)? = values[option.name]?.last { number } else { nil }
  }

  func factor(_ option: Option) -> Double? {
    if case .factor(let factor)? = values[option.name]?.last { factor } else { nil }
  }

  func age(_ option: Option) -> (seconds: Double, words: String)? {
    if case .age(let seconds, let words)? = values[option.name]?.last { (seconds, words) } else { nil }
  }

  func seconds(_ option: Option) -> Double? {
    if case .seconds(let seconds)? = values[option.name]?.last { seconds } else { nil }
  }
}
