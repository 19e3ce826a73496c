import CassetteHTTP
import CassetteSystem
import Cassettes
import Foundation
import TestSupport

/// How a body is encoded on the wire.
enum PlantedCoding: CaseIterable, Sendable {
  case identity, gzip, gzipTwice, br, zstd, utf16, base64, chunks, events, lines

  /// Returns the encodings that this machine can decode, for a kind of place.
  static func usable(for place: PlantedPlace) -> [PlantedCoding] {
    let hasBody =
      switch place.part {
      case .answer, .sent: true
      default: false
      }
    guard hasBody else { return [.identity] }
    let all: [PlantedCoding] =
      place.isText ? allCases : [.identity, .gzip, .gzipTwice, .br, .zstd, .chunks]
    return all.filter {
      $0.contentCoding.map {
        ContentEncoder($0) != nil && ContentCoding(name: $0)?.canDecode == true
      } ?? true
    }
  }

  /// The value of `Content-Encoding`.
  var contentCoding: String? {
    switch self {
    case .gzip, .gzipTwice: "gzip"
    case .br: "br"
    case .zstd: "zstd"
    default: nil
    }
  }

  /// Returns the media type of the encoded body for the media type of its text.
  func type(of text: String) -> String {
    switch self {
    case .gzipTwice: "application/octet-stream"
    case .utf16: "\(text); charset=utf-16"
    case .base64: "application/json"
    case .events: "text/event-stream"
    case .lines: "application/x-ndjson"
    default: text
    }
  }

  /// Returns the body before its content coding, which a client reads.
  func content(of text: String) -> [UInt8] {
    switch self {
    case .identity, .gzip, .br, .zstd, .chunks: return Array(text.utf8)
    case .gzipTwice: return BodyCoding.gzip.wrap(Array(text.utf8)) ?? []
    case .utf16:
      return [0xFF, 0xFE]
        + text.utf16.flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
    case .base64:
      return Array(
        "{\"encoding\": \"base64\", \"content\": \"\(Data(text.utf8).base64EncodedString())\"}".utf8
      )
    case .events, .lines:
      var body = ""
      var rest = text.unicodeScalars[...]
      while !rest.isEmpty {
        let piece = Self.json(String(String.UnicodeScalarView(rest.prefix(5))))
        rest = rest.dropFirst(5)
        body +=
          self == .events
          ? "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"\(piece)\"}}]}\n\n"
          : "{\"message\": {\"content\": \"\(piece)\"}, \"done\": false}\n"
      }
      return Array(body.utf8)
    }
  }

  /// Returns a text escaped for a JSON string.
  static func json(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { json, scalar in
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      default: json.unicodeScalars.append(scalar)
      }
    }
  }
}

/// An exchange that contains one secret.
struct PlantedCase: Sendable, CustomStringConvertible {
  let number: Int
  let place: PlantedPlace
  let coding: PlantedCoding
  let secret: String
  /// The parts of the secret that no output may contain.
  let hidden: [String]

  private init(
    _ number: Int, _ place: PlantedPlace, _ coding: PlantedCoding, _ pieces: [PlantedSecret.Piece]
  ) {
    // Successive seeds would give the same numbers, shifted by one step.
    var random = Seeded(UInt64(number) &* 1_000_003)
    (secret, hidden) = PlantedSecret.make(pieces, &random)
    (self.number, self.place, self.coding) = (number, place, coding)
  }

  var description: String { "\(number): \(coding) \(place.part) \(place.text) with \(secret)" }

  /// Returns each place with several secrets, in alternating encodings.
  ///
  /// - Parameter turn: The offset into the encodings; in ten turns each place is tested with each of them.
  /// - Returns: More than four hundred cases, always the same for a turn.
  static func all(turn: Int = 0) -> [PlantedCase] {
    var cases: [PlantedCase] = []
    func add(_ place: PlantedPlace, _ pieces: [PlantedSecret.Piece]) {
      let codings = PlantedCoding.usable(for: place)
      cases.append(
        PlantedCase(cases.count, place, codings[(cases.count + turn) % codings.count], pieces))
    }
    for (index, place) in PlantedPlace.named.enumerated() {
      add(place, PlantedSecret.named[index % PlantedSecret.named.count])
      add(place, PlantedSecret.named[(index + 1 + turn) % PlantedSecret.named.count])
    }
    for (index, pieces) in PlantedSecret.issued.enumerated() {
      for step in 0..<3 {
        add(PlantedPlace.plain[(index + 5 * step + turn) % PlantedPlace.plain.count], pieces)
      }
    }
    for place in PlantedPlace.keys {
      add(place, PlantedSecret.key)
      add(place, PlantedSecret.key)
    }
    return cases
  }

  private var text: String {
    var secret = place.isJSON ? PlantedCoding.json(secret) : secret
    switch place.part {
    case .target, .sent("application/x-www-form-urlencoded"):
      secret = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
    default: break
    }
    return place.text.replacing("%S", with: secret)
  }

  // MARK: The exchange

  var isSent: Bool { if case .sent = place.part { true } else { false } }

  var target: String {
    if case .target = place.part { return "/\(number)/a\(text)" }
    return "/\(number)/a"
  }

  var requestFields: [(String, String)] {
    switch place.part {
    case .sentField(let name): return [(name, text)]
    case .sent(let type):
      return [("Content-Type", coding.type(of: type))]
        + (coding.contentCoding.map { [("Content-Encoding", $0)] } ?? [])
    default: return []
    }
  }

  var responseFields: [(String, String)] {
    switch place.part {
    case .field(let name): return [(name, text)]
    case .answer(let type):
      return [("Content-Type", coding.type(of: type))]
        + (coding.contentCoding.map { [("Content-Encoding", $0)] } ?? [])
    default: return []
    }
  }

  /// The content of the body that the client reads or sends.
  var content: [UInt8] {
    switch place.part {
    case .answer, .sent: coding.content(of: text)
    default: []
    }
  }

  /// The body on the wire, with its content coding.
  var coded: [UInt8] {
    coding.contentCoding.flatMap { ContentEncoder($0)?.encode(content, isLast: true) } ?? content
  }

  /// The origin's answer, divided into small chunks if the encoding is `chunks`.
  var answer: [UInt8] {
    let body = isSent ? Array("{\"ok\":true}".utf8) : coded
    let fields = responseFields.map { "\($0): \($1)\r\n" }.joined()
    let head = "HTTP/1.1 200 OK\r\n\(fields)Connection: close\r\n"
    guard coding == .chunks, !isSent else {
      return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
    return Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + Self.chunked(body)
  }

  /// Returns the request as bytes.
  func request(to target: String, host: String) -> [UInt8] {
    let body = isSent ? coded : []
    let fields = requestFields.map { "\($0): \($1)\r\n" }.joined()
    let head =
      "\(isSent ? "POST" : "GET") \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\n"
    guard coding == .chunks, isSent else {
      return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
    return Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + Self.chunked(body)
  }

  private static func chunked(_ body: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: 7) {
      let piece = body[start..<min(body.count, start + 7)]
      output += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return output + Array("0\r\n\r\n".utf8)
  }

  /// The exchange as a person would write it into a cassette.
  var interaction: Interaction {
    let pieces = stride(from: 0, to: content.count, by: 7).map {
      BodyChunk(after: 0, bytes: Array(content[$0..<min(content.count, $0 + 7)]))
    }
    let body: Body? =
      content.isEmpty
      ? nil : coding == .chunks && !isSent ? .chunks(pieces, end: .complete) : .storing(content)
    var headers = HTTPHeaders()
    for (name, value) in responseFields where name != "Content-Encoding" {
      headers.append(name, value)
    }
    var sent = HTTPHeaders()
    for (name, value) in requestFields where name != "Content-Encoding" { sent.append(name, value) }
    return Interaction(
      method: isSent ? .post : .get, url: target, requestHeaders: sent,
      requestBody: isSent ? body : nil,
      outcome: .response(RecordedResponse(status: 200, headers: headers, body: isSent ? nil : body))
    )
  }

  /// The exchange as an entry of a browser's HAR.
  var entry: [String: Any] {
    func fields(_ fields: [(String, String)]) -> [[String: String]] {
      fields.map { ["name": $0, "value": $1] }
    }
    let text = String(validUTF8: content)
    var request: [String: Any] = [
      "method": isSent ? "POST" : "GET", "url": "https://api.example.com\(target)",
      "httpVersion": "HTTP/1.1",
      "headers": fields(requestFields.filter { $0.0 != "Content-Encoding" }), "queryString": [],
      "cookies": [],
      "headersSize": -1, "bodySize": -1,
    ]
    if isSent { request["postData"] = ["mimeType": requestFields[0].1, "text": text ?? "a"] }
    var body: [String: Any] = [
      "size": content.count, "mimeType": responseFields.first { $0.0 == "Content-Type" }?.1 ?? "",
    ]
    if !isSent, let text { body["text"] = text }
    if !isSent, text == nil {
      body["text"] = Data(content).base64EncodedString()
      body["encoding"] = "base64"
    }
    return [
      "startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "cache": [String: Any](),
      "timings": ["send": 0, "wait": 1, "receive": 0], "request": request,
      "response": [
        "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
        "headers": fields(responseFields.filter { $0.0 != "Content-Encoding" }), "cookies": [],
        "content": body,
        "redirectURL": "", "headersSize": -1, "bodySize": -1,
      ],
    ]
  }
}
