import CassetteJSON
internal import CassetteSystem

/// The members of `body` in a file: one of the forms, and the members that belong to it.
struct BodyObject: Sendable {
  /// The range of the JSON in the file.
  var json: Range<Int>?
  /// The JSON to write.
  var written: [UInt8]?
  var text: [UInt8]?
  /// The decoded bytes.
  var base64: [UInt8]?
  var file: String?
  var chunks: [BodyChunk]?
  var style = JSONStyle.compact
  var newline = false
  var end = BodyEnd.complete

  init() {}

  /// Creates the object to write for a body; returns nil if the body is empty and an empty body is not written.
  ///
  /// - `file`: The path of the file that contains the bytes; nil if they are in the cassette, or the body has its own
  ///   file.
  /// - `keepsEmpty`: True to write an empty body.
  init?(_ body: Body, file: String?, keepsEmpty: Bool) throws(CassetteError) {
    if let file {
      self.file = file
      return
    }
    switch body.form {
    case .file(let path): self.file = path
    case .chunks(let chunks, let end): (self.chunks, self.end) = (chunks, end)
    default:
      let bytes = try body.bytes()
      // Responses without a body and with an empty body are equal on the wire, but a request without a body matches any
      // body.
      guard keepsEmpty || !bytes.isEmpty else { return nil }
      switch body.storingForm(bytes) {
      case .json(let style, let newline):
        (self.style, self.newline, written) = (style, newline, newline ? bytes.dropLast() : bytes)
      case .text: text = bytes
      default: base64 = bytes
      }
    }
  }

  /// The form in which the bytes are stored.
  var form: Body.Form {
    if json != nil { return .json(style: style, newline: newline) }
    if base64 != nil { return .base64 }
    if let file { return .file(file) }
    if let chunks { return .chunks(chunks, end: end) }
    return .text
  }
}

extension CassetteFileSource {
  /// Returns the path of a body in a separate file; nil for any other body, which is not decoded.
  func file(ofBodyAt offset: UInt32) -> String? {
    let bytes = bytes
    let found = MemberWalk.first(in: bytes.span, at: Int(offset), of: ["json", "text", "base64", "file", "chunks"])
    return found.flatMap { $0.key == "file" ? text(at: UInt32($0.value)) : nil }
  }

  /// Returns the form of a body.
  ///
  /// Decodes its text only if the body consists of chunks.
  func form(ofBodyAt offset: UInt32) -> Body.Form {
    let body = value(at: offset, Grammar.body, new: BodyObject(), skipsTexts: true)
    return (body.chunks == nil ? body : value(at: offset, Grammar.body, new: BodyObject())).form
  }

  /// Returns the bytes of a body; throws if its file cannot be read.
  func bytes(ofBodyAt offset: UInt32) throws(CassetteError) -> [UInt8] {
    let body = value(at: offset, Grammar.body, new: BodyObject())
    if let path = body.file {
      guard let folder else {
        throw CassetteError(
          place(of: offset), "\(path) cannot be found, because the cassette was not read from a folder")
      }
      do {
        return try CassetteFileFolder(folder).read(path)
      } catch {
        throw CassetteError(place(of: offset), error.message)
      }
    }
    guard let json = body.json else { return body.text ?? body.base64 ?? body.chunks?.flatMap(\.bytes) ?? [] }
    let source = bytes
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count)
    body.style.render(source.span.extracting(json), into: &bytes)
    if body.newline { bytes.append(0x0a) }
    return bytes
  }
}

extension Kind where Value == [UInt8] {
  /// A text: a string, or an array of strings with one line each, which are joined.
  static var lines: Kind {
    Kind(reference("text")) { reader, bytes, what throws(CassetteError) in
      try reader.readPieces(bytes, what)
    } write: {
      $0.append(pieces: BodyText.lines($1))
    }
  }

  /// A text that is written as one string.
  static var line: Kind {
    Kind(reference("text")) { reader, bytes, what throws(CassetteError) in
      try reader.readPieces(bytes, what)
    } write: {
      $0.append($1[...])
    }
  }

  /// Bytes in base64 (RFC 4648 §4): a string, or strings that are joined.
  ///
  /// - `width`: The number of characters per string to write; nil for a single string. Nil by default.
  static func base64(width: Int? = nil) -> Kind {
    Kind(reference("text")) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let text = try reader.readPieces(bytes, what) else { return nil }
      if reader.skipsTexts { return [] }
      if let decoded = BodyBase64.decode(text) { return decoded }
      try reader.report(bytes, start, "\(what) is not base64 (RFC 4648 §4)")
      return nil
    } write: { writer, bytes throws(CassetteError) in
      let text = BodyBase64.encode(bytes)
      guard let width else { return writer.append(text[...]) }
      writer.append(pieces: stride(from: 0, to: text.count, by: width).map { text[$0..<min($0 + width, text.count)] })
    }
  }
}

extension Kind where Value == String {
  /// The path of a body file, relative to the cassette's folder.
  static var file: Kind {
    Kind(#""type": "string""#) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let path = try reader.readText(bytes, what) else { return nil }
      if let problem = CassetteFileFolder.problem(withPath: path) {
        try reader.report(bytes, start, problem)
      } else if let folder = reader.folder {
        var message: String?
        do throws(FileFailure) { try CassetteFileFolder(folder).check(path) } catch { message = error.message }
        if let message { try reader.report(bytes, start, message) }
      }
      return path
    } write: {
      $0.append($1)
    }
  }
}

extension CassetteFileReader {
  /// Steps over a body and returns its offset, 0 if the body is invalid, and whether its end is missing.
  mutating func readBody(_ bytes: Span<UInt8>) throws(CassetteError) -> (place: UInt32, isCut: Bool) {
    let start = at
    guard isAt(UInt8(ascii: "{"), bytes) else {
      try skipValue(bytes)
      try report(bytes, start, "\"body\" must be an object", Self.bodyObject(of: bytes.extracting(start..<at)))
      return (0, false)
    }
    var body = BodyObject()
    _ = try read(bytes, "\"body\"", Grammar.body, into: &body)
    return (UInt32(start), body.end != .complete)
  }

  /// Returns a suggestion for a value that must be an object.
  private static func bodyObject(of value: Span<UInt8>) -> String {
    let isText = value.count > 0 && value[0] == UInt8(ascii: "\"")
    var shown = isText ? "\"…\"" : "…"
    if value.count <= 40 { shown = value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
    return "write {\"\(isText ? "text" : "json")\": \(shown)}"
  }

  /// Reads a string, or an array of strings that are joined.
  fileprivate mutating func readPieces(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [UInt8]? {
    let found = problems.count + omitted
    var text: [UInt8] = []
    if skipsTexts {
      try skipValue(bytes)
    } else if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      var list = ListWalk()
      while try nextElement(bytes, &list) { try readText(bytes, what, into: &text) }
    } else {
      try readText(bytes, what, into: &text)
    }
    return found == problems.count + omitted ? text : nil
  }
}
