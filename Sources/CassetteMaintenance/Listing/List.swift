import CassetteHTTP
import CassetteJSON
import CassettePlayback
internal import CassetteSecrets
import Cassettes
package import MockServerConsole

/// The command `list`, which shows the recordings to serve as a table or as JSON.
package enum List {
  /// A recording, a resource or a fixture.
  struct Item: Equatable {
    var method: String
    var url: String
    /// The status; nil if the exchange failed.
    var status: Int?
    var failure: String?
    /// The size of the response's body in bytes; nil if it cannot be read.
    var size: Int?
    var cassette: String
    var id: String
    /// The change that must be requested before this response is played; nil for most recordings.
    var after: String?
    /// True for a resource, which has several methods and statuses.
    var isResource = false
  }

  package static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let fixtures = invocation.text(Manual.fixtures)
    let paths = try Paths.resolve(
      invocation.operands, hint: "Name the cassettes to list: mockserver list DIR", isOptional: fixtures != nil)
    if let fixtures { try Paths.requireFolder(fixtures, for: Manual.fixtures) }
    let library = try CommandError.reading(paths) { () throws(CassetteError) in
      try CassetteLibrary.load(paths, fixtures: fixtures)
    }
    let items = items(of: library)
    let warnings = library.warnings + JournalName.warnings(in: paths)
    Console.error.write(warnings.map { ProblemText.line($0, Console.error.style) }.joined())
    if invocation.has(Manual.json) {
      Console.output.write(json(items))
    } else {
      Console.output.write(table(items).text(width: Console.output.width, style: Console.output.style))
    }
    return .success
  }

  static func items(of library: CassetteLibrary) -> [Item] {
    let table = RecordingTable(library)
    let changes = table.changesAwaited
    return table.entries.enumerated().map { number, entry in
      var item = Item(entry.interaction, in: entry.cassette)
      if table.resources.contains(where: { $0.entry == number }) {
        item.isResource = true
        (item.method, item.status, item.size) = ("ANY", nil, nil)
      }
      item.after = changes[number].map { table.entries[$0].interaction.shownID }
      return item
    }
  }

  static func table(_ items: [Item]) -> Table {
    // The column is omitted if no response depends on a change.
    let hasChanges = items.contains { $0.after != nil }
    let columns = [
      Table.Column("METHOD"), Table.Column("PATH", gives: true), Table.Column("STATUS"),
      Table.Column("SIZE", isNumber: true), Table.Column("CASSETTE"), Table.Column("ID"), Table.Column("AFTER"),
    ]
    var table = Table(columns: Array(columns.prefix(hasChanges ? 7 : 6)))
    for item in items {
      var cells = [
        item.method, item.url, item.status.map { "\($0)" } ?? (item.isResource ? "resource" : item.failure ?? "failed"),
        item.size.map(readableSize) ?? "-", item.cassette, item.id,
      ]
      if hasChanges { cells.append(item.after ?? "") }
      table.rows.append(cells.map(Printable.escaped))
    }
    return table
  }

  /// Returns an array with one object per line: JSON for programs, and lines for `grep`.
  static func json(_ items: [Item]) -> String {
    let lines = items.map { item in
      let json = JSONWriter.object { object in
        object.member("method", item.method)
        object.member("path", item.url)
        if let status = item.status { object.member("status", status) }
        if item.isResource {
          object.member("resource", true)
        } else if item.status == nil {
          object.member("failure", item.failure ?? "failed")
        }
        if let size = item.size { object.member("size", size) }
        object.member("cassette", item.cassette)
        object.member("id", item.id)
        if let after = item.after { object.member("after", after) }
      }
      return String(decoding: json, as: UTF8.self)
    }
    return lines.isEmpty ? "[]\n" : "[\n\(lines.joined(separator: ",\n"))\n]\n"
  }
}

extension List.Item {
  init(_ interaction: Interaction, in cassette: String) {
    method = interaction.method.rawValue
    url = SecretNames.masked(url: interaction.url)
    self.cassette = cassette
    id = interaction.shownID
    switch interaction.outcome {
    case .failure(let reason):
      failure = reason.name
    case .response(let response):
      status = response.status.code
      if let body = response.body {
        size = try? body.bytes().count
      } else {
        size = 0
      }
    }
  }
}

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
        + "line FILE:LINE:COLUMN: error|warning: MESSAGE. Exits 65 if a file has an error, 0 if there are only warnings.",
      "For an OpenAPI document it reports examples that violate their own schemas and are not served, unusable schemas, "
        + "and responses that cannot be generated.",
      "--older-than 90d reports an error for each cassette with older recordings, at the oldest of them, and then exits "
        + "1; and a warning for each cassette with recordings without a date.",
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

  static let unused = Option(
    "unused", .path, "FILE", repeats: true, help: "List recordings that no test in this report played. May be repeated."
  )
  static let pruneUnused = Option("prune", help: "With --unused: remove these recordings from their cassettes.")
  package static let report = Option(
    "report", .text, "FORMAT=FILE", repeats: true,
    help: "Write a report for CI: junit, sarif, markdown or json. May be repeated.")
  static let olderThan = Option(
    "older-than", .age, "AGE", help: "Report recordings older than this: 90d, 12w.")
  package static let fixtures = Option(
    "fixtures", .folder, "DIR", standard: "fixtures in each --cassettes folder",
    help:
      "A folder of plain files to serve: users/kean.json answers GET /users/kean. With this option, ./cassettes may "
      + "be missing.")
  static let json = Option("json", help: "Print an array of objects instead of a table.")
}
