import CassetteTesting
import XCTest

final class ProfileXCTests: XCTestCase {
  func testProfile() async throws {
    try await withCassette("github-user") { session in
      let user = try await GitHub(session: session).user("kean")
      XCTAssertEqual(user.login, "kean")
    }
  }

  func testRequestRetriedAfterStatus503Succeeds() async throws {
    try await withCassette(stubs: [CassetteStub(.get("/users/kean"), .status(503), .json(["login": "kean"]))]) {
      session in
      let user = try await GitHub(session: session).patientUser("kean")
      XCTAssertEqual(user.login, "kean")
    }
  }
}

// Uses one cassette for all tests of a class.
final class EveryProfileXCTests: XCTestCase {
  override func setUp() async throws { try beginCassette("github-user") }

  func testProfile() async throws {
    let user = try await GitHub(session: .cassette).user("kean")
    XCTAssertEqual(user.login, "kean")
    XCTAssertEqual(sent(.get("/users/{name}")).count, 1)
  }
}
