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
  private func `an example is redacted as the page shows`(row: Row) { #expect(redacted(row) == row.kept) }

  /// Values with an answer from the page alone: place, exchanged value, secret part, and whether it is taken out.
  private static let answers: [(place: String, text: String, secret: String, isTakenOut: Bool)] = [
    ("field", "X-Auth-Token: abc12345", "abc12345", true), ("field", "X-Request-Id: 7f3c9a01", "7f3c9a01", false),
    ("field", "Authorization: Basic YWRhOnNlY3JldA==", "YWRhOnNlY3JldA==", true),
    ("field", "Cookie: lang=en", "en", false), ("field", "Cookie: id=8f7d6e5c4b", "8f7d6e5c4b", true),
    ("field", "Set-Cookie: theme=dark; Path=/", "dark", false), ("field", "ETag: \"abcdef0123\"", "abcdef0123", false),
    ("field", "Proxy-Authorization: Bearer q1w2e3r4", "q1w2e3r4", true),
    ("field", "X-Signature: 9f8e7d6c", "9f8e7d6c", true), ("URL", "/x?code=4f5g6h7j", "4f5g6h7j", true),
    ("URL", "/x?next_page_token=q1w2e3", "q1w2e3", false), ("URL", "/x?q=password", "password", false),
    ("URL", "https://bob:hunter22@h.test/", "hunter22", true), ("URL", "/reset/q1w2e3r4t5", "q1w2e3r4t5", false),
    ("URL", "/x#access_token=q1w2e3r4", "q1w2e3r4", true), ("form", "code=123456&grant_type=x", "123456", true),
    ("form", "username=ada", "ada", false), ("form", "user[pin]=4711", "4711", true),
    ("body", "{\"code\": \"E1001\"}", "E1001", false), ("body", "{\"apiKey\": \"k-1\"}", "k-1", true),
    ("body", "{\"tokens\": 1234}", "1234", false), ("body", "{\"tokens\": [\"q1w2e3\"]}", "q1w2e3", true),
    ("body", "{\"password\": null}", "null", false), ("body", "{\"pin\": 999}", "999", false),
    ("body", "{\"otp\": 123456}", "123456", true),
    ("body", "{\"secret\": {\"name\": \"db\", \"v\": \"q1w2\"}}", "q1w2", true),
    ("body", "{\"name\": \"api_key\", \"value\": \"q1w2e3\"}", "q1w2e3", true),
    ("body", "{\"key\": \"color\", \"value\": \"blue\"}", "blue", false),
    ("body", "{\"passwordHint\": \"dog\"}", "dog", false),
    ("body", "{\"password_confirmation\": \"q1w2e3\"}", "q1w2e3", true),
    ("body", "{\"compass\": \"north\"}", "north", false), ("body", "{\"dbPass\": \"q1w2e3\"}", "q1w2e3", true),
    ("body", "{\"access_token\": \"https://a.test/t?x=1\"}", "https://a.test/t?x=1", true),
    ("body", "<user><password>q1w2e3</password></user>", "q1w2e3", true),
    ("body", "<a href=\"/x\" token=\"q1w2e3\">", "q1w2e3", true),
    ("body", "password: correct horse battery", "correct horse battery", true),
    ("body", "The password is hunter2.", "hunter2", false),
    ("body", "{\"id\": \"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\"}", "ghp_a1B2c3D4", true),
    ("body", "{\"data\": \"eyJwYXNzd29yZCI6InExdzJlM3I0In0=\"}", "eyJwYXNzd29yZCI6InExdzJlM3I0In0=", true),
    ("body", "export API_KEY=q1w2e3", "q1w2e3", true),
  ]

  @Test func `forty values are redacted or kept according to the rules of the page`() {
    #expect(Self.answers.count == 40)
    for (place, text, secret, isTakenOut) in Self.answers {
      let kept = redacted(Row(place: place, text: text, kept: ""))
      #expect(kept.contains(secret) != isTakenOut, "\(text) becomes \(kept)")
    }
  }

  @Test(arguments: [
    SecretNameTable.names, SecretNameTable.endings, SecretNameTable.words, SecretNameTable.parameters,
    SecretNameTable.fields, SecretNameTable.exceptions, SecretNameTable.holders, SecretNameTable.values,
    SecretNameTable.tails, SecretNameTable.kinds,
  ])
  private func `every name in the table is listed on the page`(table: String) {
    for name in SecretNames.words(table) { #expect(Self.page.contains("`\(name)`"), "\(name)") }
  }
}
