import CassetteSession
import Cassettes
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Where a test hears of what went wrong with its cassettes.
struct Report: Sendable {
  let location: SourceLocation
  let file: StaticString?

  init(_ location: SourceLocation) {
    self.location = location
    file = nil
  }

  /// The place of a call in a test of either kind.
  init(fileID: String, file: StaticString, line: Int, column: Int) {
    location = SourceLocation(fileID: fileID, filePath: "\(file)", line: line, column: column)
    self.file = file
  }

  func fail(_ message: String) {
    #if canImport(XCTest)
      if let file, Test.current == nil {
        XCTFail(message, file: file, line: UInt(clamping: location.line))
        return
      }
    #endif
    Issue.record("\(message)", sourceLocation: location)
  }

  func warn(_ message: String) {
    guard Test.current != nil else { return }
    #if compiler(>=6.3)
      Issue.record("\(message)", severity: .warning, sourceLocation: location)
    #else
      Attachment.record(message, named: "cassettes.txt", sourceLocation: location)
    #endif
  }

  /// Says what a test's requests came to.
  ///
  /// - Parameters:
  ///   - ledger: What was asked and what answered.
  ///   - name: The cassettes' name.
  ///   - strictness: What becomes of recordings never asked for.
  ///   - threw: Whether the test ended with an error.
  func settle(_ ledger: Ledger, of name: String, _ strictness: Strictness, threw: Bool) {
    for miss in ledger.misses { fail(miss.text) }
    for problem in ledger.problems { fail(problem) }
    let failed = threw || !ledger.misses.isEmpty || !ledger.problems.isEmpty
    if failed, Test.current != nil, !ledger.requests.isEmpty {
      let lines = ledger.requests.map { "\($0.request)  ->  \($0.answer)" }
      Attachment.record(lines.joined(separator: "\n"), named: "requests.txt", sourceLocation: location)
    }
    // After a failure it explains nothing: the test did not come to its end.
    if !failed { settle(neverPlayed: ledger.neverPlayed, of: name, strictness) }
  }

  func settle(neverPlayed: [String], of name: String, _ strictness: Strictness) {
    guard !neverPlayed.isEmpty, strictness != .relaxed else { return }
    var lines = ["\(neverPlayed.count) of the recordings of \"\(name)\" never played:"]
    lines += neverPlayed.prefix(10).map { "  \($0)" }
    if neverPlayed.count > 10 { lines.append("  and \(neverPlayed.count - 10) more") }
    if strictness == .strict {
      fail((lines + ["  Take them out of the cassette, or use .relaxed."]).joined(separator: "\n"))
    } else {
      warn((lines + ["  .strict makes this a failure, .relaxed keeps silent."]).joined(separator: "\n"))
    }
  }
}
