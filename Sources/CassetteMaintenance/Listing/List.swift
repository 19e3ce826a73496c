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
    let waiting = JournalName.warnings(in: paths)
    Console.error.write(waiting.map { ProblemText.line($0, Console.error.style) }.joined())
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
