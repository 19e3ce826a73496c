internal import CassetteSession
public import CassetteTesting
internal import Cassettes

#if canImport(XCTest)
  public import XCTest

  extension XCTestCase {
    /// Checks the responses of the running test's cassette against OpenAPI documents; call it after `beginCassette`.
    ///
    /// Violations fail the test when it ends, at the line of the call.
    ///
    /// - Parameters:
    ///   - specifications: The paths of OpenAPI documents (3.0 or 3.1, JSON or YAML), absolute or relative to the test
    ///     file.
    ///   - strictness: The treatment of undocumented statuses, fields and parameters. Default: a warning.
    ///   - ignored: Prefixes of paths that are not checked, such as those of another API: `/login`.
    ///   - fileID: The ID of the test file, for failures.
    ///   - file: The path of the test file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Throws: An error if a document cannot be read or no cassette has begun. The test has already been failed.
    public func beginContract(
      _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
      fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) throws {
      let report = Report(fileID: fileID, file: file, line: line, column: column)
      do throws(CassetteError) {
        let watch = try ContractWatch(specifications, ignoring: ignored, filePath: "\(file)")
        guard let player = CassettePlayer.ofTest else {
          throw CassetteError(
            file: specifications.first ?? "", message: "no cassette has begun, so there are no responses to validate",
            suggestion: "call try beginCassette(…) first")
        }
        watch.watch(player)
        addTeardownBlock { watch.report(strictness, by: report) }
      } catch {
        throw report.stop("\(error)", missing: Cassette.self)
      }
    }
  }
#endif
