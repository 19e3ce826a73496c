internal import CassetteSystem

/// Parses YAML 1.2.2 documents by recursive descent, and passes their nodes to a composer.
///
/// Each line is scanned ahead at most once, to find an implicit key (up to 1,024 bytes, §7.4.2); all other bytes are
/// read once.
struct YAMLParser {
  /// The tag and the anchor of a node (§6.9).
  struct Properties {
    var tag: [UInt8]?
    var anchor: [UInt8]?
    var isEmpty: Bool { tag == nil && anchor == nil }
  }

  let text: [UInt8]
  var composer: YAMLComposer
  /// The offset of the current byte.
  var at = 0
  /// The offset of the first byte of the current line.
  var lineStart = 0
  /// The number of spaces at the beginning of the current line.
  var indent = 0
  /// True if there is a tab between the previous token of the line and the current offset.
  var isTabbed = false
  var depth = 0
  /// The prefixes of tags by handle (§6.8.2).
  var handles: [[UInt8]: [UInt8]] = [:]

  init(_ text: [UInt8], _ composer: YAMLComposer) { (self.text, self.composer) = (text, composer) }

  // MARK: Bytes

  func byte(_ place: Int) -> UInt8 { place < text.count ? text[place] : 0 }
  var byte: UInt8 { byte(at) }
  var isEnd: Bool { at >= text.count }
  var column: Int { at - lineStart }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  /// Returns true for white space, and for 0, which represents the end of the input.
  static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 0x0a || byte == 0 }
  static func isFlowMark(_ byte: UInt8) -> Bool { flowMarks.contains(byte) }
  private static let flowMarks = ByteSet(adding: ",[]{}")

  /// Returns true if the input continues with a block indicator (`-`, `?` or `:`), followed by white space.
  func isIndicator(_ mark: Character) -> Bool { byte(at) == mark.asciiValue && Self.isSpace(byte(at + 1)) }

  /// Returns true if a line begins with `---` or `...` (§9.1.2).
  func isMarker(_ place: Int) -> Bool {
    guard place + 2 < text.count, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: ".") else {
      return false
    }
    return text[place + 1] == text[place] && text[place + 2] == text[place] && Self.isSpace(byte(place + 3))
  }
  var isAtMarker: Bool { at == lineStart && isMarker(at) }
  /// True at the end of a document.
  var isOver: Bool { isEnd || isAtMarker }

  func error(_ message: String, at place: Int? = nil) -> YAMLError { YAMLError(message, at: place ?? at) }

  // MARK: White space

  /// Skips white space, line breaks and comments; returns true if the next token is the first of its line.
  @discardableResult
  mutating func skip() -> Bool {
    var isFirst = at == lineStart
    if Self.isSpace(byte), !isEnd { isTabbed = false }
    while !isEnd {
      switch text[at] {
      case 0x20: at += 1
      case 0x09:
        isTabbed = true
        at += 1
      case 0x0a:
        at += 1
        beginLine()
        isFirst = true
      case UInt8(ascii: "#") where at == lineStart || Self.isBlank(text[at - 1]): skipLine()
      default: return isFirst
      }
    }
    return isFirst
  }

  /// Sets the properties of the current line at its beginning.
  mutating func beginLine() {
    lineStart = at
    isTabbed = false
    var end = at
    while byte(end) == 0x20 { end += 1 }
    indent = end - at
  }

  mutating func skipLine() { while !isEnd, text[at] != 0x0a { at += 1 } }

  mutating func skipBlanks() { while Self.isBlank(byte) { at += 1 } }

  /// Skips white space and a comment, and throws if anything else follows on the line (§6.6).
  mutating func endLine(after what: String) throws(YAMLError) {
    let start = at
    skipBlanks()
    if byte == UInt8(ascii: "#"), at > start { skipLine() }
    guard isEnd || byte == 0x0a else { throw error("text after \(what)") }
  }

  // MARK: Documents

  /// Parses the whole stream (§9.2).
  mutating func documents() throws(YAMLError) -> [YAMLDocument] {
    var documents: [YAMLDocument] = []
    beginLine()
    var mayDirect = true
    while true {
      skip()
      while isAtMarker, byte == UInt8(ascii: ".") {
        try endDocument()
        mayDirect = true
      }
      guard !isEnd else { return documents }
      let isDirected = try directives(mayDirect)
      let isExplicit = isAtMarker && byte == UInt8(ascii: "-")
      if isExplicit { at += 3 } else if isDirected { throw error("expected --- after directives") }
      composer.beginDocument()
      if !isExplicit { at = lineStart }
      try blockNode(parent: -1, isCompact: !isExplicit, mayAlign: false)
      skip()
      guard isOver else { throw error("expected the end of the document") }
      documents.append(composer.endDocument())
      mayDirect = false
    }
  }

  /// Parses the document end marker `...`, and skips to the next token.
  private mutating func endDocument() throws(YAMLError) {
    at += 3
    try endLine(after: "...")
    skip()
  }

  /// Parses the directives `%YAML` and `%TAG` (§6.8), and returns true if there are any.
  private mutating func directives(_ mayDirect: Bool) throws(YAMLError) -> Bool {
    handles = [Array("!!".utf8): Array("tag:yaml.org,2002:".utf8), Array("!".utf8): Array("!".utf8)]
    composer.resetSchema()
    var hasVersion = false
    var named: Set<[UInt8]> = []
    var isDirected = false
    while at == lineStart, byte == UInt8(ascii: "%") {
      guard mayDirect else { throw error("expected ... before a directive") }
      let start = at
      let words = directive()
      isDirected = true
      switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
      case "%YAML":
        let parts =
          words.count == 2 ? words[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) : []
        let numbers = parts.map { Int(String(decoding: $0, as: UTF8.self)) }
        guard !hasVersion, numbers.count == 2, numbers[0] == 1, let minor = numbers[1] else {
          throw error("expected one %YAML 1.2", at: start)
        }
        hasVersion = true
        if minor < 2 { composer.useLegacy() }
      case "%TAG":
        guard words.count == 3, words[1].first == UInt8(ascii: "!"), words[1].last == UInt8(ascii: "!"),
          named.insert(words[1]).inserted
        else { throw error("expected %TAG with a new handle and a prefix", at: start) }
        handles[words[1]] = words[2]
      default: break
      }
      skip()
    }
    return isDirected
  }

  /// Parses a directive into words, up to a comment.
  private mutating func directive() -> [[UInt8]] {
    let start = at
    skipLine()
    var words: [[UInt8]] = []
    for word in text[start..<at].split(whereSeparator: { Self.isBlank($0) }) {
      guard word.first != UInt8(ascii: "#") else { break }
      words.append(Array(word))
    }
    return words
  }

  // MARK: Parses flow nodes, inside and outside of flow collections (YAML 1.2.2, chapter 7)

  /// Parses an alias, a scalar or a flow collection.
  ///
  /// Returns true if a colon may follow without white space (§7.4.2). Continuation lines must be indented by `margin`
  /// columns, and a key must end on its line.
  mutating func flowNode(
    _ margin: Int, _ properties: Properties, inFlow: Bool, isKey: Bool = false
  ) throws(YAMLError) -> Bool {
    let start = at
    let inner = composer.tags.ignoresInnerIndentation ? 0 : margin
    switch byte {
    case UInt8(ascii: "*"):
      guard properties.isEmpty else { throw error("an alias cannot have an anchor or a tag") }
      at += 1
      try composer.alias(try anchorName(), at: start)
      return false
    case UInt8(ascii: "\""):
      try composer.scalar(try doubleQuoted(inner), .quoted, properties, at: start)
    case UInt8(ascii: "'"):
      try composer.scalar(try singleQuoted(inner), .quoted, properties, at: start)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try flowCollection(inner, properties)
    default:
      try composer.scalar(try plain(margin, inFlow: inFlow, isKey: isKey), .plain, properties, at: start)
      return false
    }
    return true
  }

  private mutating func flowCollection(_ margin: Int, _ properties: Properties) throws(YAMLError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= YAMLReader.depthLimit else { throw error("more than \(YAMLReader.depthLimit) levels") }
    let start = at
    let isMapping = byte == UInt8(ascii: "{")
    let close = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    try composer.begin(isMapping ? .mapping : .sequence, properties, at: at)
    at += 1
    try flowSkip(margin, close)
    while byte != close {
      if isEnd { throw error("a bracket is not closed", at: start) }
      if byte == UInt8(ascii: ",") { throw error("an entry is missing before the comma") }
      if isMapping { try flowPair(margin) } else { try flowEntry(margin) }
      try flowSkip(margin, close)
      if byte == UInt8(ascii: ",") {
        at += 1
        try flowSkip(margin, close)
      } else if byte != close {
        if isEnd { throw error("a bracket is not closed", at: start) }
        throw error("expected a comma or \(isMapping ? "}" : "]")")
      }
    }
    at += 1
    try composer.end(at: at)
  }

  /// Skips to the next token of a flow collection, and checks the indentation of each line.
  private mutating func flowSkip(_ margin: Int, _ close: UInt8 = 0) throws(YAMLError) {
    let start = lineStart
    skip()
    guard lineStart != start, !isEnd else { return }
    if isAtMarker { throw error("the document ends inside brackets") }
    // A closing bracket may be in the column of the opening one, as is usual in JSON.
    guard indent >= margin || byte == close && indent >= margin - 1 else {
      throw error("a line inside brackets must be indented by \(margin) spaces")
    }
  }

  /// Parses an entry of a flow sequence; `a: b` is a mapping with a single pair.
  private mutating func flowEntry(_ margin: Int) throws(YAMLError) {
    guard isIndicator("?") || isKeyAhead(inFlow: true) else {
      _ = try flowValue(margin)
      return
    }
    try composer.begin(.mapping, Properties(), at: at)
    try flowPair(margin)
    try composer.end(at: at)
  }

  private mutating func flowPair(_ margin: Int) throws(YAMLError) {
    if isIndicator("?") {
      at += 1
      try flowSkip(margin)
    }
    var isClosed = false
    if isColon(at, true) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
      try composer.scalar([], .plain, Properties(), at: at)
    } else {
      isClosed = try flowValue(margin)
    }
    try flowSkip(margin, UInt8(ascii: "}"))
    guard byte == UInt8(ascii: ":"), isClosed || isColon(at, true) else {
      return try composer.scalar([], .plain, Properties(), at: min(at, text.count))
    }
    at += 1
    try flowSkip(margin, UInt8(ascii: "}"))
    _ = try flowValue(margin)
  }

  /// Parses a node of a flow collection, which may be empty.
  private mutating func flowValue(_ margin: Int) throws(YAMLError) -> Bool {
    var properties = Properties()
    while byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
      try readProperty(into: &properties, inFlow: true)
      try flowSkip(margin, UInt8(ascii: "}"))
    }
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
      try composer.scalar([], .plain, properties, at: at)
      return false
    case UInt8(ascii: ":") where isColon(at, true):
      try composer.scalar([], .plain, properties, at: at)
      return false
    default:
      return try flowNode(margin, properties, inFlow: true)
    }
  }

  // MARK: Properties

  /// Parses a tag or an anchor.
  mutating func readProperty(into properties: inout Properties, inFlow: Bool) throws(YAMLError) {
    let start = at
    at += 1
    if text[start] == UInt8(ascii: "&") {
      guard properties.anchor == nil else { throw error("a second anchor for one node", at: start) }
      properties.anchor = try anchorName()
    } else {
      guard properties.tag == nil else { throw error("a second tag for one node", at: start) }
      properties.tag = try tag(from: start)
    }
    guard Self.isSpace(byte) || inFlow && Self.isFlowMark(byte) else {
      throw error("expected white space after a tag or an anchor")
    }
  }

  /// Parses the name of an anchor (§6.9.2).
  mutating func anchorName() throws(YAMLError) -> [UInt8] {
    let start = at
    while !isEnd, !Self.isSpace(byte), !Self.isFlowMark(byte) { at += 1 }
    guard at > start else { throw error("expected the name of an anchor") }
    return Array(text[start..<at])
  }

  /// Parses a tag, and replaces its handle by the prefix (§6.9.1).
  private mutating func tag(from start: Int) throws(YAMLError) -> [UInt8] {
    if byte == UInt8(ascii: "<") {
      guard let end = text[at...].prefix(while: { !Self.isSpace($0) }).firstIndex(of: UInt8(ascii: ">")) else {
        throw error("a tag is not closed", at: start)
      }
      defer { at = end + 1 }
      return Array(text[at + 1..<end])
    }
    while !isEnd, !Self.isSpace(byte), !Self.isFlowMark(byte) { at += 1 }
    let whole = Array(text[start..<at])
    // `!a!b` and `!!b` contain a handle; `!b` uses the primary handle.
    let end = whole.dropFirst().lastIndex(of: UInt8(ascii: "!")).map { $0 + 1 } ?? 1
    let name = try unescaped(whole[end...], at: start)
    if name.isEmpty, end == 1 { return whole }
    guard !name.isEmpty, let prefix = handles[Array(whole[..<end])] else {
      throw error(
        "the handle of the tag is not defined by %TAG: \(String(decoding: whole.prefix(60), as: UTF8.self))", at: start)
    }
    return prefix + name
  }

  /// Decodes the percent-encoding of a tag.
  private func unescaped(_ name: ArraySlice<UInt8>, at start: Int) throws(YAMLError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = name
    while let first = rest.popFirst() {
      guard first == UInt8(ascii: "%") else {
        bytes.append(first)
        continue
      }
      guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        throw error("an escape sequence in a tag must have the form %41", at: start)
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
