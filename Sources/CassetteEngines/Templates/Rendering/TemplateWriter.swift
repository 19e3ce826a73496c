internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// The format of the text around a value.
///
/// It determines how the value is escaped.
package enum TemplateContent: Sendable, Equatable {
  /// A JSON document, possibly invalid until its values are inserted.
  ///
  /// The rendered document is validated.
  case json
  /// A fragment of JSON, or lines of JSON.
  ///
  /// Values are escaped as in JSON, and the result is not validated as a whole.
  case jsonPiece
  /// The contents of a JSON string.
  case jsonString
  /// HTML or XML.
  case markup
  /// An `x-www-form-urlencoded` form.
  case form
  /// Plain text, without escaping.
  case text
  /// A header field.
  ///
  /// A value cannot end the line.
  case field
  /// A header field that contains a URL.
  ///
  /// A value cannot extend beyond its URL component.
  case link
}

/// Appends literals and values, and escapes each value for its context.
struct TemplateWriter {
  private(set) var bytes: [UInt8] = []
  let content: TemplateContent
  /// True if the text so far ends inside a string, for content that is JSON.
  private var isInString = false
  private var isEscaped = false

  init(_ content: TemplateContent, capacity: Int = 0) {
    self.content = content
    bytes.reserveCapacity(capacity)
  }

  mutating func append(literal: [UInt8]) {
    bytes += literal
    guard content == .json || content == .jsonPiece else { return }
    for byte in literal {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      }
    }
  }

  /// Appends a value, escaped for its context.
  ///
  /// - `isRaw`: True for a value between three braces, which is not escaped unless it would break JSON or a header.
  /// - `isAddress`: True for the server's own address, which is not escaped in links.
  mutating func append(_ value: TemplateValue, isRaw: Bool, isAddress: Bool) {
    switch content {
    case .json where !isInString: bytes += Self.bare(value)
    case .jsonPiece where !isInString:
      // An event is not always JSON, so a string is inserted without quotes.
      if case .text(let text) = value { bytes += TemplateEscaping.field(text) } else { bytes += value.json }
    case .json, .jsonPiece, .jsonString: TemplateEscaping.appendJSON(value.text, to: &bytes)
    case .markup where !isRaw: TemplateEscaping.appendMarkup(value.text, to: &bytes)
    case .form where !isRaw: bytes += TemplateEscaping.component(value.text)
    case .text, .markup, .form: bytes += value.text.utf8
    case .field: bytes += TemplateEscaping.field(value.text)
    case .link:
      // A value at the beginning is the whole URL.
      let isWhole = isRaw || isAddress || bytes.isEmpty
      bytes += isWhole ? TemplateEscaping.link(value.text) : TemplateEscaping.component(value.text)
    }
  }

  /// Returns a value outside of quotes.
  ///
  /// A string that contains a JSON number or literal becomes that number or literal.
  private static func bare(_ value: TemplateValue) -> [UInt8] {
    guard case .text(let text) = value else { return value.json }
    let token = Array(text.utf8)
    let isScalar =
      token.count < 32 && token.first != UInt8(ascii: "\"") && token.first != UInt8(ascii: "{")
      && token.first != UInt8(ascii: "[")
    return isScalar && JSONValue(token) != nil ? token : value.json
  }
}

/// Escapes values for the formats that contain them.
enum TemplateEscaping {
  /// Escapes the contents of a JSON string.
  static func json(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    appendJSON(text, to: &bytes)
    return bytes
  }

  static func appendJSON(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        bytes += JSONString.encode(String(decoding: utf8, as: UTF8.self)).dropFirst().dropLast()
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
  }

  static func appendMarkup(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
  }

  /// Replaces CR, LF and NUL by spaces, as RFC 9110 §5.5 allows a recipient to do, and other control characters too.
  static func field(_ text: String) -> [UInt8] { text.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f ? 0x20 : $0 } }

  /// Escapes a component of a URL: all characters except unreserved ones (RFC 3986 §2.3).
  static func component(_ text: String) -> [UInt8] { PercentEncoding.encode(text.utf8) }

  /// Escapes a whole URL: only the characters that are not allowed anywhere in a URL.
  static func link(_ text: String) -> [UInt8] { PercentEncoding.encode(text.utf8, keeping: ofURLs) }

  private static let ofURLs = ByteSet.word.adding("-._~:/?#[]@!$&'()*+,;=%")
}
