import MockServerConsole

/// The commands for running servers and for coding agents.
extension Manual {
  static let journaling = Command(
    name: .journal,
    summary: "Print what running servers were asked.",
    sections: [Command.Section(title: "Options", options: [servers, all, session])],
    notes: [
      "Prints one JSON object. With --all the journals of all servers are one, in the order of their times, and each entry "
        + "says whose it is. Without --servers MOCKSERVER_SERVERS in the environment names them, or it is http://127.0.0.1:8080; MOCKSERVER_ADMIN_TOKEN is their token. A "
        + "server that gives no answer is named, and the exit code is 69."
    ],
    examples: ["mockserver journal --all --servers http://a:8080,http://b:8080": "both, merged"])

  static let resetting = Command(
    name: .reset,
    summary: "Begin anew on running servers: positions, scenarios, journal.",
    sections: [Command.Section(title: "Options", options: [servers, all, session])],
    notes: ["Servers are named as for mockserver journal. With --session only that session begins anew."],
    examples: ["mockserver reset --all": "those of MOCKSERVER_SERVERS"])

  static let asking = Command(
    name: .health,
    summary: "Tell whether a server that runs is well: exit code 0, or 1.",
    operand: Command.Operand(placeholder: "URL", kind: .text, count: 0...1),
    notes: [
      "For HEALTHCHECK in an image that has no curl. Without a URL it is http://127.0.0.1:8080; with MOCKSERVER_ADMIN_TOKEN "
        + "the line has counts, too. A server that says nothing for 5 seconds is not well."
    ],
    examples: ["mockserver health http://127.0.0.1:8091": "one of a fleet"])

  static let agents = Command(
    name: .mcp,
    summary: "Serve, and give a coding agent tools over standard input and output.",
    sections: [Command.Section(title: "Options", options: [cassettes, upstreams, mcpPort, servers])],
    notes: [
      "Speaks the Model Context Protocol (JSON-RPC, a line each). It starts a server on 127.0.0.1, or takes the one of "
        + "--servers that runs already with the same cassettes. Its tools list "
        + "recordings, explain misses, accept them by the smallest edit, record, verify, check and scan. It writes only in "
        + "the folders of --cassettes, and asks only the live servers of --upstream. Bodies come as data, secrets masked."
    ],
    examples: [
      "mockserver mcp --cassettes Tests/Cassettes": "started by the agent",
      "mockserver mcp --upstream https://api.github.com": "which may also record",
    ])

  static let servers = Option(
    "servers", .text, "URL,URL", repeats: true,
    help: "Servers that run, with a comma between them. May be repeated.")
  static let all = Option("all", help: "Ask all of them, not the first alone.")
  static let session = Option("session", .text, "NAME", help: "Only the session of this X-Mock-Session.")
  static let upstreams = Option(
    "upstream", .text, "URL", repeats: true, help: "A live server that tools may ask. May be repeated.")
  static let mcpPort = Option(
    "port", .number(0...65_535), "PORT", standard: "0", help: "The port to listen on; 0 takes one that is free.")
}
