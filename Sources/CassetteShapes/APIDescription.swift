internal import CassetteJSON
internal import CassetteSystem

/// A document that describes an API, OpenAPI, AsyncAPI, Smithy or one of AWS's: its names are those of schemas, paths
/// and answers.
///
/// Its secrets stand in its examples, and in texts that look like tokens.
package struct APIDescription: Sendable {
  /// The values that are examples, from left to right, none within another.
  private let examples: [Range<Int>]

  /// Reads a document; nil for any other text.
  package init?(_ bytes: [UInt8]) {
    guard bytes.searching({ $0.at($0.skippingSpace(0)) }) == UInt8(ascii: "{"), Self.isDescription(bytes)
    else { return nil }
    var examples: [Range<Int>] = []
    for name in Self.names {
      var from = 0
      while let start = bytes.firstIndex(of: name, from: from) {
        from = start + name.count
        var at = from
        do {
          try JSONScanner.skipColon(in: bytes.span, at: &at)
          JSONScanner.skipWhitespace(in: bytes.span, at: &at)
          let value = at
          try JSONScanner.skipValue(in: bytes.span, at: &at)
          examples.append(value..<at)
        } catch {
          // A value, and no name.
        }
      }
    }
    examples.sort { $0.lowerBound < $1.lowerBound }
    var end = 0
    self.examples = examples.filter { example in
      defer { end = max(end, example.upperBound) }
      return example.lowerBound >= end
    }
  }

  /// Tells whether a name stands in an example.
  package func isExample(_ offset: Int) -> Bool {
    let index = examples.partitioningIndex { $0.upperBound > offset }
    return index < examples.count && examples[index].contains(offset)
  }

  private static let versions = SecretMarks.versions.map { Array($0.utf8) }
  private static let names = ["\"example\"", "\"default\"", "\"value\""].map { Array($0.utf8) }

  /// The parts of AWS's documents, what each of its elements begins with one of, and if that says its name.
  private static let parts: [(name: [UInt8], members: [[UInt8]], isNamed: Bool)] = [
    ("operations", ["name"], true), ("shapes", ["type"], false), ("resources", ["identifiers"], false),
    ("pagination", ["input_token", "output_token", "result_key", "limit_key", "more_results"], false),
  ].map { (quoted($0), $1.map(quoted), $2) }

  private static func quoted(_ name: String) -> [UInt8] { Array("\"\(name)\"".utf8) }

  /// Tells whether the first element of an object begins as those of a part: `{"GetToken":{"name":"GetToken"`.
  private static func isPart(_ name: Span<UInt8>, of bytes: Span<UInt8>, at start: Int, _ seen: inout Int) -> Bool {
    for part in parts where part.name.span.equals(name) {
      var at = start
      if at < bytes.count, bytes[at] == UInt8(ascii: "{") { seen += 1 }
      // Broken, or something else has that name.
      guard let element = try? member(of: bytes, at: &at), let title = try? member(of: bytes, at: &at)
      else { return false }
      for member in part.members where member.span.equals(bytes.extracting(title)) {
        let value = bytes.extracting(at..<min(bytes.count, at + element.count))
        return !part.isNamed || value.equals(bytes.extracting(element))
      }
    }
    return false
  }

  /// Goes to the value of an object's first member, and returns where its name stands.
  private static func member(of bytes: Span<UInt8>, at: inout Int) throws(JSONTextError) -> Range<Int>? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "{") else { return nil }
    at += 1
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let start = at
    try JSONScanner.skipString(in: bytes, at: &at)
    let name = start..<at
    try JSONScanner.skipColon(in: bytes, at: &at)
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    return name
  }

  /// Tells whether the document itself has a version, or one of AWS's parts, and not something within it.
  private static func isDescription(_ bytes: [UInt8]) -> Bool {
    let bytes = bytes.span
    var (at, seen) = (0, 0)
    do {
      JSONScanner.skipWhitespace(in: bytes, at: &at)
      while at < bytes.count, bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: ",") {
        at += 1
        JSONScanner.skipWhitespace(in: bytes, at: &at)
        let name = at
        try JSONScanner.skipString(in: bytes, at: &at)
        let title = bytes.extracting(name..<at)
        let isVersion = versions.contains { $0.span.equals(title) }
        try JSONScanner.skipColon(in: bytes, at: &at)
        JSONScanner.skipWhitespace(in: bytes, at: &at)
        if isPart(title, of: bytes, at: at, &seen) || seen > 1 { return true }
        if isVersion, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\"") {
          return bytes[at + 1] &- 0x30 < 10
        }
        try JSONScanner.skipValue(in: bytes, at: &at)
        JSONScanner.skipWhitespace(in: bytes, at: &at)
      }
    } catch {
      // Broken, or something else.
    }
    return false
  }
}
