public import CassetteSecrets
public import CassetteSession
public import Cassettes
internal import Testing

#if canImport(XCTest)
  public import XCTest

  extension XCTestCase {
    /// Begins a cassette in `setUp` or at the beginning of a test; it answers `URLSession.cassette` until the test ends.
    ///
    /// Problems are reported at the line of the call.
    ///
    /// - Parameters:
    ///   - cassette: The name of the cassette without `.json`, or of a folder; nil for stubs only. Nil by default.
    ///   - folder: The folder of the cassette, relative to the test file. `Cassettes` by default.
    ///   - played: The session that the cassette answers in addition to its own. None by default.
    ///   - strictness: The way to report unused recordings, and requests in another order than recorded. Warnings by
    ///     default.
    ///   - matching: The parts that may differ from the recordings. By default, only generated values.
    ///   - mode: The mode: replay or record. `CASSETTE_MODE` in the environment takes precedence.
    ///   - redacting: Additional secrets to redact, `[.header("X-Team")]`, or a complete ``CassetteRedaction``.
    ///   - faults: The faults and delays to apply to the answers; the cassette is not changed.
    ///   - stubs: The stubs that answer in addition to the cassette. None by default.
    ///   - noNetwork: True to deny the network to the whole process until the test ends. False by default.
    ///   - fileID: The file ID of the test file, for failures.
    ///   - file: The path of the test file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Throws: An error if the cassette is not found, after the test has failed.
    public func beginCassette(
      _ cassette: String? = nil, in folder: String? = nil, session played: CassettePlayedSession = .own,
      _ strictness: CassetteStrictness = .warns, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
      redacting: CassetteRedaction = .standard,
      with faults: CassetteFault..., stubs: [CassetteStub] = [], noNetwork: Bool = false, fileID: String = #fileID,
      file: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) throws {
      var report = Report(fileID: fileID, file: file, line: line, column: column)
      let recording = RecordingTest(xctest: name, at: report.location)
      report.test = recording.name
      let scope: CassetteScope
      do throws(CassetteError) {
        scope = try CassetteScope(
          cassette, in: folder, strictness, CassetteMatchingOptions(matching), mode: mode, redacting: redacting,
          faults: faults, stubs: stubs, noNetwork: noNetwork, file: file, recording: recording,
          filter: TestFilter.ofXCTest(recording.name, in: report.location.moduleName), test: name)
      } catch {
        throw report.stop("\(error)", missing: Cassette.self)
      }
      #if !canImport(Darwin)
        // XCTest would report the session's error as well, without a line.
        scope.player.throwForMisses(Report.reportedError)
      #endif
      nonisolated(unsafe) let test = self
      let begun = TestCassette(scope, cassette ?? "stubs", played, report) {
        (test.testRun?.totalFailureCount ?? 0) > 0
      }
      addTeardownBlock { begun.end() }
    }
  }
#endif
