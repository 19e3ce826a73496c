public import CassetteSecrets
public import CassetteSession
public import Cassettes

#if canImport(XCTest)
  public import XCTest

  extension XCTestCase {
    /// Begins a cassette, in `setUp` or at the beginning of a test, which ends when the test does.
    ///
    /// Its problems are reported at the line of the call.
    ///
    /// - Parameters:
    ///   - cassette: The cassette's name without `.json`, or that of a folder; nil when stubs are all there is.
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
    /// - Returns: The cassette; its session is `URLSession.cassette`, too.
    /// - Throws: When there is no such cassette; the test has failed by then.
    @discardableResult
    public func beginCassette(
      _ cassette: String? = nil, in folder: String? = nil, session played: CassettePlayedSession = .own,
      _ strictness: CassetteStrictness = .warns, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
      redacting: CassetteRedaction = .standard,
      with faults: CassetteFault..., stubs: [CassetteStub] = [], noNetwork: Bool = false, fileID: String = #fileID,
      file: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) throws -> TestCassette {
      var report = Report(fileID: fileID, file: file, line: line, column: column)
      report.test = RecordingTest(xctest: name, at: report.location).name
      let scope: CassetteScope
      do throws(CassetteError) {
        scope = try CassetteScope(
          cassette, in: folder, strictness, CassetteMatchingOptions(matching), mode: mode, redacting: redacting,
          faults: faults,
          stubs: stubs, noNetwork: noNetwork, file: file, recording: RecordingTest(xctest: name, at: report.location),
          test: name)
      } catch {
        throw report.stop("\(error)", missing: Cassette.self)
      }
      #if !canImport(Darwin)
        // XCTest would report the error of the session as well, without a line.
        scope.player.throwForMisses(Report.reportedError)
      #endif
      nonisolated(unsafe) let test = self
      let begun = TestCassette(scope, cassette ?? "stubs", played, report) {
        (test.testRun?.totalFailureCount ?? 0) > 0
      }
      addTeardownBlock { begun.end() }
      return begun
    }
  }
#endif
