import Foundation
import Testing

@testable import CassetteHTTP

/// Reading the files of other tools without the code under test.
extension CorpusTests {
  /// A mark for JSON values, whose bytes are not in the recording.
  static let mark = Data(" \t ".utf8)

  /// Returns the posted body of a HAR entry: the text, or the fields of a form.
  static func content(_ data: [String: Any]) -> Data {
    if let text = data["text"] as? String, !text.isEmpty { return Data(text.utf8) }
    let fields = data["params"] as? [[String: Any]] ?? []
    return Data(
      fields.map { field in
        ["name", "value"].map {
          (field[$0] as? String ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }.joined(separator: "=")
      }.joined(separator: "&").utf8)
  }

  /// Returns a body of DVR: JSON as a value, text unchanged, and any other type decoded from base64.
  static func dvrBody(_ body: Any?, _ fields: [(String, String)]) -> Data {
    let type = fields.first { $0.0.lowercased() == "content-type" }?.1 ?? "text/plain"
    guard let text = body as? String, !type.hasPrefix("text/"), !type.contains("json") else { return Self.text(body) }
    return Data(base64Encoded: text) ?? Data(text.utf8)
  }

  static func json<T>(_ file: String, as type: T.Type) throws -> T {
    var data = try Data(contentsOf: URL(filePath: file))
    if data.starts(with: [0xef, 0xbb, 0xbf]) { data = data.dropFirst(3) }
    return try #require(try JSONSerialization.jsonObject(with: Data(data)) as? T)
  }

  static func pairs(_ list: Any?) -> [(String, String)] {
    (list as? [[String: Any]] ?? []).map { ($0["name"] as? String ?? "", $0["value"] as? String ?? "") }
  }

  static func fields(_ object: Any?) -> [(String, String)] {
    (object as? [String: Any] ?? [:]).flatMap { name, value in
      ((value as? [Any]) ?? [value]).map { (name, "\($0)") }
    }
  }

  /// Returns text unchanged, and a JSON value with a mark.
  static func text(_ value: Any?) -> Data {
    switch value {
    case let text as String: Data(text.utf8)
    case nil, is NSNull: Data()
    case let value?: mark + ((try? JSONSerialization.data(withJSONObject: value)) ?? Data())
    }
  }

  static func vcrBody(_ body: Any?, coding fields: [(String, String)] = []) throws -> Data {
    guard let object = body as? [String: Any] else { return Data((body as? String ?? "").utf8) }
    guard let base64 = object["base64_string"] as? String, !base64.isEmpty else {
      return Data((object["string"] as? String ?? "").utf8)
    }
    let data = try #require(Data(base64Encoded: base64.filter { !$0.isWhitespace }))
    // An archive that was sent without a coding stays compressed.
    let isCoded = fields.contains { $0.0.lowercased() == "content-encoding" }
    return isCoded && data.starts(with: [0x1F, 0x8B])
      ? Data(try #require(ContentDecoder(.gzip)).decode(Array(data), limit: ContentDecoder.longest)) : data
  }

  static func hex(_ text: String) -> Data {
    let digits = Array(text)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
  }
}
