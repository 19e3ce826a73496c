import MockServerConsole

/// The command that generates a specification.
extension Manual {
  static let generating = Command(
    name: .generate,
    summary: "Generate an OpenAPI document from recordings.",
    operand: Command.Operand(placeholder: "openapi CASSETTE", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [intoSpecification, enumerations])],
    notes: [
      "A CASSETTE is a file, a folder of cassettes, or a recording of another tool that import reads. Path segments "
        + "that vary become templates, /users/{userId}: numbers, UUIDs, hashes, and segments that differ in links or "
        + "between responses of the same shape. Parameters, fields and members are required if every recording has "
        + "them; types, formats and media types are those of the recordings. Fields that always have the same value are "
        + "left out, and so is the media type of a response that sometimes has no body and has no schema. A request body "
        + "without a Content-Type is left out, because OpenAPI cannot describe it.",
      "The recordings conform to the document (mockserver verify --openapi), but everything that it allows beyond them "
        + "is a guess. Read it, choose better names, and keep it with the code: the output does not depend on the order "
        + "of the recordings. Secrets become security schemes, never values.",
    ],
    examples: [
      "mockserver generate openapi cassettes/github.json --into openapi.json":
        "then: mockserver verify --openapi openapi.json",
      "mockserver generate openapi cassettes session.har": "combine several files, print to standard output",
    ])

  static let intoSpecification = Option("into", .path, "FILE", standard: "standard output", help: "The file to write.")
  static let enumerations = Option(
    "enums", help: "List the values of members with few distinct strings as enumerations.")
}
