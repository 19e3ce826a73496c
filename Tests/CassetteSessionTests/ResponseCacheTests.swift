import CassetteHTTP
import CassetteSystem
import Cassettes
import Foundation
import Testing

@testable import CassettePlayback
@testable import CassetteSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Cached answers of CassettePlayer` {
  @Test func `cached answers stay within their limit, and each request gets its own answer`() async throws {
    let body = String(repeating: "x", count: 250 << 10)
    let player = CassettePlayer([
      Cassette(name: "large", interactions: (0..<40).map { .made(.get, "/\($0)", body: "\($0) \(body)") })
    ])
    let session = player.session()
    for round in 0..<2 {
      for number in 0..<40 {
        let url = try #require(URL(string: "https://api.example.com/\(number)"))
        let (data, _) = try await session.data(from: url)
        #expect(String(decoding: data.prefix(4), as: UTF8.self).hasPrefix("\(number) "), "round \(round)")
        #expect(player.state.withLock { $0.view?.size ?? 0 } <= CassettePlayer.mostKept)
      }
    }
    #expect(player.state.withLock { $0.view?.size ?? 0 } > 0)
  }
}
