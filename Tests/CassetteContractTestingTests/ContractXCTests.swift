import CassetteContractTesting
import Foundation
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// A test case that collects its own failures and fails if they differ from the expected one.
  final class ContractXCTests: XCTestCase {
    private var failures: [(text: String, line: Int)] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      failures.append((description, lineNumber))
    }

    /// Expects one failure by the end of the test.
    ///
    /// Teardown blocks run in reverse order, so that this block runs after the block of the contract.
    private func expect(line: Int, _ text: String) {
      nonisolated(unsafe) let test = self
      addTeardownBlock {
        let found = test.failures
        if found.count == 1, found[0].line == line, found[0].text.contains(text) { return }
        test.fail("expected \"\(text)\" at line \(line), found \(found)", line)
      }
    }

    private func fail(_ text: String, _ line: Int) {
      super.recordFailure(withDescription: text, inFile: #filePath, atLine: line, expected: true)
    }

    func testBreachFailsAtTheLineWhereTheContractBegins() async throws {
      expect(line: #line + 2, "response body $.id: must be integer")
      try beginCassette("broken", .relaxed)
      try beginContract("openapi.yaml")
      let url = try XCTUnwrap(URL(string: "https://api.example.com/users/kean"))
      _ = try await URLSession.cassette.data(from: url)
    }

    func testContractWithoutACassetteThrows() throws {
      expect(line: #line + 1, "call try beginCassette(…) first")
      XCTAssertThrowsError(try beginContract("openapi.yaml"))
    }
  }
#endif
