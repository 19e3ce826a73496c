import CassetteMaintenance
import Cassettes
import MockServerConsole

/// The table of all commands and options, from which the parser, the help and the shell completions are derived.
extension Manual {
  static let groups: [(title: String, commands: [Command])] = [
    ("Serve and record", [initializing, serve, record, proxy, importing]),
    ("Edit and check", [list, check, scan, simulating, generating, exporting, schema]),
    ("Team", [diffing, gitting, verify, refresh, completions]),
    ("A running server", [journaling, steering, resetting, asking, agents]),
  ]
  static let commands = groups.flatMap(\.commands) + [help]

  /// The examples of the overview.
  static let firstExamples: KeyValuePairs = [
    "mockserver init && mockserver": "write a first cassette, and serve it on port 8080",
    "mockserver record --upstream https://api.github.com --cassette github.json":
      "record the requests that clients send to port 8080",
    "mockserver --openapi github.yaml --port 0": "answer from an OpenAPI document, on a free port",
    "mockserver check cassettes": "find mistakes in cassettes",
  ]

  // MARK: Commands

  static let initializing = Command(
    name: .initialize,
    summary: "Write a first cassette, a fixture and their README.",
    operand: Command.Operand(placeholder: "DIR", kind: .folder, count: 0...1),
    notes: ["Creates the folder, ./cassettes by default. Does not overwrite files."],
    examples: ["mockserver init": "then: mockserver"])

  static let serve = Command(
    name: .serve,
    summary: "Answer requests from cassettes and fixtures.",
    sections: [
      Command.Section(
        title: "Options",
        options: [
          cassettes, fixtures, match, host, port, keepLinks, speed, missStatus, log, logFormat, loops, loop, noWatch,
        ]),
      playback,
      specifications,
      Command.Section(title: "Secrets", options: [secret]),
      servingTLS,
      browsers,
      Command.Section(title: "The /__mock/ interface", options: controlling),
      Command.Section(
        title: "Limits",
        options: [maxRequestLine, maxHead, maxFields, maxBody, maxElements, idleTimeout, headTimeout, maxConnections]),
    ],
    notes: [
      "serve is the default command. When the server is ready it prints one line with its address to standard output; "
        + "everything else goes to standard error. SIGINT (Ctrl-C), SIGTERM and SIGHUP finish the requests in flight, "
        + "print the number of requests and the recordings that were never played, and exit 0; a second signal more "
        + "than two seconds after the first exits immediately.",
      "Clients receive stand-ins for secrets that were removed from a recording: always the same value, of the same "
        + "type. --secret puts the real value back into the responses of all cassettes, but never into a log, journal "
        + "or explanation.",
      specifying,
      logLines,
      trusting,
    ],
    examples: [
      "mockserver": "serve ./cassettes on port 8080",
      "mockserver --cassettes github.json --port 0": "one cassette, on a free port",
      "mockserver --log misses --miss-status 501": "print only misses",
      "mockserver --host 0.0.0.0": "accept connections from other machines",
      "mockserver --tls self-signed": "serve https; prints how to trust the certificate",
      "mockserver --openapi github.yaml": "an API without recordings",
      "mockserver --fixtures answers": "plain files, without cassettes",
    ])

  static let record = Command(
    name: .record,
    summary: "Forward requests to a live server and record the responses.",
    sections: [
      Command.Section(
        title: "Options",
        options: [
          upstream, cassette, missing, prune, keepFailures, durability, match, host, port, keepLinks, recordLog,
          logFormat, loops, loop,
        ]),
      Command.Section(title: "Secrets", options: [redact, keep, keepOpaque]),
      Command.Section(title: "The live server", options: [insecure, authority, certificate, key, timeout]),
      servingTLS,
      browsers,
    ],
    notes: [
      "Point a client to the printed address: its requests are forwarded to the upstream, and the responses are "
        + "returned and recorded without secrets. Every response is written to FILE.journal before the client has its "
        + "last byte, and flushed to the disk 100 ms later: it survives a crash of this process from the start, and a "
        + "power failure once it is flushed, or from the start with --durability power. SIGINT (Ctrl-C), SIGTERM and "
        + "SIGHUP merge the journal into the cassette and print the changes; a second signal more than two seconds "
        + "after the first exits immediately. After that, or after a crash, the next record or serve merges the "
        + "journal.",
      "The path of --upstream is prepended to request targets that do not begin with it, as targets of links in "
        + "responses do. A target is recorded as the client sent it, so the same request is answered on replay.",
      wayOut, passing,
      "A request that is sent again replaces its recording; other recordings stay and are listed at the end: --prune "
        + "removes them. If the upstream does not answer, the existing recording stays. The journal is merged into the "
        + "cassette as found when recording ends, so edits made in the meantime survive. Redirects are recorded, not "
        + "followed.",
      "A PLACE of --redact and --keep is header:NAME, query:NAME, form:NAME, json:PATH or value:TEXT, such as "
        + "json:$.account.iban. --redact json:$.account.iban=TEXT replaces the secret with TEXT, in the file and on "
        + "replay (the client that records gets the original). value:TEXT has no replacement: everything after the "
        + "colon is the value. A PLACE that matches nothing is reported at the end.",
      opaque,
      logLines,
      trusting,
    ],
    examples: [
      "mockserver record --upstream https://api.github.com --cassette github.json":
        "then: curl http://127.0.0.1:8080/users/octocat",
      "mockserver record --missing --upstream https://swapi.dev --cassette swapi.json":
        "replay recordings, record the other requests",
    ])

  static let schema = Command(
    name: .schema,
    summary: "Print the JSON Schema of cassettes, for editors.",
    notes: [
      "An editor with the schema completes keys, explains them and marks errors. Save it at the root of the repository: "
        + "the \"$schema\" of new cassettes refers to that file, or to a nearer file of the same name. mockserver check "
        + "is stricter: it also checks patterns, paths and times."
    ],
    examples: ["mockserver schema > cassette.schema.json": "save the schema for an editor"])

  static let completions = Command(
    name: .completions,
    summary: "Print completions for a shell.",
    operand: Command.Operand(placeholder: "bash|zsh|fish", kind: .choice(Shell.allCases.map(\.rawValue)), count: 1...1),
    examples: [
      "source <(mockserver completions bash)": "add to ~/.bashrc",
      "mockserver completions zsh > ~/.zfunc/_mockserver": "save to a folder of your $fpath",
      "mockserver completions fish > ~/.config/fish/completions/mockserver.fish": "for fish",
    ])

  static let help = Command(
    name: .help,
    summary: "Explain a command.",
    operand: Command.Operand(
      placeholder: "COMMAND", kind: .choice(Command.Name.allCases.map(\.rawValue) + [everyCommand]), count: 0...1),
    examples: [
      "mockserver help serve": "every option of serve",
      "mockserver help all": "the pages of all commands, and the exit codes",
    ])

  // MARK: Options

  static let cassettes = Option(
    "cassettes", .path, "DIR", standard: "./cassettes", repeats: true,
    help: "A folder of cassettes, or one cassette. May be repeated.")
  static let host = Option(
    "host", .text, "HOST", standard: "127.0.0.1",
    help: "The address to listen on. An address other than loopback accepts connections from other machines.")
  static let port = Option(
    "port", .number(0...65_535), "PORT", standard: "8080", help: "The port to listen on; 0 chooses a free port.")
  static let keepLinks = Option(
    "keep-links",
    help: "Keep links and cookies of the recorded origin unchanged instead of pointing them to this server.")
  static let speed = Option(
    "speed", .factor(0...1_000), "N", standard: "1",
    help: "Replay the pauses of recorded streams N times as fast; 0 skips them.")
  static let match = Option(
    "match", .choice(MatchLevel.allCases.map(\.rawValue)), standard: "careful",
    help: "How closely a request must match its recording; a cassette's own setting takes precedence.")
  static let missStatus = Option(
    "miss-status", .number(400...599), "STATUS", standard: "404",
    help: "The status of the response to a request without a matching recording.")
  static let log = Option(
    "log", .choice(["requests", "misses", "table", "none"]), standard: "requests",
    help: "The log to print: each request, misses only, a table that groups equal requests (with a status line on a "
      + "terminal), or none.")
  static let loops = Option(
    "loops", .number(1...64), "N", standard: "one per core",
    help: "The number of event loops that share the connections.")
  static let noWatch = Option("no-watch", help: "Do not reload cassettes and fixtures when they change.")

  static let maxRequestLine = Option(
    "max-request-line", .size(64...(1 << 20)), "SIZE", standard: "8K",
    help: "The longest request line; a longer one is answered with status 414.")
  static let maxHead = Option(
    "max-head", .size(256...(16 << 20)), "SIZE", standard: "64K",
    help: "The largest header section; a larger one is answered with status 431.")
  static let maxFields = Option(
    "max-fields", .number(1...10_000), "N", standard: "200",
    help: "The most header fields; more are answered with status 431.")
  static let maxBody = Option(
    "max-body", .size(0...(1 << 40)), "SIZE", standard: "64M",
    help: "The largest request body; a larger one is answered with status 413.")
  static let maxElements = Option(
    "max-elements", .number(1_000...(1 << 40)), "N", standard: "1000000",
    help: "The most values, fields or lines of a request body that are compared one by one. A body with more matches "
      + "only a recorded body with the same bytes.")
  static let idleTimeout = Option(
    "idle-timeout", .seconds(0.1...86_400), "SECONDS", standard: "75",
    help: "Connections that are idle for longer are closed.")
  static let headTimeout = Option(
    "head-timeout", .seconds(0.1...86_400), "SECONDS", standard: "10",
    help: "The time to receive a request head; a slower one is answered with status 408.")
  static let maxConnections = Option(
    "max-connections", .number(1...1_000_000), "N", standard: "10000",
    help: "The most open connections; further connections wait until another is closed.")

  static let upstream = Option(
    "upstream", .text, "URL", help: "The URL of the live server: scheme, host, and optionally a port and a path.")
  static let cassette = Option(
    "cassette", .path, "FILE", help: "The cassette to record into. It is created if it does not exist.")
  static let missing = Option(
    "missing", help: "Replay requests that have a recording, and forward only the others to the upstream.")
  static let prune = Option(
    "prune", help: "Remove recordings whose requests were not sent, at the end, if every request was answered.")
  static let keepFailures = Option(
    "keep-failures", help: "Record failures and incomplete responses, even if they replace a successful recording.")
  static let durability = Option(
    "durability", .choice(["process", "power"]), standard: "process",
    help: "The failure that a recording survives once the client has the response; power waits for the disk each time.")
  static let recordLog = Option(
    "log", .choice(["requests", "none"]), standard: "none", help: "The log to print: each request, or none.")
  static let insecure = Option("insecure", help: "Do not verify the upstream's certificate.")
  static let authority = Option(
    "ca", .path, "FILE", standard: "the system's store",
    help: "The certificates (PEM) of certificate authorities to trust.")
  static let certificate = Option("cert", .path, "FILE", help: "A client certificate (PEM), with its chain.")
  static let key = Option("key", .path, "FILE", help: "The private key (PEM) of --cert.")
  static let timeout = Option(
    "timeout", .seconds(0.1...86_400), "SECONDS", standard: "120",
    help: "How long to wait for data from the upstream before giving up.")
}

extension Intent {
  /// Parses the arguments of the program.
  init(_ arguments: [String]) throws(CommandError) { try self.init(arguments, of: Manual.commands) }
}

extension Help {
  /// Returns the overview page for new users.
  static func overview(_ style: Style) -> String {
    var text = "mockserver answers HTTP requests from recordings kept in files.\n\n"
    text += heading("Examples", style)
    for (line, does) in Manual.firstExamples { text += "  \(style.dim("# \(does)"))\n  \(line)\n" }
    for group in Manual.groups {
      text += "\n" + heading(group.title, style)
      for command in group.commands { text += row(command.name.rawValue, command.summary) }
    }
    return text
      + "\nOptions and examples of a command: mockserver help COMMAND\nAll commands and exit codes: mockserver help all\n"
  }

  /// Returns the overview, the pages of all commands, and the exit codes.
  static func all(_ style: Style) -> String {
    var text = overview(style)
    for command in Manual.commands {
      text += "\n" + style.bold("mockserver \(command.name.rawValue)") + "\n\n" + page(of: command, style)
    }
    text += "\n" + heading("Exit codes", style)
    for code in ExitCode.allCases { text += row("\(code.rawValue)", code.meaning) }
    return text
  }
}
