// Only the product is imported, because the code of an app has to compile with this import alone.
import CassetteSession
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The examples of the page "Previews, demo modes and UI tests" (CassetteSession.docc/AppsOnCassettes.md).
@Suite struct `Examples of the page on apps` {
  private func status(of path: String, _ session: URLSession) async throws -> Int? {
    let url = try #require(URL(string: "https://api.test\(path)"))
    return (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode
  }

  @Test func `a session of a player without cassettes is answered by a stub`() async throws {
    let player = CassettePlayer()
    player.add([CassetteStub(.get("/users/{name}"), .status(503).delay(.milliseconds(1)))])
    #expect(try await status(of: "/users/kean", player.session()) == 503)
  }

  @Test func `a player plays a cassette of a bundle with latency, starts again after a reset, and fails after its end`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let cassette = """
      {"cassette": 1, "origin": "https://other.test", "interactions": [
        {"request": {"method": "GET", "url": "/a"}, "response": {"status": 201}},
        {"request": {"method": "GET", "url": "/a"}, "response": {"status": 202}}
      ]}
      """
    try Data(cassette.utf8).write(to: folder.appending(path: "demo.json"))
    let bundle = try #require(Bundle(path: folder.path))

    let player = try CassettePlayer("demo", in: bundle, matching: .loose)
    player.inject([.latency(.milliseconds(1))])
    let session = player.session()
    #expect(try await status(of: "/a", session) == 201)
    #expect(try await status(of: "/a", session) == 202)
    player.reset()
    #expect(try await status(of: "/a", session) == 201)
    player.end()
    await #expect(throws: URLError.self) { try await status(of: "/a", session) }
  }
}
