public import CassetteSecrets
public import CassetteSession
internal import CassetteSystem
public import Cassettes
import Testing

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A cassette that a test begins and ends explicitly, for `setUp` and `tearDown`.
///
/// ```swift
/// final class ProfileTests: XCTestCase {
///   override func setUp() async throws { try beginCassette("github-user") }
///
///   func testProfile() async throws {
///     let github = GitHub(session: .cassette)
///   }
/// }
/// ```
/// `beginCassette` ends the cassette with the test. Without an `XCTestCase`, create the cassette with
/// `TestCassette("github-user")` and call ``end()``. Until then, it answers `URLSession.cassette`. Only one cassette
/// can be active at a time, because XCTest runs one test at a time.
public final class TestCassette: Sendable {
  private let scope: CassetteScope
  private let report: Report
  private let title: String
  private let shared: SharedSession.Claim?
  private let hasFailed: @Sendable () -> Bool
  private let isOver = Locked(false)

  /// Begins a cassette.
  ///
  /// - Parameters:
  ///   - name: The name of the cassette without `.json`, or of a folder; nil for stubs only. Nil by default.
  ///   - folder: The folder of the cassette, relative to the test file. `Cassettes` by default.
  ///   - played: The session that the cassette answers in addition to its own. None by default.
  ///   - strictness: The way to report unused recordings, and requests in another order than recorded. Warnings by
  ///     default.
  ///   - matching: The rules for comparing requests with recordings: a level, and allowed differences. Careful by
  ///     default.
  ///   - mode: The mode: replay or record. `CASSETTE_MODE` in the environment takes precedence.
  ///   - redacting: Additional secrets to redact, `[.header("X-Team")]`, or a complete ``CassetteRedaction``.
  ///   - faults: The faults and delays to apply to the answers; the cassette is not changed.
  ///   - stubs: The stubs that answer in addition to the cassette. None by default.
  ///   - noNetwork: True to deny the network to the whole process until the cassette ends. False by default.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - function: The function of the call, which recordings name as their test.
  /// - Throws: `CassetteError` if the cassette is not found.
  public convenience init(
    _ name: String? = nil, in folder: String? = nil, session played: CassettePlayedSession = .own,
    _ strictness: CassetteStrictness = .warns, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
    redacting: CassetteRedaction = .standard,
    with faults: CassetteFault..., stubs: [CassetteStub] = [], noNetwork: Bool = false, fileID: String = #fileID,
    file: StaticString = #filePath, line: Int = #line, column: Int = #column, function: String = #function
  ) throws {
    let report = Report(fileID: fileID, file: file, line: line, column: column)
    let scope = try CassetteScope(
      name, in: folder, strictness, CassetteMatchingOptions(matching), mode: mode, redacting: redacting, faults: faults,
      stubs: stubs,
      noNetwork: noNetwork, file: file, recording: .running(function, at: report.location))
    self.init(scope, name ?? "stubs", played, report) { false }
  }

  init(
    _ scope: CassetteScope, _ title: String, _ played: CassettePlayedSession, _ report: Report,
    hasFailed: @escaping @Sendable () -> Bool
  ) {
    self.scope = scope
    self.report = report
    self.title = title
    self.hasFailed = hasFailed
    shared = played == .shared ? SharedSession.claim(for: scope.player) : nil
    scope.begin()
  }

  /// The session that the cassette answers.
  public var session: URLSession { scope.session }

  /// The configuration of sessions that the cassette answers.
  public var configuration: URLSessionConfiguration { .cassette(scope.player) }

  /// The requests received so far, in order.
  public var requests: [CassetteSentRequest] { scope.player.requests }

  /// Ends the cassette: writes the recording, and reports problems at the line where the cassette was created.
  ///
  /// Further calls have no effect.
  public func end() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if wasOver { return }
    scope.leave()
    shared?.end()
    report.end(scope.player, of: title, scope.strictness, TestEnding(failed: hasFailed()))
    if let refusal = report.refusal(scope.denial, TestEnding()) { report.fail(refusal) }
  }
}
