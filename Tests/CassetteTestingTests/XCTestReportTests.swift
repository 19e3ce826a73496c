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
  @Suite(.serialized) struct `Reports of cassettes in XCTest` {
    private static func get(_ path: String, _ session: URLSession) async throws {
      guard let url = URL(string: "https://api.example.com\(path)") else { return }
      _ = try await session.data(from: url)
    }

    @Test func `a miss in XCTest is one failure at the line of withCassette`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("user", .relaxed) { try await Self.get("/users", $0) }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.file.hasSuffix("XCTestReportTests.swift") == true)
      #expect(failures.first?.text.contains("GET /users was never recorded") == true)
    }

    @Test func `a miss after beginCassette is one failure with the message of Swift Testing`() async {
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

    @Test func `a missing cassette in XCTest is one failure at the line of withCassette with the nearest name`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("usr") { _ in }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.text.contains("did you mean \"user\"?") == true)
      #expect(failures.first?.text.contains("XCTUnwrap") == false)
    }

    @Test func `a recording that was never played fails a strict XCTest test at the line of withCassette`() async {
      let line = #line + 2
      let failures = await Inner.failures { _ in
        try await withCassette("pair", .strict) { try await Self.get("/first", $0) }
      }
      #expect(failures.map(\.line) == [line])
      #expect(failures.first?.text.contains("get-second") == true)
    }

    @Test func `a cassette of beginCassette ends with its test and reports at the line of beginCassette`() async {
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

    @Test func `beginCassette with a missing cassette is one failure at its line`() async {
      let line = #line + 2
      let failures = await Inner.failures { test in
        try test.beginCassette("usr")
      }
      #expect(failures.map(\.line) == [line])
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment["CI"]?.isEmpty == false, "CI refuses to record"))
    func `beginCassette with a redaction does not record the redacted value`() async throws {
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
