import CassetteHTTP
import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteFormats

/// Every string and number of real recordings is in the cassette, in the report, or among the ignored members.
extension CorpusTests {
  private static let all: [(format: CassetteFormat, file: String)] =
    (files("har/strict-valid", ".har") + files("har/lenient", ".har") + files("har/own", ".har")).map { (.har, $0) }
    + files("vcr").filter { !$0.contains("/derived/") }.map { (.vcr, $0) } + files("nock").map { (.nock, $0) }
    + files("dvr").filter { !$0.hasSuffix("vinyl_multiple.json") }.map { (.dvr, $0) }
    + files("hoverfly").filter { $0.contains("go-literals") }.map { (.hoverfly, $0) }
    + files("wiremock").filter { !$0.contains("/__files/") && !$0.contains("/rootdir/") }.map { (.wiremock, $0) }

  @Test(arguments: all)
  func `every value of a file is in the cassette or in the report`(format: CassetteFormat, file: String) throws {
    let folder = try ScratchFolder()
    let report = try ImportTransaction(into: folder.path("out"), redaction: nil).run([file], as: format)[0]
    var data = try Data(contentsOf: URL(filePath: file))
    if data.starts(with: [0xef, 0xbb, 0xbf]) { data = Data(data.dropFirst(3)) }
    let whole = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    var heap = Heap()
    if let path = report.cassette { try heap.add(try CassetteFile.read(path: path)) }
    let (around, list) = Self.recordings(whole, format)
    var lost: [String] = []
    let notes = report.left.map(\.what)
    if let around { collect(around, format, [], heap, notes, &lost) }
    for (index, element) in list.enumerated() {
      let isSkipped = report.skipped.contains { skip in
        skip.item == "\(format.reading.item) \(index)" || skip.item.hasPrefix("\(format.reading.item) \(index) ")
      }
      if !isSkipped { collect(element, format, [], heap, notes, &lost) }
    }
    #expect(lost.isEmpty, "\(file): \(lost.prefix(10))")
  }

  /// All values of a cassette, as strings to search in.
  private struct Heap {
    var texts: [String] = []
    var words: Set<String> = []

    mutating func add(_ text: String) {
      texts.append(text)
      words.insert(text)
    }

    /// Adds the scalars of a JSON body without escapes.
    mutating func add(_ value: Any) {
      switch value {
      case let object as [String: Any]: for value in object.values { add(value) }
      case let list as [Any]: for value in list { add(value) }
      default: words.insert("\(value)")
      }
    }

    mutating func add(_ cassette: Cassette) throws {
      for interaction in cassette.interactions {
        for text in [
          interaction.method.rawValue, interaction.url, (cassette.origin ?? "") + interaction.url,
          interaction.url.removingPercentEncoding ?? "",
          cassette.origin ?? "", "\(interaction.status ?? 0)", interaction.response?.reason ?? "",
          HTTPStatus(interaction.status ?? 0).standardPhrase ?? "", interaction.recorded?.at ?? "",
          interaction.failure.map { "\($0.code)" } ?? "", interaction.replay.isEmpty ? "" : "\(interaction.replay)",
          interaction.match.isEmpty ? "" : "\(interaction.match)", RuleNotation.text(of: interaction.match).text,
          RuleNotation.text(of: interaction.replay).text,
        ] { add(text) }
        for fields in [interaction.requestHeaders, interaction.response?.headers ?? []] {
          for field in fields {
            add(field.name)
            add(field.value)
          }
        }
        for body in [interaction.requestBody, interaction.response?.body] {
          guard let bytes = try body?.bytes() else { continue }
          add(bytes.text)
          add(bytes.text.replacing("%20", with: " "))
          if let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) { add(value) }
          add(Data(bytes).base64EncodedString())
          add(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        }
        add(interaction.response?.coding ?? "")
      }
    }

    func holds(_ text: String) -> Bool {
      words.contains(text) || texts.contains { $0.contains(text) }
    }
  }

  private static func recordings(_ whole: Any, _ format: CassetteFormat) -> (around: Any?, list: [Any]) {
    if let list = whole as? [Any] { return (nil, list) }
    for place in format.reading.places where !place.isEmpty {
      func cut(_ value: Any, _ steps: ArraySlice<String>) -> (Any, [Any])? {
        guard var object = value as? [String: Any], let step = steps.first, let inner = object[step] else { return nil }
        if steps.count == 1 {
          object[step] = nil
          return (inner as? [Any]).map { (object, $0) }
        }
        guard let (rest, list) = cut(inner, steps.dropFirst()) else { return nil }
        object[step] = rest
        return (object, list)
      }
      if let (around, list) = cut(whole, place[...]) { return (around, list) }
    }
    return (nil, [whole])
  }

  private func collect(
    _ value: Any, _ format: CassetteFormat, _ path: [String], _ heap: Heap, _ notes: [String], _ lost: inout [String]
  ) {
    if let last = path.last, format.ignores(last) { return }
    let name = path.reduce("") { $1 == "[]" ? $0 + $1 : $0.isEmpty ? $1 : "\($0).\($1)" }
    if !name.isEmpty, notes.contains(where: { $0 == name || $0.hasPrefix("\(name),") || $0.hasPrefix("\(name) ") }) {
      return
    }
    switch value {
    case let object as [String: Any]:
      // The framing of a body is recomputed, and pseudo-fields of HTTP/2 are stored in other members.
      if let field = object["name"] as? String, Self.isFraming(field), path.last == "[]" { return }
      for (key, value) in object where !(Self.isFraming(key) && path.last?.lowercased().hasSuffix("headers") == true) {
        collect(value, format, path + [key], heap, notes, &lost)
      }
    case let list as [Any]:
      if name == "rawHeaders" {
        let texts = list.map { "\($0)" }
        for at in stride(from: 0, to: texts.count - 1, by: 2)
        where !Self.isFraming(texts[at]) && !heap.holds(texts[at + 1]) {
          lost.append("\(name): \(texts[at])")
        }
        return
      }
      for value in list { collect(value, format, path + ["[]"], heap, notes, &lost) }
    case let text as String:
      if Self.directives.contains(path.last ?? "") || path.count > 1 && Self.directives.contains(path[path.count - 2]) {
        return
      }
      let isLost = text.split(whereSeparator: \.isNewline).contains { line in
        !Self.spellings(of: line.trimmingCharacters(in: .whitespaces)).contains { heap.holds($0) }
      }
      // Hidden hosts, and patterns, which a cassette stores in another notation.
      if path.last == "uri", text.hasPrefix("<<") { return }
      if text.hasPrefix("*"), text.hasSuffix("*") { return }
      if path.contains("body") || path.contains("content"), notes.contains(where: { $0.hasPrefix("bodies of HEAD") }) {
        return
      }
      if isLost, !heap.holds(text), !Self.isDecoded(text, heap), !Self.isTranslated(text, heap) {
        lost.append("\(name): \(text.prefix(60))")
      }
    case let number as NSNumber:
      if Self.directives.contains(path.last ?? "") { return }
      if number == 0 || heap.holds("\(number)") { return }
      lost.append("\(name): \(number)")
    default: return
    }
  }

  /// Returns a text, and the spellings that a cassette may use for it.
  private static func spellings(of text: String) -> [String] {
    let target = String(text.prefix { $0 != "#" })
    let port = text.replacing(":443", with: "").replacing(":80", with: "")
    let last = String(text.split(separator: ";").last ?? "")
    let all: [String] = [
      text, text.uppercased(), target, target.replacing(" ", with: "%20"), port, last,
      text.removingPercentEncoding ?? "",
    ]
    return all.filter { !$0.isEmpty }
  }

  /// True if a text is base64 or hexadecimal of a stored body, which may have been compressed.
  private static func isDecoded(_ text: String, _ heap: Heap) -> Bool {
    let bytes = Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? hex(text))
    if let content = joined(text) { return heap.holds(content.text) }
    guard !bytes.isEmpty else { return false }
    return heap.holds(bytes.text)
      || heap.holds((BodyCoding.unwrapping(bytes, charset: nil)?.content ?? bytes).text)
  }

  /// True if a stored template has the same text around as many expressions, which a cassette writes in its own
  /// notation.
  private static func isTranslated(_ text: String, _ heap: Heap) -> Bool {
    guard let expression = try? Regex(#"\{\{.+?\}\}"#), text.contains(expression) else { return false }
    let around = text.split(separator: expression, omittingEmptySubsequences: false)
    return heap.texts.contains { $0.split(separator: expression, omittingEmptySubsequences: false) == around }
  }

  /// Members that control how another member is read, and are not stored.
  private static let directives: Set = [
    "encoding", "encodedBody", "bodyFileName", "_encoding", "min", "max", "mean", "median", "templated",
    "responseIsBinary", "insertionIndex", "priority", "ignoreCase", "time",
    "recorded_at", "fixedDelay", "fixedDelayMilliseconds", "matcher", "ignoreArrayOrder", "ignoreExtraElements",
  ]
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
