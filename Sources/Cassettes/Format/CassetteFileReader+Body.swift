import CassetteJSON
internal import CassetteSystem

/// Bodies, in each of their forms.
extension CassetteFileReader {
  /// Steps over a body and gives where it begins; 0 when it is of no use.
  mutating func readBody(_ bytes: Span<UInt8>) throws(CassetteError) -> UInt32 {
    let start = at
    guard isAt(UInt8(ascii: "{"), bytes) else {
      try skipValue(bytes)
      try report(bytes, start, "\"body\" must be an object", Self.bodyObject(of: bytes.extracting(start..<at)))
      return 0
    }
    at += 1
    var walk = ObjectWalk(Object.body)
    walk.hint = "write {\"json\": {…}}"
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .json: try skipValue(bytes)
      case .text: try readPieces(bytes, "\"text\"", isBase64: false)
      case .base64: try readPieces(bytes, "\"base64\"", isBase64: true)
      case .file: try readFile(bytes)
      case .chunks: try readChunks(bytes)
      case .style: _ = try readChoice(bytes, "\"style\"", as: JSONStyle.self)
      case .newline: _ = try readFlag(bytes, "\"newline\"")
      case .end: _ = try readChoice(bytes, "\"end\"", as: BodyEnd.self)
      }
    }
    let forms = [Object.Body.json, .text, .base64, .file, .chunks].filter { walk.has($0) }
    if walk.hasUnknown { return UInt32(start) }
    if forms.count != 1 {
      try report(
        bytes, start, "\"body\" must have exactly one of \"json\", \"text\", \"base64\", \"file\" and \"chunks\"")
    } else if forms != [.json], walk.has(.style) || walk.has(.newline) {
      try report(bytes, start, "\"style\" and \"newline\" belong to \"json\"")
    } else if forms != [.chunks], walk.has(.end) {
      try report(bytes, start, "\"end\" belongs to \"chunks\"")
    }
    return UInt32(start)
  }

  /// Suggests the text to write for a value that is where an object should be.
  private static func bodyObject(of value: Span<UInt8>) -> String {
    let isText = value.count > 0 && value[0] == UInt8(ascii: "\"")
    var shown = isText ? "\"…\"" : "…"
    if value.count <= 40 { shown = value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
    return "write {\"\(isText ? "text" : "json")\": \(shown)}"
  }

  /// Steps over a string, or an array of strings that are one text.
  private mutating func readPieces(_ bytes: Span<UInt8>, _ what: String, isBase64: Bool) throws(CassetteError) {
    let start = at
    let found = problems.count + omitted
    var text: [UInt8] = []
    if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      var list = ListWalk()
      while try nextElement(bytes, &list) { try readText(bytes, what, into: &text) }
    } else {
      try readText(bytes, what, into: &text)
    }
    if isBase64, found == problems.count + omitted, BodyBase64.decode(text) == nil {
      try report(bytes, start, "\(what) is not base64 (RFC 4648 §4)")
    }
  }

  private mutating func readFile(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    fileBodies += 1
    guard let path = try readText(bytes, "\"file\"") else { return }
    if let problem = CassetteFileFolder.problem(withPath: path) { return try report(bytes, start, problem) }
    guard let folder else { return }
    let message: String
    do {
      return try CassetteFileFolder(folder).check(path)
    } catch {
      message = error.message
    }
    try report(bytes, start, message)
  }

  /// A day, in seconds.
  static let longestPause = 86_400.0

  private mutating func readChunks(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard var list = try openList(bytes, "\"chunks\"") else { return }
    while try nextElement(bytes, &list) {
      let start = at
      guard var walk = try open(bytes, "a chunk", Object.chunk) else { continue }
      while let key = try nextKey(bytes, &walk) {
        switch key {
        case .after: try readSeconds(bytes, "\"after\"", atMost: Self.longestPause)
        case .text: try readPieces(bytes, "\"text\"", isBase64: false)
        case .base64: try readPieces(bytes, "\"base64\"", isBase64: true)
        }
      }
      if !walk.hasUnknown, walk.has(.text) == walk.has(.base64) {
        try report(bytes, start, "a chunk must have either \"text\" or \"base64\"")
      }
    }
  }
}
