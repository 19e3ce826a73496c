package import Cassettes
import HTTP
import JSONText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What may be a secret, and where.
package struct Leak: Hashable, Sendable {
  package var file: String
  /// The line, counted from one.
  package var line: Int
  /// What it looks like, never what it is.
  package var what: String
}

/// Looks for secrets in files: cassettes, fixtures, recordings of other tools, and any other text.
package struct LeakScanner: Sendable {
  private let redaction: Redaction
  private let tokens: SecretScanner

  /// A scanner that lets pass what a redaction keeps.
  package init(_ redaction: Redaction = .standard) {
    self.redaction = redaction
    tokens = SecretScanner(redaction)
  }

  /// Everything in a file that may be a secret, by line.
  ///
  /// - Parameter path: The file.
  /// - Returns: What was found; nothing for what is no text.
  /// - Throws: When the file cannot be read.
  package func leaks(in path: String) throws(CassetteError) -> [Leak] {
    let bytes: [UInt8]
    do {
      bytes = Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw CassetteError(file: path, message: "cannot be read")
    }
    guard !bytes.prefix(8192).contains(0) else { return [] }
    // Windows tools begin with a byte order mark.
    let text = LinedText(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes)
    var found: Set<Leak> = []
    for line in 1...text.count {
      let content = Array(text.bytes[text.range(of: line)])
      for kind in tokens.kinds(in: content) {
        found.insert(Leak(file: path, line: line, what: "what looks like a \(kind)"))
      }
      if let name = RandomValue.name(in: content, redaction) {
        found.insert(Leak(file: path, line: line, what: "a long random value beside \"\(name)\""))
      }
    }
    var isRead = false
    do {
      isRead = try named(path, text) { line, what in found.insert(Leak(file: path, line: line, what: what)) }
    } catch {
      // What cannot be read as what it seems to be is looked at as text, and as JSON.
    }
    guard !isRead else { return Self.sorted(found) }
    let lines = Set(found.map(\.line))
    for value in NamedValues.found(in: text.bytes, redaction, isSecretField: isSecret) {
      let line = text.line(at: value.at)
      if !lines.contains(line) { found.insert(Leak(file: path, line: line, what: value.what)) }
    }
    return Self.sorted(found)
  }

  private static func sorted(_ found: Set<Leak>) -> [Leak] {
    return found.sorted { ($0.line, $0.what) < ($1.line, $1.what) }
  }

  // MARK: Names

  /// Values that redaction would take out, as a name says what they are.
  ///
  /// - Returns: Whether that is all: in a cassette nothing stands that is not read.
  private func named(_ path: String, _ text: LinedText, _ found: (Int, String) -> Void) throws(CassetteError) -> Bool {
    switch try? CassetteFormat.recognize(path) {
    case .cassette:
      for interaction in try CassetteFile.read(path: path).interactions {
        try compare(interaction, from: interaction.place?.line ?? 1, text, found)
      }
      return true
    case .format(let format) where format != .wiremock:
      let source = ImportSource(format: format, paths: [path], name: "scanned", label: path)
      _ = try source.each { (interaction, place) throws(CassetteError) in
        try compare(interaction, from: place.line, text, found)
      }
    default:
      // A fixture, or JSON of another kind; in a program's source names stand beside much that is none.
      guard JSONValue(text.bytes) != nil else { return false }
      let response = RecordedResponse(status: 200, body: .storing(text.bytes))
      try compare(Interaction(method: .get, url: "/", outcome: .response(response)), from: 1, text, found)
    }
    return false
  }

  /// Whether redaction takes a field's value out, or a part of it that stands for no other.
  private func isSecret(_ name: String, _ value: String) -> Bool {
    let asked = Interaction(
      method: .get, url: "/", requestHeaders: [(name, value)], outcome: .response(RecordedResponse(status: 200)))
    guard let redacted = try? redaction.redacting([asked]).first?.requestHeaders.first?.value else { return false }
    return redacted != value && !Self.pieces(of: value, redacted: redacted).allSatisfy(Self.isPlaceholder)
  }

  private func compare(
    _ interaction: Interaction, from line: Int, _ text: LinedText, _ found: (Int, String) -> Void
  ) throws(CassetteError) {
    var pass = StreamedRedaction(redaction)
    try pass.collect(interaction)
    let redacted = try pass.redacting(interaction)
    func report(_ value: String, _ other: String?, _ what: String) {
      let pieces = other.map { Self.pieces(of: value, redacted: $0) } ?? [value]
      guard !pieces.allSatisfy(Self.isPlaceholder) else { return }
      found(text.line(of: value, from: line), "\(what) in the clear")
    }
    for request in RuleTexts.requests(of: interaction.match) { try self.compare(request, from: line, text, found) }
    func compare(_ mine: HTTPHeaders, _ theirs: HTTPHeaders) {
      for (field, other) in zip(mine, theirs) where field.value != other.value {
        report(field.value, other.value, "the field \(field.name)")
      }
    }
    if interaction.url != redacted.url {
      let (mine, theirs) = (Self.items(interaction.url), Self.items(redacted.url))
      for (item, other) in zip(mine, theirs) where item != other {
        report(item.value ?? item.name, item.value == nil ? nil : other.value, "the parameter \(item.name)")
      }
      if mine == theirs { report(interaction.pathAndQuery, redacted.pathAndQuery, "a secret of the URL") }
    }
    compare(interaction.requestHeaders, redacted.requestHeaders)
    compare(interaction.response?.headers ?? [], redacted.response?.headers ?? [])
    let answered = interaction.response?.headers ?? []
    for (mine, theirs, headers) in [
      (interaction.requestBody, redacted.requestBody, interaction.requestHeaders),
      (interaction.response?.body, redacted.response?.body, answered),
    ] {
      guard let before = try mine?.bytes(), let after = try theirs?.bytes(), before != after else { continue }
      let differences = JSONDifference.between(before, after)
      if differences.first?.path != "$" {
        for difference in differences {
          report((difference.sent ?? "").filter { $0 != "\"" && $0 != "…" }, nil, difference.path)
        }
      } else if headers["Content-Type"]?.lowercased().contains("x-www-form-urlencoded") == true {
        for (item, other) in zip(QueryItem.parse(before), QueryItem.parse(after)) where item != other {
          report(item.value ?? item.name, item.value == nil ? nil : other.value, "the field \(item.name) of a form")
        }
      } else {
        let newline = UInt8(ascii: "\n")
        let (mine, theirs) = (before.split(separator: newline), after.split(separator: newline))
        for (piece, other) in zip(mine, theirs) where piece != other {
          report(String(decoding: piece, as: UTF8.self), String(decoding: other, as: UTF8.self), "a secret of a body")
        }
      }
    }
  }

  private static func items(_ url: String) -> [QueryItem] {
    url.firstIndex(of: "?").map { QueryItem.parse(String(url[url.index(after: $0)...])) } ?? []
  }
}

/// A text and where its lines begin.
struct LinedText {
  let bytes: [UInt8]
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for at in bytes.indices where bytes[at] == 0x0a && at + 1 < bytes.count { starts.append(at + 1) }
    self.starts = starts
  }

  var count: Int { starts.count }

  func range(of line: Int) -> Range<Int> {
    starts[line - 1]..<(line < starts.count ? starts[line] : bytes.count)
  }

  /// The line a byte stands in.
  func line(at offset: Int) -> Int { starts.partitioningIndex(after: offset) }

  /// The line a text stands in, at or after another one; that one when it is not found.
  func line(of text: String, from line: Int) -> Int {
    let wanted = Array(JSONString.encode(text).dropFirst().dropLast())
    let first = min(max(1, line), starts.count)
    guard let head = wanted.first, bytes.count >= wanted.count else { return first }
    var at = starts[first - 1]
    while at <= bytes.count - wanted.count {
      if bytes[at] == head, bytes[at..<at + wanted.count].elementsEqual(wanted) {
        return starts.partitioningIndex(after: at)
      }
      at += 1
    }
    return first
  }
}

extension [Int] {
  /// How many of the sorted numbers are not greater than one.
  fileprivate func partitioningIndex(after value: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
