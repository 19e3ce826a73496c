/// Parses flow nodes, inside and outside of flow collections (YAML 1.2.2, chapter 7).
extension YAMLParser {
  /// Parses an alias, a scalar or a flow collection.
  ///
  /// Returns true if a colon may follow without white space (§7.4.2). Continuation lines must be indented by `margin`
  /// columns, and a key must end on its line.
  mutating func flowNode(
    _ margin: Int, _ properties: Properties, inFlow: Bool, isKey: Bool = false
  ) throws(YAMLError) -> Bool {
    let start = at
    switch byte {
    case UInt8(ascii: "*"):
      guard properties.isEmpty else { throw error("an alias cannot have an anchor or a tag") }
      at += 1
      try composer.alias(try anchorName(), at: start)
      return false
    case UInt8(ascii: "\""):
      try composer.scalar(try doubleQuoted(margin), .quoted, properties, at: start)
    case UInt8(ascii: "'"):
      try composer.scalar(try singleQuoted(margin), .quoted, properties, at: start)
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try flowCollection(margin, properties)
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
      throw error("the handle of the tag is not defined by %TAG: \(String(decoding: whole, as: UTF8.self))", at: start)
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
