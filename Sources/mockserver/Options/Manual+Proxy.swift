import MockServerConsole

/// The forward proxy command.
extension Manual {
  static let proxy = Command(
    name: .proxy,
    summary: "Record what any client asks of any server, as its proxy.",
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
      "Set HTTP_PROXY and HTTPS_PROXY to the address that is printed: what a client asks goes to whom it names, and the "
        + "answer comes back and is recorded, secrets taken out. One cassette holds the exchanges with all of them. "
        + "With --missing what is recorded is played, and only the rest is asked; with --offline nothing is asked.",
      "A tunnel (CONNECT) ends here, or nothing said in it could be recorded: the client gets a certificate of an "
        + "authority of this machine, ca.pem, which it has to trust. The line to type is printed. Give authority.pem, "
        + "beside it, to nobody.",
      wayOut, passing,
      "Addresses of the link and of metadata services are asked only when --origin names them.",
      "A PLACE of --redact and --keep is header:NAME, query:NAME, form:NAME, json:PATH or value:TEXT, such as "
        + "json:$.account.iban. --redact json:$.account.iban=TEXT puts TEXT in its place; of value:TEXT all is the value.",
      opaque,
    ],
    examples: [
      "mockserver proxy --cassette all.json": "then: curl --proxy http://127.0.0.1:8080 http://example.com/",
      "mockserver proxy --cassette all.json --origin https://api.github.com": "nobody else is asked",
      "mockserver proxy --cassette all.json --offline": "play it, without the network",
    ])

  static let allowedOrigin = Option(
    "origin", .text, "URL", repeats: true, help: "An origin that may be asked; all may unless one is named.")
  /// The help text about proxies for outgoing connections.
  static let wayOut =
    "HTTPS_PROXY and HTTP_PROXY (in lower case, too; http://USER:PASSWORD@HOST:PORT) lead to live servers, but not to "
    + "those of NO_PROXY and those on this machine."
  /// The help text about exchanges that are not recorded.
  static let passing =
    "A request for another protocol, such as WebSocket, is passed through to the server and not recorded. What a proxy on "
    + "the way answers itself, such as 407, is not recorded either."
  static let offline = Option("offline", help: "Play what is recorded, and ask nobody.")
}
