internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteTesting
@testable import MockServerTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private let isCI = ProcessInfo.processInfo.environment["CI"]?.isEmpty == false

/// The ways in which a test can record and then play the recordings.
enum RecordingHarness: CaseIterable, Sendable {
  case withCassette, cassetteTrait, withMockServer, mockServerTrait

  /// Runs a body; harnesses that support it receive `redacting` as an argument.
  func run(
    in folder: String, of origin: String, mode: CassetteMode?, redacting: CassetteRedaction,
    _ body: @escaping @Sendable (_ url: String, _ session: URLSession) async throws -> Void
  ) async throws {
    switch self {
    case .withCassette:
      try await CassetteTesting.withCassette("a", in: folder, mode: mode, redacting: redacting) {
        try await body(origin, $0)
      }
    case .cassetteTrait:
      let test = try #require(Test.current)
      // Without the scope of the test's own trait, so that the trait creates a new one.
      try await CassetteScope.$current.withValue(nil) {
        try await CassetteTrait.cassette("a", in: folder, mode: mode).provideScope(for: test, testCase: nil) {
          try await body(origin, .cassette)
        }
      }
    case .withMockServer:
      try await MockServerTesting.withMockServer(
        cassettes: "a", in: folder, upstream: mode == nil ? nil : origin, mode: mode, redacting: redacting
      ) { try await body("\($0.url)", URLSession(configuration: .ephemeral)) }
    case .mockServerTrait:
      let test = try #require(Test.current)
      let trait = MockServerTrait.mockServer("a", in: folder, upstream: mode == nil ? nil : origin, mode: mode)
      try await trait.provideScope(for: test, testCase: nil) {
        try await body("\(try #require(TestMockServer.current).url)", URLSession(configuration: .ephemeral))
      }
    }
  }

  /// True if the harness has a parameter for the redaction; the others read it from the traits of the test.
  var takesRedaction: Bool { self != .cassetteTrait && self != .mockServerTrait }
}

@Suite(.disabled(if: isCI, "CI refuses to record unless told twice"))
struct `Redactions of a test` {
  private struct User: Decodable, Equatable {
    var iban: String
    var owner: String
    var team: String
  }

  private static let archive = [0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0, 8, 0] + [UInt8](repeating: 7, count: 40)
  private static let iban = "DE89370400440532013000"
  private static let placeholder = "DE00000000000000000000"
  private static let redaction = CassetteRedaction.redacting(.json("$.iban"), with: placeholder)
    .redacting(.json("$.owner")) { String(repeating: "x", count: $0.count) }.redacting(.json("$.team")).keepingOpaque()

  private func check(_ harness: RecordingHarness, _ redacting: CassetteRedaction) async throws {
    let answer = #"{"iban":"\#(Self.iban)","owner":"Ada Lovelace","team":"blue-violet"}"#
    let origin = try LoopbackOrigin { request in
      let (type, body) =
        request.target == "/archive"
        ? ("application/zip", Self.archive) : ("application/json", Array(answer.utf8))
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body),
      ]
    }
    let folder = try ScratchFolder()
    try await harness.run(in: folder.path, of: origin.url, mode: .record, redacting: redacting) { url, session in
      let user = try await Self.get("\(url)/user", session)
      #expect(String(decoding: user, as: UTF8.self) == answer)
      #expect(try await Array(Self.get("\(url)/archive", session)) == Self.archive)
    }
    origin.stop()
    let text = String(decoding: FileManager.default.contents(atPath: folder.path("a.json")) ?? Data(), as: UTF8.self)
    for secret in [Self.iban, "Ada Lovelace", "blue-violet"] { #expect(!text.contains(secret), "\(text)") }
    try await harness.run(in: folder.path, of: origin.url, mode: nil, redacting: .standard) { url, session in
      let user = try await JSONDecoder().decode(User.self, from: Self.get("\(url)/user", session))
      #expect(user == User(iban: Self.placeholder, owner: "xxxxxxxxxxxx", team: "secret-1"))
      #expect(try await Array(Self.get("\(url)/archive", session)) == Self.archive)
    }
  }

  private static func get(_ url: String, _ session: URLSession) async throws -> Data {
    try await session.data(from: try #require(URL(string: url))).0
  }

  @Test(arguments: RecordingHarness.allCases.filter(\.takesRedaction))
  func `a value in the redacting argument is not written to the cassette`(_ harness: RecordingHarness) async throws {
    try await check(harness, Self.redaction)
  }

  @Test(
    .redacting(.json("$.iban"), with: placeholder),
    .redacting(.json("$.owner")) { String(repeating: "x", count: $0.count) },
    .redacting(.json("$.team")), .keepingOpaque, arguments: RecordingHarness.allCases)
  func `a value in a .redacting trait is not written to the cassette`(_ harness: RecordingHarness) async throws {
    try await check(harness, .standard)
  }

  @Test func `an array of places is a redaction of these places`() {
    #expect([.json("$.team"), .header("X")] as CassetteRedaction == .redacting(.json("$.team"), .header("X")))
  }

  @Suite(.redacting(.header("X-Team"))) struct `Redactions of a suite` {
    @Test(.keeping(.query("code"))) func `a test combines the redactions of its suite with its own`() {
      #expect(CassetteRedaction.asked() == .redacting(.header("X-Team")).keeping(.query("code")))
    }
  }
}
