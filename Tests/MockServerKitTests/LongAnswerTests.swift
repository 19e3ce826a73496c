import CassetteHTTP
import CassettePlayback
import CassetteSystem
import Cassettes
import Dispatch
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Long answers from a server, while other requests are answered.
struct LongAnswerTests {
  private static let line = #"{"url":"https://api.example.com/items","é":"a \"quoted\" text"}"# + "\n"
  private static let text = String(repeating: line, count: (3 << 20) / line.utf8.count)

  enum Form: CaseIterable {
    case text, base64, chunks, file, longFile, coded
  }

  private static func quoted(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  /// Starts a server with one event loop and a long answer at `/long`.
  private func served(
    _ kind: LoopKind, _ form: Form, _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws -> Served {
    let text = form == .longFile ? Self.text + Self.text : Self.text
    let body =
      switch form {
      case .text, .coded: "{\"text\":\(try Self.quoted(text))}"
      case .base64: "{\"base64\":\"\(Data(text.utf8).base64EncodedString())\"}"
      case .file, .longFile: #"{"file":"long.txt"}"#
      case .chunks:
        "{\"chunks\":["
          + (try text.split(separator: "\n", omittingEmptySubsequences: false).map {
            "{\"text\":\(try Self.quoted($0 + "\n"))}"
          }.joined(separator: ",\n")) + "]}"
      }
    let coding = form == .coded ? #","coding":"gzip""# : ""
    let long =
      #"{"request":{"method":"GET","url":"/long"},"response":{"status":200,"headers":[["Content-Type","text/plain"]]"#
      + "\(coding),\"body\":\(body)}}"
    let cassette = Served.cassette([long, Served.recording("GET /a", "a")], origin: "https://api.example.com")
    return try Served(kind, ["a.json": cassette, "long.txt": text]) {
      $0.loops = 1
      configure(&$0)
    }
  }

  private func entries(_ served: Served) throws -> Int? {
    (try served.admin("journal")["entries"] as? [Any])?.count
  }

  @Test(arguments: LoopKind.allCases, Form.allCases)
  func `a long answer is built once for concurrent readers`(kind: LoopKind, form: Form) throws {
    let served = try served(kind, form)
    let fields: HTTPHeaders = form == .coded ? [("Accept-Encoding", "gzip")] : []
    let clients = try (0..<8).map { _ in try served.client() }
    for client in clients { client.request("GET /long", fields) }
    let expected = Self.text.replacing("https://api.example.com", with: served.url)
    for client in clients {
      let answer = try client.answer()
      #expect(answer.status == 200)
      switch form {
      case .chunks: #expect(answer.text == expected + "\n")
      case .longFile: #expect(answer.text == expected + expected)
      case .coded:
        #expect(answer.headers["Content-Encoding"] == "gzip")
        #expect(answer.body.count < 100_000)
      case .text, .base64, .file: #expect(answer.text == expected)
      }
      #expect(try client.ask("GET /a").text == "a", "the connection stays open")
    }
    #expect(served.server.deck.table.caches.longAnswers.made == 1)
    #expect(try entries(served) == 16)
  }

  @Test(arguments: LoopKind.allCases)
  func `an event loop answers other requests while a long answer is built`(kind: LoopKind) throws {
    let (held, semaphore) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let served = try served(kind, .chunks) {
      $0.answering = { request, _ in
        guard request.pathAndQuery == "/long" else { return nil }
        held.signal()
        _ = semaphore.wait(timeout: .now() + 60)
        return nil
      }
    }
    let (reader, leaver) = (try served.client(), try served.client())
    reader.request("GET /long")
    #expect(held.wait(timeout: .now() + 60) == .success)
    #expect(try served.ask("GET /a").text == "a")
    leaver.request("GET /long")
    leaver.close()
    for _ in 0..<2 { semaphore.signal() }
    #expect(try reader.answer().status == 200)
    #expect(try eventually { try entries(served) == 3 }, "the request of a disconnected client is in the journal")
  }

  @Test(arguments: [0, 1, 15, 16, 255, 256, 4_095, 65_536, 1 << 40, .max])
  func `the size of a chunk is written in hexadecimal`(number: Int) {
    var output = Output()
    output.appendHexadecimal(number)
    #expect(String(decoding: output.bytes, as: UTF8.self) == String(number, radix: 16))
  }

  @Test func `chunks without gaps are appended in portions of about 64 KB, followed by the trailers`() throws {
    let pieces = (0..<1_000).map { BodyChunk(bytes: [UInt8](repeating: UInt8($0 % 251), count: 4_000)) }
    var response = PlayedResponse(status: 200, reason: nil, headers: [], body: .pieces(pieces, breaksOff: false))
    response.trailers = [("X-Sum", "1")]
    var output = Output()
    var most = 0
    var bytes: [UInt8] = []
    var next = AnswerWriter.append(response, AnswerForm(), date: Array("now".utf8), to: &output)
    while case .stream(var stream) = next {
      most = max(most, output.count)
      bytes += try output.everything
      output.removeAll()
      #expect(stream.gap == 0)
      next = stream.appendDue(to: &output)
    }
    bytes += try output.everything
    #expect(most > 64 << 10 && most < 72 << 10)
    let end = Array("\r\n0\r\nX-Sum: 1\r\n\r\n".utf8)
    #expect(bytes.suffix(end.count).elementsEqual(end))
    #expect(bytes.count > 4_000_000 && bytes.count < 4_020_000)
    guard case .persist = next else { throw CassetteError(file: "", message: "the connection is closed") }
  }
}
