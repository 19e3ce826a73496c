import CassetteTesting
import Foundation
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The examples of the page "Moving here". On Apple platforms, tests on `URLSession.shared` must run one after the other.
@Suite(.serialized) struct MovingHereTests {
  @Test(.stub(.get("/users/kean"), .json(["login": "kean"])))
  func `a stub replaces a URLProtocol`() async throws {
    #expect(try await GitHub(session: .cassette).user("kean").login == "kean")
  }

  @Test(.stub(.get("/users/kean"), .status(503)))
  func `a stub replaces a Mock`() async throws {
    await #expect(throws: GitHub.Failure(status: 503)) { try await GitHub(session: .cassette).user("kean") }
  }

  @Test(.cassette("github-user", session: .shared))
  func `a cassette replaces a HAR file`() async throws {
    #expect(try await GitHub(session: .shared).user("kean").login == "kean")
  }
}

final class MovingHereXCTests: XCTestCase {
  func testAStubReplacesOHHTTPStubs() async throws {
    let stub = CassetteStub(.get("/users/kean"), .json(["login": "kean"]).delay(.milliseconds(100)))
    try await withCassette(stubs: [stub]) { session in
      let user = try await GitHub(session: session).user("kean")
      XCTAssertEqual(user.login, "kean")
    }
  }

  func testACassetteReplacesADVRCassette() async throws {
    try await withCassette("github-user") { session in
      let user = try await GitHub(session: session).user("kean")
      XCTAssertEqual(user.login, "kean")
    }
  }
}
