import CassetteTesting
import Foundation
import TestSupport
import Testing
import XCTest

@testable import CassetteSession
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// An XCTestCase that collects its failures instead of reporting them.
  private final class Inner: XCTestCase {
    struct Failure: Equatable {
      let text: String
      let file: String
      let line: Int
    }

    nonisolated(unsafe) var failures: [Failure] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      failures.append(Failure(text: description, file: filePath, line: lineNumber))
    }

    /// Runs a body in the same way as XCTest runs a test.
    static func failures(_ body: @escaping @Sendable (Inner) async throws -> Void) async -> [Failure] {
      await withCheckedContinuation { continuation in
        // On a thread without a Swift Testing task, as in an XCTest test.
        Thread.detachNewThread {
          let test = Inner(name: "testProfile") { test in
            guard let test = test as? Inner else { return }
            nonisolated(unsafe) let inner = test
            try asyncTest { (_: Inner) in { try await body(inner) } }(test)()
          }
          test.run()
          continuation.resume(returning: test.failures)
        }
      }
    }
  }

  // Serialized, because XCTest supports only one running test.
  @Suite(.serialized) struct `XCTest` {
    private static func get(_ path: String, _ session: URLSession) async throws {
      guard let url = URL(string: "https://api.example.com\(path)") else { return }
      _ = try await session.data(from: url)
    }

    @Test func `shows a miss once, at the line of the call`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("user", .relaxed) { try await Self.get("/users", $0) }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.file.hasSuffix("XCTestReportTests.swift") == true)
      #expect(failures.first?.text.contains("GET /users was never recorded") == true)
    }

    @Test func `shows a miss of a cassette that was begun once, in the words of Swift Testing`() async {
      let line = #line + 2
      let failures = await Inner.failures { test in
        try test.beginCassette("user", .relaxed)
        try await Self.get("/users", .cassette)
      }
      #expect(failures.map(\.line) == [line], "\(failures)")
      let text = failures.first?.text ?? ""
      #expect(text.contains("failed - GET /users was never recorded"), "\(text)")
      #expect(!text.contains("NSURLErrorDomain") && !text.contains("XCTUnwrap"))
    }

    @Test func `shows a cassette that is not there at the line of the call`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("usr") { _ in }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.text.contains("did you mean \"user\"?") == true)
      #expect(failures.first?.text.contains("XCTUnwrap") == false)
    }

    @Test func `shows a recording that never played at the line of the call when the test is strict`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("pair", .strict) { try await Self.get("/first", $0) }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.text.contains("get-second") == true)
    }

    @Test func `has a form for setUp: the cassette ends with the test, and tells at the line where it began`() async {
      let line = #line + 2
      let failures = await Inner.failures { test in
        try test.beginCassette("pair", .strict)
        try await Self.get("/first", .cassette)
        #expect(sent(.get("/first")).count == 1)
        #expect(URLSession.cassette.requests.count == 1)
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.text.contains("get-second") == true)
    }

    @Test func `begins no cassette that is not there, at the line of the call`() async {
      let line = #line + 2
      let failures = await Inner.failures { test in
        try test.beginCassette("usr")
      }
      #expect(failures.map(\.line) == [line])
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment["CI"]?.isEmpty == false, "CI refuses to record"))
    func `takes out of recordings what it is told`() async throws {
      let body = #"{"iban":"DE89370400440532013000"}"#
      let origin = try LoopbackOrigin { _ in
        [
          .text(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        ]
      }
      let folder = try ScratchFolder()
      let redaction = CassetteRedaction.redacting(.json("$.iban"), with: "DE00")
      let recorded =
        await Inner.failures { test in
          try test.beginCassette("a", in: folder.path, mode: .record, redacting: redaction)
          _ = try await URLSession.cassette.data(from: #require(URL(string: "\(origin.url)/a")))
        }
      #expect(recorded.isEmpty)
      try await withCassette("a", in: folder.path) { session in
        let (data, _) = try await session.data(from: #require(URL(string: "\(origin.url)/a")))
        #expect(String(decoding: data, as: UTF8.self) == #"{"iban":"DE00"}"#)
      }
    }
  }
#endif
