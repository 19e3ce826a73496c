import Foundation
import Testing

@testable import CassetteSecrets

/// Tests that the examples and the lists of names on the page `Secrets` match the program.
@Suite struct SecretsPageTests {
  private static let page: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let url = root.appending(path: "Sources/Cassettes/Cassettes.docc/Secrets.md")
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  /// A row of an example table: the exchanged value, and the recorded one.
  private struct Row: CustomTestStringConvertible {
    var place: String
    var text: String
    var kept: String

    var testDescription: String { "\(place): \(text)" }
  }

  /// The rows of the example tables; a row without a third cell is unchanged.
  private static let rows: [Row] = page.split(separator: "\n").compactMap { line in
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    let places = ["field", "URL", "form", "parts", "body"]
    guard cells.count > 1, let place = places.first(where: cells[0].hasPrefix) else { return nil }
    func code(_ cell: String) -> String {
      String(cell.dropFirst().dropLast()).replacing("\\r\\n", with: "\r\n").replacing("\\n", with: "\n")
    }
    return Row(place: place, text: code(cells[1]), kept: code(cells.last ?? ""))
  }

  private func redacted(_ row: Row) -> String {
    guard row.place == "field", let colon = row.text.firstRange(of: ": ") else {
      let context: ScannedText.Context =
        switch row.place {
        case "URL": .url
        case "form": .form
        case "parts": .multipart(boundary: "b")
        default: .body
        }
      return PlantedText.redacted(row.text, context)
    }
    let name = row.text[..<colon.lowerBound]
    return name + ": " + PlantedText.redacted(String(row.text[colon.upperBound...]), .header(name.lowercased()))
  }

  @Test func `the page has at least forty examples`() { #expect(Self.rows.count >= 40) }

  @Test(arguments: rows)
  private func `an example becomes what the page says`(row: Row) { #expect(redacted(row) == row.kept) }

  @Test(arguments: [
    SecretNameTable.names, SecretNameTable.endings, SecretNameTable.words, SecretNameTable.parameters,
    SecretNameTable.fields, SecretNameTable.exceptions, SecretNameTable.holders, SecretNameTable.values,
    SecretNameTable.tails,
  ])
  private func `every name of the table is on the page`(table: String) {
    for name in SecretNames.words(table) { #expect(Self.page.contains("`\(name)`"), "\(name)") }
  }
}
