internal import CassetteSystem

/// Parses block nodes, whose extent is determined by indentation (YAML 1.2.2, chapter 8).
extension YAMLParser {
  /// Parses a node below another one; an absent node becomes null.
  ///
  /// - `parent`: The column of the parent node. The node must be indented further.
  /// - `isCompact`: True if a collection may begin on the current line: `- - a`.
  /// - `mayAlign`: True if a sequence may begin in the column of the parent, as a value in a mapping may.
  mutating func blockNode(parent: Int, isCompact: Bool, mayAlign: Bool) throws(YAMLError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= YAMLReader.depthLimit else { throw error("more than \(YAMLReader.depthLimit) levels") }
    var properties = Properties()
    var mayNest = isCompact
    while true {
      let start = at
      let isFirst = skip()
      if isFirst { mayNest = true }
      let place = isFirst && isTabbed ? indent : column
      guard !isOver, place > parent || mayAlign && place == parent && isIndicator("-") && isFirst else {
        return try composer.scalar([], .plain, properties, at: min(start, text.count))
      }
      if isIndicator("-") || isIndicator("?") || isKeyAhead() {
        guard mayNest else {
          if byte != UInt8(ascii: "-"), byte != UInt8(ascii: "?") {
            if !properties.isEmpty || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
              throw error("a block mapping must begin on a new line")
            }
            throw error("a second key on one line; quote a value that contains a colon and a space")
          }
          throw error("a block collection must begin on a new line")
        }
        guard !isTabbed else { throw error("a tab before a collection; indent with spaces") }
        return isIndicator("-") ? try blockSequence(properties) : try blockMapping(properties)
      }
      if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
        try readProperty(into: &properties, inFlow: false)
        mayNest = false
        continue
      }
      return try blockScalarOrFlow(parent, properties)
    }
  }

  private mutating func blockScalarOrFlow(_ parent: Int, _ properties: Properties) throws(YAMLError) {
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return try blockScalar(parent, properties)
    default:
      _ = try flowNode(parent + 1, properties, inFlow: false)
      try endLine(after: "a value")
    }
  }

  private mutating func blockSequence(_ properties: Properties) throws(YAMLError) {
    let margin = column
    try composer.begin(.sequence, properties, at: at)
    repeat {
      at += 1
      try blockNode(parent: margin, isCompact: true, mayAlign: false)
      skip()
      guard try isNext(margin), isIndicator("-") else { break }
      guard !isTabbed else { throw error("a tab before an entry; indent with spaces") }
    } while true
    try composer.end(at: at)
  }

  private mutating func blockMapping(_ properties: Properties) throws(YAMLError) {
    let margin = column
    try composer.begin(.mapping, properties, at: at)
    repeat {
      if isIndicator("?") {
        at += 1
        try blockNode(parent: margin, isCompact: true, mayAlign: true)
        skip()
        if !isOver, column == margin, !isTabbed, isIndicator(":") {
          at += 1
          try blockNode(parent: margin, isCompact: true, mayAlign: true)
        } else {
          try composer.scalar([], .plain, Properties(), at: min(at, text.count))
        }
      } else {
        try key()
        at += 1
        try blockNode(parent: margin, isCompact: false, mayAlign: true)
      }
      skip()
      guard try isNext(margin) else { break }
      guard !isTabbed else { throw error("a tab before a key; indent with spaces") }
      guard isIndicator("?") || isKeyAhead() else { throw error("expected a key and a colon") }
    } while true
    try composer.end(at: at)
  }

  /// Returns true if the collection continues at its margin; throws if the line is indented further.
  private func isNext(_ margin: Int) throws(YAMLError) -> Bool {
    guard !isOver, column >= margin else { return false }
    guard column == margin else { throw error("expected an indentation of \(margin) columns instead of \(column)") }
    return true
  }

  /// Parses an implicit key up to its colon (§7.4.2), which `isKeyAhead` has found.
  private mutating func key() throws(YAMLError) {
    var properties = Properties()
    while byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
      try readProperty(into: &properties, inFlow: false)
      skipBlanks()
    }
    if isIndicator(":") {
      try composer.scalar([], .plain, properties, at: at)
    } else {
      _ = try flowNode(0, properties, inFlow: false, isKey: true)
    }
    skipBlanks()
    guard isIndicator(":") else { throw error("expected a colon after a key") }
  }

  // MARK: Looking ahead

  /// Returns true if the line continues with an implicit key, which is followed by a colon.
  func isKeyAhead(inFlow: Bool = false) -> Bool {
    let limit = min(text.count, at + 1024)
    var place = at
    while place < limit, text[place] == UInt8(ascii: "&") || text[place] == UInt8(ascii: "!") {
      while place < limit, !Self.isSpace(byte(place)) {
        if inFlow, Self.isFlowMark(byte(place)), byte(place) != UInt8(ascii: ","), text[at] == UInt8(ascii: "&") {
          break
        }
        place += 1
      }
      while Self.isBlank(byte(place)) { place += 1 }
    }
    guard place < limit else { return false }
    var isQuoted = false
    switch text[place] {
    case UInt8(ascii: ":") where Self.isSpace(byte(place + 1)) || inFlow && Self.isFlowMark(byte(place + 1)):
      return true
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "["), UInt8(ascii: "{"):
      guard let end = endOfClosed(place, limit) else { return false }
      (place, isQuoted) = (end, true)
    case UInt8(ascii: "*"):
      while place < limit, !Self.isSpace(text[place]), !Self.isFlowMark(text[place]) { place += 1 }
    default:
      guard isPlainStart(place, inFlow) else { return false }
      while place < limit, text[place] != 0x0a {
        if isColon(place, inFlow) { return true }
        if inFlow, Self.isFlowMark(text[place]) { return false }
        if text[place] == UInt8(ascii: "#"), Self.isBlank(text[place - 1]) { return false }
        place += 1
      }
      return false
    }
    while place < limit, Self.isBlank(text[place]) { place += 1 }
    return place < limit && (isColon(place, inFlow) || inFlow && isQuoted && text[place] == UInt8(ascii: ":"))
  }

  /// Returns true if there is a colon at `place` that ends a plain key.
  func isColon(_ place: Int, _ inFlow: Bool) -> Bool {
    byte(place) == UInt8(ascii: ":")
      && (Self.isSpace(byte(place + 1)) || inFlow && Self.isFlowMark(byte(place + 1)))
  }

  /// Returns the offset after a quoted scalar or flow collection, or nil if it does not end on the same line.
  private func endOfClosed(_ start: Int, _ limit: Int) -> Int? {
    var open = 0
    var place = start
    while place < limit {
      switch text[place] {
      case 0x0a: return nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = text[place]
        // Within a plain scalar, a quotation mark is an ordinary character.
        let isOpening = place == start || !isWordBefore(place)
        guard isOpening else { break }
        place += 1
        while place < limit, text[place] != quote || quote == UInt8(ascii: "'") && byte(place + 1) == quote {
          if text[place] == 0x0a { return nil }
          place += text[place] == quote || quote == UInt8(ascii: "\"") && text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard place < limit else { return nil }
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      case UInt8(ascii: "#") where Self.isBlank(text[place - 1]): return nil
      default: break
      }
      place += 1
      if open == 0 { return place }
    }
    return nil
  }

  /// Returns true if a plain scalar precedes a byte, so that a quotation mark there opens no quoted scalar.
  private func isWordBefore(_ place: Int) -> Bool {
    var before = place - 1
    while before > at, Self.isBlank(text[before]) { before -= 1 }
    guard before >= at else { return false }
    if before < place - 1, text[before] == UInt8(ascii: ":") || text[before] == UInt8(ascii: "?") { return false }
    return !Self.isFlowMark(text[before]) && text[before] != UInt8(ascii: ":") && text[before] != UInt8(ascii: "\"")
      && text[before] != UInt8(ascii: "'")
  }

  // Parses plain, quoted and block scalars, which may have several lines (YAML 1.2.2 §7.3 and chapter 8).

  // MARK: Plain

  /// Returns true if a plain scalar may begin at an offset (§7.3.3).
  func isPlainStart(_ place: Int, _ inFlow: Bool) -> Bool {
    switch byte(place) {
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      !Self.isSpace(byte(place + 1)) && !(inFlow && Self.isFlowMark(byte(place + 1)))
    default: !Self.indicators.contains(byte(place))
    }
  }

  private static let indicators = ByteSet(0...0, adding: ",[]{}#&*!|>'\"%@`")

  /// Parses a plain scalar.
  mutating func plain(_ margin: Int, inFlow: Bool, isKey: Bool) throws(YAMLError) -> [UInt8] {
    guard isPlainStart(at, inFlow) else {
      let shown = isEnd ? "the end" : String(decoding: [byte], as: UTF8.self)
      throw error("a value that begins with \(shown) must be quoted")
    }
    var content: [UInt8] = []
    while true {
      let start = at
      var end = at
      while at < text.count, text[at] != 0x0a {
        let byte = text[at]
        if byte == UInt8(ascii: ":"), isColon(at, inFlow) { break }
        if byte == UInt8(ascii: "#"), at > lineStart, Self.isBlank(text[at - 1]) { break }
        if inFlow, Self.isFlowMark(byte) { break }
        at += 1
        if !Self.isBlank(byte) { end = at }
      }
      content += text[start..<end]
      at = end
      guard !isKey, let next = nextLine(margin, inFlow) else { return content }
      fold(next.breaks, into: &content)
      at = next.start
      beginLine()
      at = next.first
    }
  }

  /// Returns the next line of a plain scalar, and the number of line breaks before it, or nil if the scalar ends.
  private func nextLine(_ margin: Int, _ inFlow: Bool) -> (breaks: Int, start: Int, first: Int)? {
    var place = at
    var breaks = 0
    var start = at
    while true {
      while Self.isBlank(byte(place)) { place += 1 }
      guard place < text.count else { return nil }
      guard text[place] == 0x0a else { break }
      breaks += 1
      place += 1
      start = place
    }
    guard breaks > 0, !isMarker(start), text[place] != UInt8(ascii: "#"), !isColon(place, inFlow) else { return nil }
    guard !(inFlow && Self.isFlowMark(text[place])) else { return nil }
    var spaces = start
    while byte(spaces) == 0x20 { spaces += 1 }
    return spaces - start >= margin ? (breaks, start, place) : nil
  }

  /// Folds lines: a single line break becomes a space; of several, the first is dropped (§6.5).
  private func fold(_ breaks: Int, into content: inout [UInt8]) {
    if breaks == 1 { content.append(0x20) } else { content += repeatElement(0x0a, count: breaks - 1) }
  }

  // MARK: Quoted scalars

  mutating func singleQuoted(_ margin: Int) throws(YAMLError) -> [UInt8] {
    let start = at
    var content: [UInt8] = []
    at += 1
    while !isEnd {
      switch text[at] {
      case UInt8(ascii: "'") where byte(at + 1) == UInt8(ascii: "'"):
        content.append(UInt8(ascii: "'"))
        at += 2
      case UInt8(ascii: "'"):
        at += 1
        return content
      case 0x0a:
        while let last = content.last, Self.isBlank(last) { content.removeLast() }
        fold(try breaks(margin, start), into: &content)
      default:
        content.append(text[at])
        at += 1
      }
    }
    throw error("a quote is not closed", at: start)
  }

  mutating func doubleQuoted(_ margin: Int) throws(YAMLError) -> [UInt8] {
    let start = at
    var content: [UInt8] = []
    // The end of escaped content. Blanks before it are not trimmed at a line break.
    var kept = 0
    at += 1
    while !isEnd {
      switch text[at] {
      case UInt8(ascii: "\""):
        at += 1
        return content
      case UInt8(ascii: "\\"):
        if byte(at + 1) == 0x0a {
          at += 1
          content += repeatElement(0x0a, count: try breaks(margin, start) - 1)
        } else {
          try escape(into: &content)
        }
        kept = content.count
      case 0x0a:
        while content.count > kept, let last = content.last, Self.isBlank(last) { content.removeLast() }
        fold(try breaks(margin, start), into: &content)
        kept = content.count
      default:
        content.append(text[at])
        at += 1
      }
    }
    throw error("a quote is not closed", at: start)
  }

  /// Skips to the next line that is not empty, and returns the number of line breaks.
  private mutating func breaks(_ margin: Int, _ start: Int) throws(YAMLError) -> Int {
    var breaks = 0
    while byte == 0x0a {
      breaks += 1
      at += 1
      beginLine()
      skipBlanks()
    }
    if isMarker(lineStart) { throw error("the document ends inside quotes", at: start) }
    guard isEnd || indent >= margin else { throw error("a line inside quotes must be indented by \(margin) spaces") }
    return breaks
  }

  /// Parses an escape sequence (§5.7).
  private mutating func escape(into content: inout [UInt8]) throws(YAMLError) {
    var sequence = YAMLEscape(text, at: at)
    content += Array(String(try sequence.scalar()).utf8)
    at = sequence.at
  }

  // MARK: Blocks of text

  /// Parses a block scalar, `|` or `>` with the lines below it (§8.1).
  mutating func blockScalar(_ parent: Int, _ properties: Properties) throws(YAMLError) {
    let start = at
    let isFolded = byte == UInt8(ascii: ">")
    at += 1
    var digit: Int?
    var chomping: UInt8 = 0
    while true {
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), chomping == 0 {
        chomping = byte
      } else if (0x31...0x39).contains(byte), digit == nil {
        digit = Int(byte - 0x30)
      } else {
        break
      }
      at += 1
    }
    try endLine(after: "the header of a block scalar")
    if !isEnd {
      at += 1
      beginLine()
    }
    let margin = if let digit { max(parent, 0) + digit } else { try detectMargin(parent + 1) }
    var content: [UInt8] = []
    // Line breaks since the last line that was not empty.
    var breaks = 0
    var wasLoose = true
    var isFirst = true
    while !isEnd {
      let line = at
      while byte == 0x20, at - line < margin { at += 1 }
      if byte == 0x0a {
        breaks += 1
        at += 1
        continue
      }
      guard at - line == margin, !isEnd, !(margin == 0 && isMarker(line)) else {
        at = isEnd ? at : line
        break
      }
      let isLoose = Self.isBlank(byte)
      let begin = at
      skipLine()
      if isFirst || !isFolded || isLoose || wasLoose {
        content += repeatElement(0x0a, count: breaks)
      } else {
        fold(breaks, into: &content)
      }
      content += text[begin..<at]
      (isFirst, wasLoose, breaks) = (false, isLoose, 0)
      if !isEnd {
        breaks = 1
        at += 1
      }
    }
    beginLine()
    if chomping == UInt8(ascii: "+") {
      content += repeatElement(0x0a, count: breaks)
    } else if chomping == 0, breaks > 0, !isFirst {
      content.append(0x0a)
    }
    try composer.scalar(content, .quoted, properties, at: start)
  }

  /// Returns the indentation of the first line that is not empty.
  private func detectMargin(_ least: Int) throws(YAMLError) -> Int {
    var place = at
    var widest = 0
    while place < text.count {
      let line = place
      while byte(place) == 0x20 { place += 1 }
      let spaces = place - line
      // The last line may have no line break.
      if byte(place) == 0x0a || place >= text.count {
        widest = max(widest, spaces)
        place += 1
        continue
      }
      if byte(place) == 0x09, spaces < least { throw error("a tab in the indentation; indent with spaces", at: place) }
      guard place < text.count, spaces >= least else { break }
      guard widest <= spaces else { throw error("an empty line has more spaces than the first line of text", at: line) }
      return spaces
    }
    return max(widest, least)
  }
}
