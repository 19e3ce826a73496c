import CassetteJSON
import Cassettes
import MockServerConsole

/// The recordings that were played by the tests in `CASSETTE_REPORT` files.
struct TestRunReport {
  private(set) var tests = 0
  private(set) var failed: [String] = []
  private(set) var missed: [String] = []
  private(set) var approximate: [String] = []
  /// The ids of played recordings, by the resolved path of the cassette.
  private var played: [String: Set<String>] = [:]

  /// Parses report files; a truncated line counts as a failed test, because its process was terminated.
  init(_ files: [String]) throws(CommandError) {
    for file in files {
      let bytes = try CommandError.using(hint: "Swift tests write the report: CASSETTE_REPORT=\(file) swift test") {
        () throws(CassetteError) in try CassetteFile.bytes(of: file)
      }
      for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
      where !line.isEmpty {
        if let value = JSONValue(Array(line)), value["test"] != nil {
          add(value)
        } else if line.starts(with: "{\"test\":".utf8) {
          tests += 1
          failed.append("a test in a killed process (\(Printable.escaped(file)):\(index + 1))")
        } else {
          throw CommandError(
            .badCassette, "\(Printable.escaped(file)):\(index + 1): is not a line of a test report",
            hint: "Remove the file, and run the tests with CASSETTE_REPORT=\(file) again.")
        }
      }
    }
    guard tests > 0 else {
      throw CommandError(
        .badCassette, "no test results in \(Printable.escaped(files.joined(separator: " ")))",
        hint: "Swift tests write the report: CASSETTE_REPORT=\(files.first ?? "FILE") swift test")
    }
  }

  private mutating func add(_ line: JSONValue) {
    tests += 1
    if line["failed"]?.isTrue == true { failed.append(line["test"]?.string ?? "") }
    missed += line["missed"]?.strings ?? []
    approximate += line["approximate"]?.strings ?? []
    for cassette in line["cassettes"]?.elements ?? [] {
      guard let file = cassette["file"]?.string else { continue }
      played[file, default: []].formUnion(cassette["played"]?.strings ?? [])
    }
  }

  /// Returns the ids of played recordings in a cassette, or nil if no test opened the cassette.
  func played(in file: String) -> Set<String>? {
    if let ids = played[CassetteFileBytes.realPath(file) ?? file] { return ids }
    // A test bundle contains a copy of the cassette, with the same name in a folder of the same name.
    let end = file.split(separator: "/").suffix(2)
    let copies = played.filter { $0.key.split(separator: "/").suffix(2) == end }
    guard end.count == 2, !copies.isEmpty else { return nil }
    return copies.values.reduce(into: []) { $0.formUnion($1) }
  }

  /// The counts of tests, failures, misses and approximate matches in one line.
  var summary: String {
    var parts = [counted(tests, "test")]
    if !failed.isEmpty { parts.append("\(failed.count) failed") }
    if !missed.isEmpty { parts.append(counted(missed.count, "miss", "misses")) }
    if !approximate.isEmpty { parts.append("\(approximate.count) approximate") }
    return parts.joined(separator: ", ")
  }
}
