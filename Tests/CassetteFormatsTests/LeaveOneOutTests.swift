import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassetteFormats
@testable import CassettePlayback
@testable import Cassettes

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// Recordings of real projects, in the folder that `CORPORA` names.
///
/// Each recording is removed from its cassette, and its request is sent.
///
/// Bodies are compared with Foundation, independently of the comparison of the deck.
@Suite(.enabled(if: corpora != nil, "CORPORA names no folder"))
struct LeaveOneOutTests {
  private static func files(_ folder: String, _ endings: [String]) -> [String] {
    let root = "\(corpora ?? "")/\(folder)"
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return all.filter { path in endings.contains { path.hasSuffix($0) } && !path.contains("/derived/") }
      .sorted().map { "\(root)/\($0)" }
  }

  private static func cassettes(of file: String) throws -> (cassette: Cassette, folder: ScratchFolder)? {
    let folder = try ScratchFolder()
    guard let report = try? ImportTransaction(into: folder.path("out"), redaction: nil).run([file]).first,
      let path = report.cassette
    else { return nil }
    return (try CassetteFile.read(path: path), folder)
  }

  private static func request(of interaction: Interaction) throws -> HTTPRequest? {
    guard let target = HTTPTarget(interaction.pathAndQuery) else { return nil }
    return HTTPRequest(
      method: interaction.method, target: target, headers: interaction.requestHeaders,
      body: try interaction.requestBody?.bytes() ?? [])
  }

  @Test(
    arguments: files("vcr", [".json"]) + files("nock", [".json"]) + files("dvr", [".json"])
      + files("har/strict-valid", [".har"]) + files("har/lenient", [".har"]) + files("har/own", [".har"])
      + files("hoverfly", [".json"]) + files("vcr-yaml", [".yaml", ".yml"]) + files("wiremock", [".json"]))
  func `a removed recording is not answered by a recording with another body, and a present one is played`(file: String)
    throws
  {
    // Some files are not recordings, and some are in an unsupported format.
    guard let (cassette, folder) = try Self.cassettes(of: file) else {
      return #expect(!file.contains("/vcr/") && !file.contains("/nock/"))
    }
    defer { _ = folder }
    try complete(cassette, file)
    // Recordings with handwritten rules match other requests on purpose.
    for index in cassette.interactions.indices where cassette.interactions[index].rules == nil {
      var others = cassette
      let removed = others.interactions.remove(at: index)
      guard !others.interactions.isEmpty, let request = try Self.request(of: removed),
        let playback = Deck(CassetteLibrary(cassettes: [others])).plan(request).playback,
        playback.approximation == nil, playback.recording.interaction.rules == nil,
        let recorded = playback.recording.interaction.requestBody
      else { continue }
      let place: Comment =
        "\(file) \(index): \(removed.method.rawValue) \(removed.url) by \(playback.recording.interaction.id)"
      let type = removed.requestHeaders["Content-Type"] ?? ""
      #expect(Self.sayTheSame(request.body, try recorded.bytes(), type), place)
    }
  }

  /// Sends the requests of all recordings in order.
  private func complete(_ cassette: Cassette, _ file: String) throws {
    let deck = Deck(CassetteLibrary(cassettes: [cassette]))
    for (index, interaction) in cassette.interactions.enumerated() where interaction.rules == nil {
      guard let request = try Self.request(of: interaction) else { continue }
      let place: Comment = "\(file) \(index): \(interaction.method.rawValue) \(interaction.url)"
      guard let playback = deck.plan(request).playback else {
        // A derived answer or a fault has no recording.
        #expect(interaction.status == nil, place)
        continue
      }
      let played = playback.recording.interaction
      #expect(played.status == interaction.status, place)
      #expect(try played.responseBody?.bytes() == interaction.responseBody?.bytes(), place)
      #expect(playback.approximation == nil, place)
    }
  }

  // MARK: Comparison of bodies

  private static func sayTheSame(_ one: [UInt8], _ other: [UInt8], _ type: String) -> Bool {
    if one == other { return true }
    if let one = object(one), let other = object(other) { return one.isEqual(other) || graphQL(one) == graphQL(other) }
    if type.contains("urlencoded") { return fields(one) == fields(other) }
    guard type.contains("multipart") else { return false }
    return lines(one) == lines(other)
  }

  private static func object(_ bytes: [UInt8]) -> NSObject? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? NSObject
  }

  /// Returns the query without white space, and the variables; a unique text for a body that is not GraphQL.
  private static func graphQL(_ object: NSObject) -> String {
    guard let members = object as? [String: Any], let query = members["query"] as? String else {
      return UUID().uuidString
    }
    return "\(query.filter { !$0.isWhitespace && $0 != "," }) \(members["variables"] ?? "")"
  }

  private static func fields(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "&").map(String.init).sorted()
  }

  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").filter { !$0.hasPrefix("--") }
  }
}
