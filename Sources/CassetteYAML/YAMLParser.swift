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
}
