import CassetteHTTP
import CassetteRecording
import CassetteSecrets
import CassetteSession
import Cassettes
import Foundation
import MockServerKit
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A type that a client decodes, with its values in two recordings.
struct DecodedType: Sendable, CustomTestStringConvertible {
  let name: String
  let first: String
  let again: String
  /// True if the value is also recorded as a JSON number.
  var isNumber = false
  let decodes: @Sendable (String) -> Bool

  var testDescription: String { name }
}

private func token(_ issued: Int, _ subject: String) -> String {
  let claims =
    #"{"iss":"https://a.example","exp":\#(issued + 3600),"iat":\#(issued),"sub":"\#(subject)","admin":false}"#
  return [#"{"alg":"RS256","typ":"JWT","kid":"k1"}"#, claims, "the signature of \(subject)"].map {
    Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }.joined(separator: ".")
}

private struct Claims: Decodable {
  let iss: URL
  let exp: Date
  let sub: String
  let admin: Bool
}

private func isToken(_ text: String) -> Bool {
  let parts = text.split(separator: ".")
  guard parts.count == 3 else { return false }
  var claims = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
  while claims.count % 4 > 0 { claims += "=" }
  return Data(base64Encoded: claims).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }?.admin == false
}

private func isDate(_ text: String) -> Bool { (try? Date(text, strategy: .iso8601)) != nil }

private let types: [DecodedType] = [
  DecodedType(
    name: "UUID", first: "550e8400-e29b-41d4-a716-446655440000", again: "6fa459ea-ee8a-4ca4-894e-db77e160355e"
  ) { UUID(uuidString: $0) != nil },
  DecodedType(name: "Int", first: "12345678901234", again: "12345678905555", isNumber: true) { Int($0) != nil },
  DecodedType(name: "Int32", first: "1234", again: "99321", isNumber: true) { Int32($0) != nil },
  DecodedType(name: "Decimal", first: "123456789012.50", again: "123456789013.75", isNumber: true) {
    $0.contains(".") && Decimal(string: $0) != nil
  },
  DecodedType(name: "Date", first: "2026-11-22T05:50:06Z", again: "2026-11-23T06:51:07Z", decodes: isDate),
  DecodedType(name: "email", first: "kean@example.com", again: "somebody.else@example.org") {
    $0.split(separator: "@").count == 2
  },
  DecodedType(name: "URL", first: "https://files.example.com/a/b?c=d", again: "https://files.example.com/e/f") {
    URL(string: $0)?.host()?.contains(".") ?? false
  },
  DecodedType(name: "JWT", first: token(1_700_000_000, "abc"), again: token(1_790_000_000, "xyz"), decodes: isToken),
]

@Suite struct `Stand-ins of redacted values` {
  private let origin = "http://api.example.com"
  private let redaction = CassetteRedaction.redacting(
    .json("$.text"), .json("$.number"), .header("X-Value"), .query("q"), .form("v"))

  @Test(arguments: types)
  func `a stand-in has the type of the redacted value and is accepted wherever a client sends it`(_ type: DecodedType)
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "standin-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "test.json").path
    let kept = try record(type.first, type, into: Cassette(name: "test", origin: origin))
    #expect(!String(decoding: try CassetteFile.bytes(of: kept), as: UTF8.self).contains(type.first))
    try CassetteFile.write(kept, to: file)

    // Recording again must produce the same file.
    let again = try record(type.again, type, into: try CassetteFile.read(path: file))
    #expect(try CassetteFile.bytes(of: again) == CassetteFile.bytes(of: kept))

    let player = try CassettePlayer(paths: [file])
    try await walk(type, player.session(), origin)
    #expect(player.ledger.misses.isEmpty)
    var configuration = MockServer.Configuration(cassettes: [file], port: 0)
    configuration.loops = 1
    configuration.watches = false
    let server = try MockServer(configuration)
    let session = URLSessionConfiguration.ephemeral
    session.httpShouldSetCookies = false
    try await walk(type, URLSession(configuration: session), try server.start())
    #expect(server.stop(within: .seconds(0.1))?.misses == 0)
  }

  // MARK: Recording

  private func record(_ value: String, _ type: DecodedType, into cassette: Cassette) throws -> Cassette {
    let recording = Recording(into: cassette, redaction: redaction)
    let facts = RecordedFacts(at: "2026-11-21T01:00:00Z")
    for request in requests(value, type) {
      let target = try #require(HTTPTarget(request.target))
      let sent = HTTPRequest(
        method: HTTPMethod(rawValue: request.method), target: target, headers: HTTPHeaders(request.fields),
        body: Array(request.body.utf8))
      var answer = RecordedResponse(status: 200, body: .storing(Array("ok".utf8)))
      if request.target == "/start" {
        let number = type.isNumber ? value : "1"
        answer = RecordedResponse(
          status: 200,
          headers: [
            ("Content-Type", "application/json"), ("X-Value", value), ("Set-Cookie", "token=\(escaped(value)); Path=/"),
            ("X-Next", "/next?q=\(escaped(value))"),
          ], body: .storing(Array("{\"text\":\"\(value)\",\"number\":\(number)}".utf8)))
      }
      recording.finish(recording.begin(sent, origin: origin), answer, recorded: facts)
    }
    return try recording.merged().cassette
  }

  private struct Asked {
    var method = "GET"
    var target: String
    var fields: [(String, String)] = []
    var body = ""
  }

  /// The requests of a client that has received a value.
  private func requests(_ value: String, _ type: DecodedType) -> [Asked] {
    let number = type.isNumber ? value : "1"
    // A short value is searched only in places with the name of a secret.
    let isFound = value.utf8.count > 13
    return [
      Asked(target: "/start"), Asked(target: "/next?q=\(escaped(value))"),
      Asked(target: isFound ? "/path/\(escaped(value))/end" : "/path"),
      Asked(target: "/field", fields: [("X-Value", value)]),
      Asked(target: "/cookie", fields: [("Cookie", "token=\(escaped(value))")]),
      Asked(
        method: "POST", target: "/json", fields: [("Content-Type", "application/json")],
        body: "{\"text\":\"\(value)\",\"number\":\(number)}"),
      Asked(
        method: "POST", target: "/form", fields: [("Content-Type", "application/x-www-form-urlencoded")],
        body: "v=\(escaped(value))&w=1"),
    ]
  }

  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? text
  }

  // MARK: Playing

  /// Sends the recorded requests with the stand-in that the first response contains.
  private func walk(_ type: DecodedType, _ session: URLSession, _ base: String) async throws {
    let (data, start) = try await ask(Asked(target: "/start"), session, base)
    let fields = start.allHeaderFields.reduce(into: [String: String]()) { $0["\($1.key)".lowercased()] = "\($1.value)" }
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let value = try #require(object["text"] as? String)
    #expect(value != type.first && !value.contains("{{"))
    #expect(type.decodes(value))
    #expect(fields["x-value"] == value)
    #expect(fields["x-next"]?.removingPercentEncoding == "/next?q=\(value)")
    #expect(fields["set-cookie"]?.removingPercentEncoding == "token=\(value); Path=/")
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.hasSuffix("\"number\":\(type.isNumber ? value : "700000001")}") || !type.isNumber)
    for request in requests(value, type) {
      let (_, response) = try await ask(request, session, base)
      #expect(response.statusCode == 200, "\(request.target)")
      #expect(response.value(forHTTPHeaderField: "Mockserver-Approximate") == nil)
    }
  }

  private func ask(_ asked: Asked, _ session: URLSession, _ base: String) async throws -> (Data, HTTPURLResponse) {
    var request = URLRequest(url: try #require(URL(string: base + asked.target)))
    request.httpMethod = asked.method
    request.httpShouldHandleCookies = false
    for (name, value) in asked.fields { request.addValue(value, forHTTPHeaderField: name) }
    if asked.method == "POST" { request.httpBody = Data(asked.body.utf8) }
    let (data, response) = try await session.data(for: request)
    return (data, try #require(response as? HTTPURLResponse))
  }
}
