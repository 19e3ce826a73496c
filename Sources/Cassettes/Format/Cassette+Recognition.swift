internal import CassetteJSON
internal import CassetteSystem

extension CassetteFile {
  /// The formats of other tools, by a member of their outermost object, with a suggestion for each.
  private static let foreign = [
    "log": ("a HAR file", "convert it: mockserver import"),
    "mappings": ("a WireMock file", "convert it: mockserver import"),
    "item": ("a Postman collection", "convert it: mockserver import"),
    "http_interactions": ("a VCR file", "convert it: mockserver import"),
    "openapi": ("an OpenAPI document", "serve it: mockserver serve --openapi"),
    "swagger": ("an OpenAPI document", "serve it: mockserver serve --openapi"),
  ]

  /// Returns an error for a file of another tool; nil for cassettes and unknown files.
  static func foreignFile(_ bytes: [UInt8], _ file: String) -> CassetteError? {
    guard !Cassette.isCassette(bytes) else { return nil }
    let span = bytes.span
    var at = contentStart(span)
    JSONScanner.skipWhitespace(in: span, at: &at)
    guard var members = JSONItems(in: span, at: &at), members.isObject else { return nil }
    do {
      while try members.next(in: span, at: &at) {
        let name = JSONString.decode(span.extracting(members.name)) ?? ""
        if let (kind, remedy) = foreign[name] {
          return CassetteError(
            file: file, line: 1, column: 1, message: "is \(kind), not a cassette",
            suggestion: "\(remedy) \(ShellWord.quoted(file))")
        }
        try JSONScanner.skipValue(in: span, at: &at)
      }
    } catch {
      // Broken JSON is reported by the reader, with its position.
    }
    return nil
  }
}

extension Cassette {
  /// Returns true if a file is or was meant to be a cassette: a JSON object with a member named `cassette`.
  ///
  /// Parses only as much as needed, and checks nothing else. A truncated file, or one that is not valid JSON, counts as
  /// a cassette if it contains the member's name, so that reading it can report the error.
  public static func isCassette(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var at = CassetteFile.contentStart(span)
    JSONScanner.skipWhitespace(in: span, at: &at)
    guard var members = JSONItems(in: span, at: &at), members.isObject else { return false }
    let wanted = Array("\"cassette\"".utf8)
    do {
      while try members.next(in: span, at: &at) {
        let name = members.name.lowerBound - 1..<members.name.upperBound + 1
        if span.extracting(name).equals(wanted.span) { return true }
        try JSONScanner.skipValue(in: span, at: &at)
      }
      return false
    } catch {
      // The JSON is broken: search for the member's name as text.
    }
    var from = 0
    while let start = bytes.firstIndex(of: wanted, from: from) {
      from = start + 1
      var after = start + wanted.count
      JSONScanner.skipWhitespace(in: span, at: &after)
      if after < span.count, span[after] == UInt8(ascii: ":") { return true }
    }
    return false
  }
}
