import CassetteSession
import Cassettes
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `CassettePlayer of a launch environment` {
  private let folder: ScratchFolder
  private let bundle: Bundle

  init() throws {
    folder = try ScratchFolder()
    let files = [
      ("Cassettes/first.json", "/a", "first"), ("second.json", "/b", "second"),
      ("Cassettes/many/third.json", "/c", "third"),
    ]
    try FileManager.default.createDirectory(atPath: folder.path("Cassettes/many"), withIntermediateDirectories: true)
    for (file, path, text) in files {
      try Data(Self.cassette(path, text).utf8).write(to: URL(filePath: folder.path(file)))
    }
    bundle = try #require(Bundle(path: folder.path))
  }

  private static func cassette(_ path: String, _ text: String) -> String {
    """
    {"cassette": 1, "origin": "https://api.test", "interactions": [
      {"request": {"method": "GET", "url": "\(path)"}, "response": {"status": 200, "body": {"text": "\(text)"}}}
    ]}
    """
  }

  private func text(_ path: String, _ player: CassettePlayer) async throws -> String {
    let url = try #require(URL(string: "https://api.test\(path)"))
    return String(decoding: try await player.session().data(from: url).0, as: UTF8.self)
  }

  @Test(arguments: [("first", "/a", "first"), ("second", "/b", "second"), ("many", "/c", "third")])
  func `a name selects a cassette or a folder in the bundle`(name: String, path: String, answer: String) async throws {
    #expect(try await text(path, CassettePlayer(name, in: bundle)) == answer)
  }

  @Test func `CASSETTES lists names and paths separated by colons`() async throws {
    let value = "first:second.json:\(folder.path("Cassettes/many/third.json"))"
    let player = try #require(CassettePlayer.launched(in: bundle, environment: ["CASSETTES": value]))
    for (path, answer) in [("/a", "first"), ("/b", "second"), ("/c", "third")] {
      #expect(try await text(path, player) == answer)
    }
  }

  @Test(arguments: [[:], ["CASSETTES": ""]] as [[String: String]])
  func `without CASSETTES there is no player`(environment: [String: String]) {
    #expect(CassettePlayer.launched(in: bundle, environment: environment) == nil)
  }

  @Test func `a missing cassette in CASSETTES fails every request with its name`() async throws {
    let player = try #require(CassettePlayer.launched(in: bundle, environment: ["CASSETTES": "frist"]))
    let error = await #expect(throws: URLError.self) { try await text("/a", player) }
    let words = try #require(error).localizedDescription
    #expect(words.contains("CASSETTES=frist"), "\(words)")
    #expect(words.contains("the cassette was not found"), "\(words)")
    #expect(throws: CassetteError.self) { try CassettePlayer("frist", in: bundle) }
  }

  @Test func `the matching options apply to the cassettes of CASSETTES`() async throws {
    let player = try #require(
      CassettePlayer.launched(in: bundle, environment: ["CASSETTES": "first"], matching: .anyHost))
    let url = try #require(URL(string: "http://127.0.0.1:1/a"))
    #expect(String(decoding: try await player.session().data(from: url).0, as: UTF8.self) == "first")
  }
}
