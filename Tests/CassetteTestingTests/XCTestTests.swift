import CassetteTesting
import XCTest

final class CassetteXCTests: XCTestCase {
  func testACassetteAnswersInXCTest() async throws {
    try await withCassette("user") { session in
      let user = try await Client(session: session).user()
      XCTAssertEqual(user.login, "kean")
    }
  }

  func testURLSessionCassetteIsBoundInXCTest() async throws {
    try await withCassette("user") { _ in
      let user = try await Client(session: .cassette).user()
      XCTAssertEqual(user.login, "kean")
    }
  }
}
