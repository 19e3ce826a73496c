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
    bytes.searching { text in
      var names = SeenNames()
      var last = -1
      var from = 0
      while let colon = text.first(UInt8(ascii: ":"), from: from) {
        from = colon + 1
        guard let range = Self.memberName(in: text, before: colon, after: last) else { continue }
        last = colon
        let verdict = names.verdict(range, in: text) {
          SecretNames.isParameter(Self.text(bytes, range)) ? .secret : .harmless
        }
        if verdict == .secret { values(of: Self.text(bytes, range), in: bytes, at: colon + 1, found) }
      }
    }
  }

  static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: JSONString.decodeLoosely(bytes.span.extracting(range)), as: UTF8.self)
  }

  /// The name that ends before a colon, without its quotes.
  static func memberName(in text: ByteSearch, before colon: Int, after last: Int) -> Range<Int>? {
    var end = colon - 1
    while end > last, isWhitespace(text[end]) { end -= 1 }
    guard end > last, text[end] == UInt8(ascii: "\"") else { return nil }
    let first = max(last + 1, end - 128)
    var quote = end - 1
    while quote >= first, text[quote] != UInt8(ascii: "\"") { quote -= 1 }
    guard quote >= first else { return nil }
    // Unless a backslash makes this quote part of the name, the name begins with it.
    if quote == first || text[quote - 1] != UInt8(ascii: "\\") {
      return endOfString(text, from: quote + 1, limit: 128) == end && end > quote + 1 ? quote + 1..<end : nil
    }
    for quote in first..<end - 1 where text[quote] == UInt8(ascii: "\"") {
      if endOfString(text, from: quote + 1, limit: 128) == end { return quote + 1..<end }
    }
    return nil
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// The value of a member with a secret's name, or each of an array's.
  private func values(of name: String, in bytes: [UInt8], at start: Int, _ found: (Found) -> Void) {
    let span = bytes.span
    var next = start
    JSONScanner.skipWhitespace(in: span, at: &next)
    guard next < span.count, span[next] == UInt8(ascii: "[") else {
      _ = value(of: name, in: bytes, at: &next, found)
      return
    }
    next += 1
    repeat {
      JSONScanner.skipWhitespace(in: span, at: &next)
      guard value(of: name, in: bytes, at: &next, found) else { break }
      JSONScanner.skipWhitespace(in: span, at: &next)
      next += 1
    } while next < span.count && span[next - 1] == UInt8(ascii: ",")
  }

  private func value(of name: String, in bytes: [UInt8], at: inout Int, _ found: (Found) -> Void) -> Bool {
    guard at < bytes.count else { return false }
    let start = at
    if bytes[at] == UInt8(ascii: "\"") {
      guard let end = bytes.searching({ Self.endOfString($0, from: at + 1, limit: .max) }) else { return false }
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

  private static func endOfString(_ bytes: ByteSearch, from start: Int, limit: Int) -> Int? {
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
    bytes.searching { text in
      var names = SeenNames()
      // What stands before it is used up.
      var first = 0
      while let equals = text.first(UInt8(ascii: "="), from: first) {
        let start = Self.startOfName(in: text, before: equals, from: first)
        let value = equals + 1
        defer { first = max(first, value) }
        guard start < equals, start > first ? Self.isMark(text[start - 1]) : start == 0 && kind == .form else {
          continue
        }
        let range = start..<equals
        let verdict = names.verdict(range, in: text) {
          self.verdict(on: PercentEncoding.decodeText(bytes[range], plusIsSpace: true), kind)
        }
        guard verdict != .harmless else { continue }
        var end = value
        while end < text.count, !Self.endsValue(text[end], kind) { end += 1 }
        // A parameter that stays may be a URL with parameters of its own.
        guard end > value else { continue }
        let content = PercentEncoding.decode(bytes[value..<end])
        guard verdict == .secret || SecretScanner.isToken(content) else { continue }
        let name = PercentEncoding.decodeText(bytes[range], plusIsSpace: true)
        guard var credential = Self.credential(value..<end, content, ofField: name) else { continue }
        if bytes[value..<end].contains(UInt8(ascii: "+")), credential.range.lowerBound == value {
          credential.others.append(PercentEncoding.decode(bytes[value..<end], plusIsSpace: true))
        }
        found(credential)
        first = end
      }
    }
  }

  private static func startOfName(in text: ByteSearch, before end: Int, from first: Int) -> Int {
    var start = end
    while start > first, end - start < 128, nameBytes.contains(text[start - 1]) { start -= 1 }
    return start
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
  }

  private func verdict(on name: String, _ kind: Parameters) -> SeenNames.Verdict {
    let name = name.lowercased()
    let place: Redaction.Place = kind == .form ? .form(name) : .query(name)
    if redaction.kept.contains(place) { return .harmless }
    if redaction.redacted.contains(place) || SecretNames.isParameter(name) { return .secret }
    // `?key=` is half the world's API keys, and half the world's keys of a table.
    return name == "key" || name == "appid" ? .secretIfToken : .harmless
  }

  private func takesOut(_ name: String, _ value: [UInt8], _ kind: Parameters) -> Bool {
    switch verdict(on: name, kind) {
    case .secret: true
    case .secretIfToken: SecretScanner.isToken(value)
    case .harmless: false
    }
  }

  private static let nameBytes = ByteSet.word.adding("_-.%[]+$~:")
  private static let endsInText = ByteSet(0...0x20, 0x7f...0x7f, adding: "&#\"'<>`\\;")

  private static func endsValue(_ byte: UInt8, _ kind: Parameters) -> Bool {
    switch kind {
    case .form: byte == UInt8(ascii: "&")
    case .url: byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#")
    case .inText: endsInText.contains(byte)
    }
  }

  /// The fields of `multipart/form-data` (RFC 7578): by the name in the part's head.
  func parts(in bytes: [UInt8], boundary: String, _ found: (Found) -> Void) {
    let mark = Array("--\(boundary)".utf8)
    let blank = Array("\r\n\r\n".utf8)
    var next = bytes.firstIndex(of: mark).map { $0 + mark.count }
    while let start = next, let end = bytes.firstIndex(of: mark, from: start) {
      next = end + mark.count
      guard let head = bytes.firstIndex(of: blank, from: start), head + blank.count <= end else { continue }
      let value = head + blank.count..<max(head + blank.count, end - 2)
      guard !value.isEmpty, let name = Self.partName(bytes[start..<head]) else { continue }
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
