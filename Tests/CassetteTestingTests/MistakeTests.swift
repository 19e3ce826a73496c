import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Common mistakes in tests, which a separate process makes.
@Suite struct `Common mistakes in tests` {
  private static let file = "MistakeScenarios.swift"

  private func line(of text: String, plus offset: Int = 0) throws -> Int {
    try FailingProcess.line(of: text, in: Self.file) + offset
  }

  @Test func `a client without the cassette's session is reported at the line of its failed test`() throws {
    let run = try FailingProcess(filter: "ClientsWithoutCassette", environment: ["CASSETTE_BLAME": "mistakes"])
    let hints = run.issues.filter {
      $0.text.contains("no request reached this test's cassette: does the client use .cassette?")
    }
    let lines = try ["forgottenSession", "otherData"].map { try line(of: "func \($0)") }
    let call = try line(of: "func forgottenInWithCassette", plus: 1)
    #expect(hints.map(\.line).compactMap(\.self).sorted() == (lines + [call]).sorted(), "\(run.issues)")
    let server = run.issues.filter { $0.text.contains("no request reached this test's mock server") }
    #expect(server.map(\.line) == [try line(of: "func forgottenServer")])
    #expect(run.issues.filter { $0.test == "withoutRequests" }.count == 1)
  }

  @Test func `a suite with .refusingApproximations fails for an approximate answer`() throws {
    let run = try FailingProcess(filter: "InStrictSuite", environment: ["CASSETTE_BLAME": "mistakes"])
    #expect(run.issues.filter(\.isFailure).count == 1)
  }

  @Test(arguments: [("1", true), ("false", false)])
  func `CASSETTE_STRICT fails tests with approximate answers`(value: String, isStrict: Bool) throws {
    let run = try FailingProcess(
      filter: "byDefault",
      environment: ["CASSETTE_BLAME": "mistakes", "CASSETTE_STRICT": value])
    #expect(run.issues.contains(where: \.isFailure) == isStrict, "\(run.issues)")
  }

  @Test func `the filter of a missing cassette runs its test and no other`() throws {
    let run = try FailingProcess(filter: "quotes", environment: ["CASSETTE_BLAME": "mistakes"])
    let text = try #require(run.issues.first { $0.text.contains("the cassette was not found") }?.text)
    let command = try #require(text.split(separator: "swift test --filter ").last?.prefix { $0 != "," })
    // The shell removes the quotes.
    let shell = try ChildProcess.run("/bin/sh", ["-c", "printf %s \(command)"], environment: [:])
    let again = try FailingProcess(filter: shell.output, environment: ["CASSETTE_BLAME": "mistakes"])
    #expect(again.issues.count == 1 && again.passed.isEmpty, "\(command)")
  }

  @Test func `the syntax error of a cassette is shown by the first test, and named by the others`() throws {
    let folder = try ScratchFolder()
    try Data("{".utf8).write(to: URL(filePath: folder.path("broken.json")))
    let run = try FailingProcess(
      filter: "BrokenCassettes", environment: ["CASSETTE_BLAME": "mistakes", "CASSETTE_BLAME_FOLDER": folder.path])
    let failures = run.issues.filter(\.isFailure)
    #expect(failures.count == 2)
    #expect(failures.count { $0.text.contains("broken.json:1:") } == 1, "\(failures)")
    #expect(failures.count { $0.text.contains("the error is reported by \"firstBroken()\"") } == 1, "\(failures)")
  }

  @Test func `a function is passed to withCassette without a label`() async throws {
    try await withCassette("user", Self.askUser)
  }

  @Sendable private static func askUser(_ session: URLSession) async throws {
    let (_, response) = try await session.data(from: #require(URL(string: "https://api.example.com/user")))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `a cassette name with the folder Cassettes is an error with the correct name`() async throws {
    let error = await #expect(throws: CassetteError.self) { try await withCassette("Cassettes/user") { _ in } }
    #expect(error?.description.contains("did you mean \"user\"?") == true, "\(error?.description ?? "")")
  }

  @Test func `an unused stub is reported at the end of the run, with its line`() throws {
    let run = try FailingProcess(filter: "UnusedStubs", environment: ["CASSETTE_BLAME": "mistakes"])
    let place = try line(of: "stub(.get(\"/never\")")
    let lines = run.output.split(separator: "\n").filter { $0.contains("never played in this run") }
    #expect(lines.count == 1, "\(run.output)")
    #expect(lines.first?.contains("1 of 3 stubs were never played in this run: get-never at line \(place)") == true)
  }

  @Test func `a request of a detached task on the shared session is reported at the end of the run`() throws {
    let folder = try ScratchFolder()
    let report = folder.path("run.jsonl")
    let run = try FailingProcess(
      filter: "DetachedOnTheSharedSession", environment: ["CASSETTE_BLAME": "mistakes", "CASSETTE_REPORT": report])
    let line =
      "cassettes: GET https://api.example.com/swallowed was sent on URLSession.shared by code of an unknown test"
    #expect(run.output.contains(line), "\(run.output)")
    #expect(
      try String(contentsOfFile: report, encoding: .utf8).contains(
        #""missed":["GET https://api.example.com/swallowed"]"#))
  }

  #if !canImport(Darwin)
    private func failures(of tests: String) throws -> [Substring] {
      let variables = ProcessInfo.processInfo.environment.merging(["CASSETTE_BLAME": "mistakes"]) { $1 }
      let run = try ChildProcess.run(
        CommandLine.arguments[0], ["CassetteTestingTests.\(tests)"], environment: variables)
      return (run.output + run.error).split(separator: "\n")
    }

    @Test func `a mistake in an XCTest test is reported at the line of the method in its own class`() throws {
      let first = try failures(of: "FirstMistakes/testMistake")
      let place = try "\(Self.file):\(line(of: "func testMistake")): error: FirstMistakes.testMistake"
      #expect(
        first.contains { $0.contains(place) && $0.contains("no request reached this test's cassette") }, "\(first)")
      let second = try failures(of: "SecondMistakes/testMistake")
      let later = try "\(Self.file):\(line(of: "/second", plus: -2)): error: SecondMistakes.testMistake"
      #expect(second.contains { $0.contains(later) && $0.contains("GET /second was never recorded") }, "\(second)")
    }

    @Test func `a session that an XCTestCase created before beginCassette fails its test, with the remedy`() throws {
      let lines = try failures(of: "FirstMistakes/testProperty")
      let place = try "\(Self.file):\(line(of: "func testProperty")): error: FirstMistakes.testProperty"
      #expect(
        lines.contains { $0.contains(place) && $0.contains("create the client in setUp, after beginCassette") },
        "\(lines)")
    }

    @Test func `the filter of a missing cassette in XCTest names class and method`() throws {
      let lines = try failures(of: "SecondMistakes/testNowhere")
      let filter = #"swift test --filter '^CassetteTestingTests\.SecondMistakes/testNowhere$'"#
      #expect(lines.contains { $0.contains(filter) }, "\(lines)")
    }
  #endif

  @Test(arguments: [
    ("A.testX", 2, "a method of the first class"),
    ("B.testX", 5, "a method of the second class"),
    ("C.testX", 9, "a method after a nested class"),
    ("D.testX", nil, "a class of another file"),
  ])
  func `the line of an XCTest method is found in its class`(test: String, line: Int?, _: String) {
    let source = SourceLines(
      text: """
        final class A: XCTestCase {
          func testX() {}
        }
        class B: A {
          override func testX() {}
        }
        class C: XCTestCase {
          class Helper {}
          func testX() async throws {}
        }
        """)
    #expect(source.line(ofTest: test) == line)
  }
}
