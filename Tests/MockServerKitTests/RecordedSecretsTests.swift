import CCassetteZlib
import CassetteFiles
import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Secrets in every place of an exchange, recorded live, and everything that is written then: none is there.
struct RecordedSecretsTests {
  // MARK: Places

  /// An exchange with a secret in one of its places.
  struct Exchange {
    var line = "GET /a"
    var headers: HTTPHeaders = []
    var body: [UInt8] = []
    var answer: [LoopbackOrigin.Step] = [.text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")]
  }

  /// A place for a secret.
  struct Place: Sendable, CustomTestStringConvertible {
    var name: String
    /// Whether the place itself says what it holds; otherwise another field of the request does.
    var isNamed = false
    /// What a URL cannot hold is not tried where one stands.
    var isURL = false
    var encodings = Spelling.allCases
    var make: @Sendable (_ text: String) -> Exchange

    var testDescription: String { name }
  }

  /// A way to write a secret.
  enum Spelling: CaseIterable {
    case raw, percent, everyByte, base64, base64After1, base64After2, base64URL, json, jsonUnicode

    func spell(_ secret: String) -> String {
      let bytes = Array(secret.utf8)
      switch self {
      case .raw: return secret
      case .percent: return secret.replacing("/", with: "%2F").replacing("+", with: "%2b").replacing("=", with: "%3D")
      case .everyByte: return bytes.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
      case .base64: return Data(bytes).base64EncodedString()
      case .base64After1: return Data([0x78] + bytes + [0x21]).base64EncodedString()
      case .base64After2: return Data([0x78, 0x79] + bytes + [0x21]).base64EncodedString()
      case .base64URL:
        return Data([0xff, 0xfe, 0xfd] + bytes).base64EncodedString().replacing("+", with: "-").replacing(
          "/", with: "_"
        )
        .replacing("=", with: "")
      case .json: return secret.replacing("/", with: "\\/")
      case .jsonUnicode: return bytes.map { "\\u00" + String($0, radix: 16) }.joined()
      }
    }

    var hasBackslash: Bool { self == .json || self == .jsonUnicode }
  }

  private static func answer(_ head: String, _ body: [UInt8]) -> [LoopbackOrigin.Step] {
    [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)Content-Length: \(body.count)\r\n\r\n"), .send(body)]
  }

  private static func answer(_ head: String, _ body: String) -> [LoopbackOrigin.Step] { answer(head, Array(body.utf8)) }

  private static func chunk(_ text: String) -> LoopbackOrigin.Step {
    .text("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }

  private static func field(_ name: String, named: Bool = false, _ value: @escaping @Sendable (String) -> String)
    -> Place
  {
    Place(name: "the response's \(name)", isNamed: named) {
      Exchange(answer: Self.answer("\(name): \(value($0))\r\n", "ok"))
    }
  }

  private static func posted(
    _ name: String, named: Bool = false, _ type: String, _ text: @escaping @Sendable (String) -> String
  )
    -> Place
  {
    Place(name: name, isNamed: named) {
      Exchange(line: "POST /a", headers: [("Content-Type", type)], body: Array(text($0).utf8))
    }
  }

  private static let multipart = "multipart/form-data; boundary=bb"

  private static func part(_ name: String, _ text: String) -> String {
    "--bb\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n--bb--\r\n"
  }

  /// Where the value stands as it is, and says what it is.
  private static let named: [Place] = [
    Place(name: "Authorization: Bearer", isNamed: true) { Exchange(headers: [("Authorization", "Bearer \($0)")]) },
    Place(name: "Authorization: Basic", isNamed: true) {
      Exchange(headers: [("Authorization", "Basic \(Data("octocat:\($0)".utf8).base64EncodedString())")])
    },
    Place(name: "Cookie", isNamed: true) { Exchange(headers: [("Cookie", "a=1; session=\($0)")]) },
    Place(name: "X-Api-Key", isNamed: true) { Exchange(headers: [("X-Api-Key", $0)]) },
    Place(name: "Proxy-Authorization", isNamed: true) {
      Exchange(headers: [("Proxy-Authorization", "Basic \(Data("octocat:\($0)".utf8).base64EncodedString())")])
    },
    Place(name: "a parameter with a name", isNamed: true) {
      Exchange(line: "GET /a?b=1&access_token=\($0)&c=2")
    },
    Place(name: "the fragment of Referer", isNamed: true) {
      Exchange(headers: [("Referer", "https://a.example/#access_token=\($0)")])
    },
    Place(name: "user information in Referer", isNamed: true) {
      Exchange(headers: [("Referer", "https://kean:\($0.replacing("/", with: "%2F"))@a.example/x")])
    },
    field("Set-Cookie", named: true) { "session=\($0); Path=/" },
    field("Authorization", named: true) { "Bearer \($0)" },
    field("X-Api-Key", named: true) { $0 },
    field("Location", named: true) { "https://a.example/cb?code=\($0)" },
    posted("a JSON member with a name", named: true, "application/json") { #"{"a":[{"client_secret":"\#($0)"}]}"# },
    posted("a form's field with a name", named: true, "application/x-www-form-urlencoded") {
      "a=1&password=\($0.replacing("+", with: "%2B"))"
    },
    posted("a part with a name", named: true, multipart) { part("password", $0) },
    Place(name: "a member of the answer with a name", isNamed: true) {
      Exchange(answer: answer("Content-Type: application/json\r\n", #"{"refresh_token":"\#($0)"}"#))
    },
    Place(name: "a trailer with a name", isNamed: true) { text in
      Exchange(answer: [
        .text("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .text("2\r\nok\r\n0\r\nX-Api-Key: \(text)\r\n\r\n"),
      ])
    },
    Place(name: "a field of 103 with a name", isNamed: true) { text in
      Exchange(answer: [.text("HTTP/1.1 103 Early Hints\r\nX-Api-Key: \(text)\r\n\r\n")] + answer("", "ok"))
    },
  ]

  /// Where nothing says that it is a secret, but another field of the request.
  private static let bare: [Place] = [
    Place(name: "the path", isURL: true) { Exchange(line: "GET /x/\($0)/y") },
    Place(name: "a parameter", isURL: true) { Exchange(line: "GET /x?q=\($0)&r=1") },
    Place(name: "a parameter's name", isURL: true) { Exchange(line: "GET /x?\($0)") },
    Place(name: "the fragment of Referer", isURL: true) {
      Exchange(headers: [("Referer", "https://a.example/#\($0)")])
    },
    Place(name: "a field") { Exchange(headers: [("X-Any", "before \($0) after")]) },
    posted("a JSON member", "application/json") { #"{"a":{"b":["x","\#($0)"]}}"# },
    posted("JSON in JSON", "application/json") {
      #"{"a":\#(String(decoding: JSONString.encode("{\"b\":\"\($0)\"}"), as: UTF8.self))}"#
    },
    posted("a form's field", "application/x-www-form-urlencoded") { "a=1&b=\($0)" },
    posted("a part", multipart) { part("b", $0) },
    Place(name: "a request's body in gzip") {
      Exchange(
        line: "POST /a", headers: [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")],
        body: Self.compressed("a \($0) b", windowBits: 31))
    },
    posted("a text", "text/plain") { "before\n\($0)\nafter" },
    field("X-Any") { "before \($0) after" },
    field("Location") { "/x/\($0)" },
    Place(name: "the reason phrase") { text in
      Exchange(answer: [.text("HTTP/1.1 403 No \(text) here\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")])
    },
    Place(name: "a body of text") { Exchange(answer: answer("Content-Type: text/plain\r\n", "line\n<\($0)>\n")) },
    Place(name: "a body of bytes") { text in
      Exchange(answer: answer("Content-Type: image/png\r\n", [0, 0xff, 0xfe] + Array(text.utf8) + [0, 0xff]))
    },
    Place(name: "a body in gzip") { text in
      Exchange(
        answer: answer(
          "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", Self.compressed("a \(text) b", windowBits: 31)))
    },
    Place(name: "a body in deflate") { text in
      Exchange(
        answer: answer(
          "Content-Type: text/plain\r\nContent-Encoding: deflate\r\n", Self.compressed("a \(text) b", windowBits: 15)))
    },
    Place(name: "a chunk of a stream") { text in
      Exchange(answer: [
        .text(
          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        chunk("data: 1\n\n"), chunk("data: \(text)\n\n"), .text("0\r\n\r\n"),
      ])
    },
    Place(name: "two chunks of a stream") { text in
      let middle = text.index(text.startIndex, offsetBy: text.count / 2)
      return Exchange(answer: [
        .text(
          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        chunk("data: 1\n\ndata: \(text[..<middle])"), .pause(0.03), chunk("\(text[middle...])\n\n"), .text("0\r\n\r\n"),
      ])
    },
    Place(name: "trailers") { text in
      Exchange(answer: [
        .text("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .text("2\r\nok\r\n0\r\nX-Any: a \(text)\r\n\r\n"),
      ])
    },
    Place(name: "a field of 103") { text in
      Exchange(answer: [.text("HTTP/1.1 103 Early Hints\r\nLink: </\(text)>\r\n\r\n")] + answer("", "ok"))
    },
  ]

  private static func compressed(_ text: String, windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
      return []
    }
    defer { deflateEnd(&stream) }
    // Twice, so that what is compressed is not the text itself.
    var input = Array((text + text).utf8)
    var output = [UInt8](repeating: 0, count: input.count + 100)
    return input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, Z_FINISH)
        return Array(output[..<Int(stream.total_out)])
      }
    }
  }

  // MARK: The session

  /// A recorder, the origin it asks, and what was planted so far.
  private final class Session {
    let origin: LoopbackOrigin
    let served: Served
    let isProxy: Bool
    private let steps: Mutexed
    private var random: Seeded
    var secrets: [String] = []
    var cassette: String { "\(served.folder)/a.json" }

    /// What the origin is to do next.
    final class Mutexed: Sendable {
      private let steps = Locked<[LoopbackOrigin.Step]>([])
      func set(_ steps: [LoopbackOrigin.Step]) { self.steps.withLock { $0 = steps } }
      func get() -> [LoopbackOrigin.Step] { steps.withLock { $0 } }
    }

    init(isProxy: Bool, seed: UInt64) throws {
      let steps = Mutexed()
      self.steps = steps
      self.isProxy = isProxy
      random = Seeded(seed)
      let origin = try LoopbackOrigin { _ in steps.get() }
      self.origin = origin
      let upstream = isProxy ? nil : try UpstreamOrigin(origin.url)
      let named = try UpstreamOrigin(origin.url)
      served = try Served { configuration in
        var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
        settings.named = [named]
        if isProxy {
          var proxy = ProxySettings()
          proxy.origins = [named]
          configuration.proxy = proxy
        }
        configuration.recording = settings
        configuration.log = .requests
      }
    }

    func secret() -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
      func some(_ count: Int) -> String {
        String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
      }
      let secret = "\(some(9))/\(some(4))+\(some(5))=\(some(2))"
      secrets.append(secret)
      return secret
    }

    /// Sends an exchange through the recorder, and reads all of its answer.
    func play(_ exchange: Exchange, naming secret: String?) throws {
      steps.set(exchange.answer)
      let words = exchange.line.split(separator: " ")
      let target = isProxy ? origin.url + words[1] : String(words[1])
      var headers = exchange.headers
      headers.append("Connection", "close")
      if let secret { headers.append("Authorization", "Bearer \(secret)") }
      let client = try served.client()
      client.request("\(words[0]) \(target)", headers, body: exchange.body)
      let (text, end) = client.readToEnd()
      #expect(end == .ended)
      #expect(text.hasPrefix("HTTP/1.1 ") && !text.hasPrefix("HTTP/1.1 5"), "\(text.prefix(300))")
    }

    /// What lies in the folder.
    func files() -> [String: Data] {
      var files: [String: Data] = [:]
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: served.folder)) ?? [] {
        files[name] = try? Data(contentsOf: URL(filePath: "\(served.folder)/\(name)"), options: [])
      }
      return files
    }
  }

  /// The texts that a person may see while it records.
  private func shown(_ session: Session) throws -> [String: Data] {
    var shown = ["the log": Data(session.served.log.text.utf8)]
    for name in ["journal", "misses", "interactions"] {
      shown["/__mock/\(name)"] = Data(try session.served.ask("GET /__mock/\(name)").body)
    }
    return shown
  }

  /// Ends the recording; what is written then, and what can be made of it.
  private func written(_ session: Session) throws -> [String: Data] {
    session.served.server.stop()
    _ = try session.served.server.saveRecording()
    var written = session.files()
    written["the log at the end"] = Data(session.served.log.text.utf8)
    let cassette = try CassetteFile.read(path: session.cassette)
    for interaction in cassette.interactions {
      if let body = try interaction.requestBody?.bytes() {
        let decoder = body.starts(with: [0x1f, 0x8b]) ? ContentDecoder([("Content-Encoding", "gzip")]) : nil
        written["\(interaction.id) sent"] = Data(try decoder?.decode(body, limit: 1 << 20) ?? body)
      }
      if let body = try interaction.responseBody?.bytes() { written["\(interaction.id) received"] = Data(body) }
    }
    written["HAR"] = Data(try HARWriter.bytes(of: cassette, version: "1"))
    written["WireMock"] = Data(try WireMockWriter.export(cassette).bytes)
    written["curl"] = Data(try CurlWriter.bytes(of: cassette))
    return written
  }

  // MARK: What is looked for

  /// A secret as it is, and what its base64 has in common wherever it begins.
  private static func needles(_ secret: String) -> [Data] {
    var needles = [Data(secret.utf8)]
    for shift in 0..<3 {
      let coded = Array((Data(repeating: 0, count: shift) + Data(secret.utf8)).base64EncodedString().utf8)
      // What shares its bits with what stands before or behind is not of the secret alone.
      let core = String(decoding: coded[(shift == 0 ? 0 : shift + 1)...].dropLast(4), as: UTF8.self)
      needles.append(Data(core.utf8))
      needles.append(Data(core.replacing("+", with: "-").replacing("/", with: "_").utf8))
    }
    return needles
  }

  /// The bytes, and what they say when escapes are undone, once and again.
  private static func readings(_ bytes: Data) -> [Data] {
    var readings = [bytes]
    var at = 0
    while at < readings.count, at < 8 {
      let reading = readings[at]
      for undone in [percentDecoded(reading), unescaped(reading)] where undone != reading && !readings.contains(undone)
      {
        readings.append(undone)
      }
      at += 1
    }
    return readings
  }

  private static func percentDecoded(_ bytes: Data) -> Data {
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    return Data(PercentEncoding.decode(Array(bytes)))
  }

  private static func unescaped(_ bytes: Data) -> Data {
    guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
    var output: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        output.append(byte)
        continue
      }
      guard next == UInt8(ascii: "u"), let unit = UInt8(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
      else {
        output.append(next)
        continue
      }
      output.append(unit)
      rest = rest.dropFirst(4)
    }
    return Data(output)
  }

  /// A long text without most of what fills it.
  private static func withoutFilling(_ bytes: Data) -> Data {
    guard bytes.count > 1 << 20 else { return bytes }
    let filling = Data(repeating: UInt8(ascii: "."), count: 256)
    var rest = Data()
    for start in stride(from: 0, to: bytes.count, by: filling.count) {
      let part = bytes[start..<min(start + filling.count, bytes.count)]
      if part != filling { rest += part }
    }
    return rest
  }

  private func expectNone(of secrets: [String], in texts: [String: Data], _ when: String) {
    for (name, bytes) in texts {
      for reading in Self.readings(Self.withoutFilling(bytes)) {
        for secret in secrets {
          for needle in Self.needles(secret) {
            guard let found = reading.range(of: needle) else { continue }
            let context = reading[max(0, found.lowerBound - 60)..<min(reading.count, found.upperBound + 20)]
            Issue.record("\(when): \(name) has \(secret): …\(String(decoding: context, as: UTF8.self))…")
          }
        }
      }
    }
  }

  // MARK: Tests

  @Test func `what is looked for would be found`() {
    let secret = "q8ZxAbCdE/3Lm9+Rt5Vw=2K"
    for spelling in Spelling.allCases {
      let text = Data(("a\"" + spelling.spell(secret) + "\"b").utf8)
      let isFound = Self.readings(text).contains { reading in
        Self.needles(secret).contains { reading.range(of: $0) != nil }
      }
      #expect(isFound, "\(spelling)")
    }
  }

  @Test(arguments: named, [false, true])
  func `a secret that its place names is nowhere`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 1)
    try session.play(place.make(session.secret()), naming: nil)
    // What one exchange names is a secret in the next.
    try session.play(Exchange(line: "GET /later/\(session.secrets[0].replacing("/", with: "%2F"))"), naming: nil)
    expectNone(of: session.secrets, in: session.files(), "while it records")
    expectNone(of: session.secrets, in: try shown(session), "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: bare, [false, true])
  func `a secret that another place names is nowhere, however it is written`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 2)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      let secret = session.secret()
      try session.play(place.make(spelling.spell(secret)), naming: secret)
      expectNone(of: [secret], in: session.files(), "while it records \(spelling)")
    }
    expectNone(of: session.secrets, in: try shown(session), "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: [false, true])
  func `a secret in a long body is nowhere, also where its parts meet`(isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 3)
    let secret = session.secret()
    var body = [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    func plant(_ text: String, at offset: Int) {
      body.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    for (index, spelling) in Spelling.allCases.enumerated() {
      plant(" \(spelling.spell(secret)) ", at: 1_000 + index * 1_000)
      // Wherever windows of whole kilobytes end.
      plant(" \(spelling.spell(secret)) ", at: (index + 1) * (256 << 10) - 12)
      plant(" \(spelling.spell(secret)) ", at: (4 << 20) + (index + 1) * (64 << 10) - 12)
    }
    plant(" \(secret)", at: body.count - secret.utf8.count - 1)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: secret)
    let files = session.files()
    #expect(files.keys.contains { $0.hasPrefix(".a.json.journal/") }, "\(files.keys)")
    expectNone(of: session.secrets, in: files, "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: bare)
  func `a secret that only a later exchange names is not in the cassette`(place: Place) throws {
    let session = try Session(isProxy: false, seed: 4)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      try session.play(place.make(spelling.spell(session.secret())), naming: nil)
    }
    for secret in session.secrets { try session.play(Exchange(line: "GET /login"), naming: secret) }
    expectNone(of: session.secrets, in: try shown(session).filter { $0.key != "the log" }, "while it records")
    // The log has said what it has said.
    expectNone(of: session.secrets, in: try written(session).filter { $0.key != "the log at the end" }, "in the end")
  }

  @Test func `a long body is redacted again when a later exchange names its secret`() throws {
    let session = try Session(isProxy: false, seed: 5)
    let secret = session.secret()
    let body = Array("<\(secret)>".utf8) + [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: nil)
    try session.play(Exchange(line: "GET /login"), naming: secret)
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }
}
