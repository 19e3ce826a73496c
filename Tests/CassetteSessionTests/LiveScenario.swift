import CassetteSystem
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests to a live origin, and the expected answers.
struct LiveScenario: Sendable, CustomTestStringConvertible {
  let name: String
  var method = "GET"
  let paths: [String]
  var body: [UInt8]?
  /// The status of each answer, or the code of the error.
  let expected: [String]
  var isLarge = false

  var testDescription: String { name }

  static let all = [
    LiveScenario(name: "JSON", paths: ["/json"], expected: ["200"]),
    LiveScenario(name: "gzip", paths: ["/gzip"], expected: ["200"]),
    LiveScenario(name: "chunked", paths: ["/chunked"], expected: ["200"]),
    LiveScenario(name: "events with gaps", paths: ["/events"], expected: ["200"]),
    LiveScenario(name: "two cookies, sent back", paths: ["/cookies", "/cookies/back"], expected: ["200", "200"]),
    LiveScenario(name: "redirect chain", paths: ["/redirect/3"], expected: ["200"]),
    LiveScenario(name: "303 after POST", method: "POST", paths: ["/see-other"], body: [1], expected: ["200"]),
    LiveScenario(name: "307 keeps the body", method: "POST", paths: ["/again"], body: [65, 66], expected: ["200"]),
    LiveScenario(name: "401 Basic", paths: ["/private"], expected: ["401"]),
    LiveScenario(name: "204", paths: ["/nothing"], expected: ["204"]),
    LiveScenario(name: "304", paths: ["/unchanged"], expected: ["304"]),
    LiveScenario(name: "empty body", paths: ["/empty"], expected: ["200"]),
    LiveScenario(name: "HEAD", method: "HEAD", paths: ["/json"], expected: ["200"]),
    LiveScenario(
      name: "POST with a body", method: "POST", paths: ["/echo"], body: Array("a=1&b=ü".utf8), expected: ["200"]),
    LiveScenario(name: "PATCH", method: "PATCH", paths: ["/echo"], body: Array("{}".utf8), expected: ["200"]),
    LiveScenario(name: "DELETE", method: "DELETE", paths: ["/nothing"], expected: ["204"]),
    LiveScenario(name: "404", paths: ["/none"], expected: ["404"]),
    LiveScenario(name: "500 then 200", paths: ["/flaky", "/flaky"], expected: ["500", "200"]),
    LiveScenario(name: "binary", paths: ["/binary"], expected: ["200"]),
    LiveScenario(name: "closed without an answer", paths: ["/closed"], expected: [closed]),
    LiveScenario(name: "reset without an answer", paths: ["/reset"], expected: ["error -1005"]),
    LiveScenario(name: "truncated", paths: ["/truncated"], expected: ["error -1005"]),
    LiveScenario(name: "no answer before the time-out", paths: ["/silent"], expected: ["error -1001"]),
    LiveScenario(name: "a large body", paths: ["/large"], expected: ["200"], isLarge: true),
  ]

  #if canImport(FoundationNetworking)
    private static let closed = "error -1011"
  #else
    private static let closed = "error -1005"
  #endif

  func requests(to origin: String) -> [URLRequest] {
    paths.compactMap { path in
      guard let url = URL(string: origin + path) else { return nil }
      var request = URLRequest(url: url, timeoutInterval: path == "/silent" ? 1 : 600)
      request.httpMethod = method
      if let body { request.httpBody = Data(body) }
      return request
    }
  }

  /// The answer as a client receives it.
  struct Outcome: Equatable, Sendable {
    var summary: String
    var url: String?
    var fields: [String: String] = [:]
    var body: [UInt8] = []
  }

  static func outcome(of request: URLRequest, _ session: URLSession) async -> Outcome {
    do {
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse else { return Outcome(summary: "no HTTP") }
      var outcome = Outcome(summary: "\(response.statusCode)", url: response.url?.absoluteString, body: Array(data))
      for (name, value) in response.allHeaderFields {
        // Framing fields are derived when an answer is played.
        let name = "\(name)".lowercased()
        if !["content-length", "transfer-encoding", "connection"].contains(name) { outcome.fields[name] = "\(value)" }
      }
      return outcome
    } catch {
      return Outcome(summary: "error \((error as? URLError)?.code.rawValue ?? 0)")
    }
  }

  /// A body of 20 MB, made by doubling, because computing each byte takes seconds in a debug build.
  private static let large: [UInt8] = {
    var bytes = (0..<20 << 10).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) }
    while bytes.count < 20 << 20 { bytes += bytes }
    return bytes
  }()

  private static let gzipped =
    "H4sIAAAAAAACA6tWyslPz8xTslLKTk3MU9JRSsrMB3KS83MLilKLi1NTFIYdU6kWANYgD3v1AAAA"

  /// Returns an origin that answers the requests of all scenarios.
  static func origin() throws -> LoopbackOrigin {
    let asked = Counter()
    return try LoopbackOrigin { request in
      func whole(_ status: String, _ fields: [String] = [], _ body: [UInt8]) -> [LoopbackOrigin.Step] {
        let length = ["Content-Length: \(body.count)"]
        let head = (["HTTP/1.1 \(status)", "Date: \(Date().formatted(.iso8601))"] + fields + length)
        return [
          .text(head.joined(separator: "\r\n") + "\r\n\r\n"),
          .send(request.method == "HEAD" ? [] : body),
        ]
      }
      func text(_ status: String, _ fields: [String] = [], _ body: String) -> [LoopbackOrigin.Step] {
        whole(status, fields, Array(body.utf8))
      }
      let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
      switch request.target {
      case "/json", "/json?second":
        return text(
          "200 OK", ["Content-Type: application/json", "ETag: \"1\""], #"{"login": "kean",  "id":1, "id":2}"#)
      case "/gzip":
        return whole(
          "200 OK", ["Content-Type: application/json", "Content-Encoding: gzip"],
          Array(Data(base64Encoded: gzipped) ?? Data()))
      case "/chunked":
        return [.text(chunked + "Content-Type: text/plain\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n")]
      case "/events":
        let head = chunked + "Content-Type: text/event-stream\r\n\r\n"
        return [.text(head + "9\r\ndata: 1\n\n\r\n"), .pause(0.25), .text("9\r\ndata: 2\n\n\r\n"), .pause(0.25)]
          + [.text("9\r\ndata: 3\n\n\r\n0\r\n\r\n")]
      case "/cookies":
        return text(
          "200 OK", ["Set-Cookie: a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/", "Set-Cookie: b=2"], "x")
      case "/cookies/back":
        return text("200 OK", [], request.value(of: "Cookie")?.contains("a=1") == true ? "came back" : "lost")
      case "/redirect/3": return text("302 Found", ["Location: /redirect/2"], "moved")
      case "/redirect/2": return text("301 Moved Permanently", ["Location: /redirect/1"], "")
      case "/redirect/1": return text("308 Permanent Redirect", ["Location: /json"], "")
      case "/see-other": return text("303 See Other", ["Location: /json"], "")
      case "/again": return text("307 Temporary Redirect", ["Location: /echo"], "")
      case "/private": return text("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""], "no")
      case "/nothing": return [.text("HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n")]
      case "/unchanged": return [.text("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")]
      case "/empty": return text("200 OK", [], "")
      case "/echo":
        return whole("200 OK", ["Content-Type: text/plain"], Array("\(request.method) ".utf8) + request.body)
      case "/none": return text("404 Not Found", ["Content-Type: application/json"], #"{"message":"Not Found"}"#)
      case "/flaky": return text(asked.next() % 2 == 1 ? "500 Internal Server Error" : "200 OK", [], "flaky")
      case "/binary": return whole("200 OK", ["Content-Type: image/png"], (0..<9_000).map { UInt8($0 * 7 % 256) })
      case "/closed": return []
      case "/reset": return [.reset]
      case "/truncated": return [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")]
      case "/silent": return [.silence]
      case "/large":
        return whole("200 OK", ["Content-Type: application/octet-stream"], LiveScenario.large)
      default: return text("400 Bad Request", [], request.target)
      }
    }
  }
}

/// A counter for any thread.
private final class Counter: Sendable {
  private let count = Locked(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
