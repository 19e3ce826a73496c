import CassetteHTTP
import CassetteSecrets
import CassetteSession
internal import CassetteSystem
import Cassettes
import Foundation

/// Compares the requests that the test has sent so far with a text, in the form of curl commands.
///
/// ```swift
/// try await todos.add("Milk")
/// expectRequests {
///   """
///   curl -X POST https://api.example.com/todos -H 'Content-Type: application/json' --data-raw '{"title":"Milk"}'
///   """
/// }
/// ```
/// To create or update the text, write `expectRequests()` and run the test once with `CASSETTE_EXPECT=write`. Secrets
/// are masked, header fields are sorted by name, and concurrent requests are sorted by their text. Fields that clients
/// add to each request, such as `User-Agent`, are omitted.
///
/// - Parameters:
///   - fileID: The file ID of the test file, for failures.
///   - file: The path of the test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - expected: Returns the expected text. By default, an empty text.
public func expectRequests(
  fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ expected: () -> String = { "" }
) {
  let report = Report(fileID: fileID, file: file, line: line, column: column)
  let player = CassetteScope.active?.player
  guard let requests = player?.requests ?? HeardRequests.current?() else {
    return report.fail(
      "expectRequests was called outside of a test with .cassette(…), .stub(…) or withCassette, or in a detached task")
  }
  let texts: [String]
  do throws(CassetteError) {
    texts = try ExpectedRequests.texts(of: requests, isOrdered: player?.sendsInOrder ?? true)
  } catch {
    return report.fail("\(error)")
  }
  let found = texts.joined(separator: "\n")
  let wanted = expected()
  guard ExpectedRequests.normal(found) != ExpectedRequests.normal(wanted) else { return }
  guard ProcessInfo.processInfo.environment[ExpectedRequests.variable] == "write" else {
    return report.fail(ExpectedRequests.difference(found, from: wanted))
  }
  if let problem = SourceEdits.write(found, toCallAt: line, in: "\(file)") {
    report.fail("the text of expectRequests was not written: \(problem)")
  } else {
    report.say("cassettes: \(file):\(line): wrote \(texts.count) requests")
  }
}

/// Formats the requests of a test as curl commands.
enum ExpectedRequests {
  /// The name of the environment variable; with the value `write`, `expectRequests` writes the expected requests into
  /// the test.
  static let variable = "CASSETTE_EXPECT"
  /// The names of fields that clients and platforms add, in lower case.
  private static let added: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "accept-encoding", "accept-language", "user-agent",
  ]
  /// The maximum length of a command on one line.
  private static let longestLine = 110

  /// Returns a command for each request.
  ///
  /// - `requests`: The requests in the order in which they were received.
  /// - `isOrdered`: False to sort the commands, because requests were sent concurrently.
  static func texts(of requests: [CassetteSentRequest], isOrdered: Bool) throws(CassetteError) -> [String] {
    var texts: [String] = []
    for sent in requests { texts.append(try text(of: sent)) }
    return isOrdered ? texts : texts.sorted()
  }

  private static func text(of sent: CassetteSentRequest) throws(CassetteError) -> String {
    var url = sent.url
    // The port of a mock server changes with each run.
    if url.host() == "127.0.0.1", var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      parts.port = nil
      url = parts.url ?? url
    }
    var shown = Interaction(
      method: sent.request.method, url: SecretNames.masked(url: url.absoluteString),
      outcome: .response(RecordedResponse(status: 200)))
    let type = sent.headers["Content-Type"]
    // The boundary is random.
    let boundary = type.flatMap { $0.range(of: "boundary=").map { range in String(type?[range.upperBound...] ?? "") } }
    let plain = { (text: String) in
      guard let boundary, !boundary.isEmpty else { return text }
      return text.replacing(boundary, with: "BOUNDARY")
    }
    let fields = sent.headers.filter { !added.contains($0.name.lowercased()) }.sorted { $0.name < $1.name }
    for field in fields {
      shown.requestHeaders.append(field.name, plain(SecretNames.masked(field: field.name, value: field.value)))
    }
    let bytes = sent.request.body
    if !bytes.contains(0), let text = String(validUTF8: bytes) {
      let masked = plain(SecretNames.masked(body: text, contentType: type))
      if !masked.isEmpty { shown.requestBody = .storing(Array(masked.utf8)) }
    } else {
      shown.requestBody = .storing(bytes)
    }
    let command = try CurlCommand(shown, origin: "")
    let line = command.text()
    return line.count <= longestLine ? line : command.text(separator: " \\\n  ")
  }

  /// Returns the lines of a string, with continued lines joined and runs of spaces replaced with one space.
  static func normal(_ text: String) -> [Substring] {
    text.replacing("\\\n", with: " ").split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")[...]
    }.filter { !$0.isEmpty }
  }

  /// Describes the lines that differ, and the command that updates the text.
  static func difference(_ found: String, from wanted: String) -> String {
    let (found, wanted) = (normal(found), normal(wanted))
    let changes = found.difference(from: wanted)
    var lines = ["the test sent other requests than expected (- expected, + sent):"]
    for change in changes.removals { if case .remove(_, let line, _) = change { lines.append("  - \(line)") } }
    for change in changes.insertions { if case .insert(_, let line, _) = change { lines.append("  + \(line)") } }
    if lines.count > 21 { lines = lines.prefix(21) + ["  and \(lines.count - 21) more"] }
    lines.append("  To write the sent requests into the source: \(variable)=write swift test")
    return lines.joined(separator: "\n")
  }
}
