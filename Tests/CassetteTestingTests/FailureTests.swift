import Foundation
import TestSupport
import Testing

/// Tests that expectations in closures of stubs fail the test whose request the closure answers.
@Suite struct `Failed expectations in closures of stubs` {
  @Test(arguments: [1, 50])
  func `a failed expectation in a stub's closure fails the requesting test once, at the line of the expectation`(
    cases: Int
  ) throws {
    let run = try FailingProcess(filter: "WaysToFail", environment: ["CASSETTE_FAILING_CASES": "\(cases)"])
    #expect(run.status != 0)
    let failures = run.issues.filter(\.isFailure)
    for way in 1...12 {
      let own = failures.filter { $0.test == "way\(way)" }
      // The compiler assigns a closure in the attribute of a test to the function of the test.
      let marker = [3, 4, 5, 6].contains(way) ? "\"way \(way) " : "func way\(way)("
      let line = try FailingProcess.line(of: marker, in: "WaysToFail.swift")
      #expect(own.count == cases, "way \(way)")
      #expect(Set(own.map(\.line)) == [line], "way \(way)")
      for number in 0..<cases {
        let words = "way \(way) case \(number)"
        let told = own.filter { $0.text.hasSuffix(words) || $0.text.contains("\(words)\n") }
        #expect(told.count == 1, "\(words)")
      }
    }
    #expect(failures.count == 12 * cases, "\(failures.filter { $0.test == nil })")
    let known = run.issues.filter(\.isKnown)
    #expect(known.count == cases)
    #expect(run.passed.contains("a test whose expectations hold passes"))
  }

  @Test(arguments: ["way1", "way7"])
  func `a failed test with a session or a server has attachments with its requests`(way: String) throws {
    let folder = try ScratchFolder()
    let run = try FailingProcess(
      filter: "WaysToFail/\(way)\\(", environment: ["CASSETTE_FAILING_CASES": "1"], attachments: folder.path)
    #expect(run.status != 0)
    #expect(folder.files == ["requests.har", "requests.txt"])
    let bytes = try #require(folder.bytes("requests.har"))
    let archive = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let entries = (archive["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    let urls = entries.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
    #expect(urls.count == 1 && urls.allSatisfy { $0.hasSuffix("/user?case=0") }, "\(urls)")
    #expect(entries.compactMap { ($0["response"] as? [String: Any])?["status"] as? Int } == [204])
  }

  #if !canImport(Darwin)
    @Test func `a failed XCTFail in a stub's closure fails the requesting XCTest test once, at its line`() throws {
      let variables = ProcessInfo.processInfo.environment.merging(["CASSETTE_FAILING_CASES": "1"]) { $1 }
      let run = try ChildProcess.run(
        CommandLine.arguments[0], ["CassetteTestingTests.XCTestWaysToFail"], environment: variables)
      let lines = (run.output + run.error).split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(lines.count == 3, "\(lines)")
      for way in 13...15 {
        let line = try FailingProcess.line(of: "stub(\"way \(way)\")", in: "WaysToFail.swift")
        let own = lines.filter { $0.contains("XCTestWaysToFail.testWay\(way)") && $0.contains("way \(way) case 0") }
        #expect(own.count == 1)
        #expect(own.first?.contains("WaysToFail.swift:\(line): ") == true)
      }
    }
  #endif
}
