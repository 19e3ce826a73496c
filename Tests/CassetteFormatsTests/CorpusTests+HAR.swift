import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteFormats
@testable import CassetteHTTP

extension CorpusTests {
  /// Round trips of HAR files.
  ///
  /// An export lacks pages, addresses, connections, sizes, HTTP versions, empty reasons and the parts of the time before the first byte.
  @Test(arguments: files("har/strict-valid", ".har") + files("har/lenient", ".har") + files("har/own", ".har"))
  func `a HAR file that is imported and exported keeps every request and response`(file: String) throws {
    let folder = try ScratchFolder()
    let report = try ImportTransaction(into: folder.path("out"), redaction: nil).run([file])[0]
    guard let path = report.cassette else { return }
    let text = try HARWriter.bytes(of: try CassetteFile.read(path: path), version: "1")
    #expect(try HARSchema.problems(text) == [])
    let skipped = Set(report.skipped.map(\.item))
    let entries = try Self.entries(try Data(contentsOf: URL(filePath: file))).enumerated()
      .filter { !skipped.contains("entry \($0.offset)") }.map(\.element)
    // A skipped entry leaves a placeholder.
    let back = try Self.entries(Data(text)).filter { entry in
      let member = (entry["_mockserver"] as? [String: Any])?["interaction"] as? [String: Any]
      let own = member?["failure"] as? [String: Any]
      return (own?["name"] as? String)?.hasPrefix("notCaptured") != true
    }
    #expect(back.count == entries.count)
    for (one, other) in zip(back, entries) {
      #expect(Self.said(one, isTimed: other["time"] is Double) == Self.said(other, isTimed: other["time"] is Double))
    }
    let urls = entries.map { ($0["request"] as? [String: Any])?["url"] as? String ?? "" }
    // A host that only a field contains becomes the origin in the second import.
    if urls.contains(where: { $0.hasPrefix("/") }) { return }
    // The second round trip loses nothing.
    try Data(text).write(to: URL(filePath: folder.path("again.har")))
    let again = try ImportTransaction(into: folder.path("out"), redaction: nil).run([folder.path("again.har")])[0]
    #expect(try HARWriter.bytes(of: try CassetteFile.read(path: try #require(again.cassette)), version: "1") == text)
  }

  private static func entries(_ data: Data) throws -> [[String: Any]] {
    let text = data.starts(with: [0xef, 0xbb, 0xbf]) ? data.dropFirst(3) : data
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    return (root["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
  }

  /// Returns the text of a posted body, or its parameters in the form encoding.
  private static func posted(_ data: [String: Any]) -> String {
    if let text = data["text"] as? String { return text }
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return pairs(data["params"]).map { pair in
      [pair.0, pair.1].map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }.joined(separator: "=")
    }.joined(separator: "&")
  }

  /// Returns the facts of an exchange that an entry states, one per line.
  private static func said(_ entry: [String: Any], isTimed: Bool) -> [String] {
    let request = entry["request"] as? [String: Any] ?? [:]
    let response = entry["response"] as? [String: Any] ?? [:]
    let content = response["content"] as? [String: Any] ?? [:]
    var body = content["text"] as? String ?? ""
    if content["encoding"] as? String == "base64" {
      body = body.filter { !$0.isWhitespace }
    } else {
      body = Data(joined(body) ?? Array(body.utf8)).base64EncodedString()
    }
    let url = request["url"] as? String ?? ""
    let method = request["method"] as? String ?? ""
    let status = response["status"].flatMap { Int("\($0)") } ?? 0
    let isBodiless = method == "HEAD" || [204, 304].contains(status)
    // Times are rounded to microseconds; -1 and 0 are equal.
    let time = max(0, ((entry["time"] as? Double ?? 0) * 1000).rounded() / 1000)
    let start = (entry["startedDateTime"] as? String).flatMap { Timestamp.normal($0) } ?? HARTimes.unknown
    return [
      "\(method) \(status) \(Self.target(url))", "start \(start)",
      "time \(isTimed ? time : 0)",
      "body \(isBodiless ? "" : body)", "posted \(posted(request["postData"] as? [String: Any] ?? [:]))",
    ] + comparable(pairs(request["headers"])).map { "> \($0)" }
      + comparable(pairs(response["headers"])).map { "< \($0)" }
  }
}
