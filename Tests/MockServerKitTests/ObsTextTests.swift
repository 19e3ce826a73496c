import CassetteHTTP
import CassetteSystem
import Cassettes
import MockServerWire
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Field values in ISO-8859-1, which HTTP allows as obs-text (RFC 9110 §5.5).
struct ObsTextTests {
  private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  private func recorder(of origin: LoopbackOrigin) throws -> Served {
    let upstream = try UpstreamOrigin(origin.url)
    return try Served { configuration in
      configuration.recording = RecordingSettings(
        upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
    }
  }

  @Test func `ISO-8859-1 fields of a response reach the client unchanged, and are played unchanged`() throws {
    let head = "HTTP/1.1 200 Tr\u{e8}s bien\r\nX-Name: caf\u{e9}\r\nX-Both: na\u{ef}ve\r\nContent-Length: 2\r\n"
    let origin = try LoopbackOrigin { _ in
      [.send(Self.latin1(head) + Array("X-UTF-8: th\u{e9}\r\n\r\nok".utf8))]
    }
    let served = try recorder(of: origin)
    let client = try served.client()
    client.request("GET /a", [("Connection", "close")])
    let received = client.bytesToEnd()
    for line in ["HTTP/1.1 200 Tr\u{e8}s bien\r\n", "\r\nX-Name: caf\u{e9}\r\n", "\r\nX-Both: na\u{ef}ve\r\n"] {
      #expect(received.firstRange(of: Self.latin1(line)) != nil, "\(line)")
    }
    #expect(received.firstRange(of: Array("\r\nX-UTF-8: th\u{e9}\r\n".utf8)) != nil)
    served.server.stop()
    _ = try served.server.saveRecording()
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    let response = try #require(cassette.interactions.first?.response)
    #expect(response.reason == "Tr\u{e8}s bien")
    #expect(response.headers["X-Name"] == "caf\u{e9}")
    #expect(response.headers.first { $0.name == "X-Name" }?.isLatin1 == true)
    #expect(response.headers.first { $0.name == "X-UTF-8" }?.isLatin1 == false)
    let replay = try Served { $0.cassettes = [served.folder] }
    let again = try replay.client()
    again.request("GET /a", [("Connection", "close")])
    let replayed = again.bytesToEnd()
    #expect(replayed.firstRange(of: Self.latin1("\r\nX-Name: caf\u{e9}\r\n")) != nil)
    #expect(replayed.firstRange(of: Array("\r\nX-UTF-8: th\u{e9}\r\n".utf8)) != nil)
  }

  @Test func `ISO-8859-1 fields of a request reach the origin unchanged`() throws {
    let sent = Self.latin1("GET /a HTTP/1.1\r\nHost: a\r\nX-Name: caf\u{e9}\r\n\r\n")
    var parser = RequestParser()
    let isWhole = try parser.parse(sent.span)
    #expect(isWhole)
    let request = HTTPRequest(head: parser.head, bytes: sent.span, body: [])
    let message = UpstreamRequest(request, to: try UpstreamOrigin("http://a.test"), base: "http://127.0.0.1:1")
    #expect(message.bytes.firstRange(of: Self.latin1("\r\nX-Name: caf\u{e9}\r\n")) != nil)
    #expect(message.recorded.headers["X-Name"] == "caf\u{e9}")
  }

  @Test func `a gzip request is recorded decoded, and matches with and without gzip`() throws {
    let origin = try LoopbackOrigin { _ in
      [.text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")]
    }
    let served = try recorder(of: origin)
    let fields: HTTPHeaders = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip"), ("Connection", "close")]
    let client = try served.client()
    client.request("POST /a", fields, body: Samples.gzip)
    #expect(client.readToEnd().text.hasPrefix("HTTP/1.1 200 OK"))
    #expect(origin.requests.first?.body == Samples.gzip)
    #expect(origin.requests.first?.value(of: "Content-Encoding") == "gzip")
    served.server.stop()
    _ = try served.server.saveRecording()
    let cassette = try CassetteFile.read(path: "\(served.folder)/a.json")
    let recorded = try #require(cassette.interactions.first)
    #expect(!recorded.requestHeaders.contains("Content-Encoding"))
    let plain = try #require(try recorded.requestBody?.bytes())
    #expect(plain != Samples.gzip && !plain.isEmpty)
    let replay = try Served { $0.cassettes = [served.folder] }
    let unpacked: HTTPHeaders = [("Content-Type", "text/plain"), ("Connection", "close")]
    for (fields, body) in [(fields, Samples.gzip), (unpacked, plain)] {
      let again = try replay.client()
      again.request("POST /a", fields, body: body)
      #expect(again.readToEnd().text.hasPrefix("HTTP/1.1 200 OK"))
    }
  }
}
