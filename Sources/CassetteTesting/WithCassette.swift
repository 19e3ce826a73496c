internal import CassettePlayback
public import CassetteSecrets
public import CassetteSession
public import Cassettes
import Testing

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Runs a part of a test with a session that a cassette answers; for XCTest, and wherever a trait does not reach.
///
/// ```swift
/// func testProfile() async throws {
///   try await withCassette("github-user") { session in … }
/// }
/// ```
///
/// - Parameters:
///   - name: The cassette's name without `.json`, or that of a folder; nil when stubs are all there is.
///   - folder: Where it lies, relative to the test file; nil for `Cassettes`.
///   - played: Which session the body is given: one of its own, or `URLSession.shared`.
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
///   - function: The function of the call: in XCTest, the test that recordings are of.
///   - isolation: Where it runs: where it was called.
///   - body: What uses the session.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or `CassetteError` when there is no such cassette.
public func withCassette<Result>(
  _ name: String? = nil, in folder: String? = nil, session played: CassettePlayedSession = .own,
  _ strictness: CassetteStrictness = .warns, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
  redacting: CassetteRedaction = .standard,
  with faults: CassetteFault..., stubs: [CassetteStub] = [], noNetwork: Bool = false, fileID: String = #fileID,
  file: StaticString = #filePath, line: Int = #line, column: Int = #column, function: String = #function,
  isolation: isolated (any Actor)? = #isolation, _ body: (URLSession) async throws -> Result
) async throws -> Result {
  let report = Report(fileID: fileID, file: file, line: line, column: column)
  let scope: CassetteScope
  do throws(CassetteError) {
    scope = try CassetteScope(
      name, in: folder, strictness, CassetteMatchingOptions(matching), mode: mode, redacting: redacting, faults: faults,
      stubs: stubs,
      noNetwork: noNetwork, file: file, recording: .running(function, at: report.location))
  } catch {
    // A test of Swift Testing has the error's words; XCTest would have no line.
    if Test.current != nil { throw error }
    throw report.stop("\(error)", missing: Cassette.self)
  }
  let failures = ObservedFailures.count
  let result: Result
  do {
    result = try await scope.run(for: scope.player.name, at: report.location) {
      try await NetworkDenial.$current.withValue(scope.denial) {
        switch played {
        case .own: try await body(scope.session)
        case .shared: try await SharedSession.answer(by: scope.player) { try await body(.shared) }
        }
      }
    }
  } catch {
    var ending = TestEnding(error)
    ending.throwsLastMiss = true
    let last = report.end(scope.player, of: name ?? "stubs", scope.strictness, ending)
    let refusal = report.refusal(scope.denial, ending)
    // Beside a miss or a refusal the error was told of with it.
    if let refusal, last != nil { report.fail(refusal) }
    if let last = last ?? refusal { throw report.stop(last, missing: Interaction.self) }
    throw error
  }
  let ending = TestEnding(failed: ObservedFailures.count > failures)
  report.end(scope.player, of: name ?? "stubs", scope.strictness, ending)
  if let refusal = report.refusal(scope.denial, ending) { report.fail(refusal) }
  return result
}

extension CassetteScope {
  /// The scope of a call, outside of traits.
  convenience init(
    _ name: String?, in folder: String?, _ strictness: CassetteStrictness,
    _ matching: CassetteMatchingOptions = CassetteMatchingOptions(), mode: CassetteMode?,
    redacting: CassetteRedaction, faults: [CassetteFault], stubs: [CassetteStub], noNetwork: Bool, file: StaticString,
    recording: RecordingTest,
    test: String? = nil
  ) throws(CassetteError) {
    let player = CassettePlayer(name: Test.current.map { $0.displayName ?? $0.name } ?? test ?? name ?? "stubs")
    if let name {
      let mode = try CassetteMode.ofTest(mode)
      try player.add(
        paths: CassettePlace.paths(name, in: folder, filePath: "\(file)", mode: mode), mode: mode, matching: matching,
        for: recording)
      if mode.records { RecordingConclusion.expect() }
      player.record(by: .test(filter: Test.current.map { String($0.name.prefix { $0 != "(" }) } ?? test))
    }
    if strictness.level == .strict { player.beStrict() }
    for stub in stubs { if let problem = stub.problem { throw problem } }
    player.add(stubs)
    player.inject(faults)
    player.redact { $0.merging(.asked()).merging(redacting) }
    self.init(player, strictness)
    try denyNetwork(noNetwork)
  }
}
