import MockServerConsole

/// The forward proxy command.
extension Manual {
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
