/// Parses block nodes, whose extent is determined by indentation (YAML 1.2.2, chapter 8).
extension YAMLParser {
  /// Parses a node below another one; an absent node becomes null.
  ///
  /// - Parameters:
  ///   - parent: The column of the parent node. The node must be indented further.
  ///   - isCompact: True if a collection may begin on the current line: `- - a`.
  ///   - mayAlign: True if a sequence may begin in the column of the parent, as a value in a mapping may.
  /// - Throws: The first syntax error.
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
    while byte(place) == UInt8(ascii: "&") || byte(place) == UInt8(ascii: "!") {
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
}
