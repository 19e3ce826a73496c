package import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Represents the parts of a multipart body as members by name, without the boundary, which clients generate at each
/// call.
package enum MultipartBody {
  /// A part in the form that rules use.
  package struct Part {
    package var name: String?
    package var filename: String?
    package var headers: HTTPHeaders
    package var content: [UInt8]
  }

  /// Returns the boundary at the beginning of a body, for bodies whose content type does not contain it.
  static func boundary(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x2d, 0x2d]), let end = bytes.prefix(200).firstIndex(of: 0x0d),
      end + 1 < bytes.count, bytes[end + 1] == 0x0a, end > 2
    else { return nil }
    let boundary = Array(bytes[2..<end])
    return bytes.firstIndex(of: [0x0d, 0x0a, 0x2d, 0x2d] + boundary, from: 0) == nil ? nil : boundary
  }

  /// Returns the parts; nil if the body has no parts with this boundary.
  static func tree(_ bytes: [UInt8], boundary: [UInt8]) -> JSONTree? {
    var builder = JSONTreeBuilder()
    guard let root = node(bytes, boundary: boundary, depth: 0, &builder) else { return nil }
    return JSONTree(builder.bytes, root: root)
  }

  private static func node(
    _ bytes: [UInt8], boundary: [UInt8], depth: Int, _ builder: inout JSONTreeBuilder
  ) -> JSONTree.Node? {
    guard !boundary.isEmpty, let ranges = parts(of: bytes, boundary: boundary) else { return nil }
    var members: [JSONTree.Member] = []
    for range in ranges {
      guard let (name, part) = part(Array(bytes[range]), depth: depth, &builder) else { return nil }
      members.append(JSONTree.Member(name: name, value: part))
    }
    return builder.object(members)
  }

  /// Returns the ranges of the parts between delimiters.
  private static func parts(of bytes: [UInt8], boundary: [UInt8]) -> [Range<Int>]? {
    let delimiter = [0x2d, 0x2d] + boundary
    var found: [Range<Int>] = []
    var start: Int?
    var from = 0
    while let at = MultipartDelimiter.next(delimiter, in: bytes, from: from) {
      from = at + delimiter.count
      if let start {
        var end = at
        if end > start { end -= 1 }
        if end > start, bytes[end - 1] == 0x0d { end -= 1 }
        found.append(start..<end)
      }
      if bytes[from...].starts(with: [0x2d, 0x2d]) { return found.isEmpty ? nil : found }
      guard let line = bytes[from...].firstIndex(of: 0x0a) else { return nil }
      start = line + 1
      // The delimiter after an empty part may follow immediately.
      from = line
    }
    return nil
  }

  /// Parses a part's fields, with names in lower case, and its content; returns nil if a line is not a field.
  private static func fields(of bytes: [UInt8]) -> (fields: [(name: String, value: [UInt8])], content: [UInt8])? {
    var at = 0
    var fields: [(name: String, value: [UInt8])] = []
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: 0x0a) ?? bytes.count
      var line = bytes[at..<end]
      at = min(end + 1, bytes.count)
      if line.last == 0x0d { line.removeLast() }
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      fields.append((String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(value)))
    }
    return (fields, Array(bytes[at...]))
  }

  /// Returns the parts of a body in their order, without nested parts; empty if the body is not multipart.
  package static func parts(of bytes: [UInt8], type: MediaType?) -> [Part] {
    let said = type?.parameter("boundary").map { Array($0.utf8) }
    guard let boundary = said ?? boundary(of: bytes), !boundary.isEmpty,
      let ranges = parts(of: bytes, boundary: boundary)
    else { return [] }
    return ranges.compactMap { range in
      guard let (fields, content) = fields(of: Array(bytes[range])) else { return nil }
      let disposition = fields.first { $0.name == "content-disposition" }?.value ?? []
      return Part(
        name: name(disposition).map { String(decoding: $0, as: UTF8.self) },
        filename: parameter("filename", of: disposition).map { String(decoding: $0, as: UTF8.self) },
        headers: HTTPHeaders(fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }), content: content)
    }
  }

  private static func part(
    _ bytes: [UInt8], depth: Int, _ builder: inout JSONTreeBuilder
  ) -> (name: [UInt8], node: JSONTree.Node)? {
    guard let (fields, content) = Self.fields(of: bytes) else { return nil }
    let type = fields.first { $0.name == "content-type" }.map { String(decoding: $0.value, as: UTF8.self) }
    let disposition = fields.first { $0.name == "content-disposition" }?.value
    var members: [JSONTree.Member] = []
    // The length of a part adds nothing to its content, and is wrong if a secret was redacted.
    for field in fields where field.name != "content-length" {
      let isParameterized = field.name == "content-type" || field.name == "content-disposition"
      let value = isParameterized ? normalParameters(field.value) : field.value
      members.append(JSONTree.Member(name: Array(field.name.utf8), value: builder.string(value)))
    }
    let media = type.flatMap { MediaType($0) }
    members.append(JSONTree.Member(name: [], value: self.content(content, media, depth, &builder)))
    return (disposition.flatMap(name) ?? [], builder.object(members))
  }

  private static func content(
    _ bytes: [UInt8], _ type: MediaType?, _ depth: Int, _ builder: inout JSONTreeBuilder
  ) -> JSONTree.Node {
    if depth < 3, type?.type == "multipart", let boundary = type?.parameter("boundary"),
      let inner = node(bytes, boundary: Array(boundary.utf8), depth: depth + 1, &builder)
    {
      return inner
    }
    if let tree = JSONBody.tree(bytes), tree.isContainer || type?.isJSON == true { return builder.value(tree) }
    if BodyText.isText(bytes) || PlaceholderPattern.mayHold(bytes) { return builder.string(bytes) }
    // Binary content is represented by its length and digest, which is enough to detect a difference.
    let digest = BodyDigest(0, bytes)
    let hexadecimal = [digest.first, digest.second].map { String($0, radix: 16) }.joined()
    return builder.word("<\(bytes.count) bytes #\(hexadecimal)>")
  }

  /// Returns a value without its boundary, and with types and names of parameters in lower case (RFC 2045 §5.1).
  private static func normalParameters(_ value: [UInt8]) -> [UInt8] {
    let text = String(decoding: value, as: UTF8.self)
    // A disposition has no subtype.
    let added = text.prefix { $0 != ";" }.contains("/") ? "" : "x/"
    guard text.utf8.elementsEqual(value), var type = MediaType(added + text) else { return value }
    type.parameters.removeAll { $0.name == "boundary" }
    return Array(type.description.dropFirst(added.count).utf8)
  }

  private static func name(_ disposition: [UInt8]) -> [UInt8]? { parameter("name", of: disposition) }

  /// Returns a parameter of a part's `Content-Disposition`, with or without quotes.
  private static func parameter(_ name: String, of disposition: [UInt8]) -> [UInt8]? {
    // Names ignore case (RFC 2045 §5.1).
    let lower = disposition.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    // The separator is included, because `filename="` ends with `name="`.
    for opening in ["; \(name)=\"", ";\(name)=\""] {
      guard let start = lower.firstIndex(of: Array(opening.utf8), from: 0) else { continue }
      return Array(disposition[(start + opening.utf8.count)...].prefix { $0 != UInt8(ascii: "\"") })
    }
    let opening = Array("; \(name)=".utf8)
    guard let start = lower.firstIndex(of: opening, from: 0) else { return nil }
    return Array(disposition[(start + opening.count)...].prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
  }
}
