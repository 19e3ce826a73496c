internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The parts of a multipart body as members by their names, without the boundary, which clients make up at each call.
enum MultipartBody {
  /// A part as rules look at it.
  struct Part {
    var name: String?
    var filename: String?
    var headers: HTTPHeaders
    var content: [UInt8]
  }

  /// The boundary a body begins with, where its type does not say it.
  static func boundary(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0x2d, 0x2d]), let end = bytes.prefix(200).firstIndex(of: 0x0d),
      end + 1 < bytes.count, bytes[end + 1] == 0x0a, end > 2
    else { return nil }
    let boundary = Array(bytes[2..<end])
    return bytes.firstIndex(of: [0x0d, 0x0a, 0x2d, 0x2d] + boundary, from: 0) == nil ? nil : boundary
  }

  /// The parts; nil when there are none between such boundaries.
  static func tree(_ bytes: [UInt8], boundary: [UInt8]) -> JSONTree? {
    var builder = BodyTreeBuilder()
    guard let root = node(bytes, boundary: boundary, depth: 0, &builder) else { return nil }
    return JSONTree(builder.bytes, root: root)
  }

  private static func node(
    _ bytes: [UInt8], boundary: [UInt8], depth: Int, _ builder: inout BodyTreeBuilder
  ) -> JSONTree.Node? {
    guard !boundary.isEmpty, let ranges = parts(of: bytes, boundary: boundary) else { return nil }
    var members: [JSONTree.Member] = []
    for range in ranges {
      guard let (name, part) = part(Array(bytes[range]), depth: depth, &builder) else { return nil }
      members.append(JSONTree.Member(name: name, value: part))
    }
    return builder.object(members)
  }

  /// Finds the parts between delimiters.
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
      // An empty part's delimiter may follow at once.
      from = line
    }
    return nil
  }

  /// A part's fields, their names in lower case, and its content; nil where a line is no field.
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

  /// The parts of a body in their order, those of parts not among them; none where it is not multipart.
  static func parts(of bytes: [UInt8], type: MediaType?) -> [Part] {
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
    _ bytes: [UInt8], depth: Int, _ builder: inout BodyTreeBuilder
  ) -> (name: [UInt8], node: JSONTree.Node)? {
    guard let (fields, content) = Self.fields(of: bytes) else { return nil }
    let type = fields.first { $0.name == "content-type" }.map { String(decoding: $0.value, as: UTF8.self) }
    let disposition = fields.first { $0.name == "content-disposition" }?.value
    var members: [JSONTree.Member] = []
    // How long a part is says no more than the part, and less when a secret was taken out.
    for field in fields where field.name != "content-length" {
      let value = field.name == "content-type" ? withoutBoundary(field.value) : field.value
      members.append(JSONTree.Member(name: Array(field.name.utf8), value: builder.string(value)))
    }
    let media = type.flatMap { MediaType($0) }
    members.append(JSONTree.Member(name: [], value: self.content(content, media, depth, &builder)))
    return (disposition.flatMap(name) ?? [], builder.object(members))
  }

  private static func content(
    _ bytes: [UInt8], _ type: MediaType?, _ depth: Int, _ builder: inout BodyTreeBuilder
  ) -> JSONTree.Node {
    if depth < 3, type?.type == "multipart", let boundary = type?.parameter("boundary"),
      let inner = node(bytes, boundary: Array(boundary.utf8), depth: depth + 1, &builder)
    {
      return inner
    }
    if let tree = JSONBody.tree(bytes), tree.isContainer || type?.isJSON == true { return builder.value(tree) }
    if BodyText.isText(bytes) || PlaceholderPattern.mayHold(bytes) { return builder.string(bytes) }
    // Of a picture only that it is another need be told.
    let digest = BodyDigest(0, bytes)
    let hexadecimal = [digest.first, digest.second].map { String($0, radix: 16) }.joined()
    return builder.word("<\(bytes.count) bytes #\(hexadecimal)>")
  }

  private static func withoutBoundary(_ value: [UInt8]) -> [UInt8] {
    guard var type = MediaType(String(decoding: value, as: UTF8.self)), type.parameter("boundary") != nil else {
      return value
    }
    type.parameters.removeAll { $0.name == "boundary" }
    return Array(type.description.utf8)
  }

  private static func name(_ disposition: [UInt8]) -> [UInt8]? { parameter("name", of: disposition) }

  /// A parameter of a part's `Content-Disposition`, with or without quotes.
  private static func parameter(_ name: String, of disposition: [UInt8]) -> [UInt8]? {
    // `filename="` ends like `name="`.
    for opening in ["; \(name)=\"", ";\(name)=\""] {
      guard let start = disposition.firstIndex(of: Array(opening.utf8), from: 0) else { continue }
      return Array(disposition[(start + opening.utf8.count)...].prefix { $0 != UInt8(ascii: "\"") })
    }
    let opening = Array("; \(name)=".utf8)
    guard let start = disposition.firstIndex(of: opening, from: 0) else { return nil }
    return Array(disposition[(start + opening.count)...].prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
  }
}
