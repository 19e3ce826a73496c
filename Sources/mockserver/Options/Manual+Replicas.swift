import MockServerConsole

/// The commands for running servers and for coding agents.
extension Manual {
  static let journaling = Command(
    name: .journal,
    summary: "Print the journals of running servers.",
    sections: [Command.Section(title: "Options", options: [servers, all, session, jsonReport])],
    notes: [
      "Prints a table: the time, method, URL, status and recording of each request. With --all the journals of all "
        + "servers are merged in the order of their times, and each entry names its server. Without --servers the environment variable MOCKSERVER_SERVERS lists the servers; the "
        + "default is http://127.0.0.1:8080. MOCKSERVER_ADMIN_TOKEN is their token. If a server does not answer, it is "
        + "named and the exit code is 69."
    ],
    examples: ["mockserver journal --all --servers http://a:8080,http://b:8080": "merge the journals of two servers"])

  static let steering = Command(
    name: .control,
    summary: "Send a call of the /__mock/ interface to running servers.",
    operand: Command.Operand(placeholder: "METHOD PATH [JSON]", kind: .text, count: 2...3),
    sections: [Command.Section(title: "Options", options: [servers, all])],
    notes: [
      "PATH follows /__mock/: interactions, settings, scenarios/NAME, verify. The page \"Steering\" and "
        + "GET openapi.json describe the calls. Prints the response; with --all, one object with the response of each "
        + "server. If a server refuses, the exit code is 1. Servers are chosen as for mockserver journal.",
      "With --all, verify adds the counts of all servers, and an order must have been received by one server.",
    ],
    examples: [
      #"mockserver control --all PUT settings '{"latency": "200ms"}'"#: "delay the responses of all servers",
      #"mockserver control POST verify '{"request": {"method": "GET", "url": "/a"}}'"#: "was GET /a received?",
    ])

  static let resetting = Command(
    name: .reset,
    summary: "Reset the positions, scenarios and journal of running servers.",
    sections: [Command.Section(title: "Options", options: [servers, all, session])],
    notes: ["Servers are chosen as for mockserver journal. With --session only that session is reset."],
    examples: ["mockserver reset --all": "reset every server in MOCKSERVER_SERVERS"])

  static let asking = Command(
    name: .health,
    summary: "Check the health of a running server: exits 0 if healthy, else 1.",
    operand: Command.Operand(placeholder: "URL", kind: .text, count: 0...1),
    notes: [
      "For HEALTHCHECK in an image without curl. The default URL is http://127.0.0.1:8080; with MOCKSERVER_ADMIN_TOKEN "
        + "the output includes counts. A server that sends nothing for 5 seconds is unhealthy."
    ],
    examples: ["mockserver health http://127.0.0.1:8091": "check one of several servers"])

  static let agents = Command(
    name: .mcp,
    summary: "Serve, and offer tools to a coding agent over standard input and output.",
    sections: [Command.Section(title: "Options", options: [cassettes, upstreams, mcpPort, servers])],
    notes: [
      "Speaks the Model Context Protocol (JSON-RPC, one message per line). It starts a server on 127.0.0.1, or uses the "
        + "servers of --servers, which must serve the same cassettes. Its tools list recordings, explain misses, accept "
        + "misses with the smallest edit, record, verify, check and scan. It writes only to the folders of --cassettes, "
        + "and contacts only the live servers of --upstream. Bodies are returned as data, with secrets masked."
    ],
    examples: [
      "mockserver mcp --cassettes Tests/Cassettes": "the command for an agent's configuration",
      "mockserver mcp --upstream https://api.github.com": "allow recording from this server",
    ])

  static let servers = Option(
    "servers", .text, "URL,URL", repeats: true,
    help: "The URLs of running servers, separated by commas. May be repeated.")
  static let all = Option("all", help: "Use all servers instead of only the first.")
  static let session = Option("session", .text, "NAME", help: "Only the session with this X-Mock-Session.")
  static let upstreams = Option(
    "upstream", .text, "URL", repeats: true, help: "A live server that tools may contact. May be repeated.")
  static let mcpPort = Option(
    "port", .number(0...65_535), "PORT", standard: "0", help: "The port to listen on; 0 chooses a free port.")

  // MARK: The forward proxy command

  static let proxy = Command(
    name: .proxy,
    summary: "Record requests to any server as an HTTP proxy.",
    sections: [
      Command.Section(
        title: "Options",
        options: [
          cassette, missing, prune, keepFailures, durability, offline, match, allowedOrigin, host, port, recordLog,
          logFormat, loops, loop,
        ]),
      Command.Section(title: "Secrets", options: [redact, keep, keepOpaque]),
      Command.Section(title: "The live servers", options: [insecure, authority, certificate, key, timeout]),
      Command.Section(title: "Https", options: [tlsFolder]),
    ],
    notes: [
      "Set HTTP_PROXY and HTTPS_PROXY to the printed address: each request is forwarded to the server that it names, "
        + "and the response is returned and recorded without secrets. One cassette holds the exchanges with all "
        + "servers. With --missing, requests that have a recording are replayed and only the others forwarded; with "
        + "--offline nothing is forwarded.",
      "A tunnel (CONNECT) ends at this proxy, because its content could not be recorded otherwise: the client gets a "
        + "certificate issued by this machine's certificate authority, ca.pem, which the client must trust. The command "
        + "to do so is printed. Never share authority.pem, which is in the same folder.",
      wayOut, passing,
      "Requests to link-local addresses and to cloud metadata services are refused unless --origin names them.",
      "A PLACE of --redact and --keep is header:NAME, query:NAME, form:NAME, json:PATH or value:TEXT, such as "
        + "json:$.account.iban. --redact json:$.account.iban=TEXT replaces the value with TEXT; value:TEXT has no "
        + "replacement: everything after the colon is the value.",
      opaque,
    ],
    examples: [
      "mockserver proxy --cassette all.json": "then: curl --proxy http://127.0.0.1:8080 http://example.com/",
      "mockserver proxy --cassette all.json --origin https://api.github.com": "forward to this server only",
      "mockserver proxy --cassette all.json --offline": "replay without the network",
    ])

  static let allowedOrigin = Option(
    "origin", .text, "URL", repeats: true,
    help: "An origin that requests may be forwarded to. May be repeated. By default all are allowed.")
  /// The help text about proxies for outgoing connections.
  static let wayOut =
    "Connections to live servers use the proxies in HTTPS_PROXY and HTTP_PROXY (also in lower case; "
    + "http://USER:PASSWORD@HOST:PORT), except for hosts in NO_PROXY and on this machine."
  /// The help text about exchanges that are not recorded.
  static let passing =
    "A request that upgrades to another protocol, such as WebSocket, is passed through to the server and not recorded. "
    + "Responses of a proxy on the way, such as 407, are not recorded either."
  static let offline = Option("offline", help: "Replay recordings, and forward no request.")
}
