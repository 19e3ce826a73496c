import Foundation
import TestSupport
import Testing

/// Delegates with a misspelt method, which must not compile.
@Suite struct `Misspelt delegate methods` {
  /// Returns the compiler's errors for a declaration of a delegate, or an empty string.
  private func errors(of declaration: String) async throws -> String {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let file = FileManager.default.temporaryDirectory.appending(path: "delegate-\(UUID()).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    let source = """
      import APIClientKit
      import Foundation
      #if canImport(FoundationNetworking)
        import FoundationNetworking
      #endif
      \(declaration)
      """
    try Data(source.utf8).write(to: file)
    let result = try await ChildProcess(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-swift-version", "6", "-I", folder.appending(path: "Modules").path, file.path]
    ).ended()
    return result.status == 0 ? "" : result.output + result.error
  }

  private static let complete = [
    "func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {}",
    "func client(_ client: APIClient, validateResponse response: HTTPURLResponse, data: Data, task: URLSessionTask) {}",
    """
    func client(_ client: APIClient, shouldRetry task: URLSessionTask, error: Error, attempts: Int) async throws -> Bool {
      if case .unacceptableStatusCode(401) = error as? APIError { return true }
      if case .unacceptableStatusCode(let code) = error as? APIError, (500..<600).contains(code) { return true }
      return false
    }
    """,
    "func client<T>(_ client: APIClient, makeURLForRequest request: Request<T>) throws -> URL? { nil }",
    "func client<T>(_ client: APIClient, encoderForRequest request: Request<T>) -> JSONEncoder? { nil }",
    "func client<T>(_ client: APIClient, decoderForRequest request: Request<T>) -> JSONDecoder? { nil }",
  ]

  @Test func `a delegate with every method spelt correctly compiles`() async throws {
    let methods = Self.complete.joined(separator: "\n")
    let output = try await errors(
      of: "final class D: APIClientDelegate {\n\(methods)\n}\nlet d: APIClientDelegate = D()")
    #expect(output == "")
  }

  @Test(arguments: [
    ("SendDelegate", "func client(_ client: APIClient, willSend request: inout URLRequest) async throws {}"),
    ("SendDelegate", "func client(_ client: APIClient, willSendRequest request: URLRequest) async throws {}"),
    (
      "RetryDelegate",
      "func client(_ c: APIClient, shouldRetry t: URLSessionTask, error: APIError, attempts: Int) async -> Bool { true }"
    ),
    (
      "RetryDelegate",
      "func client(_ c: APIClient, shouldRetryRequest r: URLRequest, attempts: Int, error: Error) async -> Bool { true }"
    ),
    ("RetryDelegate", "func shouldClientRetry(_ client: APIClient, withError error: Error) async -> Bool { true }"),
    ("ValidationDelegate", "func client(_ c: APIClient, validateResponse r: HTTPURLResponse, data: Data) throws {}"),
    ("DecoderDelegate", "func client<T>(_ c: APIClient, decoderFor request: Request<T>) -> JSONDecoder? { nil }"),
    ("APIClientDelegate", complete[0]),
  ]) func `a delegate with a misspelt method does not compile`(row: (role: String, method: String)) async throws {
    let output = try await errors(of: "struct D: \(row.role) {\n\(row.method)\n}")
    let complaints = ["does not conform to protocol", "has different argument labels from those required by protocol"]
    #expect(complaints.contains { output.contains($0) }, "\(output)")
  }
}
