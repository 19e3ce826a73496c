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

  private static let parts = ["\"operations\"", "\"shapes\""].map { Array($0.utf8) }

  /// Tells whether the document itself has a version, or AWS's two parts, and not something within it.
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
        let isVersion = versions.contains { $0.span.equals(bytes.extracting(name..<at)) }
        let isPart = parts.contains { $0.span.equals(bytes.extracting(name..<at)) }
        try JSONScanner.skipColon(in: bytes, at: &at)
        JSONScanner.skipWhitespace(in: bytes, at: &at)
        if isPart, at < bytes.count, bytes[at] == UInt8(ascii: "{") { seen += 1 }
        if seen == parts.count { return true }
        if isVersion, !isPart, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\"") {
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
