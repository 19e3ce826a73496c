import CassetteHTTP
import CassetteRecording
import Cassettes
import Foundation
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A compressed answer whose decoded body exceeds the limit of a recording.
struct DecodedLimitTests {
  @Test(arguments: [("gzip", 65, false), ("gzip", 2, true), (nil, 65, true)] as [(String?, Int, Bool)])
  func `an answer whose decoded body exceeds the limit is not recorded and is reported`(
    coding: String?, megabytes: Int, isRecorded: Bool
  ) throws {
    let url = try #require(URL(string: "http://127.0.0.1/a"))
    let recording = Recording(into: Cassette(name: "test"))
    let asked = HTTPRequest(target: try #require(HTTPTarget(url.absoluteString)))
    let call = LiveCall(URLRequest(url: url), recordedAs: RecordedExchange(of: asked, by: recording))
    let fields = coding.map { ["Content-Encoding": $0] } ?? [:]
    call.receive(
      try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)))
    let part = Data(count: 1 << 20)
    for _ in 0..<megabytes { call.receive(part) }
    call.finish(nil)
    #expect(recording.refusals().isEmpty == isRecorded)
    #expect(recording.unfinished == (isRecorded ? 0 : 1))
    if !isRecorded { #expect(recording.refusals()[0].contains("GET http://127.0.0.1/a: its decoded body is longer")) }
  }
}
