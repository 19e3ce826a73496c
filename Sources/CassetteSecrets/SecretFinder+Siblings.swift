internal import CassetteShapes
internal import CassetteSystem

/// A name and its value in neighbouring elements or lines.
extension SecretFinder {
  /// `<td>password</td><td>…</td>`, `<key>apiKey</key><string>…`: the value of a name is the next element's text.
  func labelled(
    before less: Int, _ end: Int, in text: ByteSearch, _ budget: inout Int, _ found: (Found) -> Void
  ) {
    let start = text.beginning(behind: Self.endsTag, before: less, after: max(0, less - 40))
    let first = text.end(of: .space, from: start, atMost: less - start)
    let label = first..<text.beginning(of: Self.behindLabel, before: less, after: first)
    let isTitle =
      text.at(end + 1) == UInt8(ascii: ":") || text.first(UInt8(ascii: ":"), in: label.upperBound..<less) != nil
    guard start > 0, text[start - 1] == UInt8(ascii: ">"), label.count > 2, SecretNames.mayName(text, label)
    else { return }
    let name = Name(range: label, verdict: SecretNames.verdict(on: text, label), isPair: true)
    guard name.verdict == .secret, !isKept(SecretNames.text(text, label)) else { return }
    if budget > 0, text.has("</th", at: less) { cells(below: name, start, in: text, &budget, found) }
    let next = text.at(end + 1) == UInt8(ascii: ":") ? end + 2 : end + 1
    // `<label>Password</label> <input value="…">`
    let input = text.skippingSpace(next)
    if text.has(Self.input, at: input) { return tag(name, around: input + 1, in: text, found) }
    _ = marked(name, next, in: text, mayFollow: isTitle, found)
  }

  /// The cells of a table of HTML that stand below a head: `<th>Password</th>`.
  private func cells(
    below name: Name, _ start: Int, in text: ByteSearch, _ budget: inout Int, _ found: (Found) -> Void
  ) {
    // The head's row, as far as this title.
    var column = 0
    var at = start
    let first = max(0, start - 4096)
    while at > first, !text.has(Self.row, at: at) {
      if text.has("</th", at: at) { column += 1 }
      at -= 1
    }
    var cell = Int.min
    let limit = min(text.count, start + min(64 << 10, budget))
    at = start
    while at < limit, let less = text.first(UInt8(ascii: "<"), in: at..<limit) {
      at = less + 1
      if text.has(Self.row, at: less) { cell = -1 }
      guard text.has("<td", at: less), let close = text.first(UInt8(ascii: ">"), in: less..<limit) else { continue }
      cell += cell < -1 ? 0 : 1
      if cell == column { _ = marked(name, close + 1, in: text, mayFollow: true, found) }
    }
    budget -= limit - first
  }

  private static let row = Array("<tr".utf8)
  private static let input = Array("<input".utf8)

  private static let endsTag = ByteSet(adding: ">")
  private static let behindLabel = ByteSet(adding: " \t\r\n:")

  /// Takes the text of the element behind a label, and returns its end; nil if nothing there can be a secret.
  func marked(
    _ name: Name, _ start: Int, in text: ByteSearch, mayFollow: Bool = false, _ found: (Found) -> Void
  ) -> Int? {
    var at = start
    var hasOpened = mayFollow
    while at < text.count, at - start < 256 {
      // Laravel shows a string as `"<span>…`.
      if Self.isSpace(text[at]) || text[at] == UInt8(ascii: "\"") && text.at(at + 1) == UInt8(ascii: "<") {
        at += 1
      } else if text[at] == UInt8(ascii: "<") {
        guard text.at(at + 1) != UInt8(ascii: "/"), let close = text.first(UInt8(ascii: ">"), from: at)
        else { return nil }
        (at, hasOpened) = (close + 1, true)
      } else {
        break
      }
    }
    let value = Self.unquoted(at..<max(at, text.first(UInt8(ascii: "<"), from: at) ?? at), in: text)
    let bytes = text.bytes(value)
    // Words stand beside words everywhere.
    guard hasOpened, !value.isEmpty, Self.mayStand(bytes, beside: SecretNames.text(text, name.range))
    else { return nil }
    take(name, value, bytes, in: text, found)
    return value.upperBound
  }

  /// `"key": "…"` is as often a key as the name of something: takes what is random, and no number of something.
  func takesKey(_ holder: Name, _ content: Range<Int>, in text: ByteSearch, _ found: (Found) -> Void) -> Bool {
    let value = text.bytes(content)
    guard holder.quote != 0 || Self.isKey(text, holder.range.lowerBound), Self.key.contains(text, holder.range),
      RandomText.isSecret(value),
      !value.allSatisfy({ $0.hexadecimalValue != nil }) || Self.isOfKeys(holder.range.lowerBound, in: text)
    else { return false }
    // A public key has a number, as GitHub has one to encrypt secrets with.
    if let open = opening(before: holder.range.lowerBound, within: 4096, in: text) {
      var isPublic = false
      eachMember(of: open, in: text, within: 4096) { name, _ in
        if Self.keyNumber.contains(text, name) { isPublic = true }
        return nil
      }
      if isPublic { return false }
    }
    take(Name(range: holder.range, quote: holder.quote, verdict: .secretIfToken), content, value, in: text, found)
    return true
  }

  /// Tells whether an object says before a place that it is a service's key: `"type": "api_keys"`.
  private static func isOfKeys(_ place: Int, in text: ByteSearch) -> Bool {
    let before = text.bytes(max(0, place - 512)..<place)
    return ["api_keys\"", "application_keys\""].contains { before.firstIndex(of: Array($0.utf8)) != nil }
  }

  private static let key = NameSet(["key"])
  private static let keyNumber = NameSet(["keyid", "kid"])

  /// Tells whether a value is a token, or random, or of letters and digits as no word is.
  ///
  /// A word with a number in it may be a name of a program's.
  static func isMade(_ value: [UInt8], mayBeWord: Bool = true) -> Bool {
    SecretShapes.isToken(value) || RandomText.isSecret(value) && !Prose.isOfWords(value)
      || (mayBeWord ? Prose.isMixed(value) : RandomText.isKey(value))
  }

  /// Tells whether a value beside a secret's name is none of the words that stand beside words everywhere.
  static func isNoWord(_ value: [UInt8]) -> Bool {
    SecretShapes.isToken(value) || RandomText.isSecret(value) || Prose.isMixed(value) && value.count >= 6
      || RandomText.isLetters(value)
      || value.count >= 10 && value.dropFirst().count(where: { (0x41...0x5a).contains($0) }) > 2
        && !value.contains(0x20)
  }

  /// Tells whether a value beside a label is no word, or the number that is a password.
  static func mayStand(_ value: [UInt8], beside label: String) -> Bool {
    isNoWord(value)
      || value.count > 5 && value.allSatisfy(\.isDigit) && SecretNames.letters(label).hasSuffix("password")
  }

  /// Returns a range without the space around it, and without quotes, as HTML may escape them.
  private static func unquoted(_ range: Range<Int>, in text: ByteSearch) -> Range<Int> {
    let value = range.lowerBound..<text.beginning(of: .space, before: range.upperBound, after: range.lowerBound)
    guard let first = value.first, let last = value.last, value.count > 2 else { return value }
    if ByteSet.quote.contains(text[first]) { return value.dropFirst().dropLast() }
    guard text[first] == UInt8(ascii: "&"), text[last] == UInt8(ascii: ";"),
      let end = text.first(UInt8(ascii: ";"), in: value), end < last
    else { return value }
    var start = last
    while start > end, text[start] != UInt8(ascii: "&") { start -= 1 }
    return end + 1..<max(end + 1, start)
  }

  /// `- name: API_KEY`, and below it `  value: …`; `kind: Secret`, and below it `data:` with lines of its own.
  func siblings(of name: Name, around start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let own = Line(text, at: start) else { return }
    var before: [Line] = []
    var line = own
    while !line.isItem, before.count < 64, let next = Line(text, before: line),
      next.column >= own.column || next.isBlank
    {
      // Another of its kind: items without a dash.
      if next.hasSameName(as: own) { break }
      before.append(next)
      line = next
      if next.isItem, next.column == own.column { break }
    }
    for line in before where line.column == own.column { value(of: name, in: line, text, found) }
    line = own
    var count = 0
    // A text with a name in each of its lines is not to take for ever.
    while count < 256, let next = Line(text, after: line), next.column >= own.column || next.isBlank {
      line = next
      count += 1
      guard next.column == own.column else { continue }
      if next.isItem || next.isSeparator || next.hasSameName(as: own) { return }
      value(of: name, in: next, text, found)
    }
  }

  private func value(of name: Name, in line: Line, _ text: ByteSearch, _ found: (Found) -> Void) {
    guard let colon = line.colon,
      Self.values.contains(SecretNames.letters(SecretNames.text(text, line.first..<colon)))
    else { return }
    if let content = line.content(after: colon) { return take(name, content, text.bytes(content), in: text, found) }
    // What is indented below it, each line with or without a name of its own.
    var line = line
    let column = line.column
    while let next = Line(text, after: line), next.column > column || next.isBlank {
      line = next
      guard let content = next.content(after: next.colon ?? next.first - 1) else { continue }
      take(name, content, text.bytes(content), in: text, found)
    }
  }

  /// A line of a text, by where its first word stands.
  private struct Line {
    let text: ByteSearch
    var range: Range<Int>
    var first: Int
    /// True if a dash makes it the first of an item.
    var isItem = false

    init?(_ text: ByteSearch, at place: Int) {
      guard place >= 0, place < text.count else { return nil }
      let start = text.beginning(behind: .feed, before: place)
      self.text = text
      range = text.line(from: start).range
      first = start
      while first < range.upperBound, text[first] == 0x20 || text[first] == 0x2d && text.at(first + 1) == 0x20 {
        if text[first] == 0x2d { isItem = true }
        first += 1
      }
    }

    init?(_ text: ByteSearch, before line: Line) { self.init(text, at: line.range.lowerBound - 1) }

    init?(_ text: ByteSearch, after line: Line) {
      self.init(text, at: (text.first(0x0a, from: line.range.upperBound) ?? text.count) + 1)
    }

    var column: Int { first - range.lowerBound }
    var isBlank: Bool { first == range.upperBound }
    /// `---`, between two documents.
    var isSeparator: Bool { text.at(first) == 0x2d && text.at(first + 1) == 0x2d }

    /// The sign behind the name that the line begins with.
    var colon: Int? {
      guard let colon = text.first(UInt8(ascii: ":"), in: first..<range.upperBound) else { return nil }
      return colon + 1 == range.upperBound || SecretFinder.isBlank(text[colon + 1]) ? colon : nil
    }

    /// Tells whether another line begins with the same name.
    func hasSameName(as other: Line) -> Bool {
      guard let colon, let its = other.colon else { return false }
      return colon - first == its - other.first && text.isSame(first..<colon, other.first..<its)
    }

    /// Returns the text behind a sign, without quotes and without a comment; nil for nothing.
    func content(after sign: Int) -> Range<Int>? {
      var content = text.trimmed(min(sign + 1, range.upperBound)..<range.upperBound, of: .blank)
      if let comment = text.first(UInt8(ascii: "#"), in: content), comment > content.lowerBound,
        SecretFinder.isBlank(text[comment - 1])
      {
        content = text.trimmed(content.lowerBound..<comment, of: .blank)
      }
      guard let first = content.first, text[first] != UInt8(ascii: "|"), text[first] != UInt8(ascii: ">")
      else { return nil }
      return ByteSet.quote.contains(text[first]) && content.count > 2 ? content.dropFirst().dropLast() : content
    }
  }
}
