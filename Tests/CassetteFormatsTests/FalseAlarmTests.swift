import CassetteJSON
import CassetteSecrets
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteFormats

/// Redaction of recordings that contain no credentials, because their authors removed them.
///
/// The recordings are in the folder `CORPORA`; each body is compared after imports with and without redaction.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CORPORA"] != nil, "it names no folder"))
struct FalseAlarmTests {
  /// A body that redaction changed.
  struct Alarm: CustomStringConvertible {
    var file: String
    var request: String
    var changes: [String]

    var description: String { "\(file): \(request): \(changes.joined(separator: ", "))" }
  }

  @Test func `fewer than one of a thousand bodies without a secret is changed by redaction`() throws {
    var bodies = 0
    var alarms: [Alarm] = []
    for folder in ["vcr/github3py", "vcr/octokitrb", "nock", "wiremock/hub4j-example"] {
      for file in CorpusTests.files(folder) where !file.contains("/derived/") && !file.contains("/__files/") {
        let plain = try cassette(of: file, nil)
        let redacted = try cassette(of: file, .standard)
        try #require(plain.interactions.count == redacted.interactions.count)
        for (one, other) in zip(plain.interactions, redacted.interactions) {
          for (before, after) in [
            (one.requestBody, other.requestBody), (one.response?.body, other.response?.body),
          ] {
            guard let before = try before?.bytes(), !before.isEmpty else { continue }
            bodies += 1
            let after = try after?.bytes() ?? []
            guard before != after else { continue }
            let name = file.components(separatedBy: "/corpora/").last ?? file
            alarms.append(
              Alarm(file: name, request: "\(one.method) \(one.pathAndQuery)", changes: changes(before, after)))
          }
        }
      }
    }
    let list = alarms.prefix(Self.shown).map(\.description).joined(separator: "\n")
    print("\(alarms.count) of \(bodies) bodies are changed\n\(list)")
    #expect(bodies > 0 && alarms.count * 1_000 < bodies, "\(alarms.count) of \(bodies) bodies:\n\(list)")
  }

  private static let shown =
    ProcessInfo.processInfo.environment["ALARMS"].flatMap { Int($0) } ?? 20

  private func cassette(of file: String, _ redaction: CassetteRedaction?) throws -> Cassette {
    let folder = try ScratchFolder()
    let report = try ImportTransaction(into: folder.path("out"), redaction: redaction).run([file])[0]
    guard let path = report.cassette else { return Cassette(name: "none", interactions: []) }
    var cassette = try CassetteFile.read(path: path)
    // Bodies are loaded before the folder of long bodies is removed.
    for index in cassette.interactions.indices {
      if let body = cassette.interactions[index].requestBody {
        cassette.interactions[index].requestBody = .storing(try body.bytes())
      }
      if case .response(var response) = cassette.interactions[index].outcome, let body = response.body {
        response.body = .storing(try body.bytes())
        cassette.interactions[index].outcome = .response(response)
      }
    }
    return cassette
  }

  /// Returns the paths of changed values, and the shapes of the values instead of the values.
  private func changes(_ before: [UInt8], _ after: [UInt8]) -> [String] {
    let found = JSONDifference.between(before, after)
    guard found.first?.path == "$" || found.isEmpty else {
      return found.prefix(4).map { "\($0.path) \(shape($0.sent ?? ""))" }
    }
    let lines = zip(before.split(separator: 0x0a), after.split(separator: 0x0a)).filter { $0 != $1 }
    return lines.prefix(4).map { one, other in
      let common = zip(one, other).prefix { $0 == $1 }.count
      let name = String(decoding: one[..<(one.startIndex + common)].suffix(40), as: UTF8.self)
      return "after \"\(name)\" \(shape(String(decoding: one.dropFirst(common).prefix(80), as: UTF8.self)))"
    }
  }

  private func shape(_ value: String) -> String {
    let shape = value.prefix(60).map { character -> Character in
      character.isNumber ? "9" : character.isUppercase ? "A" : character.isLetter ? "a" : character
    }
    return String(shape)
  }
}
