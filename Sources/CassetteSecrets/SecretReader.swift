internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Finds secrets by name and structure, in one pass over the input.
///
/// Parsed bytes are skipped, so that the work is proportional to the length. Nested text, such as a JSON string, is
/// parsed by a nested reader, at most four levels deep.
struct SecretReader {
  /// The syntax of parameters: values in a URL or form extend to the next separator.
  enum Syntax { case text, url, form }

  let finder: SecretFinder
  let text: ByteSearch
  let syntax: Syntax
  let depth: Int
  var found: [SecretFinder.Found] = []
  /// The remaining number of bytes that readers may examine; the scan is abandoned below zero.
  private(set) var steps: Int
  /// The last offset of each closing tag by the hash of its name, computed on first use.
  var closings: [UInt64: Int]?
  /// True if the input is not text.
  private(set) lazy var isBinary = text.first(0, from: 0) != nil
  /// The parts of lines that are JSON.
  var jsonParts: [Range<Int>] = []
  /// True if a JSON member has the name of a piece of a split string.
  private(set) var hasPieces = false
  /// The text that is parsed, without nested text, and whether the last block that was examined is part of a program.
  var scope: (range: Range<Int>, block: Int, isProgram: Bool) = (0..<0, -1, false)

  /// Creates a reader.
  init(_ finder: SecretFinder, _ text: ByteSearch, _ syntax: Syntax = .text, depth: Int = 0, steps: Int? = nil) {
    (self.finder, self.text, self.syntax, self.depth) = (finder, text, syntax, depth)
    self.steps = steps ?? Self.budget(for: text.count)
  }

  /// Returns the maximum number of bytes examined for input of a given length.
  static func budget(for count: Int) -> Int { (64 << 10) + 64 * count }

  mutating func use(_ count: Int) { steps -= count }

  // MARK: Input

  /// Parses a part of the input as JSON or as lines of markup and other text, depending on its first character.
  mutating func read(_ range: Range<Int>) {
    guard steps > 0 else { return }
    let (first, firstJSON, outer) = (found.count, jsonParts.count, scope)
    scope = (range, -1, false)
    let start = text.trimmed(range, of: .space).lowerBound
    let end = start < range.upperBound && Self.opens.contains(text[start]) ? json(start..<range.upperBound) : start
    lines(end..<range.upperBound)
    defer { jsonParts.removeSubrange(firstJSON...) }
    scope = outer
    guard DecodedView.marks.contains(where: { text.first($0, in: end..<range.upperBound) != nil }) else { return }
    let known = found[first...].map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    // The escapes in JSON strings are decoded separately for each string.
    var gap = end
    for part in jsonParts[firstJSON...] + [range.upperBound..<range.upperBound] {
      if gap < part.lowerBound { undo(gap..<part.lowerBound, known) }
      gap = max(gap, part.upperBound)
    }
  }

  /// Parses a part of the input again with its outermost escapes decoded.
  ///
  /// A secret in the decoded text that overlaps a secret found without decoding is ignored, because the first parse
  /// determines where values end.
  private mutating func undo(_ range: Range<Int>, _ known: [Range<Int>]) {
    guard steps > 0 else { return }
    for mark in DecodedView.marks where text.first(mark, in: range) != nil {
      use(range.count)
      guard let inner = inner(range, mark) else { continue }
      found += inner.filter { found in
        let index = known.partitioningIndex { $0.upperBound > found.range.lowerBound }
        return index == known.count || !known[index].overlaps(found.range)
      }
      return
    }
  }

  /// Parses a part of the input with escapes decoded, and returns the secrets by their place in the input; nil if there
  /// are no escapes.
  private mutating func inner(_ range: Range<Int>, _ mark: UInt8) -> [SecretFinder.Found]? {
    guard depth < 4, let view = DecodedView(text.bytes(range)).undoing([mark]) else { return nil }
    return view.bytes.searching { decoded in
      var reader = SecretReader(finder, decoded, depth: depth + 1, steps: steps - decoded.count)
      reader.read(0..<decoded.count)
      steps = reader.steps
      func place(_ inner: Range<Int>) -> Range<Int> {
        let original = view.original(inner)
        return range.lowerBound + original.lowerBound..<range.lowerBound + original.upperBound
      }
      return reader.found.map { found in
        var found = found
        (found.range, found.name) = (place(found.range), place(found.name))
        return found
      }
    }
  }

  static let opens = ByteSet(adding: "{[")

  /// True if the text around an offset is a program with braces, such as JavaScript: its values without quotes are
  /// expressions.
  ///
  /// Programs have a sign such as `){` about every 160 bytes, random text every 2,000 bytes.
  mutating func isProgram(at place: Int) -> Bool {
    let block = (place - scope.range.lowerBound) >> 10
    guard block != scope.block else { return scope.isProgram }
    let start = scope.range.lowerBound + block << 10
    let window = (start - 1024..<start + 2048).clamped(to: scope.range)
    use(window.count)
    let count = text.bytes(window).searching { part in
      Self.programs.reduce(0) { count, sign in
        var (count, from) = (count, 0)
        while let at = sign.searching({ part.first($0, from: from) }) { (count, from) = (count + 1, at + 1) }
        return count
      }
    }
    let isMarkup = text.at(text.end(of: .space, from: scope.range.lowerBound, atMost: 1024)) == UInt8(ascii: "<")
    (scope.block, scope.isProgram) = (block, !isMarkup && count > window.count / 768)
    return scope.isProgram
  }

  private static let programs = ["){", ") {", "=>{", "=> {", ")=>", "||\"", "||'", "||{", "||[", "||("].map {
    Array($0.utf8)
  }

  // MARK: Values

  /// Takes a value with its escapes decoded, whose name is at another offset.
  mutating func take(
    _ range: Range<Int>, _ value: [UInt8], _ name: Range<Int>, _ notation: SecretFinder.Notation = .member
  ) {
    // A plural name with a number is a count.
    if value.allSatisfy(\.isDigit), finder.verdict(on: text, name) == .several { return }
    finder.take(range, value, named: SecretNames.text(text, name), at: name, notation, into: &found)
  }

  /// Takes a JSON value whose name is at another offset.
  mutating func take(
    _ range: Range<Int>, _ name: Range<Int>, isString: Bool, _ notation: SecretFinder.Notation = .member
  ) {
    let value = text.bytes(range)
    if isString {
      let decoded = JSONString.decodeLoosely(value.span)
      return finder.take(range, decoded, named: SecretNames.text(text, name), at: name, notation, into: &found)
    }
    let isNumber = value.last?.isDigit == true && value.allSatisfy(Self.numberBytes.contains)
    let isWord = Self.literals.contains(value)
    if finder.hidesAll || isNumber && value.count > 3 {
      found.append(.init(range: range, name: name, value: value, isNumber: isNumber || isWord))
    } else if !isNumber, !isWord, !isProgram(at: range.lowerBound) {
      take(range, value, name, notation)
    }
  }

  /// Returns the offset of the quote that ends a string, skipping escaped quotes; the limit if there is no such quote.
  static func endOfString(_ text: ByteSearch, from start: Int, _ mark: UInt8, limit: Int) -> Int {
    var at = start
    while at < limit, let quote = text.first(mark, in: at..<limit) {
      // A quote after an odd number of backslashes is part of the string.
      let first = text.beginning(of: backslash, before: quote, after: at)
      if (quote - first) % 2 == 0 { return quote }
      at = quote + 1
    }
    return limit
  }

  private static let backslash = ByteSet(adding: "\\")
  private static let literals = ["true", "false", "null"].map { Array($0.utf8) }
  private static let numberBytes = ByteSet.digit.adding("+-.eE")
  static let endsScalar = ByteSet(0...0x20, adding: ",]}\"<&")
}

// MARK: - JSON

extension SecretReader {
  /// An open object or array.
  private struct Frame {
    var isObject: Bool
    /// The secret's name that applies to all nested values, and whether numbers are secrets as well.
    var above: Range<Int>?
    var takesNumbers = true
    /// True if the values are members, or in members, of an object below the secret's name.
    var isBelow = false
    /// The name of the current member and its classification; nil for an array element, or before a name.
    var name: Range<Int>?
    var verdict = SecretNames.Verdict.harmless
    /// The value of a `name` member if it is a secret's name, and the value of a `value` member.
    var title: Range<Int>?
    var value: (range: Range<Int>, isString: Bool)?
    /// The two strings of an array within another array: a header field's name and value.
    var strings: [Range<Int>]?
    /// The option of a command line that is the previous element, and whose value is a secret: `"--token"`.
    var option: Range<Int>?
    /// The number of secrets found before this container.
    var first = 0
    /// True for an object that describes a value: a JSON Schema.
    var isSchema = false
    /// True for the array of a member with a plural name.
    var isPlural = false

    /// True if the current member has a secret's name.
    var isNamed: Bool { verdict == .secret || verdict == .several }
    /// The secret's name that applies to the current value.
    var nameOfValue: Range<Int>? { isNamed ? name : above }
  }

  /// Parses JSON, including malformed JSON, from its first bracket; returns the end: after the closing bracket, or before
  /// the first byte that is not JSON.
  ///
  /// - `name`: The name of the surrounding member, if it makes all values secret.
  mutating func json(_ range: Range<Int>, below name: Range<Int>? = nil) -> Int {
    var frames: [Frame] = []
    var at = range.lowerBound
    let end = range.upperBound
    defer { use(at - range.lowerBound) }
    while at < end, steps > at - range.lowerBound {
      let byte = text[at]
      let last = frames.count - 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard frames.count < Self.mostContainers else {
          steps = -1
          return end
        }
        var frame = Frame(isObject: byte == UInt8(ascii: "{"), above: name, first: found.count)
        if last >= 0 {
          frame.above = frames[last].nameOfValue
          frame.takesNumbers = frames[last].verdict != .several && frames[last].takesNumbers
          frame.isBelow = frame.above != nil && (frame.isObject || !frames[last].isNamed && frames[last].isBelow)
          // `"secrets": [{"name": "A"}]`: the objects of an array describe secrets, except in a member `value`.
          if frame.isObject, frames[last].isPlural {
            (frame.title, frame.above, frame.takesNumbers) = (frame.above, nil, true)
          }
          frame.isPlural = !frame.isObject && frames[last].verdict == .several
          if !frame.isObject, !frames[last].isObject { frame.strings = [] }
          (frames[last].strings, frames[last].option) = (nil, nil)
        }
        frames.append(frame)
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        at += 1
        pair(frames.removeLast())
        if last == 0 { return at }
      case UInt8(ascii: ","):
        if frames[last].isObject { (frames[last].name, frames[last].verdict) = (nil, .harmless) }
        at += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let content = at + 1..<Self.endOfString(text, from: at + 1, byte, limit: end)
        at = min(content.upperBound + 1, end)
        let next = text.skippingSpace(at)
        if frames[last].isObject, next < end, text[next] == UInt8(ascii: ":") {
          frames[last].name = content
          frames[last].verdict = finder.verdict(on: text, content, isQuoted: true)
          hasPieces = hasPieces || JoinedText.isPiece(text, content)
          at = next + 1
        } else {
          string(content, &frames[last])
        }
      case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ":"):
        at += 1
        // The JSON continues on the next `data:` line of the event.
        if byte == 0x0a, text.has("data:", at: at) { at += 5 }
      default:
        let stop = min(text.end(before: Self.endsScalar, from: at), end)
        guard stop > at, !frames[last].isObject || frames[last].name != nil, Self.begins.contains(byte),
          text.first(UInt8(ascii: "="), in: at..<stop) == nil
        else { return at }
        if frames[last].verdict == .value { frames[last].value = (at..<stop, false) }
        let title = frames[last].verdict == .secret ? frames[last].name : frames[last].above
        if let title, frames[last].takesNumbers { take(at..<stop, title, isString: false) }
        at = stop
      }
    }
    for frame in frames.reversed() { pair(frame) }
    return min(at, end)
  }

  /// Parses a JSON string that is not a member's name.
  private mutating func string(_ content: Range<Int>, _ frame: inout Frame) {
    if let name = frame.name, frame.above != nil {
      let isType = text.has("type\"", at: name.lowerBound) && Self.schemaTypes.contains(text.bytes(content))
      if isType || text.has("$ref\"", at: name.lowerBound) { frame.isSchema = true }
    }
    if frame.verdict == .value { frame.value = (content, true) }
    if let title = frame.nameOfValue {
      return isSetting(content, frame) ? () : take(content, title, isString: true)
    }
    // `"auth": {"bearer": "…"}`; `"--token", "…"`
    let isBearer = frame.verdict == .parameter && frame.name.map { text.has("bearer\"", at: $0.lowerBound) } ?? false
    if let title = isBearer ? frame.name : frame.option, text.at(content.lowerBound) != UInt8(ascii: "-") {
      frame.option = nil
      return take(content, title, isString: true)
    }
    let option = content.drop { text[$0] == UInt8(ascii: "-") }
    frame.option = frame.isObject || option.count == content.count || !isSecret(option) ? nil : option
    if let strings = frame.strings { frame.strings = strings.count < 2 ? strings + [content] : nil }
    if frame.verdict == .holder, isSecret(content) { frame.title = content }
    if text.first(UInt8(ascii: "\\"), in: content) != nil, let inner = inner(content, UInt8(ascii: "\\")) {
      found += inner
    } else if depth < 4 {
      read(content)
    }
  }

  /// True for a value below `credentials` that is a discriminator, a word or a constant: `"type": "static"`.
  private func isSetting(_ content: Range<Int>, _ frame: Frame) -> Bool {
    guard let above = frame.above, frame.isBelow, !frame.isNamed, !finder.hidesAll,
      ["credential", "credentials"].contains(where: { SecretNames.text(text, above).lowercased().hasSuffix($0) })
    else { return false }
    let name = frame.name.map { SecretNames.text(text, $0).lowercased().filter { $0.isLetter } } ?? ""
    return SecretNames.kinds.contains(name) || SecretFinder.isSetting(text.bytes(content)[...])
  }

  /// True if a string is the name of a secret.
  func isSecret(_ name: Range<Int>) -> Bool {
    name.count <= 128 && [.secret, .several].contains(finder.verdict(on: text, name))
  }

  /// Ends a container: takes the value of an object whose other member is the secret's name, or of a two-element array,
  /// and drops the secrets of a JSON Schema.
  private mutating func pair(_ frame: Frame) {
    if frame.isSchema, frame.value == nil { found.removeSubrange(frame.first...) }
    if let field = frame.strings, field.count == 2, field[0].count <= 128,
      finder.redaction.takesOut(header: SecretNames.text(text, field[0]))
    {
      return take(field[1], field[0], isString: true, .pair)
    }
    guard let title = frame.title, let value = frame.value, frame.above == nil,
      value.isString || finder.verdict(on: text, title) == .secret
    else { return }
    take(value.range, title, isString: value.isString, .pair)
  }

  /// The maximum number of open containers, which take memory; other parsers refuse fewer.
  private static let mostContainers = 20_000
  private static let schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"].map {
    Array($0.utf8)
  }
  private static let begins = ByteSet.word.adding("-+.$_")
}
