import CassetteHTTP
import CassettePlayback
import CassetteSecrets
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Compressed bodies that a session records and plays.
struct CodedSessionTests {
  private static let token = "ghp" + "_aZ4kQ8vT1mX7cL2pR9wB5nJ3hF6dS0gYe2u4"

  /// Records the answer of an origin to one request.
  private func record(
    _ fields: String, _ body: [UInt8], _ request: (String) throws -> URLRequest, keepsOpaque: Bool = false
  ) async throws -> (cassette: Cassette?, file: String, report: String, body: [UInt8]) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
    let origin = try LoopbackOrigin { _ in [.text(head), .send(body)] }
    let folder = try ScratchFolder()
    let recorder = try CassettePlayer(paths: [folder.path("take.json")], mode: .record)
    if keepsOpaque { recorder.redact { $0.keepingOpaque() } }
    let (data, _) = try await recorder.session().data(for: request("\(origin.url)/a"))
    recorder.end()
    let report = try recorder.save().joined()
    let file = FileManager.default.contents(atPath: folder.path("take.json")) ?? Data()
    return (
      try? CassetteFile.read(path: folder.path("take.json")), String(decoding: file, as: UTF8.self), report, Array(data)
    )
  }

  private func get(_ url: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: url))) }

  @Test(arguments: ["gzip", "gzip, gzip"])
  func `a compressed answer is recorded decoded and redacted`(coding: String) async throws {
    let text = #"{"access_token":"\#(Self.token)","note":"keep it"}"#
    let coded = try #require(ContentEncoder(coding)?.encode(Array(text.utf8), isLast: true))
    let recorded = try await record("Content-Encoding: \(coding)\r\n", coded, get)
    #expect(recorded.body == Array(text.utf8))
    let response = try #require(recorded.cassette?.interactions.first?.response)
    #expect(response.coding == coding)
    #expect(!recorded.file.contains(Self.token))
    #expect(recorded.file.contains("keep it"))
  }

  @Test(arguments: ["gzip", "br", "zstd", "gzip, gzip"].filter { ContentEncoder($0) != nil })
  func `a compressed request is recorded decoded and redacted, and the same request plays it`(coding: String)
    async throws
  {
    let coded = try #require(ContentEncoder(coding)?.encode(Array(#"{"token":"\#(Self.token)"}"#.utf8), isLast: true))
    func post(_ url: String) throws -> URLRequest {
      var request = try get(url)
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
      request.httpBody = Data(coded)
      return request
    }
    let recorded = try await record("", Array("done".utf8), post)
    let cassette = try #require(recorded.cassette)
    #expect(cassette.interactions.first?.requestHeaders.contains("Content-Encoding") == false)
    #expect(recorded.file.contains(#"{"token""#) || recorded.file.contains(#""token":"#))
    #expect(!recorded.file.contains(Self.token))
    let player = CassettePlayer([cassette])
    let (data, _) = try await player.session().data(for: post("\(cassette.origin ?? "")/a"))
    #expect(String(decoding: data, as: UTF8.self) == "done")
  }

  @Test func `a ZIP archive is recorded as a gap with a reason, unless opaque bodies are kept`() async throws {
    let zip: [UInt8] = [0x50, 0x4B, 3, 4, 1, 2, 255]
    let refused = try await record("", zip, get)
    #expect(refused.body == zip)
    let gap = try #require(refused.cassette?.interactions.first)
    #expect(gap.response == nil)
    let player = try CassettePlayer([#require(refused.cassette)])
    _ = try? await player.session().data(for: get((refused.cassette?.origin ?? "") + "/a"))
    let reason = player.ledger.misses.first?.reason
    #expect(
      reason?.contains("was recorded, but its response was not captured: its body is a ZIP archive") == true,
      "\(reason ?? "no miss")")
    #expect(refused.report.contains("not recorded: GET "))
    #expect(refused.report.contains("its body is a ZIP archive") && refused.report.contains(".keepingOpaque"))
    let kept = try await record("", zip, get, keepsOpaque: true)
    #expect(try kept.cassette?.interactions.first?.response?.body?.bytes() == zip)
    #expect(!kept.report.contains("not recorded"))
  }

  @Test(arguments: ["br", "zstd", "br, gzip", "gzip, gzip"].filter { ContentEncoder($0) != nil })
  func `a recorded compressed body is played decoded`(coding: String) async throws {
    let coded = try #require(ContentEncoder(coding)?.encode(Array("hello".utf8), isLast: true))
    var cassette = Cassette(name: "coded")
    let headers: HTTPHeaders = [("Content-Encoding", coding)]
    cassette.interactions = [
      Interaction(
        method: .get, url: "/a",
        outcome: .response(RecordedResponse(status: 200, headers: headers, body: .storing(coded))))
    ]
    let url = try #require(URL(string: "https://api.example.com/a"))
    let (data, _) = try await CassettePlayer([cassette]).session().data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "hello")
  }
}
