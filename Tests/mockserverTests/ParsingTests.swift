import CassetteMaintenance
import Testing

@testable import MockServerConsole
@testable import mockserver

/// Parsing of command lines.
struct ParsingTests {
  struct Line: Sendable, CustomTestStringConvertible {
    let words: String
    let means: String
    var testDescription: String { words.isEmpty ? "nothing" : words }

    init(_ words: String, means: String) {
      self.words = words
      self.means = means
    }
  }

  @Test(arguments: [
    Line("", means: "serve"),
    Line("serve", means: "serve"),
    Line("--port 0", means: "serve port=0"),
    Line("--port=0", means: "serve port=0"),
    Line("serve --port 1 --port 2", means: "serve port=2"),
    Line("--cassettes a --cassettes=b", means: "serve cassettes=a,b"),
    Line("--cassettes=a=b", means: "serve cassettes=a=b"),
    Line("./tapes --port 0", means: "serve cassettes=./tapes port=0"),
    Line("--fixtures f --host ::1", means: "serve fixtures=f host=::1"),
    Line("--keep-links --no-watch --no-admin", means: "serve keep-links no-watch no-admin"),
    Line("--log misses --miss-status 501 --loops 2", means: "serve miss-status=501 log=misses loops=2"),
    Line("--loop dispatch", means: "serve loop=dispatch"),
    Line("--log-format json", means: "serve log-format=json"),
    Line("--admin-token=--secret", means: "serve admin-token=--secret"),
    Line("--admin-token -secret", means: "serve admin-token=-secret"),
    Line("--max-request-line 4K --max-head 32KB", means: "serve max-request-line=4096 max-head=32768"),
    Line("--max-fields 50 --max-body 1MiB", means: "serve max-fields=50 max-body=1048576"),
    Line("--max-body 1g", means: "serve max-body=1073741824"),
    Line("--idle-timeout 5 --head-timeout 0.5s", means: "serve idle-timeout=5.0 head-timeout=0.5"),
    Line("--max-connections 10", means: "serve max-connections=10"),
    Line("check a b", means: "check a b"),
    Line("check -- --odd-name -h", means: "check --odd-name -h"),
    Line("check -", means: "check -"),
    Line("list", means: "list"),
    Line("list a --json b --fixtures f", means: "list json fixtures=f a b"),
    Line("completions zsh", means: "completions zsh"),
    Line("--help", means: "help"),
    Line("-h", means: "help"),
    Line("help", means: "help"),
    Line("help check", means: "help check"),
    Line("check --help", means: "help check"),
    Line("serve --prot 1 -h", means: "help serve"),
    Line("--version", means: "version"),
    Line("list --version", means: "version"),
  ])
  func `a command line is parsed into a command, its options and its operands`(line: Line) throws {
    #expect(try describe(Intent(line.words.split(separator: " ").map(String.init))) == line.means)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let words: String
    let message: String
    let hint: String
    var testDescription: String { words }

    init(_ words: String, _ message: String, hint: String) {
      self.words = words
      self.message = message
      self.hint = hint
    }
  }

  @Test(arguments: [
    Mistake(
      "--prot 1", "unknown option \"--prot\"", hint: "Did you mean \"--port\"? See: mockserver help serve"),
    Mistake(
      "-port 1", "unknown option \"-port\"", hint: "Did you mean \"--port\"? See: mockserver help serve"),
    Mistake("-p 1", "unknown option \"-p\"", hint: "Did you mean \"--port\"? See: mockserver help serve"),
    Mistake("-m", "unknown option \"-m\"", hint: "See: mockserver help serve"),
    Mistake(
      "--casettes=x", "unknown option \"--casettes\"",
      hint: "Did you mean \"--cassettes\"? See: mockserver help serve"),
    Mistake("--frobnicate", "unknown option \"--frobnicate\"", hint: "See: mockserver help serve"),
    Mistake(
      "list --keep-links", "unknown option \"--keep-links\"",
      hint: "It is an option of serve. See: mockserver help list"),
    Mistake("srve", "unknown command \"srve\"", hint: "Did you mean \"serve\"? See: mockserver help"),
    Mistake("frobnicate", "unknown command \"frobnicate\"", hint: "See: mockserver help"),
    Mistake(
      "github.json", "unknown command \"github.json\"",
      hint: "To serve it, type: mockserver --cassettes github.json"),
    Mistake("a.har", "unknown command \"a.har\"", hint: "To serve it, type: mockserver --cassettes a.har"),
    Mistake(
      "cassettes", "unknown command \"cassettes\"", hint: "To serve it, type: mockserver --cassettes cassettes"),
    Mistake(
      "serve tapes", "serve takes no arguments, but was given \"tapes\"",
      hint: "To serve it, type: mockserver --cassettes tapes"),
    Mistake(
      "record http://localhost:9", "record takes no arguments, but was given \"http://localhost:9\"",
      hint: "For the URL of a live server, type: mockserver record --upstream http://localhost:9"),
    Mistake(
      "https://a.test", "unknown command \"https://a.test\"",
      hint: "To record the server, type: mockserver record --upstream https://a.test"),
    Mistake(
      "--port 1 check", "serve takes no arguments, but was given \"check\"",
      hint: "The command comes first: mockserver check ..."),
    Mistake("--port", "--port needs a value: --port PORT", hint: "See: mockserver help serve"),
    Mistake("--port=", "--port needs a value: --port PORT", hint: "See: mockserver help serve"),
    Mistake(
      "--port --host x", "--port needs a value, but --host follows: --port PORT", hint: "See: mockserver help serve"),
    Mistake("--keep-links=yes", "--keep-links takes no value", hint: "See: mockserver help serve"),
    Mistake(
      "--port 65536", "--port is a whole number from 0 to 65535, not \"65536\"", hint: "For instance: --port 8080"),
    Mistake("--port -1", "--port is a whole number from 0 to 65535, not \"-1\"", hint: "For instance: --port 8080"),
    Mistake("--port http", "--port is a whole number from 0 to 65535, not \"http\"", hint: "For instance: --port 8080"),
    Mistake(
      "--miss-status 200", "--miss-status is a whole number from 400 to 599, not \"200\"",
      hint: "For instance: --miss-status 404"),
    Mistake("--loops 0", "--loops is a whole number from 1 to 64, not \"0\"", hint: "For instance: --loops 2"),
    Mistake(
      "--log requets", "--log is requests, misses, table or none, not \"requets\"", hint: "Did you mean \"requests\"?"),
    Mistake("--log-format jsn", "--log-format is text or json, not \"jsn\"", hint: "Did you mean \"json\"?"),
    Mistake("--log everything", "--log is requests, misses, table or none, not \"everything\"", hint: ""),
    Mistake(
      "--max-body 3X", "--max-body is a size from 0 B to 1 TB, such as 8192, 64K or 64M, not \"3X\"",
      hint: "For instance: --max-body 64M"),
    Mistake(
      "--max-body 99999999999G",
      "--max-body is a size from 0 B to 1 TB, such as 8192, 64K or 64M, not "
        + "\"99999999999G\"", hint: "For instance: --max-body 64M"),
    Mistake(
      "--idle-timeout nan",
      "--idle-timeout is a number of seconds from 0.1 to 86400, such as 10 or 0.5, not \"nan\"",
      hint: "For instance: --idle-timeout 75"),
    Mistake("check", "check needs PATH", hint: "For instance: mockserver check cassettes"),
    Mistake(
      "completions", "completions needs bash|zsh|fish", hint: "For instance: source <(mockserver completions bash)"),
    Mistake(
      "completions fis", "completions takes bash, zsh or fish, not \"fis\"; did you mean \"fish\"?",
      hint: "See: mockserver help completions"),
    Mistake(
      "completions zsh fish", "completions takes one argument, but was also given \"fish\"",
      hint: "See: mockserver help completions"),
    Mistake(
      "help sevre",
      "help takes init, serve, record, proxy, check, list, import, export, simulate, generate, scan, verify, refresh, diff, git, mcp, journal, control, reset, health, schema, completions, help or all, not \"sevre\"; did you mean \"serve\"?",
      hint: "See: mockserver help help"),
  ])
  func `a mistake in a command line is explained with a hint of what to type`(mistake: Mistake) {
    let error = #expect(throws: CommandError.self) {
      try Intent(mistake.words.split(separator: " ").map(String.init))
    }
    #expect(error?.code == .usage)
    #expect(error?.message == mistake.message)
    #expect(error?.hint ?? "" == mistake.hint)
  }

  @Test(arguments: Manual.commands.flatMap { command in command.options.map { (command.name, $0.name) } })
  func `every option is parsed with its value after a space and after an equals sign`(
    command: Command.Name, name: String
  ) throws {
    let manual = try #require(Manual.commands.first { $0.name == command })
    let option = try #require(manual.options.first { $0.name == name })
    let operand = Array(repeating: "x", count: manual.operand?.count.lowerBound ?? 0)
    guard option.kind != .flag else {
      #expect(try invocation([command.rawValue, option.flag] + operand).has(option))
      return
    }
    let value =
      switch option.kind {
      case .choice(let choices): choices[0]
      case .number(let range), .size(let range): "\(range.upperBound)"
      case .seconds(let range): "\(range.lowerBound)"
      case .factor(let range): "\(range.lowerBound)"
      case .age: "90d"
      case .flag, .text, .path, .folder: "x"
      }
    #expect(try invocation([command.rawValue, "\(option.flag)=\(value)"] + operand).has(option))
    #expect(try invocation([command.rawValue, option.flag, value] + operand).has(option))
  }

  @Test func `the default that an option prints is a valid value of the option`() throws {
    for option in Manual.commands.flatMap(\.options) {
      guard let standard = option.standard, !standard.contains(" ") else { continue }
      #expect(throws: Never.self) { try option.read(standard) }
    }
  }

  @Test func `an error is printed as one line, followed by its indented hint`() {
    let error = CommandError(.usage, "what and where", hint: "do this\nor that")
    #expect(error.text(.plain) == "mockserver: error: what and where\n  do this\n  or that\n")
    #expect(CommandError(.usage, "what").text(Style(colors: true)) == "mockserver: \u{1B}[31;1merror:\u{1B}[0m what\n")
  }

  private func invocation(_ words: [String]) throws -> Invocation {
    guard case .run(let invocation) = try Intent(words) else {
      throw CommandError(.usage, "not a command to run")
    }
    return invocation
  }

  /// Returns the command, its values in the order of the table, and its operands.
  private func describe(_ intent: Intent) -> String {
    switch intent {
    case .version: return "version"
    case .helpAll: return "help all"
    case .help(let command): return (["help"] + (command.map { [$0.name.rawValue] } ?? [])).joined(separator: " ")
    case .run(let invocation):
      let values = invocation.command.options.filter(invocation.has).map { option in
        switch option.kind {
        case .flag: option.name
        case .number, .size: "\(option.name)=\(invocation.number(option) ?? -1)"
        case .seconds: "\(option.name)=\(invocation.seconds(option) ?? -1)"
        case .age: "\(option.name)=\(invocation.age(option)?.seconds ?? -1)"
        case .factor: "\(option.name)=\(invocation.factor(option) ?? -1)"
        case .text, .path, .folder, .choice:
          "\(option.name)=\(invocation.texts(option).joined(separator: ","))"
        }
      }
      return ([invocation.command.name.rawValue] + values + invocation.operands).joined(separator: " ")
    }
  }
}
