import CassetteTesting
import Dispatch
import Foundation
import MockServerTesting
import Testing
import XCTest

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The configuration of the tests below, which fail on purpose in a process that ``FailureTests`` starts, and are empty
/// in every other process.
enum FailingRun {
  /// The number of cases of each test; nil unless the tests fail on purpose.
  static let cases = ProcessInfo.processInfo.environment["CASSETTE_FAILING_CASES"].flatMap { Int($0) }

  static var numbers: Range<Int> { 0..<(cases ?? 0) }

  /// Sends a request with the number of the case in its query.
  static func ask(
    _ session: URLSession, _ number: Int, _ path: String = "/user", base: String = "https://api.example.com"
  ) async throws {
    _ = try await session.data(from: #require(URL(string: "\(base)\(path)?case=\(number)")))
  }

  static func ask(_ server: TestMockServer, _ number: Int) async throws {
    let session = URLSession(configuration: .ephemeral)
    try await ask(session, number, base: "http://127.0.0.1:\(server.url.port ?? 0)")
    session.invalidateAndCancel()
  }

  /// Records an issue with the location of the caller.
  static func expectNothing(_ request: URLRequest, _ location: SourceLocation) {
    Issue.record("way 8 \(request.number)", sourceLocation: location)
  }
}

extension URLRequest {
  /// The number of the case that sends the request.
  fileprivate var number: String { "case \(url?.query?.split(separator: "=").last ?? "?")" }
}

// Each closure records the comment `way N case M` on one line, by which the outer test finds the issue.
@Suite(.enabled(if: FailingRun.cases != nil)) struct WaysToFail {
  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "POST", "way 1 \(request.number)")
        return .status(204)
      }), arguments: FailingRun.numbers)
  func way1(number: Int) async throws { try await FailingRun.ask(.cassette, number) }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        Issue.record("way 2 \(request.number)")
        return .status(204)
      }
      .header("X-Made", "yes")), arguments: FailingRun.numbers)
  func way2(number: Int) async throws { try await FailingRun.ask(URLSession(configuration: .cassette), number) }

  @Test(arguments: FailingRun.numbers) func way3(number: Int) async throws {
    let stub = CassetteStub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.url?.host() == nil, "way 3 \(request.number)")
        return .status(204)
      })
    try await withCassette(stubs: [stub]) { try await FailingRun.ask($0, number) }
  }

  @Test(.stub(.get("/other"), .status(204), strictness: .relaxed), arguments: FailingRun.numbers)
  func way4(number: Int) async throws {
    CassettePlayer.current.stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.url?.path() == "", "way 4 \(request.number)")
        return .status(204)
      })
    try await FailingRun.ask(.cassette, number)
  }

  @Test(arguments: FailingRun.numbers) func way5(number: Int) async throws {
    let stub = CassetteStub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == nil, "way 5 \(request.number)")
        return .status(204)
      })
    try await withMockServer(stubs: [stub]) { try await FailingRun.ask($0, number) }
  }

  @Test(arguments: FailingRun.numbers) func way6(number: Int) async throws {
    try await withMockServer { server in
      server.stub(
        .get("/user").anyQuery,
        .answering { request in
          #expect(request.httpMethod == nil, "way 6 \(request.number)")
          return .status(204)
        })
      try await FailingRun.ask(server, number)
    }
  }

  @Test(
    .mockServer(stubs: [
      CassetteStub(
        .get("/user").anyQuery,
        .answering { request in
          Issue.record("way 7 \(request.number)")
          return .status(204)
        })
    ]), arguments: FailingRun.numbers)
  func way7(number: Int) async throws { try await FailingRun.ask(#require(TestMockServer.current), number) }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        FailingRun.expectNothing(request, #_sourceLocation)  // way 8
        return .status(204)
      }), arguments: FailingRun.numbers)
  func way8(number: Int) async throws { try await FailingRun.ask(.cassette, number) }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "POST", "way 9 \(request.number)")
        return .status(204)
      }), arguments: FailingRun.numbers)
  func way9(number: Int) async throws {
    let session = URLSession.cassette
    try await Task.detached { try await FailingRun.ask(session, number) }.value
  }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "POST", "way 10 \(request.number)")
        return .status(204)
      }, session: .shared), arguments: FailingRun.numbers)
  func way10(number: Int) async throws { try await FailingRun.ask(.shared, number) }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "POST", "way 11 \(request.number)")
        return .status(204)
      }), arguments: FailingRun.numbers)
  func way11(number: Int) async throws {
    let session = URLSession.cassette
    let url = try #require(URL(string: "https://api.example.com/user?case=\(number)"))
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        session.dataTask(with: url) { _, _, _ in continuation.resume() }.resume()
      }
    }
  }

  @Test(
    .stub(.get("/moved").anyQuery, .answering { .status(302, headers: ["Location": "/user?\($0.url?.query ?? "")"]) }),
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        .answering { _ in
          Issue.record("way 12 \(request.number)")
          return .status(204)
        }
      }), arguments: FailingRun.numbers)
  func way12(number: Int) async throws { try await FailingRun.ask(.cassette, number, "/moved") }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "POST", "known \(request.number)")
        return .status(204)
      }), arguments: FailingRun.numbers)
  func `a known issue of the requesting test stays known`(number: Int) async throws {
    await withKnownIssue { try await FailingRun.ask(.cassette, number) }
  }

  @Test(
    .stub(
      .get("/user").anyQuery,
      .answering { request in
        #expect(request.httpMethod == "GET")
        return .status(204)
      }), arguments: FailingRun.numbers)
  func `a test whose expectations hold passes`(number: Int) async throws {
    for _ in 0..<5 { try await FailingRun.ask(.cassette, number) }
  }
}

final class XCTestWaysToFail: XCTestCase {
  private func stub(_ way: String, line: UInt = #line) -> CassetteStub {
    CassetteStub(
      .get("/user").anyQuery,
      .answering { request in
        XCTFail("\(way) \(request.number)", line: line)
        return .status(204)
      })
  }

  func testWay13() async throws {
    guard FailingRun.cases != nil else { return }
    try beginCassette(stubs: [stub("way 13")])
    try await FailingRun.ask(.cassette, 0)
  }

  func testWay14() async throws {
    guard FailingRun.cases != nil else { return }
    try await withCassette(stubs: [stub("way 14")]) { try await FailingRun.ask($0, 0) }
  }

  func testWay15() async throws {
    guard FailingRun.cases != nil else { return }
    try await withMockServer(stubs: [stub("way 15")]) { try await FailingRun.ask($0, 0) }
  }
}
