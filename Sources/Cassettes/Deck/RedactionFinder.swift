import HTTP
import JSONText

/// Finds what a name, a scheme or a URL's syntax says is a secret.
struct RedactionFinder {
  /// A secret where it stands.
  struct Found {
    var range: Range<Int>
    /// Its bytes without the encoding of its place.
    var value: [UInt8]
    /// What else it may have meant.
    var others: [[UInt8]] = []
    /// Whether something says that it is a secret, and not only that it might be.
    var isNamed = true
    /// Whether it is a number of JSON, which stays one.
    var isNumber = false
    /// Secrets within it: the password of `user:password`.
    var parts: [[UInt8]] = []
  }

  let redaction: Redaction

  // MARK: JSON

  /// `"name": "value"`, in JSON, beside it or in what is left of it.
  ///
  /// Quotes are not paired, so that JSON in scripts, in streams and within JSON is found as well.
  func members(in bytes: [UInt8], _ found: (Found) -> Void) {
    let span = bytes.span
    var at = 0
    while at < span.count {
      guard span[at] == UInt8(ascii: "\"") else {
        at += 1
        continue
      }
      let start = at + 1
      at = start
      guard let end = Self.endOfString(span, from: start, limit: 128), end > start else { continue }
      var value = end + 1
      JSONScanner.skipWhitespace(in: span, at: &value)
      guard value < span.count, span[value] == UInt8(ascii: ":") else { continue }
      let name = String(decoding: JSONString.decodeLoosely(span.extracting(start..<end)), as: UTF8.self)
      at = value + 1
      guard SecretNames.isParameter(name) else { continue }
      var next = value + 1
      JSONScanner.skipWhitespace(in: span, at: &next)
      if next < span.count, span[next] == UInt8(ascii: "[") {
        next += 1
        repeat {
          JSONScanner.skipWhitespace(in: span, at: &next)
          guard self.value(of: name, in: bytes, at: &next, found) else { break }
          JSONScanner.skipWhitespace(in: span, at: &next)
          next += 1
        } while next < span.count && span[next - 1] == UInt8(ascii: ",")
      } else {
        _ = self.value(of: name, in: bytes, at: &next, found)
      }
    }
  }

  private func value(of name: String, in bytes: [UInt8], at: inout Int, _ found: (Found) -> Void) -> Bool {
    guard at < bytes.count else { return false }
    let start = at
    if bytes[at] == UInt8(ascii: "\"") {
      guard let end = Self.endOfString(bytes.span, from: at + 1, limit: .max) else { return false }
      at = end + 1
      let value = JSONString.decodeLoosely(bytes.span.extracting(start + 1..<end))
      guard !value.isEmpty, !Self.isErrorCode(name, value) else { return true }
      if let credential = Self.credential(start + 1..<end, value, ofField: name) { found(credential) }
      return true
    }
    while at < bytes.count, Self.isNumberByte(bytes[at]) { at += 1 }
    guard at > start, (0x30...0x39).contains(bytes[at - 1]) else { return false }
    // `"code": 404` says what happened, not who may.
    guard Self.letters(name) != "code" else { return true }
    let number = Array(bytes[start..<at])
    if number != [UInt8(ascii: "0")] { found(Found(range: start..<at, value: number, isNumber: true)) }
    return true
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
  }

  /// The scalars of a JSON text that lie at a path, or below.
  static func scalars(in bytes: [UInt8], at paths: [RedactionPath], _ found: (Found) -> Void) {
    guard !paths.isEmpty else { return }
    RedactionJSON.eachScalar(in: bytes) { path, range in
      guard paths.contains(where: { $0.covers(path) }) else { return }
      switch bytes[range.lowerBound] {
      case UInt8(ascii: "\""):
        let content = range.lowerBound + 1..<range.upperBound - 1
        let value = JSONString.decodeLoosely(bytes.span.extracting(content))
        if !value.isEmpty { found(Found(range: content, value: value)) }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        break
      default:
        found(Found(range: range, value: Array(bytes[range]), isNumber: true))
      }
    }
  }

  /// An error's code (`not_found`, `E_LIMIT`) bears the name of OAuth's, which always has digits or both cases.
  private static func isErrorCode(_ name: String, _ value: [UInt8]) -> Bool {
    guard letters(name) == "code" else { return false }
    if value.count < RedactionVault.shortest { return true }
    let letters = value.filter { (0x41...0x5a).contains($0 & ~0x20) }
    let hasOneCase = letters.allSatisfy { $0 & 0x20 == 0 } || letters.allSatisfy { $0 & 0x20 != 0 }
    return hasOneCase
      && value.allSatisfy { (0x41...0x5a).contains($0 & ~0x20) || [0x20, 0x2d, 0x2e, 0x3a, 0x5f].contains($0) }
  }

  private static func letters(_ name: String) -> String { String(name.lowercased().filter(\.isLetter)) }

  private static func endOfString(_ bytes: Span<UInt8>, from start: Int, limit: Int) -> Int? {
    var at = start
    while at < bytes.count, at - start < limit {
      if bytes[at] == UInt8(ascii: "\"") { return at }
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  // MARK: Queries and forms

  /// How much of a text is parameters.
  enum Parameters {
    /// Those of a URL that stands in the text.
    case inText
    /// Those of the URL that the text is.
    case url
    /// All of it.
    case form
  }

  /// `name=value` after `?`, `&`, `#` or `;`, and at the start of a form.
  func parameters(in bytes: [UInt8], _ kind: Parameters, _ found: (Found) -> Void) {
    let span = bytes.span
    var at = 0
    var isStart = kind == .form
    while at < span.count {
      if !isStart {
        switch span[at] {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"): at += 1
        default:
          at += 1
          continue
        }
      }
      isStart = false
      let start = at
      while at < span.count, Self.isNameByte(span[at]), at - start < 128 { at += 1 }
      guard at > start, at < span.count, span[at] == UInt8(ascii: "=") else { continue }
      let name = PercentEncoding.decodeText(bytes[start..<at], plusIsSpace: true)
      let value = at + 1
      var end = value
      while end < span.count, !Self.endsValue(span[end], kind) { end += 1 }
      // A parameter that stays may be a URL with parameters of its own.
      at = value
      guard end > value else { continue }
      let text = PercentEncoding.decode(bytes[value..<end])
      guard takesOut(name, text, kind) else { continue }
      guard var credential = Self.credential(value..<end, text, ofField: name) else { continue }
      if bytes[value..<end].contains(UInt8(ascii: "+")), credential.range.lowerBound == value {
        credential.others.append(PercentEncoding.decode(bytes[value..<end], plusIsSpace: true))
      }
      found(credential)
      at = end
    }
  }

  private func takesOut(_ name: String, _ value: [UInt8], _ kind: Parameters) -> Bool {
    let name = name.lowercased()
    let place: Redaction.Place = kind == .form ? .form(name) : .query(name)
    if redaction.kept.contains(place) { return false }
    if redaction.redacted.contains(place) || SecretNames.isParameter(name) { return true }
    // `?key=` is half the world's API keys, and half the world's keys of a table.
    return (name == "key" || name == "appid") && SecretScanner.isToken(value)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "+"), UInt8(ascii: "$"),
      UInt8(ascii: "~"), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  private static func endsValue(_ byte: UInt8, _ kind: Parameters) -> Bool {
    if byte == UInt8(ascii: "&") { return true }
    switch kind {
    case .form: return false
    case .url: return byte == UInt8(ascii: "#")
    case .inText:
      switch byte {
      case 0...0x20, 0x7f, UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: ";"):
        return true
      default: return false
      }
    }
  }

  /// The fields of `multipart/form-data` (RFC 7578): by the name in the part's head.
  func parts(in bytes: [UInt8], boundary: String, _ found: (Found) -> Void) {
    let mark = Array("--\(boundary)".utf8)
    let blank = Array("\r\n\r\n".utf8)
    var at = bytes.firstRange(of: mark)?.upperBound
    while let start = at, let end = bytes[start...].firstRange(of: mark) {
      at = end.upperBound
      guard let head = bytes[start..<end.lowerBound].firstRange(of: blank) else { continue }
      let value = head.upperBound..<max(head.upperBound, end.lowerBound - 2)
      guard !value.isEmpty, let name = Self.partName(bytes[start..<head.lowerBound]) else { continue }
      let content = Array(bytes[value])
      if takesOut(name, content, .form), let credential = Self.credential(value, content, ofField: name) {
        found(credential)
      }
    }
  }

  private static func partName(_ head: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    guard let name = text.firstRange(of: "name=\"") else { return nil }
    return String(text[name.upperBound...].prefix { $0 != "\"" })
  }
}
