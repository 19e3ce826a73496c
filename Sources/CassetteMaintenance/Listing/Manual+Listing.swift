package import MockServerConsole

/// The manual pages of the commands `list` and `check`.
extension Manual {
  package static let list = Command(
    name: .list,
    summary: "List the recordings and fixtures that would be served.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 0...Int.max),
    sections: [Command.Section(title: "Options", options: [json, fixtures])],
    notes: [
      "A PATH is a cassette or a folder of cassettes; the default is ./cassettes. Secrets in a query are masked. AFTER "
        + "is the request that must be sent before the response is played: the response was recorded after that change."
    ],
    examples: [
      "mockserver list": "list ./cassettes",
      "mockserver list cassettes --json": "print JSON for programs",
    ])

  package static let check = Command(
    name: .check,
    summary: "Report the problems of cassettes and fixtures.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [olderThan, unused, pruneUnused, report])],
    notes: [
      "A PATH is a cassette, a folder of cassettes, or an OpenAPI document. Files are read strictly; each problem is a "
        + "line FILE:LINE:COLUMN: error|warning: MESSAGE. Exits 65 if there is an error, 0 if there are only warnings.",
      "For an OpenAPI document it reports examples that violate their own schemas and are not served, unusable schemas, "
        + "and responses that cannot be generated.",
      "--older-than 90d reports an error for each cassette with older recordings, at the oldest of them, and a warning "
        + "for each cassette with recordings without a date.",
      "Tests that run with CASSETTE_REPORT=FILE in the environment append one line each to FILE: the recordings they "
        + "played, missed, and answered approximately. --unused FILE lists the recordings that no test played, and "
        + "exits 1 if there are any; --prune removes them, and keeps the rest of each file unchanged. Run all tests "
        + "first: recordings of tests that did not run count as unused. A cassette that no test opened is reported but "
        + "not pruned, and nothing is pruned if a test failed.",
    ],
    examples: [
      "mockserver check cassettes": "check a folder and its fixtures",
      "mockserver check cassettes --older-than 90d": "also report old recordings",
      "mockserver check openapi.yaml": "check a specification",
      "mockserver check --report sarif=check.sarif cassettes": "write a report for code scanning",
      "mockserver check --unused run.jsonl --prune Tests": "prune after running all tests",
    ])

  package static let unused = Option(
    "unused", .path, "FILE", repeats: true, help: "List recordings that no test in this report played. May be repeated."
  )
  package static let pruneUnused = Option("prune", help: "With --unused: remove these recordings from their cassettes.")
  package static let report = Option(
    "report", .text, "FORMAT=FILE", repeats: true,
    help: "Write a report for CI: junit, sarif, markdown or json. May be repeated.")
  package static let olderThan = Option(
    "older-than", .age, "AGE", help: "Report recordings older than this: 90d, 12w.")
  package static let fixtures = Option(
    "fixtures", .folder, "DIR", standard: "fixtures in each --cassettes folder",
    help:
      "A folder of plain files to serve: users/kean.json answers GET /users/kean. With this option, ./cassettes may "
      + "be missing.")
  package static let json = Option("json", help: "Print an array of objects instead of a table.")
}
