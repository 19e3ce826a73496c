import CassetteFormats
import Foundation
import MockServerKit
import ServerTestSupport
import TestSupport
import Testing

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// WireMock's own acceptance cases, in the folder that `CORPORA` names: stubs are imported and served, and their
/// requests sent.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct WireMockTriplesTests {
  private enum Outcome: Equatable {
    case behaves
    /// The import reported an unsupported feature.
    case named
    case wrong(String)
  }

  @Test func `at least 95 percent of the cases behave as in WireMock, and the import reports the others`() throws {
    let file = URL(filePath: try #require(corpora)).appending(path: "wiremock-triples/cases-visible.json")
    let cases = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    var (behaving, named, templated) = (0, 0, 0)
    for entry in cases {
      let id = entry["id"] as? String ?? ""
      switch try outcome(of: entry) {
      case .behaves: behaving += 1
      case .named where "\(entry["mappings"] ?? "")".contains("response-template"): templated += 1
      case .named: named += 1
      case .wrong(let words): Issue.record("\(id): \(words)")
      }
    }
    #expect(Double(behaving) >= 0.95 * Double(cases.count - templated), "\(behaving) of \(cases.count), \(named) named")
  }

  private func outcome(of entry: [String: Any]) throws -> Outcome {
    let folder = try ScratchFolder()
    try write(entry, into: folder.path("in"))
    let reports = try ImportTransaction(into: folder.path("out"), redaction: nil).run([
      folder.path("in/mappings/all.json")
    ])
    let report = reports[0]
    let isNamed = !report.skipped.isEmpty || report.left.contains(where: \.isLeftOut)
    guard let cassette = report.cassette else { return isNamed ? .named : .wrong("imported nothing") }
    var configuration = MockServer.Configuration(cassettes: [cassette], port: 0)
    configuration.watches = false
    let server = try MockServer(configuration)
    let url = try server.start()
    defer { server.stop(within: .zero) }
    let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
    for step in entry["steps"] as? [[String: Any]] ?? [] {
      if let words = try difference(step, port: port) { return isNamed ? .named : .wrong(words) }
    }
    return .behaves
  }

  /// Writes the stubs in the order in which they were added, and their body files.
  private func write(_ entry: [String: Any], into folder: String) throws {
    let root = URL(filePath: folder)
    for name in ["__files", "mappings"] {
      try FileManager.default.createDirectory(at: root.appending(path: name), withIntermediateDirectories: true)
    }
    let mappings = try JSONSerialization.data(withJSONObject: ["mappings": entry["mappings"] ?? []])
    try mappings.write(to: root.appending(path: "mappings/all.json"))
    for (name, text) in entry["files"] as? [String: String] ?? [:] {
      let path = root.appending(path: "__files/\(name)")
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try #require(Data(base64Encoded: text)).write(to: path)
    }
  }

  /// Returns how an answer differs from the expected one; nil if it does not.
  private func difference(_ step: [String: Any], port: Int) throws -> String? {
    let request = try #require(step["request"] as? [String: Any])
    let expected = step["expect"] as? [String: Any] ?? [:]
    let fields = (request["headers"] as? [[String]] ?? []).map { ($0[0], $0[1]) }
    let body = (request["bodyBase64"] as? String).flatMap { Data(base64Encoded: $0) }
    let start = ContinuousClock.now
    let answer: WireClient.Answer
    do {
      answer = try WireClient.ask(
        port: port, method: request["method"] as? String ?? "GET", target: request["url"] as? String ?? "/",
        fields: fields, body: body ?? Data((request["body"] as? String ?? "").utf8))
    } catch {
      return expected["broken"] == nil ? "no answer to \(request["url"] ?? "")" : nil
    }
    if expected["broken"] != nil { return "an answer, although none is expected" }
    if let least = expected["atLeastMs"] as? Int, ContinuousClock.now - start < .milliseconds(least) {
      return "the answer came too early"
    }
    // The status of a miss may differ from WireMock's 404.
    let status = answer.headers.contains { $0.value == "application/problem+json" } ? 404 : answer.status
    if let wanted = expected["status"] as? Int, wanted != status { return "\(status), not \(wanted), to \(request)" }
    let text = String(decoding: answer.body, as: UTF8.self)
    if let wanted = expected["body"] as? String, wanted != text { return "\"\(text)\", not \"\(wanted)\"" }
    if let wanted = expected["bodyContains"] as? String, !text.contains(wanted) {
      return "\"\(text)\" does not contain \(wanted)"
    }
    for (name, value) in expected["headers"] as? [String: String] ?? [:] {
      let sent = answer.headers[name]
      if sent != value { return "\(name): \(sent ?? "none"), not \(value)" }
    }
    return nil
  }
}
