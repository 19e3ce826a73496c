public import CassetteTesting
internal import Cassettes
import Testing

/// Holds the exchanges of a part of a test to OpenAPI documents; for XCTest, and wherever a trait does not reach.
///
/// ```swift
/// try await withContract("openapi.yaml") {
///   try await withCassette("github-user") { session in … }
/// }
/// ```
///
/// - Parameters:
///   - specifications: OpenAPI 3.0 or 3.1, JSON or YAML: paths relative to the test file, or absolute ones.
///   - strictness: What becomes of statuses, fields and parameters that are not documented.
///   - ignored: Beginnings of paths that are of another API: `/login`.
///   - fileID: The test file, for the report.
///   - file: The test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: Where it runs: where it was called.
///   - body: What plays cassettes and stubs.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or `CassetteError` when there is no such document.
public func withContract<Result>(
  _ specifications: String..., strictness: CassetteStrictness = .warns, ignoring ignored: [String] = [],
  fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  let watch = try ContractWatch(specifications, ignoring: ignored, filePath: "\(file)")
  defer { watch.report(strictness, by: Report(fileID: fileID, file: file, line: line, column: column)) }
  return try await watch.watching(body)
}
