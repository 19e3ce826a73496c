import CassetteYAML
import Testing

@Suite struct YAMLDocumentTests {
  /// Compares the YAML at the offset of a JSON value with the expected YAML.
  @Test(arguments: [
    ("a: 1\nb:\n  - xyz\n  - {c: zzz}\n", "zzz\"", "zzz}"), ("# é\na: 'é'\nb: zzz # é\n", "zzz\"", "zzz # é"),
    ("a: &x [1, 2]\nb: *x\nc: zzz\n", "zzz\"", "zzz"), ("a:\r\n  b:\r\n    zzz\r\n", "zzz\"", "zzz"),
    ("\u{feff}a: zzz\n", "zzz\"", "zzz"), ("base: &b {x: 1}\nc:\n  <<: *b\n  d: zzz\n", "zzz\"", "zzz"),
    ("? zzz\n: 1\n", "zzz\"", "zzz"), ("a: |\n  b\nzzz: 1\n", "zzz\"", "zzz"),
  ])
  func `a JSON value has the offset of its source in the YAML`(_ yaml: String, _ json: String, _ place: String) throws {
    let bytes = Array(yaml.utf8)
    let document = try #require(try YAMLReader().placedDocuments(in: bytes).first)
    let text = String(decoding: document.json, as: UTF8.self)
    let found = try #require(text.firstRange(of: json))
    // The value begins with its quote.
    let offset = text.utf8.distance(from: text.startIndex, to: found.lowerBound) - 1
    let rest = String(decoding: bytes[document.offset(of: offset)...], as: UTF8.self)
    #expect(rest.hasPrefix(place), "\(rest)")
  }

  @Test func `reading with places returns the same JSON as reading without`() throws {
    let bytes = Array("a: [1, {b: 2}]\nc: &x d\ne: *x\n".utf8)
    #expect(try YAMLReader().placedDocuments(in: bytes).map(\.json) == YAMLReader().documents(in: bytes))
  }
}
