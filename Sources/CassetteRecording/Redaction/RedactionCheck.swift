internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Checks that a part of an exchange is usable without its secrets: a request still selects its recording, and a body
/// that could be parsed still can be.
struct RedactionCheck {
  let text: ExchangeText
  /// The header fields of the message, if the part is a body.
  let headers: HTTPHeaders?

  /// True if the part can be replaced by the given pieces.
  func accepts(_ pieces: [[UInt8]]) -> Bool {
    switch text.side {
    case "URL", "request", "request body": return selects(Array(pieces.joined()))
    case "response body":
      // A client parses the stand-ins, not the aliases.
      let before = decoded(text.bytes)
      let syntax = Syntax(of: before, like: text, headers)
      return syntax.structure(of: before) == syntax.structure(of: decoded(pieces.flatMap(Self.rendered)))
    default: return true
    }
  }

  private static func rendered(_ piece: [UInt8]) -> [UInt8] { StandIns().rendered(piece) ?? piece }

  /// True if the original part of a request matches the redacted one, by the comparisons of the player.
  private func selects(_ redacted: [UInt8]) -> Bool {
    func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    guard let headers else {
      guard text.context == .url else {
        // A field with the text of a user's rule has no alias, and is not compared by default.
        return SecretAlias.numbers(in: redacted).isEmpty
          || SecretPlaceholders.equal(string(text.bytes), string(redacted))
      }
      let (sent, recorded) = (Self.split(string(text.bytes)), Self.split(string(redacted)))
      return SecretPlaceholders.pathsEqual(sent.path, recorded.path)
        && ParameterComparison.equal(sent.query, recorded.query)
    }
    let type = headers["Content-Type"]
    let recorded = NormalBody(decoded(redacted), contentType: type)
    return recorded.differences(from: NormalBody(decoded(text.bytes), contentType: type)).isEmpty
  }

  private static func split(_ url: String) -> (path: String, query: String) {
    let target = RecordedTarget.pathAndQuery(of: url).prefix { $0 != "#" }
    let path = target.prefix { $0 != "?" }
    return (CanonicalTarget.spelling(of: String(path)), String(target.dropFirst(path.count + 1)))
  }

  /// Returns the bytes of a body without its content coding.
  private func decoded(_ bytes: [UInt8]) -> [UInt8] {
    (try? headers.flatMap(ContentDecoder.init)?.decode(bytes, limit: ContentDecoder.longest)) ?? bytes
  }
}

/// The syntax of a body.
private enum Syntax {
  case json, lines, markup, program, messages, other
  case parts(boundary: [UInt8])

  init(of bytes: [UInt8], like text: ExchangeText, _ headers: HTTPHeaders?) {
    let subtype = headers?.mediaType?.subtype ?? ""
    let first = bytes.first { $0 > 0x20 } ?? 0
    self =
      if case .multipart(let boundary) = text.context {
        .parts(boundary: Array("--\(boundary)".utf8))
      } else if AmazonEventStream(bytes) != nil {
        .messages
      } else if Self.opens.contains(first), JSONScalars.each(in: bytes, { _, _ in }) {
        .json
      } else if ["javascript", "ecmascript", "css"].contains(where: subtype.contains) {
        .program
      } else if first == UInt8(ascii: "<") || subtype.hasSuffix("xml") || subtype == "html" {
        .markup
      } else {
        BodyText.isText(bytes) ? .lines : .other
      }
  }

  private static let opens = ByteSet(adding: "{[")
  private static let quotes = ByteSet(adding: "\"'`")
  private static let namesOfTags = ByteSet.word.adding("/!?:-_.")
  private static let section = Array("<![CDATA[".utf8)
  private static let endOfSection = Array("]]>".utf8)

  /// Returns the bytes that determine how a body is parsed, or nil if it cannot be parsed.
  func structure(of bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .json:
      var scalars = 0
      return JSONScalars.each(in: bytes) { _, _ in scalars += 1 } ? Array("\(scalars)".utf8) : nil
    case .lines:
      // One byte for each line of JSON, also in an event stream.
      return BodyText.lines(bytes).compactMap { line in
        let content = line.starts(with: "data:".utf8) ? line.dropFirst(5) : line
        let first = content.first { $0 > 0x20 } ?? 0
        return Self.opens.contains(first) && JSONScalars.each(in: Array(content)) { _, _ in } ? first : nil
      }
    case .messages: return AmazonEventStream(bytes).flatMap { Self.lines.structure(of: $0.payloads(of: bytes)) }
    case .markup: return Self.tags(bytes)
    case .program: return Self.code(bytes)
    case .parts(let boundary):
      return sequence(first: -1) { bytes.firstIndex(of: boundary, from: $0 + 1) }.map { _ in 0 }
    case .other: return []
    }
  }

  /// Returns the code of a program without its strings and white space.
  private static func code(_ bytes: [UInt8]) -> [UInt8] {
    var code: [UInt8] = []
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
      if let open = quote {
        if !isEscaped, byte == open { quote = nil }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if quotes.contains(byte) {
        quote = byte
      } else if byte > 0x20 {
        code.append(byte)
      }
    }
    return code
  }

  /// Returns the names of all tags; a section of characters is not parsed.
  private static func tags(_ bytes: [UInt8]) -> [UInt8] {
    bytes.searching { text in
      var (names, from): ([UInt8], Int) = ([], 0)
      while let at = text.first(UInt8(ascii: "<"), from: from) {
        from = text.end(of: namesOfTags, from: at + 1)
        names += text.bytes(at..<from)
        guard section.searching({ text.has($0, at: at) }) else { continue }
        from = endOfSection.searching { text.first($0, from: at) } ?? text.count
      }
      return names
    }
  }
}
