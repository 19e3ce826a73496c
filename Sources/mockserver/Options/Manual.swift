import CassetteMaintenance
import Cassettes
import MockServerConsole

/// The table of all commands and options, from which the parser, the help and the shell completions are derived.
extension Manual {
  static let commands: [Command] = [
    serve, record, proxy, check, list, importing, exporting, simulating, generating, scan, verify, refresh,
    diffing, gitting, agents, journaling, resetting, asking, schema, completions, help,
  ]

  // MARK: Commands

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
        options: [maxRequestLine, maxHead, maxFields, maxBody, idleTimeout, headTimeout, maxConnections]),
    ],
    notes: [
      "Serve is what mockserver does when no command is named. When it is ready it prints one line to standard output, "
        + "with the address; everything else goes to standard error. SIGINT (Ctrl-C), SIGTERM and SIGHUP finish the "
        + "requests in flight, print what was asked and what was never played, and exit 0; a signal more than two seconds "
        + "after the first exits at once.",
      "In the place of secrets that were taken out clients get stand-ins of the same type, always the same. --secret puts "
        + "a real one back in all cassettes, and in no log, journal or explanation.",
      specifying,
      logLines,
      trusting,
    ],
    examples: [
      "mockserver": "serve ./cassettes on port 8080",
      "mockserver --cassettes github.json --port 0": "one cassette, on a free port",
      "mockserver --log misses --miss-status 501": "print only misses",
      "mockserver --host 0.0.0.0": "let other machines in",
      "mockserver --tls self-signed": "https, and how to trust it",
      "mockserver --openapi github.yaml": "an API that nobody has recorded",
      "mockserver --fixtures answers": "plain files, without cassettes",
    ])

  static let record = Command(
    name: .record,
    summary: "Ask a live server, and record what it answers.",
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
      "Point a client to the address that is printed: what it asks goes to the upstream, and the answer comes back and is "
        + "recorded, secrets taken out. Every answer is written to FILE.journal before the client has the last byte of "
        + "it, and on the disk 100 ms later: it survives the end of this process at once, and a loss of power from "
        + "then on, or at once with --durability power. SIGINT (Ctrl-C), SIGTERM and SIGHUP "
        + "merge the journal into the cassette and say what changed; a signal more than two seconds after the first exits "
        + "at once. After that, or a crash, the next record or serve merges the journal.",
      "The path of --upstream is put before the targets that do not begin with it, as those of links in answers do; a "
        + "target is recorded as the client asked for it, and answers the same again.",
      wayOut, passing,
      "What is asked again is recorded anew; what is not asked stays, and is listed at the end: --prune removes it. Where "
        + "the upstream gives no answer, what was recorded stays. The cassette is merged into as it is when recording "
        + "ends: an edit made meanwhile survives. Redirects are recorded, not followed.",
      "A PLACE of --redact and --keep is header:NAME, query:NAME, form:NAME, json:PATH or value:TEXT, such as "
        + "json:$.account.iban. --redact json:$.account.iban=TEXT puts TEXT in the place of the secret, in the file and "
        + "in what plays it (who records gets what was sent); of value:TEXT all is the value. A place that finds nothing is named at the end.",
      opaque,
      logLines,
      trusting,
    ],
    examples: [
      "mockserver record --upstream https://api.github.com --cassette github.json":
        "then: curl http://127.0.0.1:8080/users/octocat",
      "mockserver record --missing --upstream https://swapi.dev --cassette swapi.json":
        "play what is recorded, ask for the rest",
    ])

  static let schema = Command(
    name: .schema,
    summary: "Print the JSON Schema of cassettes, for editors.",
    notes: [
      "An editor that knows the schema offers the keys, explains them and points at what is wrong. Save it at the root of "
        + "the repository: there the \"$schema\" of new cassettes points, or to a nearer file of that name. "
        + "mockserver check is stricter: it also looks at patterns, paths and times."
    ],
    examples: ["mockserver schema > cassette.schema.json": "a file for the editor"])

  static let completions = Command(
    name: .completions,
    summary: "Print completions for a shell.",
    operand: Command.Operand(placeholder: "bash|zsh|fish", kind: .choice(Shell.allCases.map(\.rawValue)), count: 1...1),
    examples: [
      "source <(mockserver completions bash)": "in ~/.bashrc",
      "mockserver completions zsh > ~/.zfunc/_mockserver": "a folder of your $fpath",
      "mockserver completions fish > ~/.config/fish/completions/mockserver.fish": "for fish",
    ])

  static let help = Command(
    name: .help,
    summary: "Explain a command.",
    operand: Command.Operand(
      placeholder: "COMMAND", kind: .choice(Command.Name.allCases.map(\.rawValue)), count: 0...1),
    examples: ["mockserver help serve": "every option of serve"])

  // MARK: Options

  static let cassettes = Option(
    "cassettes", .path, "DIR", standard: "./cassettes", repeats: true,
    help: "A folder of cassettes, or one cassette. May be repeated.")
  static let host = Option(
    "host", .text, "HOST", standard: "127.0.0.1",
    help: "The address to listen on. Any but a loopback address lets other machines in.")
  static let port = Option(
    "port", .number(0...65_535), "PORT", standard: "8080", help: "The port to listen on; 0 takes one that is free.")
  static let keepLinks = Option(
    "keep-links", help: "Leave links to the recorded origin as they are, instead of pointing them to this server.")
  static let speed = Option(
    "speed", .factor(0...1_000), "N", standard: "1",
    help: "Play the gaps in recorded streams N times as fast; 0 leaves them out.")
  static let match = Option(
    "match", .choice(MatchLevel.allCases.map(\.rawValue)), standard: "careful",
    help: "How like its recording a request has to be; what a cassette says of itself wins.")
  static let missStatus = Option(
    "miss-status", .number(400...599), "STATUS", standard: "404", help: "The status of a request no recording answers.")
  static let log = Option(
    "log", .choice(["requests", "misses", "table", "none"]), standard: "requests",
    help: "What to print of the traffic; table counts what repeats, and keeps a line of status on a terminal.")
  static let loops = Option(
    "loops", .number(1...64), "N", standard: "one a core", help: "Event loops that share the connections.")
  static let noWatch = Option("no-watch", help: "Do not reload cassettes and fixtures when they change.")

  static let maxRequestLine = Option(
    "max-request-line", .size(64...(1 << 20)), "SIZE", standard: "8K", help: "A longer request line is answered 414.")
  static let maxHead = Option(
    "max-head", .size(256...(16 << 20)), "SIZE", standard: "64K", help: "A larger header section is answered 431.")
  static let maxFields = Option(
    "max-fields", .number(1...10_000), "N", standard: "200", help: "More header fields are answered 431.")
  static let maxBody = Option(
    "max-body", .size(0...(1 << 40)), "SIZE", standard: "64M", help: "A larger body is answered 413.")
  static let idleTimeout = Option(
    "idle-timeout", .seconds(0.1...86_400), "SECONDS", standard: "75", help: "A connection idle for longer is closed.")
  static let headTimeout = Option(
    "head-timeout", .seconds(0.1...86_400), "SECONDS", standard: "10", help: "A slower request head is answered 408.")
  static let maxConnections = Option(
    "max-connections", .number(1...1_000_000), "N", standard: "10000",
    help: "More connections wait until one is closed.")

  static let upstream = Option(
    "upstream", .text, "URL", help: "The live server: scheme, host, perhaps a port and a path.")
  static let cassette = Option("cassette", .path, "FILE", help: "The cassette to record into. It need not exist.")
  static let missing = Option("missing", help: "Play what is recorded, and ask the upstream only for the rest.")
  static let prune = Option(
    "prune", help: "Remove the recordings that nothing asked for, at the end, if every request was answered.")
  static let keepFailures = Option(
    "keep-failures", help: "Let a failure, or an answer that broke off, take the place of what was recorded.")
  static let durability = Option(
    "durability", .choice(["process", "power"]), standard: "process",
    help: "What a recording survives once its client has it; power waits for the disk each time.")
  static let recordLog = Option(
    "log", .choice(["requests", "none"]), standard: "none", help: "What to print of the traffic.")
  static let insecure = Option("insecure", help: "Do not check the upstream's certificate.")
  static let authority = Option(
    "ca", .path, "FILE", standard: "the system's", help: "Certificates (PEM) of authorities to trust.")
  static let certificate = Option("cert", .path, "FILE", help: "A client certificate (PEM), with its chain.")
  static let key = Option("key", .path, "FILE", help: "The private key (PEM) of --cert.")
  static let timeout = Option(
    "timeout", .seconds(0.1...86_400), "SECONDS", standard: "120",
    help: "An upstream that says nothing for longer is given up.")
}

extension Intent {
  /// Parses the arguments of the program.
  init(_ arguments: [String]) throws(CommandError) { try self.init(arguments, of: Manual.commands) }
}
