import CassetteHTTP
import CassetteSession
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Content codings` {
  private func get(_ coding: String, _ body: Body) async throws -> String {
    var cassette = Cassette(name: "coded")
    cassette.interactions = [
      Interaction(
        method: .get, url: "/user",
        outcome: .response(RecordedResponse(status: 200, headers: [("Content-Encoding", coding)], body: body)))
    ]
    let url = try #require(URL(string: "https://api.example.com/user"))
    let (data, response) = try await CassettePlayer([cassette]).session().data(from: url)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") == coding)
    return String(decoding: data, as: UTF8.self)
  }

  private static let gzip = "H4sIAAAAAAACA6tWyslPz8xTslLKTk3MU6oFAASjj+UQAAAA"

  private func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: text))) }

  @Test(
    arguments: [
      ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", "eJyrVsrJT8/MU7JSyk5NzFOqBQAu5gVz"),
      ("deflate", "q1bKyU/PzFOyUspOTcxTqgUA"),
    ])
  func `a recorded body with a content coding is played decoded`(coding: String, body: String) async throws {
    #expect(try await get(coding, .storing(bytes(body))) == #"{"login":"kean"}"#)
  }

  @Test func `a recorded gzip body in two chunks is played decoded`() async throws {
    let bytes = try bytes(Self.gzip)
    let pieces = [BodyChunk(bytes: Array(bytes[..<9])), BodyChunk(bytes: Array(bytes[9...]))]
    #expect(try await get("gzip", .chunks(pieces)) == #"{"login":"kean"}"#)
  }

  @Test(arguments: ["gzip", "deflate", "br", "identity"])
  func `a decoded body with a Content-Encoding field is played unchanged`(coding: String) async throws {
    let body = #"{"login":"kean"}"#
    #expect(try await get(coding, .storing(Array(body.utf8))) == body)
  }

  @Test func `a truncated gzip body fails as cannotDecodeContentData`() async throws {
    let error = await #expect(throws: URLError.self) {
      try await get("gzip", .storing(Array(bytes(Self.gzip).dropLast(9))))
    }
    #expect(error?.code == .cannotDecodeContentData)
  }
}
