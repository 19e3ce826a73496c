package import CassettePlayback
import CassetteSession
internal import CassetteSystem
import Cassettes
import Foundation
package import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Reports problems with cassettes to a test.
package struct Report: Sendable {
  package let location: SourceLocation
  let file: StaticString?
  /// The name of the XCTest test for which `setUp` began a cassette; failures are reported at its line instead of the
  /// call's.
  var test: String?

  package init(_ location: SourceLocation) {
    self.location = location
    file = nil
  }

  /// Creates a report for a call in a test of Swift Testing or XCTest.
  package init(fileID: String, file: StaticString, line: Int, column: Int) {
    location = SourceLocation(fileID: fileID, filePath: "\(file)", line: line, column: column)
    self.file = file
  }

  package func fail(_ message: String) {
    #if canImport(XCTest)
      if let file, Test.current == nil {
        XCTFail(message, file: file, line: UInt(clamping: line(in: file)))
        return
      }
    #endif
    Issue.record("\(message)", sourceLocation: location)
  }

  /// Returns the line of a failure: the line of the call, or of the test if the call is outside of the test.
  private func line(in file: StaticString) -> Int {
    guard let test, let source = SourceLines(path: "\(file)"), let own = source.line(ofTest: test),
      own != source.function(around: location.line)
    else { return location.line }
    return own
  }

  private static let told = Locked<[String: String]>([:])

  /// Fails the test because its cassette cannot be used; only the first test shows the whole error of a file.
  func fail(_ error: CassetteError, of name: String) {
    let text = "\(error)"
    let first = Self.told.withLock { told in
      defer { told[text] = told[text] ?? name }
      return told[text]
    }
    fail(first.map { "\(error.file): the error is reported by \"\($0)\"" } ?? text)
  }

  package func warn(_ message: String) {
    guard Test.current != nil else {
      // XCTest has no warnings; Xcode and editors parse this format.
      let place = file.map { "\($0)" } ?? location.fileID
      FileHandle.standardError.write(Data("\(place):\(location.line): warning: \(message)\n".utf8))
      return
    }
    Issue.warn(message, location)
  }

  /// Reports the results of a test's requests; returns the message of the last miss if the test should throw it.
  @discardableResult
  package func settle(
    _ ledger: CassetteLedger, of name: String, in test: String, _ strictness: CassetteStrictness, _ ending: TestEnding
  ) -> String? {
    let last = tell(ledger.misses, ending)
    for problem in ledger.problems { fail(problem) }
    let failed = ending.failed || !ledger.misses.isEmpty || !ledger.problems.isEmpty
    let isUnused = !ending.isIdle && ledger.count == 0 && strictness.level != .relaxed
    guard !failed else {
      // After a failure, other deviations are not reported, because they would not explain the failure.
      attach(ledger.requests, of: ledger.count, to: test)
      guard isUnused, ledger.problems.isEmpty else { return last }
      guard ending.throwsLastMiss, let error = ending.error else {
        fail(Self.noRequests)
        return last
      }
      return "\(Self.noRequests)\n  The test then threw: \(error)"
    }
    guard !isUnused else {
      fail(Self.noRequests)
      return nil
    }
    settle(approximations: ledger.approximations, strictness)
    if strictness.level == .strict { settle(neverPlayed: ledger.unplayed, of: name) }
    settle(
      ledger.outOfOrder, strictness, most: 3, "the requests to \"\(name)\" were sent in another order than recorded:",
      remedy: "Reorder the recordings, or use .relaxed.")
    settle(faultsNeverMet: ledger.faultsNeverMet, strictness)
    settle(ignoredNeverFound: ledger.ignoredNeverFound, strictness)
    return nil
  }

  private static let noRequests = """
    no request reached this test's cassette: does the client use .cassette?
      Give the client URLSession.cassette or a session of URLSessionConfiguration.cassette; code on URLSession.shared needs \
    session: .shared. A test that sends no request on purpose uses .relaxed, or no cassette.
    """

  /// Reports recordings that a strict test did not use.
  package func settle(neverPlayed: some RandomAccessCollection<String>, of name: String) {
    settle(
      neverPlayed, .strict, most: 10, "\(neverPlayed.count) of the recordings of \"\(name)\" were never played:",
      remedy: "Remove them from the cassette, or use .relaxed.")
  }

  /// Reports answers by recordings that differ from the request, because a test may pass only because of them.
  package func settle(approximations: [Approximation], _ strictness: CassetteStrictness) {
    guard strictness.reportsApproximations else { return }
    settle(
      approximations.map { $0.text.split(separator: "\n").joined(separator: "\n  ") },
      strictness.level == .strict || strictness.refusesApproximations ? .strict : .warns, most: 5,
      "\(approximations.count) of the responses are approximations:",
      remedy: "Record these requests, or allow the differences: matching: .body(ignoring: \"$.id\").",
      silence: ".allowingApproximations")
  }

  package func settle(faultsNeverMet: [String], _ strictness: CassetteStrictness) {
    settle(
      faultsNeverMet, strictness, most: 3, "no request matched these faults:",
      remedy: "Check the path after on:, or remove the faults.")
  }

  package func settle(ignoredNeverFound: [String], _ strictness: CassetteStrictness) {
    settle(
      ignoredNeverFound, strictness, most: 3, "these ignored paths select nothing in the request bodies:",
      remedy: "Correct the paths, or remove them.")
  }

  private func settle(
    _ found: some RandomAccessCollection<String>, _ strictness: CassetteStrictness, most: Int, _ sentence: String,
    remedy: String, silence: String = ".relaxed"
  ) {
    guard !found.isEmpty, strictness.level != .relaxed else { return }
    var lines = [sentence] + found.prefix(most).map { "  \($0)" }
    if found.count > most { lines.append("  and \(found.count - most) more") }
    if strictness.level == .strict {
      fail((lines + ["  \(remedy)"]).joined(separator: "\n"))
    } else {
      warn((lines + ["  .strict turns this warning into a failure, \(silence) silences it."]).joined(separator: "\n"))
    }
  }
}
