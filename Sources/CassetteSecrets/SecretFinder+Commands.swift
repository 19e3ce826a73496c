internal import CassetteHTTP
internal import CassetteShapes
internal import CassetteSystem

/// Names and values with nothing but a blank between them: commands and `.netrc`.
extension SecretFinder {
  /// Every value that one of some words introduces.
  func introduced(in text: ByteSearch, _ words: [(word: Int, end: Int)], _ found: (Found) -> Void) {
    var rowsEnd = 0
    for (word, end) in words {
      let (name, what) = SecretMarks.words[word]
      switch what {
      case .noun: said(after: end, name, in: text, found)
      case .option: option(at: end, in: text, found)
      case .user: user(after: end, in: text, found)
      case .cookies: cookies(after: end, in: text, found)
      case .program: password(after: end, Self.options[name] ?? ["-p"], in: text, found)
      case .machine: machine(after: end, in: text, found)
      case .variable: variable(after: end, in: text, found)
      case .sole: sole(after: end, name.utf8.count, in: text, found)
      case .value: value(at: text.skippingBlanks(end), in: text, found)
      case .last: last(after: end, in: text, found)
      case .call: call(after: end, in: text, found)
      case .argument(let number): argument(number, after: end, in: text, found)
      case .positions: third(after: end, in: text, found)
      case .method: arguments(after: end, in: text, found)
      case .lease: lease(before: end, in: text, found)
      case .rows: if end >= rowsEnd { rowsEnd = rows(after: end, in: text, found) }
      case .block: block(after: end, in: text, found)
      case .piped: piped(after: end, in: text, found)
      }
    }
  }

  // MARK: Words

  /// The word at a place, without the quotes around it; what follows it, and whether it had quotes.
  func word(
    _ start: Int, in text: ByteSearch, endsAt ends: ByteSet = TextEnds.endsWord
  ) -> (range: Range<Int>, next: Int, isQuoted: Bool)? {
    guard start < text.count else { return nil }
    let quote = text[start]
    if ByteSet.quote.contains(quote) || quote == UInt8(ascii: "`") {
      guard let end = TextEnds.endOfString(text, from: start + 1, quote, limit: Self.longestWord) else { return nil }
      return (start + 1..<end, end + 1, true)
    }
    // Each word of a long text without a blank would end with the text.
    let end = text.end(before: ends, from: start, atMost: Self.longestWord)
    return end > start && end - start < Self.longestWord ? (start..<end, end, false) : nil
  }

  private static let longestWord = 8 << 10

  /// Goes over a blank, an equals sign, or what stands between two strings of a list.
  private static func separated(_ start: Int, in text: ByteSearch) -> Int? {
    if text.at(start) == UInt8(ascii: "=") { return start + 1 }
    if ByteSet.quote.contains(text.at(start)) {
      let next = text.skippingSpace(start + 2)
      return text.at(start + 1) == UInt8(ascii: ",") && text.at(next) == text[start] ? next : nil
    }
    let end = text.skippingBlanks(start)
    return end > start ? end : nil
  }

  func named(_ range: Range<Int>, in text: ByteSearch) -> Name? {
    let name = Name(range: range, verdict: SecretNames.verdict(on: text, range, isField: true))
    switch name.verdict {
    case .secret, .secretIfToken: return isKept(SecretNames.text(text, range)) ? nil : name
    case .harmless, .holder, .several: return nil
    }
  }

  /// Takes a value, unless a program would put another in its place; where it cannot be a word of a sentence, also one.
  func take(
    _ name: Name, word: Range<Int>, mayBeWord: Bool = false, in text: ByteSearch, _ found: (Found) -> Void
  ) {
    let value = text.bytes(word)
    let isPassword = mayBeWord && value.count > 5 && value.allSatisfy { (0x61...0x7a).contains($0) }
    guard !value.isEmpty, !value.starts(with: Array("$(".utf8)), !value.starts(with: Array("-".utf8)),
      !Prose.isWord(value) || isPassword && !Prose.isSentence(value), !Prose.isExpression(value),
      !value.dropLast(2).contains(UInt8(ascii: "="))
    else { return }
    take(name, word, value, in: text, found)
  }

  // MARK: Commands

  private func option(at start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard text.at(start) != UInt8(ascii: "-") else { return }
    let end = text.end(of: TextEnds.nameBytes, from: start, atMost: 64)
    guard end > start, let name = named(start..<end, in: text),
      let next = Self.separated(end, in: text), let word = word(next, in: text)
    else { return }
    let isPassword = text.at(end) == UInt8(ascii: "=") && text.has(Self.password, at: end - Self.password.count)
    take(name, word: word.range, mayBeWord: isPassword, in: text, found)
  }

  private static let password = Array("password".utf8)

  private func user(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let isLong = text.at(start - 1) == UInt8(ascii: "r")
    guard
      let next = Self.separated(text.at(start - 1) == UInt8(ascii: "\"") ? start - 1 : start, in: text)
        ?? (isLong ? nil : start),
      let (range, _, _) = word(next, in: text)
    else { return }
    let value = text.bytes(range)
    let before = String(decoding: text.bytes(max(0, start - 64)..<start), as: UTF8.self)
    // `smbclient //a/b -U ada%abc`
    let mark = before.contains("smbclient") ? UInt8(ascii: "%") : UInt8(ascii: ":")
    guard let colon = value.firstIndex(of: mark), colon > 0, !value.contains(UInt8(ascii: "/")) else { return }
    let password = value[(colon + 1)...]
    // `-u 1000:1000` is of a program that changes its user.
    guard !password.isEmpty, !password.allSatisfy({ (0x30...0x39).contains($0) }), !Prose.isWord(Array(password)),
      hidesAll || !Placeholder.isPlaceholder(String(decoding: password, as: UTF8.self))
    else { return }
    let parts = mark == 0x3a ? Self.userAndPassword(value) : [Array(password)]
    found(Found(range: range, value: value, parts: parts, name: "user"))
  }

  private func cookies(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let next = text.at(start - 1) == 0x20 ? start : Self.separated(start, in: text),
      let (range, _, isQuoted) = word(next, in: text), isQuoted, text.first(UInt8(ascii: "="), in: range) != nil
    else { return }
    cookies(in: text.bytes(range), isSetCookie: false) { found($0.moved(by: range.lowerBound)) }
  }

  /// The options of programs whose password is none of `-p`.
  private static let options: [String: [String]] = [
    "redis-cli ": ["-a"], "sqlcmd ": ["-P"], "openssl enc ": ["-k"], "bcp ": ["-P"], "ldapsearch ": ["-w"],
    "ldapmodify ": ["-w"], "ldapadd ": ["-w"], "zip -": ["-P"], "secret set ": ["-b", "--body"],
  ]

  private func password(after start: Int, _ options: [String], in text: ByteSearch, _ found: (Found) -> Void) {
    let end = text.end(before: .feed, from: start, atMost: 512)
    var from = start - 1
    while let dash = text.first(UInt8(ascii: "-"), in: from..<end) {
      from = dash + 1
      guard dash > 0, Self.isBlank(text[dash - 1]) || ByteSet.quote.contains(text[dash - 1]),
        let option = options.first(where: { text.has(Array($0.utf8), at: dash) })
      else { continue }
      let next = dash + option.utf8.count
      // `["-p", "abc"]`
      let isApart = ByteSet.quote.contains(text.at(next)) && ByteSet.quote.contains(text[dash - 1])
      guard let at = isApart ? Self.separated(next, in: text) : text.skippingBlanks(next),
        let (range, _, _) = word(at, in: text)
      else { continue }
      take(
        Name(range: dash + 1..<next, verdict: .secret), word: range, mayBeWord: range.lowerBound == next, in: text,
        found)
    }
  }

  /// Takes a word that is none of a sentence.
  private func value(at start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let (range, _, _) = word(start, in: text), Self.isNoWord(text.bytes(range)) else { return }
    take(Name(range: start..<start, verdict: .secret), word: range, in: text, found)
  }

  /// Takes the last word of a line: `htpasswd -b file ada abc`.
  private func last(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let end = text.end(before: .feed, from: start, atMost: 512)
    var at = start
    while let (range, next, _) = word(text.skippingBlanks(at), in: text), next <= end {
      if text.skippingBlanks(next) >= end || text[next] == UInt8(ascii: "\\") {
        return value(at: range.lowerBound, in: text, found)
      }
      at = next
    }
  }

  private func piped(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let end = text.end(before: .feed, from: start, atMost: 512)
    guard let (range, _, _) = word(start, in: text), range.upperBound < end else { return }
    let rest = text.bytes(range.upperBound..<end)
    guard let reader = Self.readers.first(where: { rest.firstIndex(of: $0) != nil }) else { return }
    // `echo ada:abc | chpasswd`
    let colon = reader == Self.readers.last ? text.first(UInt8(ascii: ":"), in: range).map { $0 + 1 } : nil
    take(
      Name(range: start..<start, verdict: .secret), word: (colon ?? range.lowerBound)..<range.upperBound, in: text,
      found)
  }

  private static let readers = ["-stdin", "sudo -S", "chpasswd"].map { Array($0.utf8) }

  // MARK: Files

  /// The tokens of an entry of `.netrc`.
  private func machine(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    var words: [Range<Int>] = []
    var at = start
    let before = text.beginning(behind: TextEnds.opensString, before: start, after: max(0, start - 4096))
    let ends = text.at(before - 1) == UInt8(ascii: "\"") ? Self.spaces.adding("\"") : Self.spaces
    // The name of the machine, or `login`, which `default` is followed by.
    while words.count < 12, let (range, next, _) = word(text.skippingSpace(at), in: text, endsAt: ends) {
      let end = TextEnds.endOfLine(range, from: start, in: text)
      words.append(range.lowerBound..<end)
      if end < range.upperBound { break }
      at = next
    }
    for (key, value) in zip(words, words.dropFirst()) where text.bytes(key) == Self.password {
      take(Name(range: key, verdict: .secret), value, text.bytes(value), in: text, found)
    }
  }

  private static let spaces = ByteSet(0...0x20)

  private func variable(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let (range, next, _) = word(text.skippingBlanks(start), in: text),
      // The last part of `//registry.example.com/:_authToken`, too.
      let name = named(range, in: text), Self.isBlank(text.at(next)),
      let value = word(text.skippingBlanks(next), in: text)
    else { return }
    take(name, word: value.range, in: text, found)
  }
}
