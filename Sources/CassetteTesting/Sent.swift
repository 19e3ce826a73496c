public import CassetteHTTP
public import CassetteSession
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Returns the requests of the running test that match a stub's request, in the order in which they were sent.
///
/// ```swift
/// try await client.add(Todo(title: "Milk"))
/// #expect(sent(.post("/todos")).json["title"] == "Milk")
/// #expect(sent(.get("/todos").anyQuery).count == 2)
/// ```
///
/// - Parameters:
///   - request: The requests to select: `.post("/todos")`, `.get("/users/{name}")`.
///   - fileID: The file ID of the test file, for failures.
///   - file: The path of the test file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The matching requests. Properties of a single request, such as `json`, fail the test unless there is
///   exactly one.
public func sent(
  _ request: CassetteStub.Request, fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) -> CassetteSentRequests {
  let report = Report(fileID: fileID, file: file, line: line, column: column)
  guard let all = CassetteScope.active?.player.requests ?? HeardRequests.current?() else {
    report.fail(
      "sent(…) was called outside of a test with .cassette(…), .stub(…) or withCassette, or in a detached task")
    return CassetteSentRequests([], of: [], request, report)
  }
  return CassetteSentRequests(all.filter { $0.matches(request) }, of: all, request, report)
}

/// Requests that were sent, in order.
public struct CassetteSentRequests: RandomAccessCollection, Sendable {
  private let found: [CassetteSentRequest]
  private let all: [CassetteSentRequest]
  private let request: CassetteStub.Request
  private let report: Report

  init(_ found: [CassetteSentRequest], of all: [CassetteSentRequest], _ request: CassetteStub.Request, _ report: Report)
  {
    self.found = found
    self.all = all
    self.request = request
    self.report = report
  }

  /// The position of the first request.
  public var startIndex: Int { 0 }
  /// The position after the last request.
  public var endIndex: Int { found.count }
  /// Returns the request at a position.
  public subscript(position: Int) -> CassetteSentRequest { found[position] }

  /// The only request; if there is not exactly one, records an issue and returns nil.
  public var only: CassetteSentRequest? {
    if found.count == 1 { return found.first }
    var lines: [String]
    if found.isEmpty {
      let sent = all.isEmpty ? "; no requests were sent" : "; the sent requests:"
      lines = ["no request \(request.shown) was sent\(sent)"] + Self.list(all)
      let others = all.contains { $0.matches(request.anyQuery) }
      if others { lines.append("  It was sent with a query: append .anyQuery to match any query.") }
    } else {
      lines = ["\(found.count) requests \(request.shown) were sent: select one, as in sent(…)[0]"] + Self.list(found)
    }
    report.fail(lines.joined(separator: "\n"))
    return nil
  }

  private static func list(_ requests: [CassetteSentRequest]) -> [String] {
    let more = requests.count > 10 ? ["  and \(requests.count - 10) more"] : []
    return requests.prefix(10).map { "  \($0)" } + more
  }

  /// The JSON body of the only request; without such a body, records an issue and returns nil.
  public var json: CassetteStub.JSON? {
    guard let only else { return nil }
    if let json = only.json { return json }
    report.fail("\(only) has a body of \(only.body.count) bytes that is not JSON")
    return nil
  }

  /// The body of the only request as text.
  public var text: String? { only?.text }
  /// The body of the only request.
  public var body: Data? { only?.body }
  /// The absolute URL of the only request.
  public var url: URL? { only?.url }
  /// The header fields of the only request; empty if there is not exactly one request.
  public var headers: CassetteSentRequest.Headers { only?.headers ?? [] }
}

/// The requests to the mock server of the running test, for ``sent(_:fileID:file:line:column:)``.
package enum HeardRequests {
  /// Returns the requests so far; nil if no server runs for the test.
  @TaskLocal package static var current: (@Sendable () -> [CassetteSentRequest])?
}
