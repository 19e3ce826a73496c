import CassetteSession
import Foundation
import Testing

@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `requests.txt` {
  @Test func `requests.txt has the test's name and the fields and bodies of its requests with masked secrets`()
    async throws
  {
    let player = CassettePlayer()
    player.add([CassetteStub(.post("/login"), .status(204)), CassetteStub(.put("/picture"), .status(204))])
    var login = URLRequest(url: try #require(URL(string: "https://api.example.com/login")))
    login.httpMethod = "POST"
    login.httpBody = Data(#"{"user":"kean","password":"hunter2"}"#.utf8)
    login.setValue("application/json", forHTTPHeaderField: "Content-Type")
    login.setValue("Bearer abc", forHTTPHeaderField: "Authorization")
    _ = try await player.session().data(for: login)
    var picture = URLRequest(url: try #require(URL(string: "https://api.example.com/picture")))
    picture.httpMethod = "PUT"
    _ = try await player.session().upload(for: picture, from: Data([0, 1, 2]))
    let report = Report(fileID: "AppTests/LoginTests.swift", file: "LoginTests.swift", line: 7, column: 1)
    let ledger = player.ledger
    let text = report.text(Report.blocks(ledger.requests), of: ledger.count, to: "logs in")
    #expect(
      text.hasPrefix(
        "\"logs in\" (AppTests/LoginTests.swift:7) sent 2 requests\n\n1. POST https://api.example.com/login"))
    #expect(text.contains("1. POST https://api.example.com/login  ->  stubs/post-login\n"))
    #expect(text.contains("  Content-Type: application/json\n"))
    #expect(text.contains("  Authorization: {{secret}}\n"))
    #expect(text.contains(#""user":"kean""#))
    #expect(!text.contains("hunter2"))
    #expect(text.contains("2. PUT https://api.example.com/picture  ->  stubs/put-picture\n"))
    #expect(text.contains("\n  3 bytes that are not text"))
    let archive = try #require(
      try JSONSerialization.jsonObject(with: Data(RequestsArchive(ledger.requests).bytes)) as? [String: Any])
    let entries = (archive["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    #expect(entries.map { ($0["request"] as? [String: Any])?["method"] as? String } == ["POST", "PUT"])
    #expect(entries.map { ($0["response"] as? [String: Any])?["status"] as? Int } == [204, 204])
    #expect(!String(decoding: RequestsArchive(ledger.requests).bytes, as: UTF8.self).contains("hunter2"))
  }
}
