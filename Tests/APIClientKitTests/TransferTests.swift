import APIClientKit
import CassetteSystem
import CassetteTesting
import ClientTestSupport
import Foundation
import MockServerTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Transfers` {
  private func scratch() -> URL { FileManager.default.temporaryDirectory.appending(path: "transfer-\(UUID())") }

  @Test(arguments: Player.allCases)
  func `an interrupted download continues with a Range request`(player: Player) async throws {
    let file = scratch()
    defer { try? FileManager.default.removeItem(at: file) }
    let seen = Locked<[TransferProgress]>([])
    try await player.play { client in
      let request = Request<Data>.get("/files/book")
      let error = await thrown { try await client.download(for: request, to: file) }
      #expect(error?.status == 200)
      #expect(!FileManager.default.fileExists(atPath: file.path))
      let response = try await client.download(for: request, to: file) { progress in
        seen.withLock { $0.append(progress) }
      }
      #expect(response.status == 206)
      #expect(response.originalRequest?.value(forHTTPHeaderField: "Range") == "bytes=10-")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "once upon a time")
    #expect(seen.withLock { $0.last?.completed } == 16)
    #expect(seen.withLock { $0.last?.fraction } == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path + ".part"))
  }

  @Test(arguments: Player.allCases)
  func `an interrupted download of changed content starts from the beginning`(player: Player) async throws {
    let file = scratch()
    defer { try? FileManager.default.removeItem(at: file) }
    try await player.play { client in
      let request = Request<Data>.get("/files/news")
      await #expect(throws: URLError.self) { try await client.download(for: request, to: file) }
      let response = try await client.download(for: request, to: file)
      #expect(response.status == 200)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "sun and wind")
  }

  @Test(arguments: Player.allCases)
  func `the body of an error response is not written to the file`(player: Player) async throws {
    let file = scratch()
    try await player.play { client in
      let error = await #expect(throws: APIError.self) {
        try await client.download(for: Request<Data>.get("/orders/missing"), to: file)
      }
      #expect(error?.message == "There is no order \"missing\"")
    }
    #expect(!FileManager.default.fileExists(atPath: file.path + ".part"))
  }

  @Test(arguments: Player.allCases, [true, false])
  func `an upload from a file or from data sends all bytes and reports progress`(player: Player, fromFile: Bool)
    async throws
  {
    let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31) })
    let file = scratch()
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let last = Locked<TransferProgress?>(nil)
    try await player.play { client in
      let request = Request<String>.put("/files/photo", headers: ["Content-Type": "image/png"])
      let progress: @Sendable (TransferProgress) -> Void = { progress in last.withLock { $0 = progress } }
      let response =
        fromFile
        ? try await client.upload(for: request, fromFile: file, progress: progress)
        : try await client.upload(for: request, from: data, progress: progress)
      #expect(response.value == "kept")
      guard player == .server, let url = TestMockServer.current?.url else { return }
      let journal = try await RequestJournal.of(url)
      #expect(journal.first { $0.method == "PUT" }?.bodyBytes == 300_000)
      #expect(last.withLock { $0?.completed } == 300_000)
    }
  }
}
