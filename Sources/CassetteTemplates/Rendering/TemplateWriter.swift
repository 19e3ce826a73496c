internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// The kind of text around a value, which decides how the value is escaped.
package enum TemplateContent: Sendable, Equatable {
  /// JSON that is none before its values are put in; what comes out is checked.
  case json
  /// A piece of JSON, or lines of it: values are escaped as in JSON, and what comes out is not checked as a whole.
  case jsonPiece
  /// The inside of a JSON string.
  case jsonString
  /// HTML and XML.
  case markup
  /// Fields of a form.
  case form
  /// Text in which nothing has a meaning.
  case text
  /// A header field: no value ends its line.
  case field
  /// A header field that is a link: no value leaves its component.
  case link
}

/// Puts literals and values after one another, each value escaped for where it stands.
struct TemplateWriter {
  private(set) var bytes: [UInt8] = []
  let content: TemplateContent
  /// True if the text so far ends inside a string, in loose JSON.
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

  /// Appends a value, escaped for where it stands.
  ///
  /// Between three braces it goes out as it is, but breaks neither JSON nor a head; in the server's own address no link
  /// has to be protected.
  mutating func append(_ value: TemplateValue, isRaw: Bool, isAddress: Bool) {
    switch content {
    case .json where !isInString: bytes += Self.bare(value)
    case .jsonPiece where !isInString:
      // An event may be text as well.
      if case .text(let text) = value { bytes += TemplateEscaping.field(text) } else { bytes += value.json }
    case .json, .jsonPiece, .jsonString: TemplateEscaping.appendJSON(value.text, to: &bytes)
    case .markup where !isRaw: TemplateEscaping.appendMarkup(value.text, to: &bytes)
    case .form where !isRaw: bytes += TemplateEscaping.component(value.text)
    case .text, .markup, .form: bytes += value.text.utf8
    case .field: bytes += TemplateEscaping.field(value.text)
    case .link:
      // At the beginning it is the link itself.
      let isWhole = isRaw || isAddress || bytes.isEmpty
      bytes += isWhole ? TemplateEscaping.link(value.text) : TemplateEscaping.component(value.text)
    }
  }

  /// A value outside of quotes: a text that is a number or a word of JSON is meant as one.
  private static func bare(_ value: TemplateValue) -> [UInt8] {
    guard case .text(let text) = value else { return value.json }
    let token = Array(text.utf8)
    let isScalar =
      token.count < 32 && token.first != UInt8(ascii: "\"") && token.first != UInt8(ascii: "{")
      && token.first != UInt8(ascii: "[")
    return isScalar && JSONValue(token) != nil ? token : value.json
  }
}

/// Values as they may stand in texts of a kind.
enum TemplateEscaping {
  /// The inside of a JSON string.
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

  /// RFC 9110 §5.5: CR, LF and NUL become spaces, as a recipient may do; other control characters, too.
  static func field(_ text: String) -> [UInt8] { text.utf8.map { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f ? 0x20 : $0 } }

  /// Escapes a component of a URL: all but unreserved characters (RFC 3986 §2.3).
  static func component(_ text: String) -> [UInt8] { PercentEncoding.encode(text.utf8) }

  /// A whole URL: what no URL can hold escaped.
  static func link(_ text: String) -> [UInt8] { PercentEncoding.encode(text.utf8, keeping: ofURLs) }

  private static let ofURLs = ByteSet.word.adding("-._~:/?#[]@!$&'()*+,;=%")
}
