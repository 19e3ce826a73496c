import CassetteHTTP
import CassettePlayback
import Cassettes
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// The log as a table: the bytes for a terminal and for a file.
@Suite struct LogTableTests {
  private static func answer(
    _ number: UInt64 = 1, _ target: String = "/a", approximate: String? = nil
  ) -> MockServerEvent.Answer {
    MockServerEvent.Answer(
      number: number, method: .get, target: target, session: "", status: 200, sentBytes: 1, duration: .zero,
      outcome: .played, recording: "get-a", cassette: "test", approximation: approximate, detail: nil)
  }

  private static func miss() throws -> MockServerEvent {
    let deck = Deck(
      CassetteLibrary(cassettes: [
        Cassette(
          name: "test",
          interactions: [
            Interaction(id: "get-a", method: .get, url: "/a?page=1", outcome: .response(RecordedResponse(status: 200)))
          ])
      ]))
    let target = try #require(HTTPTarget("/a?page=2"))
    guard case .miss(let miss) = deck.plan(HTTPRequest(target: target)) else { throw CancellationError() }
    return MockServerEvent(.miss(miss), at: NotedSample.time, miss.text)
  }

  private static func text(_ table: LogTable) -> String { String(decoding: table.bytes, as: UTF8.self) }

  @Test func `in a file, rows are plain and a repeated row is followed by its count`() throws {
    var table = LogTable(columns: nil)
    for number in 1...3 { table.append(Self.answer(UInt64(number)), at: NotedSample.time) }
    table.append(try Self.miss())
    table.showStatus()
    table.finish()
    #expect(
      Self.text(table) == """
        2026-11-22T08:43:54.123Z answered    200 GET    /a  test/get-a
          … 3 times
        2026-11-22T08:43:54.123Z missed          GET /a?page=2  near get-a: query.page: sent "2", recorded "1"

        """)
  }

  @Test func `on a terminal, a status line stays below the rows and a repeated row shows its count`() {
    var table = LogTable(columns: 80)
    table.append(Self.answer(), at: NotedSample.time)
    table.showStatus()
    #expect(
      Self.text(table)
        == "08:43:54.123 answered    200 GET    /a  test/get-a\n1 requests, 0 misses, 0 approximate, the last at 08:43:54 UTC"
    )
    var next = LogTable(columns: 80, after: table)
    next.append(Self.answer(2), at: NotedSample.time)
    next.showStatus()
    #expect(
      Self.text(next)
        == "\r\u{1b}[2K\u{1b}[A\u{1b}[2K08:43:54.123 answered    200 GET    /a  test/get-a ×2\n"
        + "2 requests, 0 misses, 0 approximate, the last at 08:43:54 UTC")
    var end = LogTable(columns: 80, after: next)
    end.finish()
    #expect(Self.text(end) == "\r\u{1b}[2K")
  }

  @Test func `a miss is one red row and is counted in the status line`() throws {
    var table = LogTable(columns: 200, colors: true)
    table.append(try Self.miss())
    table.showStatus()
    #expect(Self.text(table).contains("\u{1b}[31m08:43:54.123 missed"))
    #expect(Self.text(table).contains("1 miss,") && Self.text(table).split(separator: "\n").count == 2)
  }

  @Test(arguments: [20, 40, 60])
  func `rows and status line are shorter than the terminal's width`(columns: Int) {
    var table = LogTable(columns: columns)
    for number in 1...12 {
      table.append(
        Self.answer(UInt64(number), "/" + String(repeating: "long", count: number % 4)), at: NotedSample.time)
    }
    table.showStatus()
    #expect(Self.text(table).split(separator: "\n").allSatisfy { $0.count < columns }, "\(Self.text(table))")
  }

  @Test func `rows beyond the limit of one update are counted, not shown`() {
    var table = LogTable(columns: 80)
    for number in 1...500 { table.append(Self.answer(UInt64(number), "/\(number)"), at: NotedSample.time) }
    table.showStatus()
    #expect(Self.text(table).contains("… 300 more rows are not shown\n500 requests"))
  }

  @Test func `control characters of a request target are escaped in a row`() {
    var table = LogTable(columns: 80)
    table.append(Self.answer(1, "/\u{1b}[2J\n"), at: NotedSample.time)
    #expect(!Self.text(table).contains("\u{1b}") && Self.text(table).split(separator: "\n").count == 1)
  }

  @Test func `a server with the table format writes rows of answers and misses`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")]) { $0.log = .table }
    _ = try served.text("GET /a")
    _ = try served.text("GET /b")
    served.server.stop(within: .seconds(1))
    #expect(served.log.text.contains(" answered    200 GET    /a  test/get-a\n"))
    #expect(served.log.text.contains(" missed          GET /b"))
  }
}
