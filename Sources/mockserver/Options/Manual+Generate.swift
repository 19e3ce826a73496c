import MockServerConsole

/// The command that generates a specification.
extension Manual {
  static let generating = Command(
    name: .generate,
    summary: "Write an OpenAPI document of what recordings say.",
    operand: Command.Operand(placeholder: "openapi CASSETTE", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [intoSpecification, enumerations])],
    notes: [
      "A CASSETTE is a file, a folder of them, or a recording of another tool that import reads. Segments of paths "
        + "that vary become templates, /users/{userId}: numbers, UUIDs, hashes, and whatever differs in links or "
        + "answers of one shape. Parameters, fields and members are required where they are always there; types, "
        + "formats and media types are those that were seen. Fields that always say the same are left out, and so is "
        + "the media type of an answer that sometimes has no body and has no schema.",
      "The recordings keep to the document (mockserver verify --openapi): what it allows beyond them is a guess. Read "
        + "it, name what should have a name, and keep it with the code: its order does not depend on that of the "
        + "recordings. Secrets come in as security schemes, never as values.",
    ],
    examples: [
      "mockserver generate openapi cassettes/github.json --into openapi.json":
        "then: mockserver verify --openapi openapi.json",
      "mockserver generate openapi cassettes session.har": "of several, to standard output",
    ])

  static let intoSpecification = Option("into", .path, "FILE", standard: "standard output", help: "The file to write.")
  static let enumerations = Option("enums", help: "List the texts of members that have few, as enumerations.")
}
