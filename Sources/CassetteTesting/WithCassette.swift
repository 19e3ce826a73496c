public import CassetteSession
import Cassettes

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Runs a part of a test with a session that a cassette answers; for XCTest, and wherever a trait does not reach.
///
/// ```swift
/// func testProfile() async throws {
///   try await withCassette("github-user") { session in … }
/// }
/// ```
///
/// - Parameters:
///   - name: The cassette's name without `.json`, or that of a folder; nil when stubs are all there is.
///   - folder: Where it lies, relative to the test file; nil for `Cassettes`.
///   - played: Which session the body is given: one of its own, or `URLSession.shared`.
///   - strictness: What becomes of recordings never asked for.
///   - stubs: What else answers.
///   - fileID: The test file, for the report.
///   - file: The test file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - isolation: Where it runs: where it was called.
///   - body: What uses the session.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or ``CassetteError`` when there is no such cassette.
public func withCassette<Result>(
  _ name: String? = nil, in folder: String? = nil, session played: PlayedSession = .own,
  _ strictness: Strictness = .warns, stubs: [Stub] = [],
  fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: (URLSession) async throws -> Result
) async throws -> Result {
  let report = Report(fileID: fileID, file: file, line: line, column: column)
  try CassettePlace.checkMode()
  let title = name ?? "stubs"
  let player = CassettePlayer(name: title)
  if let name { try player.add(paths: [CassettePlace.find(name, in: folder, filePath: "\(file)")]) }
  player.add(stubs)
  let scope = CassetteScope(player, strictness)
  var threw = true
  defer {
    player.end()
    report.settle(player.ledger, of: title, strictness, threw: threw)
  }
  let result = try await CassetteScope.$current.withValue(scope) {
    switch played {
    case .own: try await body(scope.session)
    case .shared: try await SharedSession.answer(by: player) { try await body(.shared) }
    }
  }
  threw = false
  return result
}
