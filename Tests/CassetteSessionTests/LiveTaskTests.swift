import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Tasks while recording` {
  /// A delegate that yields the events of a task to a stream.
  private final class Listener: NSObject, URLSessionDataDelegate, Sendable {
    enum Event: Equatable, Sendable {
      case head(Int)
      case data(String)
      case redirect(String)
      case end(Int)
    }
    let events: AsyncStream<Event>
    private let out: AsyncStream<Event>.Continuation

    override init() { (events, out) = AsyncStream.makeStream() }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      out.yield(.redirect(request.url?.path ?? ""))
      completionHandler(request)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      out.yield(.head((response as? HTTPURLResponse)?.statusCode ?? 0))
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      out.yield(.data(String(decoding: data, as: UTF8.self)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      out.yield(.end((error as? URLError)?.code.rawValue ?? 0))
      out.finish()
    }
  }

  /// Returns a request with a time-out that is long enough for a busy machine.
  private func request(_ url: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: url)), timeoutInterval: 6000)
  }

  @Test func `a delegate receives a chunk before the next is sent, and the gap is recorded`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let origin = try LoopbackOrigin { _ in
      [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\n\r\n5\r\nfirst\r\n"),
        .until(gate), .pause(0.05), .text("4\r\nlast\r\n0\r\n\r\n"),
      ]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let listener = Listener()
    let session = recorder.session(delegate: listener)
    session.dataTask(with: try request(origin.url)).resume()
    var heard: [Listener.Event] = []
    for await event in listener.events {
      heard.append(event)
      // The origin sends the rest only now.
      if event == .data("first") { gate.signal() }
    }
    #expect(heard == [.head(200), .data("first"), .data("last"), .end(0)])
    recorder.end()
    try recorder.save()
    let kept = try CassetteFile.read(path: folder.path("take.json")).interactions
    #expect(kept.count == 1)
    guard case .chunks(let pieces, .complete) = kept.first?.response?.body?.form else {
      Issue.record("stored as \(String(describing: kept.first?.response?.body?.form))")
      return
    }
    #expect(pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == ["first", "last"])
    // The second chunk was sent at least 50 ms after the delegate had received the first.
    #expect((pieces.last?.after ?? 0) >= 0.05)
  }

  @Test func `a redirect is reported to the delegate and recorded as two exchanges`() async throws {
    let origin = try LoopbackOrigin { request in
      request.target == "/old"
        ? [.text("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n")]
        : [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let listener = Listener()
    recorder.session(delegate: listener).dataTask(with: try request("\(origin.url)/old")).resume()
    var heard: [Listener.Event] = []
    for await event in listener.events { heard.append(event) }
    #expect(heard == [.redirect("/new"), .head(200), .data("ok"), .end(0)])
    recorder.end()
    try recorder.save()
    let cassette = try CassetteFile.read(path: folder.path("take.json"))
    #expect(cassette.interactions.map(\.url) == ["/old", "/new"])
    #expect(cassette.interactions.map(\.status) == [302, 200])
  }

  @Test func `a cancelled request is not recorded, and the report of the save counts it`() async throws {
    let origin = try LoopbackOrigin { request in
      request.target == "/never" ? [.silence] : [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let listener = Listener()
    let session = recorder.session(delegate: listener)
    let task = session.dataTask(with: try request("\(origin.url)/never"))
    task.resume()
    // The task is in progress once the answer to a later request has arrived.
    _ = try await recorder.session().data(for: try request("\(origin.url)/now"))
    task.cancel()
    var heard: [Listener.Event] = []
    for await event in listener.events { heard.append(event) }
    #expect(heard == [.end(NSURLErrorCancelled)])
    recorder.end()
    let lines = try recorder.save()
    #expect(lines == ["\(folder.path("take.json")): 1 added (GET /now), 1 left out: the response was not complete"])
    #expect(try CassetteFile.read(path: folder.path("take.json")).interactions.map(\.url) == ["/now"])
  }

  @Test func `a delegate receives the answer of a suspended task after the task is resumed`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let origin = try LoopbackOrigin { _ in
      [.until(gate), .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    let listener = Listener()
    let task = recorder.session(delegate: listener).dataTask(with: try request(origin.url))
    task.resume()
    while origin.requests.isEmpty { await Task.yield() }
    task.suspend()
    gate.signal()
    task.resume()
    var heard: [Listener.Event] = []
    for await event in listener.events { heard.append(event) }
    #expect(heard == [.head(200), .data("ok"), .end(0)])
    #expect(origin.requests.count == 1)
  }

  @Test func `an upload from a stream is sent and recorded with its content`() async throws {
    let origin = try LoopbackOrigin { request in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"), .send(request.body)]
    }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    var request = try request("\(origin.url)/up")
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data("from a stream".utf8))
    let (data, _) = try await recorder.session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "from a stream")
    recorder.end()
    try recorder.save()
    let cassette = try CassetteFile.read(path: folder.path("take.json"))
    let body = try cassette.interactions.first?.requestBody?.bytes() ?? []
    #expect(String(decoding: body, as: UTF8.self) == "from a stream")
  }
}
