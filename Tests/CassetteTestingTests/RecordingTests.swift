internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteTesting
@testable import Cassettes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Recording with withCassette` {
  private static let isCI = (ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty == false

  private func origin(_ body: String = #"{"login":"kean"}"#) throws -> LoopbackOrigin {
    try LoopbackOrigin { _ in
      [
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Team: blue\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      ]
    }
  }

  private func get(_ url: String, _ session: URLSession) async throws -> String {
    String(decoding: try await session.data(from: try #require(URL(string: url))).0, as: UTF8.self)
  }

  private func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  @Test(.disabled(if: isCI, "CI refuses to record unless told twice"))
  func `a test in recording mode writes a cassette that the next run plays`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    try await withCassette("deep/user", in: folder.path, mode: .record, redacting: [.header("X-Team")]) { session in
      let body = try await get("\(origin.url)/user", session)
      #expect(body == #"{"login":"kean"}"#)
    }
    origin.stop()
    try await withCassette("deep/user", in: folder.path, .strict) { session in
      let body = try await get("\(origin.url)/user", session)
      #expect(body == #"{"login":"kean"}"#)
    }
    #expect(folder.files == ["deep/user.json"])
    #expect(text(folder.path("deep/user.json")).contains(#"["X-Team", "{{secret:1}}"]"#))
  }

  @Test(.disabled(if: isCI, "CI refuses to record unless told twice"))
  func `a failing test in recording mode writes its cassette`() async throws {
    let origin = try origin()
    let folder = try ScratchFolder()
    await #expect(throws: CancellationError.self) {
      try await withCassette("user", in: folder.path, mode: .record) { session in
        _ = try await get("\(origin.url)/user", session)
        throw CancellationError()
      }
    }
    #expect(folder.files == ["user.json"])
  }

  @Test(.disabled(if: isCI, "CI refuses to record unless told twice"))
  func `a token in a field without a secret's name is redacted`() async throws {
    let token = "ghp_" + String(repeating: "aB3dE6gH9", count: 4)
    let origin = try origin(#"{"note":"\#(token)"}"#)
    let folder = try ScratchFolder()
    try await withCassette("user", in: folder.path, mode: .record) { session in
      _ = try await get("\(origin.url)/user", session)
    }
    let text = try String(contentsOf: URL(filePath: folder.path("user.json")), encoding: .utf8)
    #expect(text.contains("{{secret:1}}") && !text.contains(token))
  }

  @Test func `recording on a CI machine without CASSETTE_MODE=record is an error`() throws {
    let error = #expect(throws: CassetteError.self) { try CassetteMode.ofTest(.record, environment: ["CI": "true"]) }
    #expect(error?.description.contains("CASSETTE_MODE=record") == true)
    #expect(try CassetteMode.ofTest(.record, environment: ["CI": "true", "CASSETTE_MODE": "record"]) == .record)
    #expect(try CassetteMode.ofTest(nil, environment: ["CI": "true"]) == .replay)
  }

  @Test func `CASSETTE_MODE overrides the default mode, and an unknown mode is an error`() throws {
    #expect(try CassetteMode.ofTest(nil, environment: ["CASSETTE_MODE": "record-missing"]) == .recordMissing)
    #expect(try CassetteMode.ofTest(.record, environment: ["CASSETTE_MODE": "replay"]) == .replay)
    #expect(try CassetteMode.ofTest(.replay, environment: ["CASSETTE_MODE": "record"]) == .replay)
    #expect(throws: CassetteError.self) { try CassetteMode.ofTest(nil, environment: ["CASSETTE_MODE": "rekord"]) }
  }
}
