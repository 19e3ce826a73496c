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

/// Runs a part of a test with a session that a cassette answers, for XCTest and for code without traits.
///
/// ```swift
/// func testProfile() async throws {
///   try await withCassette("github-user") { session in … }
/// }
/// ```
///
/// - Parameters:
///   - name: The name of the cassette without `.json`, or of a folder; nil for stubs only. Nil by default.
///   - folder: The folder of the cassette, relative to the test file. `Cassettes` by default.
///   - played: The session to pass to the body: a new session, or `URLSession.shared`. A new session by default.
///   - strictness: The way to report unused recordings, and requests in another order than recorded. Warnings by
///     default.
///   - matching: The parts that may differ from the recordings. By default, only generated values.
///   - mode: The mode: replay or record. `CASSETTE_MODE` in the environment takes precedence.
///   - redacting: Additional secrets to redact, `[.header("X-Team")]`, or a complete ``CassetteRedaction``.
///   - faults: The faults and delays to apply to the answers; the cassette is not changed.
///   - stubs: The stubs that answer in addition to the cassette. None by default.
///   - noNetwork: True to deny the network to the whole process while the body runs. False by default.
///   - fileID: The file ID of the test file, for failures.
///   - file: The path of the test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The function of the call, which recordings name as their test in XCTest.
///   - isolation: The actor on which the body runs. By default, the caller's.
///   - body: Sends requests with the session.
/// - Returns: The result of the body.
/// - Throws: The error that the body throws, or `CassetteError` if the cassette is not found.
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
      stubs: stubs, noNetwork: noNetwork, file: file, recording: .running(function, at: report.location),
      filter: TestFilter.running(at: report.location, file: "\(file)"))
  } catch {
    // Swift Testing reports the message of the error; XCTest would report it without a line.
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
    // The error has been reported together with a miss or a refused request.
    if let refusal, last != nil { report.fail(refusal) }
    if let last = last ?? refusal { throw report.stop(last, missing: Interaction.self) }
    throw error
  }
  let ending = TestEnding(failed: ObservedFailures.count > failures)
  report.end(scope.player, of: name ?? "stubs", scope.strictness, ending)
  if let refusal = report.refusal(scope.denial, ending) { report.fail(refusal) }
  return result
}

/// Runs a part of a test with a session that a cassette answers, for a function that is passed without a label.
///
/// ```swift
/// try await withCassette("github-user", checkProfile)
/// ```
///
/// - Parameters:
///   - name: The name of the cassette without `.json`, or of a folder.
///   - body: Sends requests with the session.
///   - fileID: The file ID of the test file, for failures.
///   - file: The path of the test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - function: The function of the call, which recordings name as their test in XCTest.
///   - isolation: The actor on which the body runs. By default, the caller's.
/// - Returns: The result of the body.
/// - Throws: The error that the body throws, or `CassetteError` if the cassette is not found.
public func withCassette<Result>(
  _ name: String, _ body: (URLSession) async throws -> Result, fileID: String = #fileID,
  file: StaticString = #filePath, line: Int = #line, column: Int = #column, function: String = #function,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Result {
  try await withCassette(
    name, .warns, fileID: fileID, file: file, line: line, column: column, function: function, isolation: isolation, body
  )
}

extension CassetteScope {
  /// Creates the scope of a call without traits.
  convenience init(
    _ name: String?, in folder: String?, _ strictness: CassetteStrictness,
    _ matching: CassetteMatchingOptions = CassetteMatchingOptions(), mode: CassetteMode?,
    redacting: CassetteRedaction, faults: [CassetteFault], stubs: [CassetteStub], noNetwork: Bool, file: StaticString,
    recording: RecordingTest, filter: String?, test: String? = nil
  ) throws(CassetteError) {
    let player = CassettePlayer(name: Test.current.map { $0.displayName ?? $0.name } ?? test ?? name ?? "stubs")
    if let name {
      let mode = try CassetteMode.ofTest(mode)
      try player.add(
        paths: CassettePlace.paths(name, in: folder, filePath: "\(file)", mode: mode, filter: filter), mode: mode,
        matching: matching, for: recording)
      if mode.records { RecordingConclusion.expect() }
      player.record(by: .test(filter: filter))
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
