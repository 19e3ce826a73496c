import Foundation
import TestSupport
import Testing

/// Misuse of sessions is reported to the test that owns the session, and to no other.
@Suite struct `Attribution of misused sessions` {
  /// The scenarios with a guilty test: its number, the failures of that test, and words of each message.
  private static let guilty: [(number: Int, failures: Int, words: String)] = [
    (1, 1, "the client outlives the test that created it"),
    (2, 1, "the client outlives the test that created it"),
    (3, 1, "had ended"),
    (7, 1, "had ended"),
    (8, 1, "\"owner8(number:)\"[1]"),
    (10, 1, "no request reached this test's cassette"),
    (11, 2, "the client outlives the test that created it"),
    (12, 1, "had ended"),
    (13, 1, "GET /theirs"),
  ]

  @Test func `a misused session fails the test that owns the session and no other`() throws {
    let suites =
      "LeakedWhileRunning|LeakedAfterTheEnd|LateAndDetached|SharedAndDetached|HeldAtTheEnd|PollingOn|OneOfTheCases"
      + "|MadeInInit|MadeWithoutCassette|OneSessionForAll|DelegateAfterTheEnd|ForeignServer|NestedSessions"
    let run = try FailingProcess(filter: suites, environment: ["CASSETTE_BLAME": "sessions"])
    let failures = run.issues.filter(\.isFailure)
    #expect(failures.allSatisfy { $0.test != nil }, "\(failures)")
    #expect(Set(failures.compactMap(\.test)) == Set(Self.guilty.map { "owner\($0.number)" }), "\(failures)")
    for (number, count, words) in Self.guilty {
      let own = failures.filter { $0.test == "owner\(number)" }
      #expect(own.count == count, "\(own)")
      #expect(own.allSatisfy { $0.text.contains(words) }, "\(own)")
    }
    let innocent = ["1", "2", "3", "4", "5", "6a", "6b", "7a", "7b", "9a", "9b", "9c", "10a", "10b", "12", "13", "14"]
    for name in innocent { #expect(run.passed.contains("innocent\(name)"), "\(name)") }
    for name in ["1", "11a", "11b", "13"] { #expect(run.passed.contains("guest\(name)"), "\(name)") }
  }

  #if os(Linux)
    @Test func `a denied request of an unknown test fails the run and no test`() throws {
      let run = try FailingProcess(filter: "DeniedNetwork", environment: ["CASSETTE_BLAME": "network"])
      #expect(run.issues.filter(\.isFailure) == [])
      #expect(run.status != 0)
      #expect(
        run.output.contains("cassettes: error: connection to 203.0.113.9, port 80, by an unknown test"))
    }

    @Test func `a denied request of a test's task fails that test`() throws {
      let run = try FailingProcess(filter: "DeniedBesideAGuest", environment: ["CASSETTE_BLAME": "shared"])
      let failures = run.issues.filter(\.isFailure)
      #expect(failures.map(\.test) == ["owner15"], "\(run.issues)")
      #expect(failures.first?.text.contains("GET https://api.example.com/asked on URLSession.shared") == true)
      #expect(run.passed.contains("innocent15"))
    }

    @Test func `a request after the end of an XCTest test is a warning at the line of beginCassette`() throws {
      let variables = ProcessInfo.processInfo.environment.merging(["CASSETTE_BLAME": "xctest"]) { $1 }
      let run = try ChildProcess.run(
        CommandLine.arguments[0], ["CassetteTestingTests.LeakedBetweenXCTests"], environment: variables)
      let text = run.output + run.error
      #expect(run.status == 0, "\(text)")
      let line = try FailingProcess.line(of: "func test1Owner16", in: "LeakScenarios.swift") + 2
      #expect(text.contains("LeakScenarios.swift:\(line): warning: GET https://api.example.com/user was sent after"))
    }
  #endif

  @Test func `unused recordings are reported once per file and run`() throws {
    let run = try FailingProcess(filter: "UnplayedInTheRun", environment: ["CASSETTE_BLAME": "unplayed"])
    let lines = run.output.split(separator: "\n").filter {
      $0.contains("pair.json: ") && $0.contains("never played in this run")
    }
    #expect(lines.count == 1, "\(run.output)")
    #expect(
      lines.first?.contains("pair.json: 1 of 2 recordings were never played in this run: get-second at line ") == true)
    let failures = run.issues.filter(\.isFailure)
    #expect(Set(failures.compactMap(\.test)) == ["unused9", "unused10"], "\(failures)")
    #expect(
      failures.contains { $0.text.contains("no request reached this test's cassette: does the client use .cassette?") })
    #expect(failures.contains { $0.text.contains("no request reached this test's mock server") })
  }
}
