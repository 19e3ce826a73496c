import MockServerConsole

/// The command that turns recordings into resources.
extension Manual {
  static let simulating = Command(
    name: .simulate,
    summary: "Convert a recording to resources that requests can change.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 1...1),
    sections: [Command.Section(title: "Options", options: [intoFile, redact, keep, keepSecrets])],
    notes: [
      "Finds collections: paths where a POST created an element, and lists whose elements were requested. Each becomes "
        + "a \"resource\" of the new cassette, with its recorded properties: path, name of the id, operations and their "
        + "statuses, paging and filters, members set by the server, types and required members as a JSON Schema, error "
        + "responses, and the initial elements. Recordings of other paths stay unchanged. Nothing else is inferred: "
        + "read the file, edit it, and keep it with the tests.",
      "On replay a resource creates, reads, lists, replaces, patches (RFC 7396, RFC 6902) and deletes elements, "
        + "separately for each session; a reset restores the initial elements.",
    ],
    examples: [
      "mockserver simulate cassettes/todos.json --into cassettes/todos.resource.json":
        "then: mockserver --cassettes cassettes/todos.resource.json"
    ])

  static let intoFile = Option("into", .path, "FILE", help: "The cassette to write; the file must not exist.")
}
