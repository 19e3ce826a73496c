internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Values in the lists and objects that a name stands before, or in.
extension SecretFinder {
  // MARK: Containers

  /// All scalars of an array or an object that has a secret's name.
  func container(
    _ name: Name, _ start: Int, isCode: Bool = false, in text: ByteSearch, _ found: (Found) -> Void
  ) -> Int {
    // It was read as it is: an escape that is undone would end a string within.
    if name.quote != 0, let view, !view.isJoined, !view.isNew(name.range.lowerBound..<start + 1) { return start }
    // `"apiKeys": [{"key": "…"}]`: of what has names of its own only those of values.
    let first = text[start] == UInt8(ascii: "[") ? text.skippingSpace(start + 1) : start + 1
    let isList = text.at(first) == UInt8(ascii: "{")
    guard name.verdict != .secretIfToken, !isList || name.verdict == .several, !Self.isResource(start, in: text),
      // What has names of its own is looked at by them.
      !Self.scopes.contains(SecretNames.letters(SecretNames.text(text, name.range)))
    else { return texts(of: name, start, in: text, found) }
    var at = start
    var depth = 0
    var (isValue, isTold, hasCalls) = (false, false, false)
    let isCode = isCode && !hidesAll
    // The step budget bounds repeated scans of the same text.
    let reach = brackets?.reach(min(text.count - start, Self.longestContainer)) ?? Self.longestContainer
    let limit = min(text.count, start + reach)
    defer { brackets?.giveBack(limit - at) }
    while at < limit {
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        at += 1
        if depth == 0 { return isList || hasCalls ? start : at }
      case UInt8(ascii: "\""),
        UInt8(ascii: "'") where isCode:
        // A name within, or a value.
        let end = TextEnds.endOfString(text, from: at + 1, text[at]) ?? text.count
        let content = at + 1..<max(at + 1, end)
        // `// don't`
        if text[at] == UInt8(ascii: "'"), text.first(0x0a, in: content) != nil {
          at += 1
          continue
        }
        let next = text.skippingSpace(end + 1)
        if next < limit, text[next] == UInt8(ascii: ":") {
          at = next + 1
          isValue = Self.listed.contains(text, content)
          isTold = SecretNameTable.facts.contains(text, content)
        } else if isList && !isValue || hasCalls && !Self.isMade(text.bytes(content), mayBeWord: false)
          || !hidesAll && Self.isTold(text.bytes(content), isTold, name, at, in: text)
        {
          at = end + 1
        } else {
          at = string(name, at, in: text, found)
        }
      case let byte where isCode && (hasCalls || !byte.isDigit):
        // The words of a program: only those that nobody has written.
        let end = max(at + 1, text.end(of: Self.codeBytes, from: at))
        hasCalls = hasCalls || byte == UInt8(ascii: "(") || text.at(end) == UInt8(ascii: "(")
        let value = text.bytes(at..<end)
        let letters = value.filter { $0 != UInt8(ascii: "/") }
        if Self.isMade(letters, mayBeWord: !hasCalls) { take(name, at..<end, value, in: text, found) }
        at = end
      case let byte where Self.endsScalar.contains(byte): at += 1
      default:
        let end = text.end(before: Self.endsScalar, from: at)
        if name.quote == 0, text[end - 1] == UInt8(ascii: ":") {
          // `token: {type: string}` of YAML.
          isTold = SecretNameTable.facts.contains(text, at..<end - 1)
          at = end
        } else if isList || isTold {
          at = end
        } else {
          at = max(at + 1, scalar(name, at, in: text, isWithin: true, found))
        }
      }
    }
    return at
  }

  /// Tells words that say something of a secret, and are none: of a schema, an error, a token's description.
  private static func isTold(_ value: [UInt8], _ isTold: Bool, _ name: Name, _ start: Int, in text: ByteSearch) -> Bool
  {
    if isTold {
      return !SecretShapes.isToken(value) && !RandomText.isSecret(value) && (!Prose.isMixed(value) || value.count < 8)
    }
    guard Prose.isSentence(value), !SecretNames.text(text, name.range).lowercased().contains("phrase")
    else { return false }
    // `"token": ["has expired"]`: an element, and no member's value.
    return text.at(text.beginning(of: .space, before: start) - 1) != UInt8(ascii: ":")
  }

  /// `"keys": ["…", "…"]`: the texts that look like tokens; `"auth": ["ada", "…"]`: a user and a password.
  private func texts(of name: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    guard text[start] == UInt8(ascii: "[") else { return start }
    if name.verdict == .secretIfToken {
      // `"keys": ["…", "…"]`, as far as there are texts.
      var at = text.skippingSpace(start + 1)
      for _ in 0..<512 where text.at(at) == UInt8(ascii: "\"") {
        at = text.skippingSpace(string(name, at, in: text, found))
        if text.at(at) == UInt8(ascii: ",") { at = text.skippingSpace(at + 1) }
      }
      return start
    }
    guard name.verdict == .secret, let list = elements(of: start, in: text), list.ranges.count == 2,
      list.ranges.allSatisfy({ text[$0.lowerBound] == UInt8(ascii: "\"") }),
      SecretNames.letters(SecretNames.text(text, name.range)) == "auth"
    else { return start }
    return max(start, string(name, list.ranges[1].lowerBound, in: text, found))
  }

  /// Tells whether an object describes something of AWS's by that name: `"AuditCredentials": {"Arn": "…", …}`.
  private static func isResource(_ start: Int, in text: ByteSearch) -> Bool {
    guard text[start] == UInt8(ascii: "{") else { return false }
    let first = text.skippingSpace(start + 1)
    return text.at(first) == UInt8(ascii: "\"") && arn.contains { text.has($0, at: first + 1) }
  }

  private static let arn = ["Arn\"", "ARN\"", "arn\""].map { Array($0.utf8) }
  private static let codeBytes = ByteSet.word.adding("_-.$!*~+@/")
  private static let listed = NameSet(["key", "value", "plaintext", "code"])
  static let longestContainer = 1 << 20
  private static let scopes: Set = ["auth", "bearer", "code", "signature", "signatures", "assertion"]

  /// `login(password: $p)`, and elsewhere `"p": "…"`: the value of a variable of GraphQL.
  func variable(of name: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let end = text.end(of: .word, from: start + 1)
    // A search is much faster than a step for each byte.
    let steps = text.count / 16 + 1
    guard end > start + 1, text.count < 64 << 10, brackets?.reach(steps) ?? steps == steps else { return }
    let member = [UInt8(ascii: "\"")] + text.bytes(start + 1..<end) + [UInt8(ascii: "\"")]
    var from = 0
    while let at = member.searching({ text.first($0, rarest: 1, from: from) }) {
      from = text.skippingSpace(at + member.count)
      let value = text.skippingSpace(from + 1)
      if text.at(from) == UInt8(ascii: ":"), text.at(value) == UInt8(ascii: "\"") {
        from = string(name, value, in: text, found)
        return
      }
    }
  }

  // MARK: Fields

  /// `["Authorization", "Bearer …"]`: fields as cassettes have them.
  func fields(in text: ByteSearch, _ part: Range<Int>, _ found: (Found) -> Void) {
    var from = part.lowerBound
    while let open = text.first(UInt8(ascii: "["), in: from..<part.upperBound) {
      from = open + 1
      // The lines of a cassette's text.
      if !text.has("\"text\": ", at: open - 8) { fields(of: open, in: text, found) }
    }
  }

  /// `["Host", "a", "Authorization", "Bearer …"]`: names and values by turns, as Node.js lists them; or one of several
  /// fields; or the titles of columns.
  private func fields(of open: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    var strings: [Range<Int>] = []
    var at = open + 1
    while strings.count < 128, text.at(text.skippingSpace(at)) == UInt8(ascii: "\"") {
      let start = text.skippingSpace(at) + 1
      guard let end = TextEnds.endOfString(text, from: start, UInt8(ascii: "\""), limit: 64 << 10) else { break }
      strings.append(start..<end)
      at = text.skippingSpace(end + 1)
      guard text.at(at) == UInt8(ascii: ",") else { break }
      at += 1
    }
    guard strings.count > 1 else { return }
    let isClosed = text.at(at) == UInt8(ascii: "]")
    let before = text.at(text.beginning(of: .space, before: open) - 1)
    // `["password", "x"]` alone is a list.
    let isField = isClosed && strings.count == 2 && (before == UInt8(ascii: "[") || before == UInt8(ascii: ","))
    for index in stride(from: 1, to: strings.count, by: 2) {
      let (title, value) = (strings[index - 1], strings[index])
      guard title.count < 64, isField || SecretNames.mayName(text, title) else { continue }
      let name = SecretNames.text(text, title)
      let bytes = text.bytes(value)
      // A list of names has no value behind one.
      guard redaction.takesOut(header: name), !isKept(name),
        isField || bytes.contains(0x20) || bytes.contains(UInt8(ascii: "=")) || Self.isMade(bytes)
      else { continue }
      take(
        Name(range: title, verdict: .secret, isPair: true), value, JSONString.decodeLoosely(bytes.span), in: text, found
      )
    }
    let titles = strings.enumerated().filter {
      $1.count < 64 && SecretNames.mayName(text, $1) && SecretNames.verdict(on: text, $1) == .secret
    }
    if isClosed, !titles.isEmpty {
      rows(under: titles.map { ($0.offset, $0.element) }, of: strings.count, open..<at + 1, in: text, found)
    }
  }
}
