internal import CassetteSystem

/// The media type of a body, such as `application/json; charset=utf-8` (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
  /// A parameter of a media type.
  public struct Parameter: Hashable, Sendable {
    /// The parameter name in lower case.
    public var name: String
    /// The parameter value without quotes.
    public var value: String
  }

  /// The type before the slash, in lower case.
  public var type: String
  /// The subtype after the slash, in lower case.
  public var subtype: String
  /// The parameters in order.
  public var parameters: [Parameter]

  /// Parses the value of a `Content-Type` field; nil if it is invalid.
  public init?(_ text: String) {
    guard let read = text.withUTF8Span({ MediaType($0) }) else { return nil }
    self = read
  }

  private init?(_ text: Span<UInt8>) {
    var at = Self.skippingBlanks(in: text, at: 0)
    guard let type = Self.name(in: text, at: &at), Self.take("/", in: text, at: &at),
      let subtype = Self.name(in: text, at: &at)
    else { return nil }
    self.type = type
    self.subtype = subtype
    parameters = []
    while true {
      at = Self.skippingBlanks(in: text, at: at)
      if at == text.count { return }
      guard Self.take(";", in: text, at: &at) else { return nil }
      at = Self.skippingBlanks(in: text, at: at)
      // A parameter may be missing between two semicolons (RFC 9110 §5.6.6).
      guard let name = Self.name(in: text, at: &at) else { continue }
      guard Self.take("=", in: text, at: &at),
        let value = Self.token(in: text, at: &at) ?? Self.quoted(in: text, at: &at)
      else { return nil }
      parameters.append(Parameter(name: name, value: value))
    }
  }

  /// Returns the value of the first parameter with a name, compared case-insensitively; nil if it is missing.
  public func parameter(_ name: String) -> String? {
    parameters.first { ASCII.equalIgnoringCase($0.name, name) }?.value
  }

  /// The character encoding in lower case; nil if the type names none.
  public var charset: String? { parameter("charset")?.lowercased() }

  /// True for JSON: `application/json`, `text/json` and all types that end with `+json` (RFC 6839 §3.1).
  public var isJSON: Bool {
    subtype == "json" && (type == "application" || type == "text") || subtype.hasSuffix("+json")
  }

  /// True for several JSON values, one on each line or in each record (RFC 7464).
  package var isJSONSequence: Bool {
    ["x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-seq"].contains(subtype)
  }

  /// True if the content is readable text.
  public var isText: Bool {
    if type == "text" || isJSON || isJSONSequence || subtype.hasSuffix("+xml") || subtype.hasSuffix("+yaml") {
      return true
    }
    guard type == "application" else { return false }
    return [
      "xml", "javascript", "ecmascript", "x-javascript", "x-www-form-urlencoded", "graphql", "yaml", "x-yaml", "toml",
      "sql",
    ].contains(subtype)
  }

  /// Returns the media type for a file name, path or extension, with or without a leading dot; nil if it is unknown.
  public static func forFileExtension(_ name: String) -> String? {
    let end = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8.index(after: $0) } ?? name.startIndex
    return byExtension[name[end...].lowercased()]
  }

  private static let byExtension: [String: String] = [
    "json": "application/json", "map": "application/json", "txt": "text/plain; charset=utf-8",
    "text": "text/plain; charset=utf-8", "log": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
    "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "csv": "text/csv; charset=utf-8", "md": "text/markdown; charset=utf-8",
    "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml", "webp": "image/webp",
    "avif": "image/avif", "ico": "image/vnd.microsoft.icon", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "tar": "application/x-tar", "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg",
    "wav": "audio/wav", "woff": "font/woff", "woff2": "font/woff2", "wasm": "application/wasm",
    "bin": "application/octet-stream",
  ]
}

extension MediaType: CustomStringConvertible {
  /// The type with its parameters, with quotes where necessary.
  public var description: String {
    parameters.reduce(into: "\(type)/\(subtype)") { text, parameter in
      let isToken = !parameter.value.isEmpty && parameter.value.utf8.allSatisfy(ASCII.isToken)
      text += "; \(parameter.name)="
      if isToken {
        text += parameter.value
      } else {
        text.append("\"")
        for character in parameter.value {
          if character == "\"" || character == "\\" { text.append("\\") }
          text.append(character)
        }
        text.append("\"")
      }
    }
  }
}

/// Parsers for the tokens and quoted strings of a field value.
extension MediaType {
  private static func skippingBlanks(in text: Span<UInt8>, at start: Int) -> Int {
    var at = start
    while at < text.count, ASCII.isBlank(text[at]) { at += 1 }
    return at
  }

  private static func take(_ character: Unicode.Scalar, in text: Span<UInt8>, at: inout Int) -> Bool {
    guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private static func token(in text: Span<UInt8>, at: inout Int) -> String? {
    let start = at
    while at < text.count, ASCII.isToken(text[at]) { at += 1 }
    return at == start ? nil : text.extracting(start..<at).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Parses a token and converts it to lower case.
  private static func name(in text: Span<UInt8>, at: inout Int) -> String? { token(in: text, at: &at)?.lowercased() }

  private static func quoted(in text: Span<UInt8>, at: inout Int) -> String? {
    guard take("\"", in: text, at: &at) else { return nil }
    var value: [UInt8] = []
    while at < text.count {
      let byte = text[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard at < text.count else { return nil }
        value.append(text[at])
        at += 1
      default: value.append(byte)
      }
    }
    return nil
  }
}
