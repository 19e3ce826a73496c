internal import CassetteSession
public import CassetteTesting
internal import Cassettes

#if canImport(XCTest)
  public import XCTest

  extension XCTestCase {
    /// Holds what the running test's cassette answers to OpenAPI documents; call it behind `beginCassette`.
    ///
    /// A breach of a contract fails the test at the line of the call when the test ends.
    ///
    /// - Parameters:
    ///   - specifications: OpenAPI 3.0 or 3.1, JSON or YAML: paths relative to the test file, or absolute ones.
    ///   - strictness: What becomes of statuses, fields and parameters that are not documented.
    ///   - ignored: Beginnings of paths that are of another API: `/login`.
    ///   - fileID: The test file, for the report.
    ///   - file: The test file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Throws: When there is no such document, or no cassette has begun; the test has failed by then.
    public func beginContract(
      _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
      fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) throws {
      let report = Report(fileID: fileID, file: file, line: line, column: column)
      do throws(CassetteError) {
        let watch = try ContractWatch(specifications, ignoring: ignored, filePath: "\(file)")
        guard let player = CassettePlayer.ofTest else {
          throw CassetteError(
            file: specifications.first ?? "", message: "no cassette has begun whose answers could be held to it",
            suggestion: "call try beginCassette(…) before it")
        }
        watch.watch(player)
        addTeardownBlock { watch.report(strictness, by: report) }
      } catch {
        throw report.stop("\(error)", missing: Cassette.self)
      }
    }
  }
#endif
