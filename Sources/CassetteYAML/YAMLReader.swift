internal import CassetteJSON
internal import CassetteSystem

/// Converts YAML 1.2 to JSON, so that the rest of the program only handles JSON.
///
/// Each value of the first document is on the same line in the JSON as in the YAML, so that locations of errors are valid
/// for both. Numbers keep their source (`1.0`, long identifiers). Tags never run code. Constructs that JSON cannot represent, such as a
/// collection as a key or an unknown tag, are errors with their location.
package struct YAMLReader: Sendable {
  /// The interpretation of plain scalars.
  package enum Schema: Sendable {
    /// The core schema of YAML 1.2 (chapter 10.3): `yes` is a string.
    case core
    /// The schema of libraries for YAML 1.1: `yes` and `on` are true; `0b1`, `017` and `1_000` are numbers.
    case legacy
  }

  /// The treatment of tags outside the core schema.
  package enum Tags: Sendable {
    /// An unknown tag is an error.
    case refused
    /// For cassettes of VCR and vcrpy: Python objects become an object that names their type, and other tags are
    /// ignored, as Ruby's reader does.
    case ofRecorders
    /// All tags outside the core schema are ignored.
    case aside
  }

  /// The member that represents `!!binary` data that is not UTF-8, in Base64: `{"!binary": "/w=="}`.
  package static let binary = "!binary"
  /// The members that represent a Python object: `{"!tag": "python/object/new:_io.BytesIO", "!value": …}`.
  package static let (tag, value) = ("!tag", "!value")
  /// The maximum nesting depth of collections.
  package static let depthLimit = 256

  private let schema: Schema
  private let tags: Tags

  /// Creates a reader.
  ///
  /// - `schema`: The interpretation of plain scalars, unless the stream has a `%YAML` directive. Default: the core
  ///   schema.
  /// - `tags`: The treatment of unknown tags. Default: an unknown tag is an error.
  package init(schema: Schema = .core, tags: Tags = .refused) {
    self.schema = schema
    self.tags = tags
  }

  /// Converts the documents of a YAML stream to JSON.
  package func documents(in bytes: [UInt8]) throws(YAMLError) -> [[UInt8]] {
    try read(bytes, keepsPlaces: false).documents.map(\.json)
  }

  /// Converts the documents of a stream as ``documents(in:)`` does, and records the offsets of their values.
  package func placedDocuments(in bytes: [UInt8]) throws(YAMLError) -> [YAMLDocument] {
    let (documents, text) = try read(bytes, keepsPlaces: true)
    return documents.map { document in
      var document = document
      document.move { text.offset(of: $0) }
      return document
    }
  }

  private func read(
    _ bytes: [UInt8], keepsPlaces: Bool
  ) throws(YAMLError) -> (documents: [YAMLDocument], text: YAMLText) {
    let text = try YAMLText.normalized(bytes)
    var parser = YAMLParser(text.bytes, YAMLComposer(text.bytes, schema, tags, keepsPlaces: keepsPlaces))
    do {
      return (try parser.documents(), text)
    } catch {
      throw YAMLError(error.message, at: text.offset(of: error.offset))
    }
  }
}

/// A YAML stream in UTF-8, with LF for every line break (YAML 1.2 §5.4).
struct YAMLText {
  var bytes: [UInt8]
  /// The length of the byte order mark; `dropped` contains the offsets of removed carriage returns.
  private var mark = 0
  private var dropped: [Int] = []

  static func normalized(_ bytes: [UInt8]) throws(YAMLError) -> YAMLText {
    var bytes = bytes
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      let (high, low) = bytes[0] == 0xff ? (1, 0) : (0, 1)
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { (at: Int) -> UInt16 in
        UInt16(bytes[at + high]) << 8 | UInt16(bytes[at + low])
      }
      bytes = Array(String(decoding: units, as: UTF16.self).utf8)
    }
    let mark = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    if let place = UTF8Check.firstInvalid(in: bytes.span) { throw YAMLError("not UTF-8", at: place) }
    var text = YAMLText(bytes: bytes, mark: mark)
    if let control = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }) {
      throw YAMLError("a control character; escape it as \\x.. in double quotes", at: control)
    }
    guard mark > 0 || bytes.contains(0x0d) else { return text }
    text.bytes = []
    text.bytes.reserveCapacity(bytes.count)
    for at in mark..<bytes.count {
      if bytes[at] == 0x0d, at + 1 < bytes.count, bytes[at + 1] == 0x0a {
        text.dropped.append(text.bytes.count)
      } else {
        text.bytes.append(bytes[at] == 0x0d ? 0x0a : bytes[at])
      }
    }
    return text
  }

  /// Returns the offset in the original bytes for an offset in the normalized ones.
  func offset(of place: Int) -> Int { mark + place + dropped.partitioningIndex { $0 > place } }
}

/// A YAML document as JSON, with the offsets of its values in the YAML.
package struct YAMLDocument: Sendable {
  /// The offsets in both formats at which a value or key begins.
  struct Place: Sendable {
    var json: Int
    var yaml: Int
  }

  /// The text of a plain scalar, such as `0755` or `no`, whose JSON has another spelling.
  package struct Spelling: Sendable {
    /// The offset of the value in the JSON.
    package var json: Int
    package var text: [UInt8]
  }

  /// The document as JSON, each value on the line that it has in the YAML.
  package let json: [UInt8]
  /// The spellings that JSON does not keep, except in aliases and merged members (`<<`).
  package let spellings: [Spelling]
  private var places: [Place]

  init(_ json: [UInt8], _ places: [Place], _ spellings: [Spelling]) {
    (self.json, self.places, self.spellings) = (json, places, spellings)
  }

  /// Returns the YAML offset for an offset in the JSON.
  ///
  /// For a value that an alias or a merge repeats, it is the offset of the alias, or of the value before the merge.
  package func offset(of place: Int) -> Int {
    let next = places.partitioningIndex { $0.json > place }
    return next == 0 ? 0 : places[next - 1].yaml
  }

  mutating func move(_ moved: (Int) -> Int) {
    for index in places.indices { places[index].yaml = moved(places[index].yaml) }
  }
}

/// A syntax error in YAML, with its offset.
package struct YAMLError: Error, Equatable, Sendable {
  /// The description of the error, to be printed after its location: `expected a key`.
  package var message: String
  /// The offset of the error in bytes.
  package var offset: Int

  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}

extension UTF8Check {
  /// Returns the offset of the first invalid byte, or nil if all bytes are valid UTF-8.
  static func firstInvalid(in bytes: Span<UInt8>) -> Int? {
    var at = 0
    while at < bytes.count {
      if at + 8 <= bytes.count, bytes.word(at) & 0x8080_8080_8080_8080 == 0 {
        at += 8
        continue
      }
      let length = sequenceLength(in: bytes, at: at)
      guard length > 0 else { return at }
      at += length
    }
    return nil
  }
}
