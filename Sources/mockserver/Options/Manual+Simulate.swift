import MockServerConsole

/// The command that turns recordings into resources.
extension Manual {
  static let simulating = Command(
    name: .simulate,
    summary: "Turn a recording into resources that really change.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 1...1),
    sections: [Command.Section(title: "Options", options: [intoFile, redact, keep, keepSecrets])],
    notes: [
      "Looks for collections: paths that a POST made something at, and lists whose elements were asked for. Each becomes "
        + "a \"resource\" of the new cassette, with what was seen of it: path, name of the id, operations and their "
        + "statuses, pages and filters, members that the server gave, types and required members as a JSON Schema, "
        + "refusals, and the elements that were there at first. Recordings of other paths stay as they were. Nothing is "
        + "guessed beyond: read the file, change it, and keep it with the tests.",
      "Played, a resource creates, reads, lists, replaces, patches (RFC 7396, RFC 6902) and deletes, for each session "
        + "apart; a reset begins anew.",
    ],
    examples: [
      "mockserver simulate cassettes/todos.json --into cassettes/todos.resource.json":
        "then: mockserver --cassettes cassettes/todos.resource.json"
    ])

  static let intoFile = Option("into", .path, "FILE", help: "The cassette to write; there must be none of that name.")
}
