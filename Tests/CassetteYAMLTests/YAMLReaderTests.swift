import CassetteJSON
import CassetteSystem
import Testing

@testable import CassetteYAML

private func json(
  _ yaml: String, _ schema: YAMLReader.Schema = .core, _ tags: YAMLReader.Tags = .refused
) throws -> [String] {
  try YAMLReader(schema: schema, tags: tags).documents(in: Array(yaml.utf8)).map { document in
    let value = try #require(JSONValue(document), "no JSON: \(String(decoding: document, as: UTF8.self))")
    return String(decoding: value.compact, as: UTF8.self)
  }
}

@Suite struct YAMLReaderTests {
  @Test(arguments: [
    ("a: 1\nb: [x, 'y', \"z\\n\"]\n", #"{"a":1,"b":["x","y","z\n"]}"#),
    ("- - a\n  - b\n- c: d\n  e: f\n", #"[["a","b"],{"c":"d","e":"f"}]"#),
    (
      "k:\n- a\n- b\nl: |\n  x\n\n   y\nm: >-\n  one\n  two\n\n  three\n",
      #"{"k":["a","b"],"l":"x\n\n y\n","m":"one two\nthree"}"#
    ),
    ("? a\n: b\n? c\n", #"{"a":"b","c":null}"#),
    ("a: &x {b: 1}\nc: *x\n", #"{"a":{"b":1},"c":{"b":1}}"#),
    ("base: &b {x: 1, y: 2}\nmore: {<<: *b, y: 3}\n", #"{"base":{"x":1,"y":2},"more":{"y":3,"x":1}}"#),
    ("a: 'it''s'\nb: two\n  lines\nc: \"\\u00e9\\x41\\ud83d\\ude00\"\n", #"{"a":"it's","b":"two lines","c":"éA😀"}"#),
    ("[a: 1, {b: 2}, ]", #"[{"a":1},{"b":2}]"#), ("{\"a\":1,b}", #"{"a":1,"b":null}"#),
    ("--- >\n folded\n text\n", #""folded text\n""#),
    ("url: http://a.example/b#c # d\n", ##"{"url":"http://a.example/b#c"}"##),
    ("a: !!binary |\n  aGVs\n  bG8=\nb: !!binary /w==\n", #"{"a":"hello","b":{"!binary":"/w=="}}"#),
    ("a: !!str 12\n", #"{"a":"12"}"#),
    ("\u{feff}a: b\r\nc: d\r\n", #"{"a":"b","c":"d"}"#),
  ])
  func `YAML is read as the equivalent JSON`(_ yaml: String, _ expected: String) throws {
    #expect(try json(yaml) == [expected])
  }

  @Test(arguments: [
    ("1.0", "1.0"), ("12345678901234567890123", "12345678901234567890123"), ("+7", "7"), ("007", "7"), ("0x1F", "31"),
    ("0o17", "15"), (".5", "0.5"), ("1.", "1.0"), ("1e3", "1e3"), ("-.5E+2", "-0.5E+2"), ("~", "null"),
    ("NULL", "null"),
    ("True", "true"), ("yes", #""yes""#), ("1_000", #""1_000""#), ("12:30", #""12:30""#),
    ("2001-12-14", #""2001-12-14""#),
    (".inf", #"".inf""#), ("1.2.3", #""1.2.3""#), ("-", #"["#), ("0x", #""0x""#), ("- 1", "[1]"), ("1e", #""1e""#),
  ])
  func `plain scalars have their type of YAML 1.2, and numbers keep their spelling`(_ yaml: String, _ expected: String)
    throws
  {
    #expect(try json(yaml).first?.hasPrefix(expected) == true)
  }

  @Test(arguments: [
    ("yes", "true"), ("Off", "false"), ("017", "15"), ("0b101", "5"), ("1_000", "1000"), ("1:30", "90"),
    ("-0x1f", "-31"),
    ("1e3", #""1e3""#), ("1.5e+3", "1.5e+3"), ("y", #""y""#), ("08", #""08""#), ("99999999999:59:59:59:59:59", #""99"#),
  ])
  func `plain scalars have their type of YAML 1.1 in legacy mode or with a %YAML 1.1 directive`(
    _ yaml: String, _ expected: String
  ) throws {
    #expect(try json(yaml, .legacy).first?.hasPrefix(expected) == true)
    #expect(try json("%YAML 1.1\n---\n\(yaml)\n").first?.hasPrefix(expected) == true)
  }

  @Test func `a stream of several documents returns one JSON value per document`() throws {
    #expect(try json("a\n---\nb\n...\n---\n") == [#""a""#, #""b""#, "null"])
    #expect(try json("# nothing\n") == [])
  }

  @Test func `20,000 empty documents take less than ten times the memory of their YAML`() throws {
    let text = Array(String(repeating: "---\n", count: 20_000).utf8)
    let documents = try YAMLReader().documents(in: text)
    #expect(documents.count == 20_000 && documents.reduce(0) { $0 + $1.count } < 10 * text.count)
  }

  /// The lengths are near powers of two and near 1,024 bytes, the maximum length of a key.
  @Test(.timeLimit(.minutes(5)), arguments: ["", "a: ", "- ", "[", "[&", "{", "? ", "\"", "a\n", "k: |\n ", "%"])
  func `a byte repeated up to and beyond the maximum key length gives valid JSON or an error`(start: String) {
    for byte in "!&*?:-,[]{}#|>'\"%@\\ \t\na0<." {
      for length in [1, 15, 16, 1022, 1023, 1024, 1025, 1026, 2048] {
        let text = Array((start + String(repeating: byte, count: length) + " x").utf8)
        for reader in [YAMLReader(), YAMLReader(schema: .legacy, tags: .ofRecorders)] {
          for document in (try? reader.documents(in: text)) ?? [] { #expect(JSONValue(document) != nil) }
        }
      }
    }
  }

  @Test func `an unknown tag of many bytes is shortened in its error`() throws {
    let error = #expect(throws: YAMLError.self) { try json(String(repeating: "!", count: 1025)) }
    #expect(error?.message.hasSuffix(": " + String(repeating: "!", count: 60)) == true)
  }

  @Test func `a plain scalar whose JSON differs keeps its spelling`() throws {
    let yaml = "a: no\nb: [0755, 1_000, 7, ~, 'no', true, 1:30]\n"
    let document = try YAMLReader(schema: .legacy).placedDocuments(in: Array(yaml.utf8))[0]
    #expect(document.spellings.map { String(decoding: $0.text, as: UTF8.self) } == ["no", "0755", "1_000", "1:30"])
    #expect(document.spellings.map { Int(document.json[$0.json]) } == [0x66, 0x34, 0x31, 0x39])
  }

  @Test func `a value has the same line number in the JSON as in the YAML`() throws {
    let document = try YAMLReader().documents(in: Array("# a\n\nx:\n  - 1\n\n  - deep: here\n".utf8))[0]
    let place = try #require(document.firstRange(of: Array(#""here""#.utf8))?.lowerBound)
    #expect(JSONPosition.of(place, in: document.span).line == 6)
  }

  @Test(arguments: [
    ("a: b: c\n", 1, 4, "second key"), ("a: [1, 2\nb: 3\n", 2, 1, "spaces"), ("a: \"x\n", 1, 4, "quote"),
    ("\ta: 1\n", 1, 2, "tab"),
    ("a: 1\n  b: 2\n", 2, 4, "text after a value"), ("a: *no\n", 1, 4, "&no"), ("a: &a [*a]\n", 1, 8, "&a"),
    ("a: 1\na: 2\n", 2, 1, "twice"),
    ("a: !unknown 1\n", 1, 13, "!unknown"), ("[a]: 1\n", 1, 1, "collection"), ("a: !!int x\n", 1, 10, "type"),
    ("a: @b\n", 1, 4, "quoted"),
    ("- a\nb: 1\n", 2, 1, "the end of the document"), ("a:\n  b: 1\n c: 2\n", 3, 2, "indentation"),
    ("<<: 1\n", 1, 5, "<<"),
    ("a: \"\\q\"\n", 1, 5, "escape"), ("%YAML 1.2\n", 2, 1, "---"), ("a: !e!x 1\n", 1, 4, "%TAG"),
    ("a: \u{1}\n", 1, 4, "control"),
  ])
  func `malformed YAML is an error with line and column`(_ yaml: String, _ line: Int, _ column: Int, _ words: String)
    throws
  {
    let bytes = Array(yaml.utf8)
    let error = try #require(throws: YAMLError.self) { try YAMLReader().documents(in: bytes) }
    let place = JSONPosition.of(error.offset, in: bytes.span)
    #expect(place == (line, column), "\(error)")
    #expect(error.message.contains(words), "\(error)")
  }

  @Test func `application tags of Ruby and Python are ignored in recorder mode and refused otherwise`() throws {
    let yaml =
      "a: !ruby/object:X {b: :get}\nc: !!python/unicode 'd'\ne: !!python/tuple [1]\nf: !custom g\nh: !x/y:z []\n"
    #expect(try json(yaml, .legacy, .ofRecorders) == [#"{"a":{"b":":get"},"c":"d","e":[1],"f":"g","h":[]}"#])
    #expect(throws: YAMLError.self) { try json(yaml) }
  }

  @Test func `nested aliases and collections that expand exponentially are refused`() {
    let levels = (1...30).map { "a\($0): &a\($0) [\(repeatElement("*a\($0 - 1)", count: 9).joined(separator: ","))]\n" }
    let error = #expect(throws: YAMLError.self) { try json("a0: &a0 lol\n" + levels.joined()) }
    #expect(error?.message.contains("tenfold") == true)
    #expect(throws: YAMLError.self) { try json(String(repeating: "[", count: 100_000)) }
    #expect(throws: YAMLError.self) { try json(String(repeating: "- ", count: 100_000)) }
  }

  @Test func `random YAML tokens give valid JSON or an error`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "a", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ",", "'", "\"", "|", ">", "&x ", "*x", "!!str ", "#", "? ", "\t",
      "<<", "---\n", "é",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      guard let documents = try? YAMLReader(tags: .aside).documents(in: Array(text.utf8)) else { continue }
      for document in documents where JSONTree(document) == nil {
        Issue.record("no JSON of \(text.debugDescription): \(String(decoding: document, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    ("- |+\n  a\n  \n", #"["a\n\n"]"#), ("- |+\n  ", #"[""]"#), ("- |\n     ", #"[""]"#),
    ("- |\n  a\n   ", #"["a\n "]"#),
    ("- |\n  a\n  ", #"["a\n"]"#), ("- |+\n  a\n ", #"["a\n"]"#), ("- !!binary YWI=\n", #"["ab"]"#),
    ("- !!float '2.5'\n- !!float 1e3\n- 09\n- 0o7\n- 017\n", #"[2.5,1e3,"09","0o7",15]"#),
    ("a: 1\nb: [2]\na: {c: 3}\n", #"{"b":[2],"a":{"c":3}}"#), ("{a: 1, a: 2, a: 3, b: 4}", #"{"a":3,"b":4}"#),
    ("a: {b: 1\n}\n", #"{"a":{"b":1}}"#), ("- {a: [x\ny],\nc: \"d\n\ne\"}", #"[{"a":["x y"],"c":"d\ne"}]"#),
    ("k: 'x\ny'\nz: {a: b\n\n}\nq: 1", #"{"k":"x y","z":{"a":"b"},"q":1}"#),
    ("!!python/object/new:x.Y {state: [1]}", #"{"!tag":"python/object/new:x.Y","!value":{"state":[1]}}"#),
    (
      "- !!python/object/apply:x.y [1]\n- &a !!python/name:z ''\n- *a\n",
      #"[{"!tag":"python/object/apply:x.y","!value":[1]},{"!tag":"python/name:z","!value":""},"#
        + #"{"!tag":"python/name:z","!value":""}]"#
    ),
    ("- !!python/tuple [1, !!python/bytes YWI=, !!python/none '', !!python/int '5']\n", #"[[1,"ab",null,5]]"#),
  ])
  func `YAML written by recorders is read as libyaml reads it`(_ yaml: String, _ expected: String) throws {
    #expect(try json(yaml, .legacy, .ofRecorders) == [expected])
  }
}
