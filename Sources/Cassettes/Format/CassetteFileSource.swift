import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// The bytes of a loaded cassette, and the offsets of its interactions.
///
/// Interactions are decoded on access: decoding all of them while loading took 69 ms for 10,000 recordings of 300 bytes
/// instead of 17 (release build, median of nine), and the budget is 50 ms.
package final class CassetteFileSource: Sendable {
  let bytes: [UInt8]
  /// The path of the file for error messages.
  let file: String
  /// The folder of body files; nil if the bytes were not read from a folder.
  let folder: String?
  let records: [CassetteFileRecord]
  /// The rules of interactions, by their index; most interactions have none.
  let rules: [UInt32: InteractionRules]
  /// The derived ids, each in quotes as in a file.
  let derivedIDs: [UInt8]
  private let lines = Locked<LineTable?>(nil)

  init(
    bytes: [UInt8], file: String, folder: String?, records: [CassetteFileRecord], rules: [UInt32: InteractionRules],
    derivedIDs: [UInt8]
  ) {
    self.bytes = bytes
    self.file = file
    self.folder = folder
    self.records = records
    self.rules = rules
    self.derivedIDs = derivedIDs
  }

  func place(of offset: UInt32) -> SourcePlace {
    // A local copy, because a span of a class's property must not outlive the access to the property.
    let bytes = bytes
    let table = lines.withLock { lines in
      let table = lines ?? LineTable(bytes.span)
      lines = table
      return table
    }
    return table.place(of: Int(offset), in: bytes.span, file: file)
  }

  /// Returns the number of bytes between an offset and the end of the interaction at that offset.
  func room(after offset: UInt32) -> Int {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return (low < records.count ? Int(records[low].start) : bytes.count) - Int(offset)
  }

  func text(at quote: UInt32) -> String {
    let bytes = bytes
    return Self.text(at: quote, in: bytes.span)
  }

  func id(of record: CassetteFileRecord) -> String {
    let bytes = record.hasDerivedID ? derivedIDs : bytes
    return Self.text(at: record.id, in: bytes.span)
  }

  /// Returns the range of a string between its quotes, and true if the string has escapes.
  static func content(at quote: UInt32, in bytes: Span<UInt8>) -> (range: Range<Int>, hasEscapes: Bool) {
    var at = Int(quote)
    do {
      let hasEscapes = try JSONScanner.skipString(in: bytes, at: &at)
      return (Int(quote) + 1..<at - 1, hasEscapes)
    } catch {
      // Not reached: the reader has checked every string.
      return (0..<0, false)
    }
  }

  static func text(at quote: UInt32, in bytes: Span<UInt8>) -> String {
    let (range, hasEscapes) = content(at: quote, in: bytes)
    let content = bytes.extracting(range)
    if hasEscapes { return JSONString.decode(content) ?? "" }
    return content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func headers(at offset: UInt32) -> HTTPHeaders {
    let bytes = bytes
    return Self.headers(at: offset, in: bytes.span)
  }

  /// Decodes header fields; returns none for the offset 0.
  static func headers(at offset: UInt32, in bytes: Span<UInt8>) -> HTTPHeaders {
    var headers = HTTPHeaders()
    guard offset > 0 else { return headers }
    MemberWalk.eachElement(in: bytes, at: Int(offset)) { field in
      var texts: [String] = []
      MemberWalk.eachElement(in: bytes, at: field) { texts.append(text(at: UInt32($0), in: bytes)) }
      // The reader has checked that there are two strings; a third one means that the value is encoded in ISO-8859-1.
      if texts.count > 1 { headers.append(.init(name: texts[0], value: texts[1], isLatin1: texts.count > 2)) }
    }
    return headers
  }

  /// Decodes an object that the reader has checked.
  func value<Object>(
    at offset: UInt32, _ table: ObjectTable<Object, Object>, new: Object, skipsTexts: Bool = false
  ) -> Object {
    var value = new
    late(at: offset, skipsTexts: skipsTexts) { reader, bytes throws(CassetteError) in
      _ = try reader.read(bytes, "", table, into: &value)
    }
    return value
  }

  func recorded(at offset: UInt32) -> RecordedFacts? {
    offset > 0 ? value(at: offset, Grammar.recorded, new: RecordedFacts()) : nil
  }

  func interim(at offset: UInt32) -> [InterimResponse] {
    var list: [InterimResponse]?
    if offset > 0 {
      late(at: offset) { reader, bytes throws(CassetteError) in list = try Grammar.interims.read(&reader, bytes, "") }
    }
    return list ?? []
  }

  private func late(
    at offset: UInt32, skipsTexts: Bool = false,
    _ read: (inout CassetteFileReader, Span<UInt8>) throws(CassetteError) -> Void
  ) {
    var reader = CassetteFileReader(file: file, folder: nil, collects: true, engines: Engines())
    (reader.at, reader.skipsTexts) = (Int(offset), skipsTexts)
    let bytes = bytes
    // The same bytes were read without an error while the cassette was loaded.
    try? read(&reader, bytes.span)
  }
}

/// The offsets of the parts of one interaction; 0 for a part that is missing.
///
/// The properties are as small as possible, because 100,000 records may be in memory.
package struct CassetteFileRecord: Sendable {
  var start: UInt32
  var id: UInt32 = 0
  var note: UInt32 = 0
  var method: UInt32 = 0
  var url: UInt32 = 0
  var requestHeaders: UInt32 = 0
  var requestBody: UInt32 = 0
  var reason: UInt32 = 0
  var headers: UInt32 = 0
  var body: UInt32 = 0
  var interim: UInt32 = 0
  var trailers: UInt32 = 0
  var coding: UInt32 = 0
  var failure: UInt32 = 0
  var recorded: UInt32 = 0
  var status: UInt16 = 0
  var repeatPolicy: RepeatPolicy = .last
  var hasDerivedID = false
  var isTemplate = false

  /// Creates a record of an interaction at an offset.
  init(start: UInt32) { self.start = start }
}
