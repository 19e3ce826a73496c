import CassetteJSON
import CassetteSystem
import CassetteYAML
import Foundation
import Testing

private let folder = ProcessInfo.processInfo.environment["CORPORA"].map { URL(fileURLWithPath: $0 + "/yaml/src") }

/// The official YAML test suite, which is itself read by `YAMLReader`.
@Suite(.enabled(if: folder.map { FileManager.default.fileExists(atPath: $0.path) } ?? false, "CORPORA names no folder"))
struct YAMLSuiteTests {
  /// Cases on which parsers disagree.
  private static let open: Set = ["SM9W-1", "UKK6-2"]

  @Test func `each case of the official suite gives the suite's JSON or an error`() throws {
    let files = try FileManager.default.contentsOfDirectory(at: #require(folder), includingPropertiesForKeys: nil)
    var count = 0
    for file in files where file.pathExtension == "yaml" {
      let suite = try YAMLReader().documents(in: Array(Data(contentsOf: file)))
      var (yaml, json, isSkipped) = ("", String?.none, false)
      for (index, test) in (JSONValue(suite[0])?.elements ?? []).enumerated() {
        yaml = test["yaml"]?.string.map(Self.shown) ?? yaml
        json = test["json"]?.string.map(Self.shown) ?? json
        let name = "\(file.deletingPathExtension().lastPathComponent)-\(index)"
        isSkipped = isSkipped || test["skip"] != nil
        guard !isSkipped, !Self.open.contains(name) else { continue }
        let documents = try? YAMLReader(tags: .aside).documents(in: Array(yaml.utf8))
        if test["fail"] != nil {
          #expect(documents == nil, "\(name) must be refused")
        } else if let json {
          let expected = Array("[\(json)]".utf8)
          let found = (documents ?? []).map { String(decoding: $0, as: UTF8.self) }
          #expect(documents != nil && Self.isSame(found, expected), "\(name): \(found)")
        } else {
          continue
        }
        count += 1
      }
    }
    #expect(count > 100)
  }

  /// Replaces the suite's visible symbols by the white space that they represent.
  private static func shown(_ text: String) -> String {
    var text = text.replacing("␣", with: " ").replacing(/—*»/, with: "\t").replacing("←", with: "\r")
    text = text.replacing("⇔", with: "\u{feff}").replacing("↵", with: "")
    return text.hasSuffix("∎\n") ? String(text.dropLast(2)) : text
  }

  /// Compares documents with a sequence of JSON values.
  private static func isSame(_ found: [String], _ expected: [UInt8]) -> Bool {
    var rest = expected.dropFirst().dropLast()[...]
    for document in found {
      rest = rest.drop { $0 <= 0x20 }
      var end = 0
      let bytes = Array(rest)
      guard (try? JSONScanner.skipValue(in: bytes.span, at: &end)) != nil,
        let a = try? JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed) as? NSObject,
        let b = try? JSONSerialization.jsonObject(with: Data(bytes[..<end]), options: .fragmentsAllowed) as? NSObject,
        a == b
      else { return false }
      rest = rest.dropFirst(end)
    }
    return rest.allSatisfy { $0 <= 0x20 }
  }
}
