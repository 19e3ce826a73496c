import MockServerConsole

/// The commands for running servers and for coding agents.
extension Manual {
  static let journaling = Command(
    name: .journal,
    summary: "Print the journals of running servers.",
    sections: [Command.Section(title: "Options", options: [servers, all, session])],
    notes: [
      "Prints one JSON object. With --all the journals of all servers are merged in the order of their times, and each "
        + "entry names its server. Without --servers the environment variable MOCKSERVER_SERVERS lists the servers; the "
        + "default is http://127.0.0.1:8080. MOCKSERVER_ADMIN_TOKEN is their token. If a server does not answer, it is "
        + "named and the exit code is 69."
    ],
    examples: ["mockserver journal --all --servers http://a:8080,http://b:8080": "merge the journals of two servers"])

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
}
