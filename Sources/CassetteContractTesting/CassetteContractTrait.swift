internal import CassetteSession
public import CassetteTesting
internal import Cassettes
public import Testing

/// A trait that checks the requests and responses of a test against OpenAPI documents.
public struct CassetteContractTrait: TestTrait, SuiteTrait, TestScoping {
  let specifications: [String]
  let strictness: CassetteStrictness
  let ignored: [String]
  let filePath: String

  /// True, so that the trait of a suite applies to each of its tests.
  public var isRecursive: Bool { true }

  /// Runs the test, and reports violations of the OpenAPI documents.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case, if the test has arguments.
  ///   - function: The body of the test.
  /// - Throws: The error of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let watch: ContractWatch
    do throws(CassetteError) {
      watch = try ContractWatch(specifications, ignoring: ignored, filePath: filePath)
    } catch {
      Report(test.sourceLocation).fail("\(error)")
      return
    }
    defer { watch.report(strictness, by: Report(test.sourceLocation)) }
    try await watch.watching(function)
  }
}

extension Trait where Self == CassetteContractTrait {
  /// Checks each exchange of a test, replayed or stubbed, against OpenAPI documents.
  ///
  /// ```swift
  /// @Suite(.contract("openapi.yaml")) struct Profiles {
  ///   @Test(.cassette("github-user")) func profile() async throws { … }
  /// }
  /// ```
  /// A violation by a stub is reported at the line of the stub. A violation by a recording or by a request is reported
  /// at the test.
  ///
  /// - Parameters:
  ///   - specifications: The paths of OpenAPI documents (3.0 or 3.1, JSON or YAML), absolute or relative to the test
  ///     file.
  ///   - strictness: The treatment of undocumented statuses, fields and parameters. Default: a warning.
  ///   - ignored: Prefixes of paths that are not checked, such as those of another API: `/login`.
  ///   - filePath: The path of the test file.
  /// - Returns: The trait.
  public static func contract(
    _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
    filePath: String = #filePath
  ) -> Self {
    CassetteContractTrait(specifications: specifications, strictness: strictness, ignored: ignored, filePath: filePath)
  }
}
