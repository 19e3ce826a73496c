import CassetteHTTP
import CassettePlayback
import CassetteSession
import Cassettes
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct CassetteURLProtocolTests {
  private let url = URL(string: "https://api.example.com/user") ?? URL(filePath: "/")

  private func player(_ interactions: Interaction...) -> CassettePlayer {
    CassettePlayer([Cassette(name: "test", origin: "https://api.example.com", interactions: interactions)])
  }

  private func http(_ response: URLResponse) throws -> HTTPURLResponse { try #require(response as? HTTPURLResponse) }

  @Test func `a recording answers with status, fields and body`() async throws {
    let player = player(.made(.get, "/user", headers: [("X-A", "1"), ("X-A", "2")], body: #"{"login":"kean"}"#))
    let (data, response) = try await player.session().data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == #"{"login":"kean"}"#)
    #expect(try http(response).statusCode == 200)
    #expect(try http(response).value(forHTTPHeaderField: "x-a") == "1, 2")
    #expect(try http(response).expectedContentLength == 16)
    #expect(player.ledger.count == 1)
    #expect(player.ledger.neverPlayed.isEmpty)
  }

  @Test func `a request without a recording fails with the explanation of the miss`() async throws {
    let player = player(.made(.get, "/users"))
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.localizedDescription.contains("GET /user was never recorded") == true)
    #expect(player.ledger.misses.map(\.reason) == ["GET /user was never recorded"])
  }

  @Test(arguments: ["GET", "POST"])
  func `a body file removed after loading is an error of the request and a problem of the player`(
    method: String
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "vanished-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let body = folder.appending(path: "bodies/a.txt")
    try FileManager.default.createDirectory(at: body.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("whole".utf8).write(to: body)
    let line = #"{"method":"\#(method)","url":"/user"}"#
    let text =
      #"{"cassette":1,"origin":"https://api.example.com","interactions":[{"request":\#(line),"#
      + #""response":{"status":200,"body":{"file":"bodies/a.txt"}}}]}"#
    let file = folder.appending(path: "test.json")
    try Data(text.utf8).write(to: file)
    let player = try CassettePlayer(paths: [file.path])
    try FileManager.default.removeItem(at: body)
    var request = URLRequest(url: url)
    request.httpMethod = method
    let sent = request
    let error = await #expect(throws: URLError.self) { try await player.session().data(for: sent) }
    #expect(error?.code == .cannotDecodeContentData)
    #expect(error?.localizedDescription.contains("bodies/a.txt") == true, "\(error as Any)")
    #expect(player.ledger.problems.count == 1 && player.ledger.problems[0].contains("bodies/a.txt"))
  }

  @Test func `a request after the end of its player fails with the player's name`() async throws {
    let player = player(.made(.get, "/user"))
    let session = player.session()
    player.end()
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.localizedDescription.contains("was sent after \"test\" had ended") == true)
  }

  @Test(arguments: [
    (-1001, URLError.Code.timedOut), (-1003, .cannotFindHost), (-1004, .cannotConnectToHost),
    (-1005, .networkConnectionLost), (-1009, .notConnectedToInternet), (-1202, .serverCertificateUntrusted),
  ])
  func `a recorded failure is the URLError of its code`(code: Int, expected: URLError.Code) async throws {
    let interaction = Interaction(method: .get, url: "/user", outcome: .failure(RecordedFailure(code: code)))
    let error = await #expect(throws: URLError.self) { try await player(interaction).session().data(from: url) }
    #expect(error?.code == expected)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `each hop of a redirect is answered by the player`(status: Int) async throws {
    let player = player(
      .made(.post, "/user", status: HTTPStatus(status), headers: [("Location", "/there")]),
      .made(.get, "/there", body: "got"), .made(.post, "/there", body: "posted"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("x".utf8)
    let (data, response) = try await player.session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == (status < 304 ? "got" : "posted"))
    #expect(response.url?.path == "/there")
    #expect(player.ledger.count == 2)
  }

  @Test func `a loop of redirects fails as httpTooManyRedirects`() async throws {
    let player = player(.made(.get, "/user", status: 302, headers: [("Location", "/user")]))
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: url) }
    #expect(error?.code == .httpTooManyRedirects)
  }

  @Test func `a recorded 401 with a challenge is an ordinary response`() async throws {
    let player = player(
      .made(.get, "/user", status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: "no"))
    let (data, response) = try await player.session().data(from: url)
    #expect(try http(response).statusCode == 401)
    #expect(String(decoding: data, as: UTF8.self) == "no")
  }

  @Test(arguments: ["data", "file", "upload", "stream"])
  func `the recording with the sent body answers for each kind of upload`(kind: String) async throws {
    let player = player(
      .made(.post, "/user", body: "first", sending: #"{"a":1}"#),
      .made(.post, "/user", body: "second", sending: #"{"a":2}"#))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let body = Data(#"{ "a": 2 }"#.utf8)
    let session = player.session()
    let data: Data
    switch kind {
    case "data":
      request.httpBody = body
      data = try await session.data(for: request).0
    case "file":
      let file = FileManager.default.temporaryDirectory.appending(path: "body-\(UUID())")
      try body.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      data = try await session.upload(for: request, fromFile: file).0
    case "upload":
      data = try await session.upload(for: request, from: body).0
    default:
      request.httpBodyStream = InputStream(data: body)
      data = try await session.data(for: request).0
    }
    #expect(String(decoding: data, as: UTF8.self) == "second")
  }

  @Test func `a download task fails with an error that names withMockServer`() async throws {
    let player = player(.made(.get, "/user"))
    let session = player.session()
    let error = await withCheckedContinuation { continuation in
      session.downloadTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
    }
    #expect((error as? URLError)?.localizedDescription.contains("withMockServer") == true)
  }

  @Test func `cookies of an answer are kept in the session and sent with the next request`() async throws {
    let player = player(
      .made(.get, "/user", headers: [("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "b=2; Path=/")]),
      .made(.get, "/with", body: "with", asking: [("Cookie", "a=1; b=2")]), .made(.get, "/with", body: "without"))
    let session = player.session()
    _ = try await session.data(from: url)
    let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
    #expect(Set(cookies.map(\.name)) == ["a", "b"])
    #expect(HTTPCookieStorage.shared.cookies(for: url)?.isEmpty != false)
  }

  @Test func `a task sends the cookies of its creation and of later answers of its session`() async throws {
    let player = player(.made(.get, "/user", headers: [("Set-Cookie", "a=1; Path=/")]), .made(.get, "/with"))
    let session = player.session()
    let with = try #require(URL(string: "/with", relativeTo: url))
    let (told, tell) = AsyncStream.makeStream(of: Void.self)
    let early = session.dataTask(with: with.absoluteURL) { _, _, _ in tell.finish() }
    _ = try await session.data(from: url)
    early.resume()
    for await _ in told {}
    let fresh = player.session(configuration: session.configuration)
    _ = try await fresh.data(from: url)
    #expect(player.requests.map { $0.headers["Cookie"] } == [nil, "a=1", "a=1"])
  }

  @Test func `a recording is selected by the header fields of the session's configuration`() async throws {
    let player = player(
      .made(.get, "/user", body: "wrong", asking: [("X-Team", "a")]),
      .made(.get, "/user", body: "right", asking: [("X-Team", "b")]))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Team": "b"]
    let (data, _) = try await player.session(configuration: configuration).data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "right")
  }

  @Test func `a session of an existing configuration is answered by the player that it plays`() async throws {
    let configuration = URLSessionConfiguration.default
    configuration.play(player(.made(.get, "/user", body: "played")))
    let (data, _) = try await URLSession(configuration: configuration).data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "played")
  }

  @Test func `a request with the scheme ftp fails with its URL and without its password`() async throws {
    let ftp = try #require(URL(string: "ftp://kean:hunter2hunter2@example.com/x"))
    let player = player(.made(.get, "/user"))
    let error = await #expect(throws: URLError.self) { try await player.session().data(from: ftp) }
    #expect(error?.code == .unsupportedURL)
    #expect(player.ledger.problems.count == 1)
    let shown = player.ledger.problems + player.ledger.requests.map(\.request) + [error?.localizedDescription ?? ""]
    #expect(shown.allSatisfy { $0.contains("example.com/x") && !$0.contains("hunter2") })
  }
}

extension Interaction {
  /// Returns a recording of a request and its response.
  static func made(
    _ method: HTTPMethod, _ url: String, status: HTTPStatus = 200, headers: [(String, String)] = [], body: String = "",
    sending: String? = nil, asking: [(String, String)] = []
  ) -> Interaction {
    Interaction(
      method: method, url: url, requestHeaders: HTTPHeaders(asking),
      requestBody: sending.map { .storing(Array($0.utf8)) },
      outcome: .response(
        RecordedResponse(
          status: status, headers: HTTPHeaders(headers), body: body.isEmpty ? nil : .storing(Array(body.utf8)))))
  }
}
