import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation
import MockServerKit
import MockServerWire
import ServerTestSupport
import TestSupport
import Testing

@testable import CassetteFormats

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Recordings of real projects, in the folder that `CORPORA` names.
///
/// Each file is imported and served alone over a socket, and every request is sent in order. Expectations are read
/// with Foundation's JSON, not with the importer.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"), .serialized)
struct CorpusTests {
  struct Expected {
    var method: String
    var url: String
    var sent: [(String, String)]
    var content: Data
    var status: Int
    var fields: [(String, String)]
    var body: Data
    /// The name of the recording in a report.
    var item = ""
  }

  static func files(_ folder: String, _ ending: String = ".json") -> [String] {
    let root = "\(corpora ?? "")/\(folder)"
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return all.filter { $0.hasSuffix(ending) }.sorted().map { "\(root)/\($0)" }
  }

  // MARK: Formats

  @Test(arguments: files("har/strict-valid", ".har") + files("har/lenient", ".har") + files("har/own", ".har"))
  func `an imported HAR plays the recorded responses`(file: String) throws {
    let log = try #require(try Self.json(file, as: [String: Any].self)["log"] as? [String: Any])
    var expected: [Expected] = []
    for (index, entry) in (log["entries"] as? [[String: Any]] ?? []).enumerated() {
      guard let request = entry["request"] as? [String: Any], let response = entry["response"] as? [String: Any],
        let url = request["url"] as? String, url.hasPrefix("http") || url.hasPrefix("/"),
        let status = response["status"].flatMap({ Int("\($0)") }), (200...999).contains(status)
      else { continue }
      let content = response["content"] as? [String: Any] ?? [:]
      let text = content["text"] as? String ?? ""
      let isBase64 = content["encoding"] as? String == "base64"
      let plain = Self.joined(text).map { Data($0) } ?? Data(text.utf8)
      guard let body = isBase64 ? Data(base64Encoded: text) : plain else { continue }
      let data = request["postData"] as? [String: Any] ?? [:]
      expected.append(
        Expected(
          method: request["method"] as? String ?? "", url: url, sent: Self.pairs(request["headers"]),
          content: Self.content(data), status: status,
          fields: Self.pairs(response["headers"]), body: body, item: "entry \(index)"))
    }
    try play(file, expected)
  }

  /// Returns the content of an encoded body, which PollyJS stores as a list of hexadecimal pieces.
  static func joined(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("[\"1f8b"), let pieces = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) else {
      return nil
    }
    let digits = Array(pieces.joined())
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return BodyCoding.unwrapping(bytes, charset: nil)?.content
  }

  @Test(arguments: files("vcr").filter { !$0.contains("/derived/") })
  func `an imported VCR or betamax cassette plays the recorded responses`(file: String) throws {
    let list = try Self.json(file, as: [String: Any].self)["http_interactions"] as? [[String: Any]] ?? []
    let expected = try list.map { interaction in
      let request = try #require(interaction["request"] as? [String: Any])
      let response = try #require(interaction["response"] as? [String: Any])
      let status = response["status"] as? [String: Any]
      return Expected(
        method: (request["method"] as? String ?? "").uppercased(), url: request["uri"] as? String ?? "",
        sent: Self.fields(request["headers"]), content: try Self.vcrBody(request["body"]),
        status: try #require((status?["code"] ?? response["status_code"]) as? Int),
        fields: Self.fields(response["headers"]),
        body: try Self.vcrBody(response["body"], coding: Self.fields(response["headers"])))
    }
    #expect(!expected.isEmpty)
    try play(file, expected)
  }

  @Test(arguments: files("nock"))
  func `imported nock definitions play the recorded responses`(file: String) throws {
    let expected = try Self.json(file, as: [[String: Any]].self).map { definition in
      var fields = Self.fields(definition["headers"])
      if let raw = definition["rawHeaders"] as? [String] {
        fields = stride(from: 0, to: raw.count, by: 2).map { (raw[$0], raw[$0 + 1]) }
      }
      var body = Self.text(definition["response"])
      if definition["responseIsBinary"] as? Bool == true { body = Self.hex(String(decoding: body, as: UTF8.self)) }
      return Expected(
        method: (definition["method"] as? String ?? "").uppercased(),
        url: (definition["scope"] as? String ?? "") + (definition["path"] as? String ?? ""),
        sent: Self.fields(definition["reqheaders"]), content: Self.text(definition["body"]),
        status: definition["status"] as? Int ?? 0, fields: fields, body: body)
    }
    #expect(!expected.isEmpty)
    try play(file, expected)
  }

  @Test(arguments: files("dvr").filter { !$0.hasSuffix("vinyl_multiple.json") })
  func `an imported DVR or Vinyl cassette plays the recorded responses`(file: String) throws {
    let whole = try Self.json(file, as: Any.self)
    let list = (whole as? [String: Any])?["interactions"] ?? whole
    let expected = try (list as? [[String: Any]] ?? []).map { interaction in
      let request = try #require(interaction["request"] as? [String: Any])
      let response = try #require(interaction["response"] as? [String: Any])
      let fields = Self.fields(response["headers"])
      return Expected(
        method: request["method"] as? String ?? "GET", url: request["url"] as? String ?? "",
        sent: Self.fields(request["headers"]),
        content: Self.dvrBody(request["body"], Self.fields(request["headers"])),
        status: response["status"] as? Int ?? 0, fields: fields, body: Self.text(response["body"]))
    }
    #expect(!expected.isEmpty)
    try play(file, expected)
  }

  @Test(arguments: ["testUpdateRelease", "testRepoLabel"])
  func `imported WireMock mappings play in the recorded order`(name: String) throws {
    let root = "\(corpora ?? "")/wiremock/hub4j-example/\(name)"
    var mappings = try Self.files("wiremock/hub4j-example/\(name)/mappings").map {
      try Self.json($0, as: [String: Any].self)
    }
    mappings.sort { ($0["insertionIndex"] as? Int ?? 0) < ($1["insertionIndex"] as? Int ?? 0) }
    let expected = try mappings.map { mapping in
      let request = try #require(mapping["request"] as? [String: Any])
      let response = try #require(mapping["response"] as? [String: Any])
      let sent = (request["headers"] as? [String: [String: String]] ?? [:]).map { ($0.key, $0.value["equalTo"] ?? "") }
      let pattern = (request["bodyPatterns"] as? [[String: Any]])?.first
      let body = try (response["bodyFileName"] as? String).map {
        try Data(contentsOf: URL(filePath: "\(root)/__files/\($0)"))
      }
      return Expected(
        method: request["method"] as? String ?? "", url: request["url"] as? String ?? "", sent: sent,
        content: Data((pattern?["equalToJson"] as? String ?? "").utf8), status: response["status"] as? Int ?? 0,
        fields: Self.fields(response["headers"]), body: body ?? Self.text(response["body"]))
    }
    try play(root, expected)
  }

  @Test(arguments: files("wiremock").filter { !$0.contains("/__files/") && !$0.contains("/rootdir/") })
  func `every imported WireMock mapping answers its own request`(file: String) throws {
    let whole = try Self.json(file, as: [String: Any].self)
    let mappings = whole["mappings"] as? [[String: Any]] ?? [whole]
    let folder = try ScratchFolder()
    let report = try #require(try ImportTransaction(into: folder.path, redaction: nil).run([file], as: .wiremock).first)
    #expect(report.imported + report.skipped.count == mappings.count)
    guard let path = report.cassette else { return }
    let deck = Deck(try CassetteLibrary.load([path]))
    for (index, mapping) in mappings.enumerated() {
      let state = mapping["requiredScenarioState"] as? String ?? "Started"
      guard let request = mapping["request"] as? [String: Any], state == "Started",
        !report.skipped.contains(where: { $0.item.hasPrefix("mapping \(index)") })
      else { continue }
      let url = ["url", "urlPath", "urlPattern"].compactMap { request[$0] as? String }.first ?? "/any"
      var headers = HTTPHeaders()
      for (name, pattern) in request["headers"] as? [String: [String: String]] ?? [:] {
        headers.append(name, pattern["equalTo"] ?? pattern["contains"] ?? "")
      }
      let pattern = (request["bodyPatterns"] as? [[String: Any]])?.first
      let body = (pattern?["equalToJson"] ?? pattern?["contains"]) as? String ?? ""
      let method = request["method"] as? String ?? "ANY"
      let asked = HTTPRequest(
        method: HTTPMethod(method == "ANY" ? "DELETE" : method),
        target: try #require(HTTPTarget(url.replacingOccurrences(of: ".*", with: "x"))), headers: headers,
        body: Array(body.utf8))
      deck.reset()
      guard let playback = deck.plan(asked).playback else {
        #expect(Bool(false), "\(file) \(index): \(method) \(url) is a miss")
        continue
      }
      let status = (mapping["response"] as? [String: Any])?["status"] as? Int ?? 200
      #expect(playback.recording.interaction.status == status, "\(file) \(index)")
    }
  }

  @Test(
    arguments: files("har/not-har", ".har") + files("har/not-har") + files("vcr").filter { $0.contains("/derived/") }
      + files("dvr").filter { $0.hasSuffix("vinyl_multiple.json") })
  func `an import of a damaged or unsupported file names the file and writes nothing`(file: String) throws {
    let folder = try ScratchFolder()
    let failure = #expect(throws: ImportTransaction.Failure.self) {
      try ImportTransaction(into: folder.path("out")).run([file])
    }
    guard case .refused(let error)? = failure else { return #expect(Bool(false), "\(failure as Any)") }
    #expect(error.file == file)
    #expect(folder.files == [])
  }

  @Test(arguments: files("hoverfly").filter { $0.contains("go-literals") })
  func `every pair of a Hoverfly simulation is imported or reported`(file: String) throws {
    let folder = try ScratchFolder()
    let data = try Self.json(file, as: [String: Any].self)["data"] as? [String: Any]
    let pairs = data?["pairs"] as? [Any] ?? []
    let report = try ImportTransaction(into: folder.path("out")).run([file])[0]
    #expect(report.imported + report.skipped.count == pairs.count)
  }

  // MARK: Play

  /// Imports a file, serves it, sends every request, and compares the responses.
  private func play(_ file: String, _ expected: [Expected]) throws {
    let folder = try ScratchFolder()
    let report = try ImportTransaction(into: folder.path("out"), redaction: nil).run([file])[0]
    let skipped = Set(report.skipped.map(\.item))
    #expect(report.imported == expected.count { !skipped.contains($0.item) }, "\(report)")
    guard let cassette = report.cassette, !expected.isEmpty else { return }
    let gaps = try CassetteFile.read(path: cassette).interactions.filter { $0.failure?.gap != nil }.map(\.pathAndQuery)
    var configuration = MockServer.Configuration(cassettes: [cassette], port: 0)
    configuration.keepsLinks = true
    configuration.cors = .recorded
    configuration.watches = false
    let server = try MockServer(configuration)
    let url = try server.start()
    defer { server.stop(within: .zero) }
    for (index, exchange) in expected.enumerated() {
      let target = Self.target(exchange.url)
      if skipped.contains(exchange.item), !gaps.contains(target) { continue }
      let answer = try WireClient.ask(
        port: try #require(url.split(separator: ":").last.flatMap { Int($0) }), method: exchange.method,
        target: target, fields: exchange.sent.filter { !Self.isFraming($0.0) },
        body: exchange.content)
      let place: Comment = "\(file) \(index): \(exchange.method) \(exchange.url)"
      guard !skipped.contains(exchange.item) else {
        #expect(answer.headers["Mockserver-Miss"] != nil, place)
        continue
      }
      #expect(answer.status == exchange.status, place)
      let isBodiless = exchange.method == "HEAD" || [204, 304].contains(exchange.status)
      #expect(isSame(try Self.decoded(answer), isBodiless ? Data() : exchange.body), place)
      // A server adds Date (RFC 9110 §6.6.1) if the recording lacks it.
      let said = Set(exchange.fields.map { $0.0.lowercased() })
      let fields = answer.headers.map { ($0.name, $0.value) }.filter {
        $0.0.lowercased() != "date" || said.contains("date")
      }
      #expect(Self.comparable(fields) == Self.comparable(exchange.fields), place)
    }
  }

  /// Returns the body without the coding that the server applied.
  private static func decoded(_ answer: WireClient.Answer) throws -> Data {
    guard !answer.body.isEmpty, let decoder = ContentDecoder(answer.headers) else { return Data(answer.body) }
    return Data(try decoder.decode(answer.body, limit: ContentDecoder.longest))
  }

  /// True if the bytes are equal, or if the expected body is a marked JSON value and the values are equal.
  private func isSame(_ answer: Data, _ expected: Data) -> Bool {
    if answer == expected { return true }
    guard let one = try? JSONSerialization.jsonObject(with: answer) as? NSObject,
      let other = try? JSONSerialization.jsonObject(with: expected) as? NSObject, expected.starts(with: Self.mark)
    else { return false }
    return one.isEqual(other)
  }

  /// Returns fields with names in lower case, sorted; a line end in a value separates two fields.
  static func comparable(_ fields: [(String, String)]) -> [String] {
    fields.filter { !isFraming($0.0) && !$0.0.hasPrefix(":") }.flatMap { field in
      field.1.split(separator: "\n", omittingEmptySubsequences: false).map {
        "\(field.0.lowercased()): \($0.trimmingCharacters(in: .whitespaces))"
      }
    }.sorted()
  }

  /// True if a field is derived on replay, or is not valid for a decoded body.
  static func isFraming(_ name: String) -> Bool {
    [
      "content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "content-encoding", "host",
      "proxy-connection", "expect",
    ].contains(name.lowercased()) || name.hasPrefix(":")
  }

  static func target(_ url: String) -> String {
    var rest = url[...]
    if let scheme = url.range(of: "://") {
      rest = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    } else if url.hasPrefix("<<"), let end = url.range(of: ">>") {
      rest = url[end.upperBound...]
    }
    rest = rest.prefix { $0 != "#" }
    let path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    return path.replacingOccurrences(of: " ", with: "%20")
  }
}
