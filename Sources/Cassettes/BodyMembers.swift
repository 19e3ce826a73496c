import CassetteJSON
internal import CassetteSystem

/// The members of a body that stands in a file, found again when it is asked for.
struct BodyMembers {
  private let source: CassetteFileSource
  private let offset: UInt32
  private var values: [String: Int] = [:]

  /// Returns the path of a body in a file of its own; nil for any other body, which is not read.
  static func file(_ source: CassetteFileSource, _ offset: UInt32) -> String? {
    let bytes = source.bytes
    let found = MemberWalk.first(in: bytes.span, at: Int(offset), of: forms)
    return found.flatMap { $0.key == "file" ? source.text(at: UInt32($0.value)) : nil }
  }

  /// The members of which a body has exactly one.
  private static let forms: Set<String> = ["json", "text", "base64", "file", "chunks"]

  init(_ source: CassetteFileSource, _ offset: UInt32) {
    self.source = source
    self.offset = offset
    var values: [String: Int] = [:]
    let bytes = source.bytes
    MemberWalk.each(in: bytes.span, at: Int(offset)) { values[$0] = $1 }
    self.values = values
  }

  var form: Body.Form {
    if values["json"] != nil {
      return .json(
        style: text("style").flatMap(JSONStyle.init(rawValue:)) ?? .compact,
        newline: values["newline"].map { source.bytes[$0] == UInt8(ascii: "t") } ?? false)
    }
    if values["base64"] != nil { return .base64 }
    if let path = text("file") { return .file(path) }
    if let chunks = values["chunks"] {
      return .chunks(self.chunks(at: chunks), end: text("end").flatMap(BodyEnd.init(rawValue:)) ?? .complete)
    }
    return .text
  }

  func bytes() throws(CassetteError) -> [UInt8] {
    switch form {
    case .json(let style, let newline):
      guard let value = values["json"] else { return [] }
      let text = source.bytes
      let span = text.span
      let range = MemberWalk.range(at: value, in: span)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(range.count)
      style.render(span.extracting(range), into: &bytes)
      if newline { bytes.append(0x0a) }
      return bytes
    case .text:
      return values["text"].map(joined(at:)) ?? []
    case .base64:
      return values["base64"].flatMap { BodyBase64.decode(joined(at: $0)) } ?? []
    case .chunks(let chunks, _):
      return chunks.flatMap(\.bytes)
    case .file(let path):
      guard let folder = source.folder else {
        throw CassetteError(
          source.place(of: offset), "\(path) cannot be found: the cassette was not read from a folder")
      }
      do {
        return try CassetteFileFolder(folder).read(path)
      } catch {
        throw CassetteError(source.place(of: offset), error.message)
      }
    }
  }

  private func text(_ key: String) -> String? {
    values[key].map { source.text(at: UInt32($0)) }
  }

  /// A string, or the strings of an array one after the other.
  private func joined(at offset: Int) -> [UInt8] {
    let source = source.bytes
    let bytes = source.span
    var text: [UInt8] = []
    func append(_ quote: Int) {
      let range = CassetteFileSource.content(at: UInt32(quote), in: bytes).range
      _ = JSONString.decode(bytes.extracting(range), into: &text)
    }
    if bytes[offset] == UInt8(ascii: "[") {
      MemberWalk.eachElement(in: bytes, at: offset) { append($0) }
    } else {
      append(offset)
    }
    return text
  }

  private func chunks(at offset: Int) -> [BodyChunk] {
    let source = source.bytes
    let bytes = source.span
    var chunks: [BodyChunk] = []
    MemberWalk.eachElement(in: bytes, at: offset) { element in
      var chunk = BodyChunk(bytes: [])
      MemberWalk.each(in: bytes, at: element) { key, value in
        switch key {
        case "after": chunk.after = Double(MemberWalk.token(at: value, in: bytes)) ?? 0
        case "text": chunk.bytes = joined(at: value)
        case "base64": chunk.bytes = BodyBase64.decode(joined(at: value)) ?? []
        default: break
        }
      }
      chunks.append(chunk)
    }
    return chunks
  }
}
