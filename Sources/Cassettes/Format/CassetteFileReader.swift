internal import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// Reads a cassette strictly: every byte must be JSON, every key must be known, and every value must be valid.
///
/// Reads the bytes once and stores the offsets of the parts. An invalid value is skipped, so that reading can continue
/// after it and find more problems; only invalid JSON ends the reading.
struct CassetteFileReader {
  /// The maximum number of problems that are listed.
  static let problemLimit = 100

  let file: String
  /// The folder of body files; nil if it is unknown, so that body files are not checked.
  let folder: String?
  /// True if reading continues after an error.
  let collects: Bool
  /// The engines that compile schemas, templates and resources.
  var engines = Engines.linked
  /// True to skip the content of bodies, which is then empty.
  var skipsTexts = false
  /// The keys of an interaction that the caller reads itself.
  var foreignNames: Set<String> = []
  /// False to read only requests and their rules.
  var needsResponse = true
  /// False for interactions outside of a file, in which `get` is read as `GET`.
  var isFile = true

  var at = 0
  var problems: [CassetteError] = []
  var omitted = 0
  /// The number of conditions that contain the current one.
  var nesting = 0
  var records: [CassetteFileRecord] = []
  /// The rules of interactions that have rules, by the index of the interaction.
  var rules: [UInt32: InteractionRules] = [:]
  var lines: LineTable?

  /// Reads a cassette into ``records``; returns the cassette without its interactions and name.
  @discardableResult
  mutating func read(_ bytes: Span<UInt8>) throws(CassetteError) -> Cassette {
    guard bytes.count < Int(UInt32.max) else { throw CassetteError(file: file, message: "more than 4 GB") }
    at = CassetteFile.contentStart(bytes)
    skipWhitespace(bytes)
    var cassette = Cassette(name: "")
    _ = try read(bytes, "a cassette", Grammar.cassette, into: &cassette)
    skipWhitespace(bytes)
    if at < bytes.count { throw error(bytes, at, "unexpected text after the cassette") }
    return cassette
  }

  /// Reads an object with the keys of a table; returns false after reporting that the value is not an object.
  mutating func read<Input, Output>(
    _ bytes: Span<UInt8>, _ what: String, _ table: ObjectTable<Input, Output>, into value: inout Input
  ) throws(CassetteError) -> Bool {
    let start = at
    guard try open(bytes, what) else { return false }
    var walk = ObjectWalk(table.names, hint: table.hint)
    if !foreignNames.isEmpty, table.facts.name == Grammar.interaction.facts.name { walk.foreignNames = foreignNames }
    while let index = try nextKey(bytes, &walk) { try table.keys[index].read(&self, bytes, &value) }
    if walk.seen & table.required != table.required, !walk.hasUnknown {
      for key in table.keys where key.row.isRequired && !walk.has(key.row.name) {
        try report(bytes, start, "\"\(key.row.name)\" is missing", table.missing)
      }
    }
    try table.check(&self, bytes, start, walk, &value)
    return true
  }

  // MARK: Problems

  /// Appends an error to ``problems``, or throws it if reading stops at the first error.
  mutating func report(
    _ bytes: Span<UInt8>, _ offset: Int, _ message: String, _ suggestion: String? = nil
  ) throws(CassetteError) {
    if collects, problems.count >= Self.problemLimit {
      omitted += 1
      return
    }
    let error = error(bytes, offset, message, suggestion)
    guard collects else { throw error }
    problems.append(error)
  }

  /// Appends a warning to ``problems``.
  mutating func warn(_ bytes: Span<UInt8>, _ offset: Int, _ message: String) {
    if problems.count >= Self.problemLimit {
      omitted += 1
      return
    }
    var warning = error(bytes, offset, message)
    warning.severity = .warning
    problems.append(warning)
  }

  mutating func error(
    _ bytes: Span<UInt8>, _ offset: Int, _ message: String, _ suggestion: String? = nil
  ) -> CassetteError {
    let table = lines ?? LineTable(bytes)
    lines = table
    return CassetteError(table.place(of: offset, in: bytes, file: file), message, suggestion)
  }
}

/// Reading header fields: pairs of strings in the order in which they were sent.
extension CassetteFileReader {
  /// The third element of a field whose value is encoded in ISO-8859-1.
  static let latin1 = "latin1"

  private static let noPair = "a header field must be a pair of strings, [\"Name\", \"value\"]"
  private static let noThird =
    "the third string of a header field must be \"latin1\", and the value must have no characters above U+00FF"

  /// Steps over a list of header fields; returns the offset of a Content-Length field in it.
  mutating func readHeaders(_ bytes: Span<UInt8>, _ what: String = "\"headers\"") throws(CassetteError) -> Int? {
    if isAt(UInt8(ascii: "{"), bytes) {
      let start = at
      try skipValue(bytes)
      try report(
        bytes, start, "\(what) must be an array of pairs",
        "write [[\"Name\", \"value\"]] to keep the order and repeated fields"
      )
      return nil
    }
    var contentLength: Int?
    guard var list = try openList(bytes, what) else { return nil }
    while try nextElement(bytes, &list) {
      let start = at
      var problem = Self.noPair
      guard let name = stepOverPair(bytes, &problem) else {
        // An invalid field must still be valid JSON.
        at = start
        try skipValue(bytes)
        try report(bytes, start, problem)
        continue
      }
      try checkName(bytes, name)
      if let field = framingField(bytes, name) {
        if field == "Content-Length" {
          contentLength = name.lowerBound - 1
        } else {
          warn(bytes, name.lowerBound - 1, "\"\(field)\" is derived on replay; remove it")
        }
      }
    }
    return contentLength
  }

  /// Steps over a pair of strings; returns the range of the name between its quotes, or nil if the pair is invalid.
  private mutating func stepOverPair(_ bytes: Span<UInt8>, _ problem: inout String) -> Range<Int>? {
    guard isAt(UInt8(ascii: "["), bytes) else { return nil }
    at += 1
    skipWhitespace(bytes)
    do {
      let name = at
      let hasNameEscapes = try JSONScanner.skipString(in: bytes, at: &at)
      let nameEnd = at
      skipWhitespace(bytes)
      guard isAt(UInt8(ascii: ","), bytes), !hasNameEscapes else { return nil }
      at += 1
      skipWhitespace(bytes)
      let value = at
      // A JSON string contains no raw CR, LF or NUL, but an escaped one would break the head of the message.
      if try JSONScanner.skipString(in: bytes, at: &at) {
        var text: [UInt8] = []
        guard JSONString.decode(bytes.extracting(value + 1..<at - 1), into: &text) else { return nil }
        guard CassetteFileGrammar.isFieldValue(text.span) else {
          problem = "a header field value must not contain a line break or NUL"
          return nil
        }
      }
      let valueEnd = at
      skipWhitespace(bytes)
      if isAt(UInt8(ascii: ","), bytes) {
        problem = Self.noThird
        guard try isLatin1(bytes, value: value..<valueEnd) else { return nil }
      }
      guard isAt(UInt8(ascii: "]"), bytes) else { return nil }
      at += 1
      return name + 1..<nameEnd - 1
    } catch {
      return nil
    }
  }

  /// Steps over the third string of a field; returns true if it is valid there.
  private mutating func isLatin1(_ bytes: Span<UInt8>, value: Range<Int>) throws -> Bool {
    at += 1
    skipWhitespace(bytes)
    let start = at
    _ = try JSONScanner.skipString(in: bytes, at: &at)
    let word = CassetteFileSource.text(at: UInt32(start), in: bytes)
    let text = CassetteFileSource.text(at: UInt32(value.lowerBound), in: bytes)
    skipWhitespace(bytes)
    return word == Self.latin1 && text.unicodeScalars.allSatisfy { $0.value < 0x100 }
  }

  /// Returns true if a name in the rules is a token; otherwise reports a problem.
  @discardableResult
  mutating func checkFieldName(_ name: String, _ bytes: Span<UInt8>, _ start: Int) throws(CassetteError) -> Bool {
    if name.withUTF8Span(CassetteFileGrammar.isToken) { return true }
    try report(bytes, start, Self.noToken)
    return false
  }

  private static let noToken = "a header field's name must be a token (RFC 9110 §5.6.2), such as \"Accept\""

  @inline(__always)
  private mutating func checkName(_ bytes: Span<UInt8>, _ name: Range<Int>) throws(CassetteError) {
    guard !name.isEmpty else { return try report(bytes, name.lowerBound - 1, "a header field must have a name") }
    for index in name where !ASCII.isToken(bytes[index]) {
      return try report(bytes, name.lowerBound - 1, Self.noToken)
    }
  }

  /// Returns the name of a field for framing or the connection, which the player generates; nil for other fields.
  private func framingField(_ bytes: Span<UInt8>, _ name: Range<Int>) -> String? {
    // The length excludes most names.
    guard [7, 10, 14, 17].contains(name.count) else { return nil }
    return Self.framing.first { field in
      field.utf8.count == name.count && zip(field.utf8, name).allSatisfy { ($0 ^ bytes[$1]) & 0xdf == 0 }
    }
  }

  private static let framing = ["Trailer", "Connection", "Keep-Alive", "Content-Length", "Transfer-Encoding"]
}

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
