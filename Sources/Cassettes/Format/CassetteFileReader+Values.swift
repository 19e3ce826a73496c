import CassetteJSON
internal import CassetteSystem

/// The progress of reading an object.
struct ObjectWalk {
  let keys: KeyNames
  var last = -1
  var isFirst = true
  /// The keys read so far, one bit each.
  var seen: UInt32 = 0
  /// True if the object has an unknown key, which may be a misspelled required key.
  var hasUnknown = false
  /// The suggestion for an unknown key that is not similar to a known one.
  let hint: String?
  /// The keys to ignore.
  var foreignNames: Set<String> = []

  init(_ keys: KeyNames, hint: String?) { (self.keys, self.hint) = (keys, hint) }

  func has(_ key: String) -> Bool { keys.names.firstIndex(of: key).map { seen >> UInt32($0) & 1 == 1 } ?? false }

  func lacks(_ key: String) -> Bool { !hasUnknown && !has(key) }
}

/// The progress of reading an array.
struct ListWalk {
  var isFirst = true
}

/// Reading objects, arrays, strings and numbers.
///
/// A value is skipped completely even if it is invalid.
extension CassetteFileReader {
  @inline(__always)
  mutating func skipWhitespace(_ bytes: Span<UInt8>) { JSONScanner.skipWhitespace(in: bytes, at: &at) }

  mutating func skipValue(_ bytes: Span<UInt8>) throws(CassetteError) {
    do { try JSONScanner.skipValue(in: bytes, at: &at) } catch { throw syntax(bytes, error) }
  }

  private mutating func skipString(_ bytes: Span<UInt8>) throws(CassetteError) -> Bool {
    do { return try JSONScanner.skipString(in: bytes, at: &at) } catch { throw syntax(bytes, error) }
  }

  mutating func syntax(_ bytes: Span<UInt8>, _ error: JSONTextError) -> CassetteError {
    self.error(bytes, error.offset, "not JSON: \(error.message)")
  }

  @inline(__always)
  func isAt(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool { at < bytes.count && bytes[at] == byte }

  /// Steps into an object; otherwise skips the value, reports a problem and returns false.
  mutating func open(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Bool {
    if isAt(UInt8(ascii: "{"), bytes) {
      at += 1
      return true
    }
    try reportKind(bytes, what, "an object")
    return false
  }

  /// Steps into an array; otherwise skips the value, reports a problem and returns nil.
  mutating func openList(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> ListWalk? {
    if isAt(UInt8(ascii: "["), bytes) {
      at += 1
      return ListWalk()
    }
    try reportKind(bytes, what, "an array")
    return nil
  }

  private mutating func reportKind(_ bytes: Span<UInt8>, _ what: String, _ kind: String) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    try report(bytes, start, "\(what) must be \(kind)")
  }

  /// Steps to the value of the next known key and returns the key's index; nil at the end of the object, which is
  /// skipped.
  mutating func nextKey(_ bytes: Span<UInt8>, _ walk: inout ObjectWalk) throws(CassetteError) -> Int? {
    while try nextItem(bytes, isFirst: walk.isFirst, upTo: "}") {
      walk.isFirst = false
      let start = at
      let hasEscapes = try skipString(bytes)
      let content = start + 1..<at - 1
      do { try JSONScanner.skipColon(in: bytes, at: &at) } catch { throw syntax(bytes, error) }
      skipWhitespace(bytes)
      let found =
        hasEscapes
        ? walk.keys.names.firstIndex(of: CassetteFileSource.text(at: UInt32(start), in: bytes))
        : walk.keys.index(of: bytes.extracting(content), after: walk.last)
      guard let index = found else {
        let name = CassetteFileSource.text(at: UInt32(start), in: bytes)
        if walk.foreignNames.contains(name) {
          try skipValue(bytes)
          continue
        }
        walk.hasUnknown = true
        let meant = question(about: name, among: walk.keys.names)
        try report(bytes, start, "unknown key \"\(name)\"", meant ?? walk.hint)
        try skipValue(bytes)
        continue
      }
      if walk.seen >> UInt32(index) & 1 == 1 {
        try report(bytes, start, "\"\(walk.keys.names[index])\" occurs twice")
      }
      walk.seen |= 1 << UInt32(index)
      walk.last = index
      return index
    }
    return nil
  }

  /// Steps to the next member or element; returns false at the end of the object or array, which is skipped.
  @inline(__always)
  private mutating func nextItem(
    _ bytes: Span<UInt8>, isFirst: Bool, upTo close: Unicode.Scalar
  ) throws(CassetteError) -> Bool {
    let end = UInt8(ascii: close)
    skipWhitespace(bytes)
    if isAt(end, bytes) {
      at += 1
      return false
    }
    if !isFirst {
      guard isAt(UInt8(ascii: ","), bytes) else { throw error(bytes, at, "not JSON: expected \",\" or \"\(close)\"") }
      at += 1
      skipWhitespace(bytes)
      if isAt(end, bytes) { throw error(bytes, at, "not JSON: a comma before \"\(close)\"") }
    }
    return true
  }

  /// Steps to the value of the next member with any name; returns nil at the end of the object, which is skipped.
  mutating func nextName(
    _ bytes: Span<UInt8>, _ seen: inout Set<String>
  ) throws(CassetteError) -> (name: String, start: Int)? {
    guard try nextItem(bytes, isFirst: seen.isEmpty, upTo: "}") else { return nil }
    let start = at
    _ = try skipString(bytes)
    do { try JSONScanner.skipColon(in: bytes, at: &at) } catch { throw syntax(bytes, error) }
    skipWhitespace(bytes)
    let name = CassetteFileSource.text(at: UInt32(start), in: bytes)
    if !seen.insert(name).inserted { try report(bytes, start, "\"\(name)\" occurs twice") }
    return (name, start)
  }

  /// Steps to the next element; returns false at the end of the array, which is skipped.
  mutating func nextElement(_ bytes: Span<UInt8>, _ walk: inout ListWalk) throws(CassetteError) -> Bool {
    defer { walk.isFirst = false }
    return try nextItem(bytes, isFirst: walk.isFirst, upTo: "]")
  }

  /// Steps over a string and returns the offset of its opening quote; nil if the value is not a string or has a lone
  /// surrogate.
  mutating func readString(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> UInt32? {
    guard isAt(UInt8(ascii: "\""), bytes) else {
      try reportKind(bytes, what, "a string")
      return nil
    }
    let start = at
    if try skipString(bytes), JSONString.decode(bytes.extracting(start + 1..<at - 1)) == nil {
      try report(bytes, start, "\(what) contains half of a surrogate pair, which is not a character")
      return nil
    }
    return UInt32(start)
  }

  /// Reads a string; returns nil if ``readString(_:_:)`` does.
  mutating func readText(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> String? {
    try readString(bytes, what).map { CassetteFileSource.text(at: $0, in: bytes) }
  }

  /// Calls `use` with the content of a string, without escapes.
  static func withContent<Result>(at quote: UInt32, in bytes: Span<UInt8>, _ use: (Span<UInt8>) -> Result) -> Result {
    let content = CassetteFileSource.content(at: quote, in: bytes)
    guard content.hasEscapes else { return use(bytes.extracting(content.range)) }
    var text: [UInt8] = []
    _ = JSONString.decode(bytes.extracting(content.range), into: &text)
    return use(text.span)
  }

  /// Reads a string and appends its bytes to `text`.
  mutating func readText(_ bytes: Span<UInt8>, _ what: String, into text: inout [UInt8]) throws(CassetteError) {
    guard let quote = try readString(bytes, what) else { return }
    let content = CassetteFileSource.content(at: quote, in: bytes)
    if content.hasEscapes {
      _ = JSONString.decode(bytes.extracting(content.range), into: &text)
    } else {
      text.append(bytes, content.range)
    }
  }

  /// Reads a string that must be one of the type's raw values; returns nil otherwise.
  mutating func readChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ bytes: Span<UInt8>, _ what: String, as type: Choice.Type, _ words: String = "must be one of"
  ) throws(CassetteError) -> Choice? {
    let start = at
    guard let text = try readText(bytes, what) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    try report(bytes, start, "\(what) \(words) \(list)", question(about: text, among: names))
    return nil
  }

  /// Steps over a number and returns its token; nil for any other value.
  mutating func readNumber(_ bytes: Span<UInt8>, _ what: String, _ kind: String) throws(CassetteError) -> String? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[at]) else {
      try reportKind(bytes, what, kind)
      return nil
    }
    let start = at
    try skipValue(bytes)
    return bytes.extracting(start..<at).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads a number of seconds.
  mutating func readSeconds(_ bytes: Span<UInt8>, _ what: String, atMost most: Double) throws(CassetteError) -> Double?
  {
    let start = at
    guard let token = try readNumber(bytes, what, "a number of seconds") else { return nil }
    guard let seconds = Double(token), seconds >= 0, seconds.isFinite else {
      try report(bytes, start, "\(what) must be a number of seconds, zero or more")
      return nil
    }
    if seconds <= most { return seconds }
    try report(bytes, start, "\(what) must be at most \(Int(most)) seconds")
    return nil
  }

  /// Reads `true` or `false`; returns nil for any other value.
  mutating func readFlag(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Bool? {
    let start = at
    try skipValue(bytes)
    let flag = Bool(MemberWalk.token(at: start, in: bytes))
    if flag == nil { try report(bytes, start, "\(what) must be true or false") }
    return flag
  }
}
