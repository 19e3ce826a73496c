internal import CassetteSystem
import Cassettes

extension Intent {
  /// Parses the arguments of the program.
  ///
  /// Without the name of a command, the default is ``Manual/standard`` if it is available.
  package init(_ arguments: [String], of commands: [Command]) throws(CommandError) {
    var words = arguments[...]
    var command = commands.first { $0.name == Manual.standard }
    var isNamed = false
    if let first = words.first, !first.hasPrefix("-") {
      if let named = commands.first(where: { $0.name.rawValue == first }) {
        command = named
        isNamed = true
        words.removeFirst()
      } else if first.contains("/"), !first.contains("://"),
        let cassettes = command?.options.first(where: { $0.name == "cassettes" })
      {
        // A path instead of a command names the cassettes to serve.
        words = [cassettes.flag] + words
      } else {
        throw .unknownCommand(first, of: commands)
      }
    }
    // Help is shown even if the rest of the command line is invalid.
    let beforeDashes = words.prefix { $0 != "--" }
    if beforeDashes.contains(where: { $0 == "-h" || $0 == Manual.helpOption.flag }) {
      self = .help(isNamed ? command : nil)
    } else if beforeDashes.contains(Manual.versionOption.flag) {
      self = .version
    } else if let command {
      let invocation = try Invocation(command, reading: words, of: commands)
      if command.name == .help {
        let named = invocation.operands.first
        self = named == Manual.everyCommand ? .helpAll : .help(commands.first { $0.name.rawValue == named })
      } else {
        self = .run(invocation)
      }
    } else {
      self = .help(nil)
    }
  }
}

extension Invocation {
  fileprivate init(
    _ command: Command, reading arguments: ArraySlice<String>, of commands: [Command]
  ) throws(CommandError) {
    self.init(command)
    var words = arguments
    var optionsEnded = false
    while let word = words.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        try add(operand: word)
      } else if word == "--" {
        optionsEnded = true
      } else {
        let (flag, inline) = Invocation.split(word)
        guard let option = command.options.first(where: { $0.flag == flag }) else {
          throw .unknownOption(flag, of: command, among: commands)
        }
        set(option, to: try Invocation.value(of: option, inline: inline, in: &words, of: command))
      }
    }
    if let operand = command.operand, operands.count < operand.count.lowerBound {
      throw .usage(
        "\(command.name.rawValue) needs \(operand.placeholder)", of: command,
        hint: command.examples.first.map { "For instance: \($0.line)" })
    }
  }

  /// Splits an argument such as `--port=8080` at the equals sign.
  private static func split(_ word: String) -> (flag: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private static func value(
    of option: Option, inline: String?, in words: inout ArraySlice<String>, of command: Command
  ) throws(CommandError) -> Value {
    if option.kind == .flag {
      guard inline == nil else { throw .usage("\(option.flag) takes no value", of: command) }
      return .flag
    }
    guard let text = inline ?? words.first, !text.isEmpty else {
      throw .usage("\(option.flag) needs a value: \(option.synopsis)", of: command)
    }
    if inline == nil {
      // An argument that begins with dashes is the next option. Such a value can be given after "=".
      guard !text.hasPrefix("--") else {
        throw .usage("\(option.flag) needs a value, but \(text) follows: \(option.synopsis)", of: command)
      }
      words.removeFirst()
    }
    return try option.read(text)
  }

  private mutating func add(operand text: String) throws(CommandError) {
    let name = command.name.rawValue
    guard let operand = command.operand else {
      let hint =
        if Command.Name(rawValue: text) != nil {
          "The command comes first: mockserver \(text) ..."
        } else if text.contains("://"), command.options.contains(where: { $0.flag == "--upstream" }) {
          "For the URL of a live server, type: mockserver \(name) --upstream \(ShellWord.path(text))"
        } else if command.name == .serve {
          "To serve it, type: mockserver --cassettes \(ShellWord.path(text))"
        } else {
          "See: mockserver help \(name)"
        }
      throw CommandError(.usage, "\(name) takes no arguments, but was given \"\(text)\"", hint: hint)
    }
    guard operands.count < operand.count.upperBound else {
      throw .usage("\(name) takes one argument, but was also given \"\(text)\"", of: command)
    }
    if case .choice(let choices) = operand.kind, !choices.contains(text) {
      let suggestion = nearest(to: text, among: choices).map { "; did you mean \"\($0)\"?" } ?? ""
      throw .usage("\(name) takes \(series(choices, "or")), not \"\(text)\"\(suggestion)", of: command)
    }
    operands.append(text)
  }
}

extension CommandError {
  package static func usage(_ message: String, of command: Command, hint: String? = nil) -> CommandError {
    CommandError(.usage, message, hint: hint ?? "See: mockserver help \(command.name.rawValue)")
  }

  fileprivate static func unknownCommand(_ word: String, of commands: [Command]) -> CommandError {
    let hint =
      if word.contains("://") {
        "To record the server, type: mockserver record --upstream \(ShellWord.path(word))"
      } else if word.contains(".") || word == "cassettes" {
        "To serve it, type: mockserver --cassettes \(ShellWord.path(word))"
      } else if let near = nearest(to: word, among: commands.map(\.name.rawValue)) {
        "Did you mean \"\(near)\"? See: mockserver help"
      } else {
        "See: mockserver help"
      }
    return CommandError(.usage, "unknown command \"\(word)\"", hint: hint)
  }

  fileprivate static func unknownOption(
    _ flag: String, of command: Command, among commands: [Command]
  ) -> CommandError {
    let known = command.options + Manual.everywhere
    let typed = flag.drop { $0 == "-" }
    var near = nearest(to: String(typed), among: known.map(\.name))
    if typed.count == 1 {
      // A single letter is too short for spelling correction, but may be the first letter of an option.
      let beginning = known.filter { $0.name.hasPrefix(typed) }
      near = beginning.count == 1 ? beginning[0].name : nil
    }
    let owner = commands.first { $0.options.contains { $0.name == typed } }
    let help = "See: mockserver help \(command.name.rawValue)"
    let hint =
      if let near {
        "Did you mean \"--\(near)\"? \(help)"
      } else if let owner {
        "It is an option of \(owner.name.rawValue). \(help)"
      } else {
        help
      }
    return CommandError(.usage, "unknown option \"\(flag)\"", hint: hint)
  }
}
