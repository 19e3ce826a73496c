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

/// A cassette from where it is begun to where it is ended: for `setUp` and `tearDown`.
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
/// `beginCassette` ends it with the test. Without an `XCTestCase` at hand, `TestCassette("github-user")` begins and
/// ``end()`` ends. Until then `URLSession.cassette` is answered by it: one at a time, as XCTest runs its tests.
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
  ///   - name: The cassette's name without `.json`, or that of a folder; nil when stubs are all there is.
  ///   - folder: Where it lies, relative to the test file; nil for `Cassettes`.
  ///   - played: Which session it answers besides its own.
  ///   - strictness: What becomes of recordings never asked for, and of requests in another order than recorded.
  ///   - matching: How requests are compared with recordings: a level, and what may differ; careful unless told.
  ///   - mode: Whether it is played or recorded; `CASSETTE_MODE` in the environment wins.
  ///   - redacting: Additional secrets to redact, `[.header("X-Team")]`, or a complete ``CassetteRedaction``.
  ///   - faults: What goes wrong, or takes its time; the cassette stays as it is.
  ///   - stubs: What else answers.
  ///   - noNetwork: Whether the whole process is kept off the network meanwhile.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - function: The function of the call, which recordings are said to be of.
  /// - Throws: `CassetteError` when there is no such cassette.
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

  /// The session that it answers.
  public var session: URLSession { scope.session }

  /// A configuration whose sessions it answers.
  public var configuration: URLSessionConfiguration { .cassette(scope.player) }

  /// The requests that came so far, in the order they came.
  public var requests: [CassetteSentRequest] { scope.player.requests }

  /// Ends the cassette: writes the recording, and reports problems at the line where it began.
  ///
  /// Ending it once more does nothing.
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
