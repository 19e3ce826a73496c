/// A parsed command line.
enum Invocation: Equatable {
  case help
  case list([String], [String])
  case check([String])
  case record(mode: String, filters: [String], prunes: Bool)

  private static let seeHelp = "See swift package cassettes --help"
  private static let names = ["list", "check", "record", "help"]

  /// Parses the arguments after `swift package cassettes`.
  ///
  /// A ``Failure`` suggests the correct spelling.
  init(_ arguments: [String]) throws {
    guard let name = arguments.first, name != "help", !arguments.contains("--help"), !arguments.contains("-h") else {
      self = .help
      return
    }
    var rest = Array(arguments.dropFirst())
    switch name {
    case "list":
      self = .list(try Self.take(["--json"], from: &rest, of: name), rest)
    case "check":
      _ = try Self.take([], from: &rest, of: name)
      self = .check(rest)
    case "record":
      let filters = try Self.takeFilters(from: &rest)
      let options = try Self.take(["--missing", "--prune"], from: &rest, of: name, beside: ["--filter"])
      guard rest.isEmpty else {
        throw Failure("record does not take \"\(rest[0])\", did you mean --filter \(rest[0])? \(Self.seeHelp)")
      }
      let prunes = options.contains("--prune")
      guard !prunes || filters.isEmpty else {
        throw Failure("--prune requires every test to run, and --filter excludes some. \(Self.seeHelp)")
      }
      self = .record(
        mode: options.contains("--missing") ? "record-missing" : "record", filters: filters, prunes: prunes)
    default:
      throw Failure("there is no command \"\(name)\"\(Self.hint(name, Self.names)) \(Self.seeHelp)")
    }
  }

  /// Removes the options from the arguments and returns them.
  private static func take(
    _ known: [String], from arguments: inout [String], of command: String, beside others: [String] = []
  ) throws -> [String] {
    let options = arguments.filter { $0.hasPrefix("-") }
    for option in options where !known.contains(option) {
      let meant = hint(option, known + others + ["--help"])
      throw Failure("\(command) has no option \(option)\(meant) \(Self.seeHelp)")
    }
    arguments.removeAll { $0.hasPrefix("-") }
    return options
  }

  /// Removes all `--filter X` and `--filter=X` from the arguments and returns their values.
  private static func takeFilters(from arguments: inout [String]) throws -> [String] {
    var filters: [String] = []
    var rest: [String] = []
    var left = arguments[...]
    while let argument = left.popFirst() {
      if argument == "--filter" {
        guard let filter = left.popFirst() else {
          throw Failure("--filter requires the name of a test, like swift test --filter")
        }
        filters.append(filter)
      } else if argument.hasPrefix("--filter=") {
        filters.append(String(argument.dropFirst("--filter=".count)))
      } else {
        rest.append(argument)
      }
    }
    arguments = rest
    return filters
  }

  /// Returns a suggestion with the most similar word, or a full stop if none is similar.
  private static func hint(_ word: String, _ words: [String]) -> String {
    let near = words.map { ($0, distance(Array(word.lowercased()), Array($0))) }.min { $0.1 < $1.1 }
    guard let (meant, distance) = near, distance <= max(2, meant.count / 3) else { return "." }
    return ", did you mean \(meant)?"
  }

  /// Returns the edit distance: the number of characters to insert, delete or replace.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var last = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        current.append(min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1)))
      }
      last = current
    }
    return last[second.count]
  }
}
