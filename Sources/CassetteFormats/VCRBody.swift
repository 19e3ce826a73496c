import CassetteHTTP
import CassetteJSON
internal import CassetteSystem
internal import CassetteYAML
import Cassettes

/// The body of a message in a cassette of VCR, vcrpy, betamax or go-vcr.
struct VCRBody {
  let message: JSONValue
  /// `request` or `response`.
  let side: String

  /// Returns the bytes; nil if the cassette does not contain them.
  func bytes(_ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    // vcrpy uses the member "content" for responses of httpx.
    let found = member("body") ?? (side == "response" ? member("content") : nil)
    let bytes = try found.map { (value) throws(Unusable) in try read(value, &notes) } ?? nil
    guard let parsed = member("parsed_body") else { return bytes }
    guard bytes?.isEmpty ?? true else {
      notes.leave("parsed_body in addition to a body", at: parsed)
      return bytes
    }
    // An empty body is written as null.
    guard !parsed.isNull else { return [] }
    notes.mention("parsed_body, which is a value instead of text: imported in the format of Python's json.dumps")
    return Self.dumped(parsed)
  }

  private func member(_ name: String) -> JSONValue? { message.members.last { $0.name == name }?.value }

  /// Reads a string, or an object with `string` or `base64_string`; the latter takes precedence.
  ///
  /// VCR writes an empty body as an empty string, and vcrpy as null.
  private func read(_ body: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    if body.isNull { return [] }
    if let type = body[YAMLReader.tag]?.string {
      if let bytes = try Self.bytes(of: body[YAMLReader.value], ofType: type, side) { return bytes }
      return try leave("of the unsupported type \(type.prefix(60))", body, &notes)
    }
    if let bytes = try Self.bytes(of: body, side) { return bytes }
    let isSaid = body.members.contains { $0.name == "string" || $0.name == "base64_string" }
    guard isSaid else {
      if body.isObject, body.members.allSatisfy({ $0.name == "encoding" }) { return [] }
      // vcrpy writes a JSON request body as a parsed value.
      if side == "request", body.isObject || body.isArray { return Self.dumped(body) }
      return try leave("in a form that is not known", body, &notes)
    }
    for (name, value) in body.members where !["string", "base64_string", "encoding"].contains(name) {
      notes.leave("\(side).body.\(name.prefix(100)), which is not known", at: value)
    }
    if let base64 = body["base64_string"]?.stringBytes, !base64.isEmpty {
      let bytes = try Exchange.body(base64: base64, of: side)
      if let text = body["string"]?.stringBytes, !text.isEmpty, text != bytes,
        BodyCoding.unwrapping(bytes, charset: nil)?.content != text
      {
        notes.leave("\(side).body.string, which differs from base64_string", at: body["string"])
      }
      return bytes
    }
    guard let text = body["string"] else { return [] }
    guard text.isString else {
      if let inner = try readInner(text, &notes) { return inner }
      return side == "request" ? nil : []
    }
    let encoding = body["encoding"]?.string
    guard let bytes = Charset.bytes(text.stringBytes, encoding) else {
      notes.leave("bodies in \(encoding?.prefix(40) ?? ""), converted to UTF-8", at: body)
      return text.stringBytes
    }
    return bytes
  }

  /// Reads a value of `string` that is not a string: bytes, pieces, a Python object, or text that YAML parses as a
  /// number.
  private func readInner(_ value: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [UInt8]? {
    if let scalar = value.scalar { return Array(scalar.utf8) }
    if value[YAMLReader.tag] != nil || value[YAMLReader.binary] != nil { return try read(value, &notes) }
    // Ruby writes a string that has instance variables as a mapping (`!ruby/string`).
    if let bytes = try Self.bytes(of: value["str"] ?? value, side) { return bytes }
    return try leave("whose string is in a form that is not known", value, &notes)
  }

  /// Notes a missing request body; throws for a response, which is useless without its body.
  private func leave(
    _ reason: String, _ value: JSONValue, _ notes: inout ImportNotes
  ) throws(Unusable) -> [UInt8]? {
    guard side == "request" else { throw Unusable("the response has a body \(reason)", isUncaptured: true) }
    notes.leave("bodies of requests \(reason)", at: value)
    return nil
  }

  // MARK: Values

  /// Returns the bytes of a string, of `!!binary`, or of a list of these; nil for any other value.
  private static func bytes(of value: JSONValue, _ side: String) throws(Unusable) -> [UInt8]? {
    if value.isString { return value.stringBytes }
    if let base64 = value[YAMLReader.binary] { return try Exchange.body(base64: base64.stringBytes, of: side) }
    // A client that sends a body in pieces is recorded with a list or tuple of the pieces.
    let pieces = value.elements
    guard !pieces.isEmpty else { return value.isArray ? [] : nil }
    var bytes: [UInt8] = []
    for piece in pieces {
      guard !piece.isArray, let read = try self.bytes(of: piece, side) else { return nil }
      bytes += read
    }
    return bytes
  }

  /// Returns the bytes of a Python object that contains a body: an in-memory file, or a `bytearray`.
  private static func bytes(
    of value: JSONValue?, ofType type: String, _ side: String
  ) throws(Unusable) -> [UInt8]? {
    guard let value else { return nil }
    let name = type.split(whereSeparator: { $0 == ":" || $0 == "." }).last.map(String.init) ?? type
    switch name {
    case "BytesIO", "StringIO":
      // The pickled state starts with the whole content; the read position and other values follow.
      if let content = value["state"]?.elements.first { return try bytes(of: content, side) }
      return try (value["buf"] ?? value.elements.first).flatMap { (text) throws(Unusable) in try bytes(of: text, side) }
    case "bytearray", "bytes", "encode", "str", "unicode":
      guard let first = value.elements.first ?? (value.isArray || value.isObject ? nil : value) else {
        return value.isArray ? [] : nil
      }
      guard first.isString else { return try bytes(of: first, side) }
      let charset = value.elements.dropFirst().first?.string
      return Charset.bytes(first.stringBytes, charset)
    default: return nil
    }
  }

  /// Returns a value as Python's `json.dumps` writes it.
  private static func dumped(_ value: JSONValue) -> [UInt8] {
    var text: [UInt8] = []
    JSONStyle.spaced.render(value.bytes.span, into: &text)
    return text
  }
}
