internal import CassetteSession
public import CassetteTesting
internal import Cassettes
public import Testing

/// Holds what a test is answered, and what it sends, to OpenAPI documents.
public struct CassetteContractTrait: TestTrait, SuiteTrait, TestScoping {
  let specifications: [String]
  let strictness: CassetteStrictness
  let ignored: [String]
  let filePath: String

  /// On a suite: for each of its tests.
  public var isRecursive: Bool { true }

  /// Runs the test, and tells what of its exchanges its documents do not allow.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: Its case, when it has arguments.
  ///   - function: The test itself.
  /// - Throws: What the test throws.
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
  /// Holds each exchange of a test, replayed or stubbed, to OpenAPI documents.
  ///
  /// ```swift
  /// @Suite(.contract("openapi.yaml")) struct Profiles {
  ///   @Test(.cassette("github-user")) func profile() async throws { … }
  /// }
  /// ```
  /// A stub that the API could never answer fails at the stub's line; a recording, or a request of the client, at the test's.
  ///
  /// - Parameters:
  ///   - specifications: OpenAPI 3.0 or 3.1, JSON or YAML: paths relative to the test file, or absolute ones.
  ///   - strictness: What becomes of statuses, fields and parameters that are not documented.
  ///   - ignored: Beginnings of paths that are of another API: `/login`.
  ///   - filePath: The test file.
  /// - Returns: A trait.
  public static func contract(
    _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
    filePath: String = #filePath
  ) -> Self {
    CassetteContractTrait(specifications: specifications, strictness: strictness, ignored: ignored, filePath: filePath)
  }
}
