import Foundation
import TestSupport
import Testing

/// The issues of a process that runs some tests of this bundle, read from Swift Testing's event stream.
struct FailingProcess {
  struct FoundIssue: Hashable {
    /// The function of the issue's test, such as `way1`; nil for an issue without a test.
    let test: String?
    /// The message of the issue.
    let text: String
    let line: Int?
    let isFailure: Bool
    let isKnown: Bool
  }

  /// The issues, one for each report of an issue.
  let issues: [FoundIssue]
  /// The names of the tests that passed.
  let passed: Set<String>
  let status: Int32
  /// The standard output and standard error.
  let output: String

  private struct Record: Decodable {
    struct Payload: Decodable {
      struct Issue: Decodable {
        struct Location: Decodable { let line: Int }
        let isKnown: Bool
        let severity: String?
        let _severity: String?
        let isFailure: Bool?
        let sourceLocation: Location?
      }
      struct Message: Decodable {
        let symbol: String
        let text: String
      }
      let kind: String?
      let testID: String?
      let issue: Issue?
      let messages: [Message]?
    }
    let kind: String
    let payload: Payload
  }

  /// Runs the tests of a suite in a new process.
  ///
  /// - Parameters:
  ///   - filter: A regular expression for the tests to run.
  ///   - environment: Additional environment variables.
  ///   - attachments: A folder for the attachments of the tests. By default, they are not stored.
  /// - Throws: An error if the process cannot be started.
  init(filter: String, environment: [String: String], attachments: String? = nil) throws {
    let folder = try ScratchFolder()
    let events = folder.path + "/events.jsonl"
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let result = try ChildProcess.run(
      CommandLine.arguments[0],
      [
        "--testing-library", "swift-testing", "--filter", filter, "--event-stream-output-path", events,
        "--event-stream-version", "0",
      ] + (attachments.map { ["--attachments-path", $0] } ?? []), environment: variables)
    status = result.status
    output = result.output + result.error
    let lines = String(decoding: (try? Data(contentsOf: URL(filePath: events))) ?? Data(), as: UTF8.self)
      .split(separator: "\n")
    let records = lines.compactMap { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    var (issues, passed): ([FoundIssue], Set<String>) = ([], [])
    for record in records where record.kind == "event" {
      let payload = record.payload
      let name = payload.testID.map(Self.function)
      if payload.kind == "issueRecorded", let issue = payload.issue {
        let text = (payload.messages ?? []).map(\.text).joined(separator: "\n")
        let isWarning = issue.isFailure == false || (issue.severity ?? issue._severity) == "warning"
        issues.append(
          FoundIssue(
            test: name, text: text, line: issue.sourceLocation?.line, isFailure: !isWarning && !issue.isKnown,
            isKnown: issue.isKnown))
      } else if payload.kind == "testEnded", let name,
        payload.messages?.contains(where: { $0.symbol.hasPrefix("pass") }) == true
      {
        passed.insert(name)
      }
    }
    (self.issues, self.passed) = (issues, passed)
    withExtendedLifetime(folder) {}
  }

  /// Returns the function in a test id `Module.Suite/function(argument:)/File.swift:1:2`.
  private static func function(_ id: String) -> String {
    let parts = id.split(separator: "/")
    let name = parts.first { $0.contains("(") } ?? parts.last ?? ""
    return String(name.prefix { $0 != "(" }).replacingOccurrences(of: "`", with: "")
  }

  /// Returns the number of the first line in a test file that contains a text.
  static func line(of text: String, in file: String, filePath: String = #filePath) throws -> Int {
    let path = URL(filePath: filePath).deletingLastPathComponent().appending(path: file)
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(text) }, "\(text) is not in \(file)") + 1
  }
}
