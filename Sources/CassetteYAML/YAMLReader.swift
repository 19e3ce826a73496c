internal import CassetteJSON
internal import CassetteSystem

/// Reads YAML 1.2 as the JSON it stands for, so that everything behind it knows one language only.
///
/// A value stands on the same line of the JSON as of the YAML: a place in one is a place in the other. Numbers keep
/// their text (`1.0`, long identifiers). No tag runs code; what JSON cannot say (a key that is a collection, a tag that
/// nobody knows) is refused with its place.
package struct YAMLReader: Sendable {
  /// The meaning of plain scalars.
  package enum Schema: Sendable {
    /// That of YAML 1.2 (chapter 10.3): `yes` is a text.
    case core
    /// That of the libraries that write YAML 1.1: `yes` and `on` are true, `0b1`, `017` and `1_000` are numbers.
    case legacy
  }

  /// The treatment of tags outside the core schema.
  package enum Tags: Sendable {
    /// Each is an error that names it.
    case refused
    /// For cassettes of VCR and vcrpy: Ruby and Python tags are ignored, Python objects become an object that names
    /// their type, and every other tag is an error.
    case ofRecorders
    /// All are left aside.
    case aside
  }

  /// The member under which bytes (`!!binary`) stand in base64 that are no UTF-8: `{"!binary": "/w=="}`.
  package static let binary = "!binary"
  /// The members that represent a Python object: `{"!tag": "python/object/new:_io.BytesIO", "!value": …}`.
  package static let (tag, value) = ("!tag", "!value")
  /// The number of collections that may lie inside one another.
  package static let depthLimit = 256

  private let schema: Schema
  private let tags: Tags

  /// Creates a reader; a `%YAML 1.1` in a text goes before the schema given here.
  package init(schema: Schema = .core, tags: Tags = .refused) {
    self.schema = schema
    self.tags = tags
  }

  /// Reads a stream's documents as JSON texts; a mistake's offset is into `bytes` unless they are UTF-16.
  package func documents(in bytes: [UInt8]) throws(YAMLError) -> [[UInt8]] {
    try read(bytes, keepsPlaces: false).documents.map(\.json)
  }

  /// Reads a stream's documents as ``documents(in:)`` does, and remembers where each value stood.
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

/// The bytes of a YAML text with LF for every line break (YAML 1.2 §5.4).
struct YAMLText {
  var bytes: [UInt8]
  /// The bytes before the text, and the carriage returns that were left out.
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
      throw YAMLError("a control character; in double quotes write it as \\x..", at: control)
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

  /// The place in the bytes given of a place in these.
  func offset(of place: Int) -> Int { mark + place + dropped.partitioningIndex { $0 > place } }
}
