package import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Reads a JSON file value by value, so that only the current value is in memory.
package final class JSONFeed {
  /// The maximum size of a value in bytes; no recording is larger.
  static let longestValue = 512 << 20
  private static let step = 1 << 18

  package let path: String
  private let file: Int32
  /// The bytes that were read from the file but not consumed yet.
  private var window: [UInt8] = []
  private var at = 0
  /// The numbers of lines and bytes before the window.
  private var linesBefore = 0
  private var columnBase = 0
  /// The offset in the window up to which lines were counted, and their number.
  private var counted = (at: 0, lines: 0)
  package private(set) var consumed = 0
  private var isAtEnd = false
  /// The file's size when it was opened.
  package let size: Int

  package init(path: String) throws(CassetteError) {
    self.path = path
    // Without `O_NONBLOCK`, opening a named pipe blocks until another process opens it for writing.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var facts = stat()
    guard opened >= 0, fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      let reason = opened < 0 ? String(cString: strerror(errno)) : "it is \(Self.kind(facts))"
      if opened >= 0 { close(opened) }
      throw CassetteError(file: path, message: "cannot be read: \(reason)")
    }
    file = opened
    size = Int(facts.st_size)
    try fill()
    // Windows tools begin with a byte order mark.
    if window.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
  }

  private static func kind(_ facts: stat) -> String {
    facts.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file; save it to a regular file first"
  }

  /// Creates a feed of JSON that was converted from a YAML file; the path is used in messages.
  package init(path: String, text: [UInt8]) {
    (self.path, file, size, isAtEnd, window) = (path, -1, text.count, true, text)
  }

  deinit { if file >= 0 { close(file) } }

  /// The line of the next byte, counted from one.
  package var line: Int {
    if at < counted.at { counted = (0, 0) }
    for index in counted.at..<at where window[index] == 0x0a { counted.lines += 1 }
    counted.at = at
    return linesBefore + counted.lines + 1
  }

  /// The beginning of the file, for recognizing formats other than JSON.
  package var opening: String { String(decoding: window.prefix(4096), as: UTF8.self) }

  // MARK: Tokens

  /// Returns the next byte after white space; nil at the end.
  package func peek() throws(CassetteError) -> UInt8? {
    while true {
      var next = at
      JSONScanner.skipWhitespace(in: window.span, at: &next)
      at = next
      if at < window.count { return window[at] }
      guard try fill() else { return nil }
    }
  }

  /// Consumes a byte if it is the next one; returns true if it was.
  package func take(_ byte: Unicode.Scalar) throws(CassetteError) -> Bool {
    guard try peek() == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  /// Reads the name of the next member and its colon; returns nil at the end of the object.
  package func nextName(isFirst: Bool) throws(CassetteError) -> String? {
    if try take("}") { return nil }
    if !isFirst, try !take(",") { throw problem("expected \",\" or \"}\"") }
    guard try peek() == UInt8(ascii: "\"") else { throw problem("expected a member's name in double quotes") }
    guard let name = try value()?.string else { throw problem("expected a member's name") }
    guard try take(":") else { throw problem("expected \":\" after a member's name") }
    return name
  }

  /// Returns true if another element follows, and consumes the comma before it.
  package func hasElement(isFirst: Bool) throws(CassetteError) -> Bool {
    if try take("]") { return false }
    if !isFirst, try !take(",") { throw problem("expected \",\" or \"]\"") }
    return true
  }

  /// Reads and validates the next value; returns nil if it is longer than the limit.
  package func value(limit: Int = .max) throws(CassetteError) -> JSONValue? {
    guard try peek() != nil else { throw problem("expected a value, but the file ends") }
    var scan = Extent()
    var position = at
    var keeps = true
    while true {
      if scan.advance(in: window.span, &position) { break }
      if keeps, position - at > limit { keeps = false }
      if keeps, position - at > Self.longestValue { throw problem("a value is larger than 512 MB") }
      if !keeps { at = position }
      let before = at
      let isMore = try fill()
      // Filling drops the consumed bytes, at the end of the file as well.
      position -= before - at
      guard isMore else {
        if scan.isScalar { break }
        throw problem("the file is truncated: \(scan.isInString ? "a string" : "an object or array") is not closed")
      }
    }
    guard keeps, position - at <= limit else {
      at = position
      return nil
    }
    let bytes = Array(window[at..<position])
    do {
      try JSONScanner.validate(bytes.span)
    } catch {
      throw problem(error.message, at: at + error.offset)
    }
    at = position
    return JSONValue(checked: bytes)
  }

  /// Throws an error unless the rest of the file is white space.
  package func finish() throws(CassetteError) {
    if try peek() != nil { throw problem("unexpected text after the value") }
  }

  // MARK: Places

  package func problem(_ message: String, at offset: Int? = nil) -> CassetteError {
    let place = place(of: offset ?? at)
    return CassetteError(file: path, line: place.line, column: place.column, message: message)
  }

  private func place(of offset: Int) -> (line: Int, column: Int) {
    let place = JSONPosition.of(offset, in: window.span)
    return (linesBefore + place.line, place.line == 1 ? columnBase + place.column : place.column)
  }

  // MARK: Bytes

  /// Drops the consumed bytes and reads more; returns false at the end of the file.
  @discardableResult
  private func fill() throws(CassetteError) -> Bool {
    if isAtEnd { return false }
    if at > 0 {
      let place = JSONPosition.of(at, in: window.span)
      columnBase = place.line == 1 ? columnBase + place.column - 1 : place.column - 1
      linesBefore += place.line - 1
      consumed += at
      window.removeFirst(at)
      counted = (0, 0)
      at = 0
    }
    let part = systemReadAll(file, Self.step) ?? []
    isAtEnd = part.isEmpty
    window += part
    return !isAtEnd
  }
}

/// Finds the end of a value incrementally, by its brackets and quotes.
private struct Extent {
  private var depth = 0
  package private(set) var isInString = false
  private var isEscaped = false
  private var hasBegun = false

  /// True if the value so far is a number or a literal, which may also end with the text.
  package var isScalar: Bool { hasBegun && depth == 0 && !isInString }

  /// Scans further bytes; returns true if the value ends at `at`.
  mutating func advance(in bytes: Span<UInt8>, _ at: inout Int) -> Bool {
    while at < bytes.count {
      let byte = bytes[at]
      if isInString {
        at += 1
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          if depth == 0 { return true }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        if isScalar { return true }
        isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if isScalar { return true }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
        if depth == 0 {
          at += 1
          return true
        }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0a, 0x0d:
        if depth == 0 { return true }
      default: break
      }
      hasBegun = true
      at += 1
    }
    return false
  }
}
