/// The media type of a body: `application/json; charset=utf-8` (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
  /// A parameter, `name=value`, after the type.
  public struct Parameter: Hashable, Sendable {
    /// The name, in lower case.
    public var name: String
    /// The value, without quotes.
    public var value: String
  }

  /// The type, before the slash, in lower case.
  public var type: String
  /// The subtype, after the slash, in lower case.
  public var subtype: String
  /// The parameters in their order.
  public var parameters: [Parameter]

  /// Reads the value of a `Content-Type` field; nil when it is none.
  public init?(_ text: String) {
    var reader = Reader(rest: text.utf8[...])
    reader.skipBlanks()
    guard let type = reader.name(), reader.take("/"), let subtype = reader.name() else { return nil }
    self.type = type
    self.subtype = subtype
    parameters = []
    while true {
      reader.skipBlanks()
      if reader.rest.isEmpty { return }
      guard reader.take(";") else { return nil }
      reader.skipBlanks()
      // Nothing between two semicolons is allowed (RFC 9110 §5.6.6).
      guard let name = reader.name() else { continue }
      guard reader.take("="), let value = reader.token() ?? reader.quoted() else { return nil }
      parameters.append(Parameter(name: name, value: value))
    }
  }

  /// Returns the value of the first parameter of that name, whatever its case.
  public func parameter(_ name: String) -> String? {
    parameters.first { ASCII.equalIgnoringCase($0.name, name) }?.value
  }

  /// The character encoding, in lower case, if the type names one.
  public var charset: String? { parameter("charset")?.lowercased() }

  /// True if the content is JSON: `application/json`, `text/json`, or any type that ends with `+json` (RFC 6839 §3.1).
  public var isJSON: Bool {
    subtype == "json" && (type == "application" || type == "text") || subtype.hasSuffix("+json")
  }

  /// True if the content is for people and editors to read as text.
  public var isText: Bool {
    if type == "text" || isJSON || subtype.hasSuffix("+xml") || subtype.hasSuffix("+yaml") { return true }
    guard type == "application" else { return false }
    return [
      "xml", "javascript", "ecmascript", "x-javascript", "x-www-form-urlencoded", "graphql", "yaml", "x-yaml", "toml",
      "x-ndjson", "jsonl", "sql",
    ].contains(subtype)
  }

  /// Returns the media type of files with this extension.
  ///
  /// - Parameter name: A file's name, a path, or an extension with or without its point.
  /// - Returns: The value for `Content-Type`, or nil when the extension is not known.
  public static func forFileExtension(_ name: String) -> String? {
    let end = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8.index(after: $0) } ?? name.startIndex
    return switch name[end...].lowercased() {
    case "json", "map": "application/json"
    case "txt", "text", "log": "text/plain; charset=utf-8"
    case "html", "htm": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "csv": "text/csv; charset=utf-8"
    case "md": "text/markdown; charset=utf-8"
    case "xml": "application/xml"
    case "yaml", "yml": "application/yaml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "svg": "image/svg+xml"
    case "webp": "image/webp"
    case "avif": "image/avif"
    case "ico": "image/vnd.microsoft.icon"
    case "pdf": "application/pdf"
    case "zip": "application/zip"
    case "gz": "application/gzip"
    case "tar": "application/x-tar"
    case "mp4": "video/mp4"
    case "webm": "video/webm"
    case "mp3": "audio/mpeg"
    case "wav": "audio/wav"
    case "woff": "font/woff"
    case "woff2": "font/woff2"
    case "wasm": "application/wasm"
    case "bin": "application/octet-stream"
    default: nil
    }
  }
}

extension MediaType: CustomStringConvertible {
  /// The type with its parameters, quoted where they need to be.
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

/// Reads tokens and quoted strings off the front of a field value.
private struct Reader {
  var rest: Substring.UTF8View

  mutating func skipBlanks() {
    rest = rest.drop(while: ASCII.isBlank)
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func token() -> String? {
    let token = rest.prefix(while: ASCII.isToken)
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : String(Substring(token))
  }

  /// A token in lower case.
  mutating func name() -> String? {
    let token = rest.prefix(while: ASCII.isToken)
    rest = rest[token.endIndex...]
    guard !token.isEmpty else { return nil }
    let count = token.count
    return String(unsafeUninitializedCapacity: count) { text in
      for (at, byte) in token.enumerated() { text[at] = ASCII.lowercased(byte) }
      return count
    }
  }

  mutating func quoted() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        text.append(escaped)
      default: text.append(byte)
      }
    }
    return nil
  }
}
