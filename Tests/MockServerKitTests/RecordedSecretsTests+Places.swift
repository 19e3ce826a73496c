import CCassetteZlib
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

/// The places of secrets, and exchanges with a secret in each place.
extension RecordedSecretsTests {
  /// An exchange that contains a secret.
  struct Exchange {
    var line = "GET /a"
    var headers: HTTPHeaders = []
    var body: [UInt8] = []
    var answer: [LoopbackOrigin.Step] = [.text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")]
  }

  /// A place of an exchange that may contain a secret.
  struct Place: Sendable, CustomTestStringConvertible {
    var name: String
    /// True if the place itself identifies the value as a secret; otherwise another field of the request contains it.
    var isNamed = false
    /// True if the place is part of a URL, where spellings with backslashes are skipped.
    var isURL = false
    var encodings = Spelling.allCases
    var make: @Sendable (_ text: String) -> Exchange

    var testDescription: String { name }
  }

  /// An encoding of a secret.
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

  static func answer(_ head: String, _ body: [UInt8]) -> [LoopbackOrigin.Step] {
    [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)Content-Length: \(body.count)\r\n\r\n"), .send(body)]
  }

  static func answer(_ head: String, _ body: String) -> [LoopbackOrigin.Step] { answer(head, Array(body.utf8)) }

  static func chunk(_ text: String) -> LoopbackOrigin.Step {
    .text("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }

  static func field(_ name: String, named: Bool = false, _ value: @escaping @Sendable (String) -> String)
    -> Place
  {
    Place(name: "the response's \(name)", isNamed: named) {
      Exchange(answer: Self.answer("\(name): \(value($0))\r\n", "ok"))
    }
  }

  static func posted(
    _ name: String, named: Bool = false, _ type: String, _ text: @escaping @Sendable (String) -> String
  )
    -> Place
  {
    Place(name: name, isNamed: named) {
      Exchange(line: "POST /a", headers: [("Content-Type", type)], body: Array(text($0).utf8))
    }
  }

  static let multipart = "multipart/form-data; boundary=bb"

  static func part(_ name: String, _ text: String) -> String {
    "--bb\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n--bb--\r\n"
  }

  /// Places whose name identifies their value as a secret.
  static let named: [Place] = [
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

  /// Places that do not identify their value as a secret; another field of the request does.
  static let bare: [Place] = [
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

  static func compressed(_ text: String, windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
      return []
    }
    defer { deflateEnd(&stream) }
    // The text is repeated, because deflate could otherwise store it unchanged.
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
}
