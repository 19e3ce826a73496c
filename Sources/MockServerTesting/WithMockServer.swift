internal import CassettePlayback
public import CassetteSecrets
public import CassetteSession
public import CassetteTesting
public import Cassettes
import Foundation
public import Testing

/// Runs a part of a test with a mock server, for downloads, other processes and other HTTP stacks.
///
/// ```swift
/// try await withMockServer(cassettes: "github", "articles") { server in
///   let client = APIClient(baseURL: server.url)
/// }
/// ```
///
/// - Parameters:
///   - names: The names of cassettes without `.json`, or of folders of cassettes, in the folder `Cassettes` next to the
///     test file.
///   - folder: The folder to use instead, relative to the test file.
///   - upstream: The origin to record from, such as `https://api.github.com`. Without it, recordings are played in
///     every mode.
///   - mode: The mode, which decides whether recordings are played or recorded. `CASSETTE_MODE` in the environment
///     takes precedence.
///   - redacting: Additional secrets to redact, `[.header("X-Team")]`, or a complete ``CassetteRedaction``.
///   - strictness: The way in which recordings that were not played are reported, by default as warnings.
///   - matching: The parts that may differ from the recordings. By default, only generated values.
///   - stubs: The stubs, which take precedence over the cassettes, also while recording.
///   - faults: The failures and delays to inject. The cassettes are not changed.
///   - fileID: The file of the test, for the report.
///   - file: The path of the test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: The actor on which the body runs, by default that of the caller.
///   - body: The function that uses the server.
/// - Returns: The result of the body.
/// - Throws: The error of the body, or the reason why the server could not be started.
public func withMockServer<Result>(
  cassettes names: String..., in folder: String? = nil, upstream: String? = nil, mode: CassetteMode? = nil,
  redacting: CassetteRedaction = .standard, strictness: CassetteStrictness = .warns,
  matching: CassetteMatchingOptions..., stubs: [CassetteStub] = [],
  with faults: CassetteFault..., fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line,
  column: Int = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: (TestMockServer) async throws -> Result
) async throws -> Result {
  let report = Report(fileID: fileID, file: file, line: line, column: column)
  let recording: ServerRecording?
  var paths: [String] = []
  var command = RecordCommand.unknown
  do throws(CassetteError) {
    recording = try ServerRecording(
      names, in: folder, upstream: upstream, mode: mode, redacting: .asked().merging(redacting), filePath: "\(file)")
    if recording == nil {
      let filter = TestFilter.running(at: report.location, file: "\(file)")
      if upstream != nil { command = .test(filter: filter) }
      for name in names { paths.append(try CassettePlace.find(name, in: folder, filePath: "\(file)", filter: filter)) }
    }
  } catch {
    // In Swift Testing the error is reported with its message. XCTest would report it without a line number.
    if Test.current != nil { throw error }
    throw report.stop("\(error)", missing: Cassette.self)
  }
  let server = try await TestMockServer.start(
    paths: paths, stubs: stubs, faults: faults, matching: CassetteMatchingOptions(matching), strictness,
    recording: recording, recordedBy: command)
  let outcome: Swift.Result<Result, any Error>
  do {
    outcome = .success(try await server.running { try await body(server) })
  } catch {
    outcome = .failure(error)
  }
  var failed = false
  if case .failure = outcome { failed = true }
  await report.settle(server, of: names, strictness, failed: failed)
  return try outcome.get()
}

/// A trait that runs each test with a separate mock server.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
  let names: [String]
  let folder: String?
  let upstream: String?
  let mode: CassetteMode?
  let stubs: [CassetteStub]
  let strictness: CassetteStrictness
  let matching: CassetteMatchingOptions
  let faults: [CassetteFault]
  let filePath: String

  /// True, so that a suite's trait is applied to each of its tests, with one server each.
  public var isRecursive: Bool { true }

  /// Runs a test while its server runs.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case if the test is parameterized, otherwise nil.
  ///   - function: The body of the test.
  /// - Throws: The error of the test, or the reason why the server could not be started.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let report = Report(test.sourceLocation)
    let server: TestMockServer
    do {
      let recording = try ServerRecording(
        names, in: folder, upstream: upstream, mode: mode, redacting: .asked(by: test), filePath: filePath)
      var paths: [String] = []
      var command = RecordCommand.unknown
      if recording == nil {
        let filter = TestFilter.running(at: test.sourceLocation, file: filePath)
        if upstream != nil { command = .test(filter: filter) }
        for name in names { paths.append(try CassettePlace.find(name, in: folder, filePath: filePath, filter: filter)) }
      }
      server = try await TestMockServer.start(
        paths: paths, stubs: stubs, faults: faults, matching: matching, strictness, recording: recording,
        recordedBy: command)
    } catch {
      report.fail("\(error)")
      return
    }
    let ending = await Verdict().watching(test, testCase) {
      try await server.running { try await function() }
    }
    await report.settle(server, of: names, strictness, failed: ending.failed)
    if let error = ending.error { throw error }
  }
}

extension Trait where Self == MockServerTrait {
  /// Runs each test with a separate mock server, available as ``TestMockServer/current``.
  ///
  /// - Parameters:
  ///   - names: The names of cassettes without `.json`, or of folders of cassettes, in the folder `Cassettes` next to
  ///     the test file.
  ///   - folder: The folder to use instead, relative to the test file.
  ///   - upstream: The origin to record from, such as `https://api.github.com`. Without it, recordings are played in
  ///     every mode.
  ///   - mode: The mode, which decides whether recordings are played or recorded. `CASSETTE_MODE` in the environment
  ///     takes precedence.
  ///   - strictness: The way in which recordings that were not played are reported, by default as warnings.
  ///   - matching: The parts that may differ from the recordings. By default, only generated values.
  ///   - stubs: The stubs, which take precedence over the cassettes, also while recording.
  ///   - faults: The failures and delays to inject. The cassettes are not changed.
  ///   - filePath: The path of the test file.
  /// - Returns: The trait.
  public static func mockServer(
    _ names: String..., in folder: String? = nil, upstream: String? = nil, mode: CassetteMode? = nil,
    strictness: CassetteStrictness = .warns, matching: CassetteMatchingOptions..., stubs: [CassetteStub] = [],
    with faults: CassetteFault...,
    filePath: String = #filePath
  ) -> Self {
    MockServerTrait(
      names: names, folder: folder, upstream: upstream, mode: mode, stubs: stubs, strictness: strictness,
      matching: CassetteMatchingOptions(matching), faults: faults, filePath: filePath)
  }
}

extension Report {
  /// Stops a server and reports its problems and unused recordings.
  fileprivate func settle(
    _ server: TestMockServer, of names: [String], _ strictness: CassetteStrictness, failed: Bool
  ) async {
    let outcome = await server.stop(failed: failed)
    if let recorded = outcome.recorded { say("cassettes: \(recorded)") }
    for problem in outcome.problems { fail(problem) }
    let test = Test.current.map { $0.displayName ?? $0.name } ?? names.joined(separator: ", ")
    let hasFailed = failed || !outcome.problems.isEmpty
    if let problem = server.appendReport(of: test, outcome, hasFailed: hasFailed) { fail(problem) }
    server.noteUnplayed(strictness, hasFailed: hasFailed)
    if outcome.count == 0, outcome.problems.isEmpty, strictness.level != .relaxed, !server.isIdle {
      return fail(
        """
        no request reached this test's mock server: does the client use server.url?
          A test that sends no request on purpose uses .relaxed, or names neither cassettes nor stubs.
        """)
    }
    guard !hasFailed else { return attach(outcome.requests, of: outcome.count, to: test) }
    settle(approximations: outcome.approximations, strictness)
    if strictness.level == .strict { settle(neverPlayed: outcome.neverPlayed, of: names.joined(separator: ", ")) }
    settle(faultsNeverMet: outcome.faultsNeverMet, strictness)
    settle(ignoredNeverFound: outcome.ignoredNeverFound, strictness)
  }
}
