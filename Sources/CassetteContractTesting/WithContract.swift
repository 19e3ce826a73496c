public import CassetteTesting
internal import Cassettes
import Testing

/// Checks the exchanges in a part of a test against OpenAPI documents; for XCTest, and for code without a trait.
///
/// ```swift
/// try await withContract("openapi.yaml") {
///   try await withCassette("github-user") { session in … }
/// }
/// ```
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
///   - isolation: The actor isolation of the caller.
///   - body: A closure that uses cassettes and stubs.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or `CassetteError` if a document cannot be read.
public func withContract<Result>(
  _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
  fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  let watch = try ContractWatch(specifications, ignoring: ignored, filePath: "\(file)")
  defer { watch.report(strictness, by: Report(fileID: fileID, file: file, line: line, column: column)) }
  return try await watch.watching(body)
}
