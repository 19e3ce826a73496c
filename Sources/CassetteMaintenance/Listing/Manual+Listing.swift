package import MockServerConsole

/// The manual pages of the commands `list` and `check`.
extension Manual {
  package static let list = Command(
    name: .list,
    summary: "List what would be served.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 0...Int.max),
    sections: [Command.Section(title: "Options", options: [json, fixtures])],
    notes: [
      "A PATH is a cassette, or a folder of them; without one it is ./cassettes. Secrets in a query are masked. AFTER is the "
        + "change that an answer waits for: it was recorded after it, and plays once it was asked for."
    ],
    examples: [
      "mockserver list": "what ./cassettes serves",
      "mockserver list cassettes --json": "the same, for a program",
    ])

  package static let check = Command(
    name: .check,
    summary: "Report the problems of cassettes and fixtures.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [olderThan, unused, pruneUnused, report])],
    notes: [
      "A PATH is a cassette, a folder of them, or an OpenAPI document. Everything is read strictly; each problem is a "
        + "line FILE:LINE:COLUMN: error|warning: MESSAGE. Exits 65 when there is an error, 0 when there are only warnings.",
      "Of an OpenAPI document it names examples that break their own schemas, which are not served, schemas that cannot be "
        + "used, and answers that cannot be made.",
      "--older-than 90d makes an error of each cassette with recordings that were made before, at the oldest of them, and "
        + "a warning of those that do not say when they were made.",
      "Tests that run with CASSETTE_REPORT=FILE in the environment append a line each to FILE: what they played, missed, "
        + "and answered approximately. --unused FILE then names the recordings that none of them played, and exits 1 if "
        + "there are any; --prune takes them out, and leaves the rest of each file as it is written. Run all tests: what "
        + "a test plays that did not run counts as unused. A cassette that no test opened is named and left alone, and "
        + "nothing is pruned when a test failed.",
    ],
    examples: [
      "mockserver check cassettes": "a folder and its fixtures",
      "mockserver check cassettes --older-than 90d": "and none that is too old",
      "mockserver check openapi.yaml": "a specification",
      "mockserver check --report sarif=check.sarif cassettes": "for code scanning",
      "mockserver check --unused run.jsonl --prune Tests": "after all tests",
    ])

  package static let unused = Option(
    "unused", .path, "FILE", repeats: true, help: "Name recordings that no test of this report played. May be repeated."
  )
  package static let pruneUnused = Option("prune", help: "With --unused: take them out of their cassettes.")
  package static let report = Option(
    "report", .text, "FORMAT=FILE", repeats: true,
    help: "Write a report for CI: junit, sarif, markdown or json. May be repeated.")
  package static let olderThan = Option("older-than", .age, "AGE", help: "Find recordings that are older: 90d, 12w.")
  package static let fixtures = Option(
    "fixtures", .folder, "DIR", standard: "fixtures in each --cassettes folder",
    help: "A folder of plain files to answer with: users/kean.json answers GET /users/kean. "
      + "With it, ./cassettes may be missing.")
  package static let json = Option("json", help: "Print an array of objects instead of a table.")
}
