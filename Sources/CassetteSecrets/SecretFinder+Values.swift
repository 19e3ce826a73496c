internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// The value behind a name, by the notation it is written in.
extension SecretFinder {
  /// Finds the value behind a sign, and returns where it ends: nothing before is a name.
  func value(of name: Name, at sign: Int, in text: ByteSearch, _ kind: Parameters, _ found: (Found) -> Void) -> Int {
    var at = sign + 1
    if name.quote == 0, text[sign] == UInt8(ascii: "="), isParameter(name, text, kind) {
      return parameter(name, at, in: text, kind, found)
    }
    // `=>`, `:=`, `==`: signs of programs. `://` and `::` are none.
    if at < text.count, text[at] == UInt8(ascii: "=") || text[at] == UInt8(ascii: ">") { at += 1 }
    guard at < text.count, text[at] != UInt8(ascii: ":"), text[at] != UInt8(ascii: "/") || name.quote != 0
    else { return sign }
    at = text.end(of: name.quote == 0 ? .blank : .space, from: at)
    // Markdown's `**Password:** …`
    if name.quote == 0, text.has("**", at: at) { at = text.skippingBlanks(at + 2) }
    // A member in two lines of an event (WHATWG HTML §9.2.6).
    if name.quote != 0, text.has("data:", at: at), text[at - 1] == 0x0a { at = text.skippingBlanks(at + 5) }
    guard at < text.count else { return sign }
    if name.verdict == .holder { return pair(name, at, in: text, found) }
    // In what is no text, two or three letters and a sign are noise.
    guard name.quote != 0 || Self.isInText(text, name.range.lowerBound) else { return sign }
    // `password: !secret "…"`, `password: &one …`: tags and anchors of YAML (YAML 1.2.2 §6.9).
    if name.quote == 0, at > sign + 1, text[at] == UInt8(ascii: "!") || text[at] == UInt8(ascii: "&"),
      text.at(at + 1) == UInt8(ascii: "!") || Self.isInitial(text.at(at + 1))
    {
      let end = text.end(before: .space, from: at)
      let next = text.skippingBlanks(end)
      if next > end, next < text.count, text[next] != 0x0a, text[next] != 0x0d { at = next }
    }
    // `f"Bearer …"`, `b'…'`: strings of Python.
    if [0x62, 0x66, 0x72, 0x75].contains(text[at] | 0x20), text.at(at + 1) == 0x22 || text.at(at + 1) == 0x27 {
      at += 1
    } else if Self.literals.contains(where: { text.has($0, at: at) }) {
      at += 1
    }
    // Spring's `on field 'password': rejected value […]`.
    if name.quote != 0, text.has(Self.refused, at: at),
      let end = text.first(UInt8(ascii: "]"), in: at..<min(text.count, at + 512))
    {
      let value = at + Self.refused.count..<end
      take(name, value, text.bytes(value), in: text, found)
      return end
    }
    switch text[at] {
    case UInt8(ascii: "\"") where name.quote == 0 && TextEnds.endsJSON(at, behind: name.range.lowerBound, in: text):
      return at
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      // `if token == "L"`
      if text[sign] == UInt8(ascii: "="), text.at(sign + 1) == UInt8(ascii: "="),
        let (range, _, _) = word(at, in: text),
        !Self.isNoWord(text.bytes(range))
      {
        return sign
      }
      return string(name, at, in: text, found)
    case UInt8(ascii: "{") where name.quote == 0 && Self.isHash(at, in: text):
      return bare(name, at, sign, in: text, kind, found)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return container(name, at, isCode: name.quote == 0 && text[sign] == UInt8(ascii: "="), in: text, found)
    default:
      return name.quote == 0
        ? bare(name, at, sign, in: text, kind, found) : scalar(name, at, in: text, isWithin: false, found)
    }
  }

  private static let literals = ["#\"", "@\"", "$\"", "N'"].map { Array($0.utf8) }
  private static let refused = Array("rejected value [".utf8)

  private static let schemeBytes = ByteSet.word.adding("-")

  /// Tells `{SSHA}…`, a password's hash with its scheme (RFC 2307 §5.3), from an object.
  private static func isHash(_ start: Int, in text: ByteSearch) -> Bool {
    let at = text.end(of: schemeBytes, from: start + 1)
    return at > start + 1 && at - start < 24 && text.at(at) == UInt8(ascii: "}")
      && ByteSet.word.contains(text.at(at + 1))
  }

  // MARK: Strings and scalars

  /// A value between quotes; one that is cut off reaches to the end.
  func string(_ name: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    // Three quotes of TOML and GraphQL are closed by three.
    if text.at(start + 1) == text[start], text.at(start + 2) == text[start] {
      let end = text.first(text[start], from: start + 3) ?? text.count
      take(name, start + 3..<end, text.bytes(start + 3..<end), in: text, found)
      return min(end + 3, text.count)
    }
    let end = TextEnds.endOfString(text, from: start + 1, text[start]) ?? text.count
    let content = start + 1..<max(start + 1, end)
    if Self.isOfModel(name, behind: end + 1, in: text) { return min(end + 1, text.count) }
    let value = JSONString.decodeLoosely(text.bytes(content).span)
    // Words, as they are without quotes: `"allow-credentials": "true"`.
    if hidesAll || value != Array("true".utf8) && value != Array("false".utf8) {
      take(name, content, value, in: text, found)
    }
    return min(end + 1, text.count)
  }

  /// Tells a word that a language model or an analyzer made: `"token": "Hello", "logprob": -0.3`.
  private static func isOfModel(_ name: Name, behind end: Int, in text: ByteSearch) -> Bool {
    guard modelNames.contains(text, name.range), text.at(end) == UInt8(ascii: ",") else { return false }
    let next = text.skippingSpace(end + 1)
    guard let known = scores.first(where: { text.has($0, at: next) }) else { return false }
    let number = text.at(text.skippingSpace(next + known.count))
    return number == UInt8(ascii: "-") || (0x30...0x39).contains(number)
  }

  private static let modelNames = NameSet(["token"])
  private static let scores = ["\"logprob\":", "\"start_offset\":", "\"score\":"].map { Array($0.utf8) }

  /// A number or a word of JSON.
  func scalar(_ name: Name, _ start: Int, in text: ByteSearch, isWithin: Bool, _ found: (Found) -> Void) -> Int {
    let end = text.end(before: Self.endsScalar, from: start)
    guard end > start else { return start }
    let value = text.bytes(start..<end)
    let isNumber = (0x30...0x39).contains(value[value.count - 1]) && value.allSatisfy(Self.numberBytes.contains)
    if isNumber {
      // `"code": 404` says what happened, `"tokens": 12` how many.
      let title = SecretNames.text(text, name.range)
      let counts =
        !isWithin && (name.verdict != .secret || title.lowercased() == "code")
        || !hidesAll && value.count < 4 && ["pass", "pw", "pin", "credentials"].contains(title.lowercased())
        || name.verdict == .several && value.count < 6
      if !counts, hidesAll || value != [0x30] {
        found(Found(range: start..<end, value: value, isNumber: true, name: title))
      }
    } else if name.quote != 0, Self.marks(name, value, in: text) {
      marked(name, in: text, found)
    } else if hidesAll {
      found(Found(range: start..<end, value: value, isNumber: true, name: SecretNames.text(text, name.range)))
    } else if !["true", "false", "null"].contains(String(decoding: value, as: UTF8.self)), !Prose.isExpression(value),
      !Prose.isCall(value, isAssigned: true)
    {
      take(name, start..<end, value, in: text, found)
    }
    return end
  }

  static let endsScalar = ByteSet(0...0x20, adding: ",]}\"<&")
  private static let numberBytes = ByteSet(0x30...0x39, adding: "+-.eE")

  // MARK: Lines

  /// A value without quotes: the rest of its line, or a word within one.
  private func bare(
    _ name: Name, _ start: Int, _ sign: Int, in text: ByteSearch, _ kind: Parameters, _ found: (Found) -> Void
  ) -> Int {
    if ByteSet.lineEnd.contains(text[start]) { return block(name, start, in: text, found) }
    if text[start] == UInt8(ascii: "|") || text[start] == UInt8(ascii: ">") {
      return block(name, text.first(0x0a, from: start) ?? text.count, in: text, found)
    }
    // `<<-EOT` of HCL and of shells: the line below.
    if name.verdict == .secret, text.has("<<", at: start), let feed = text.first(0x0a, from: start) {
      let line = text.trimmed(text.line(from: min(feed + 1, text.count - 1)).range, of: .blank)
      if Self.isNoWord(text.bytes(line)) { take(name, line, text.bytes(line), in: text, found) }
      return start
    }
    if text[start] == UInt8(ascii: "$"), name.verdict == .secret { variable(of: name, start, in: text, found) }
    // `Password: <b>…</b>`
    if text[start] == UInt8(ascii: "<") { return marked(name, start, in: text, found) ?? sign }
    // An escape that is not undone yet: another reading has it.
    guard text[start] != UInt8(ascii: "\\"), kind == .inText || kind == .field else { return sign }
    let line = kind == .inText ? TextEnds.beginningOfLine(text, name.range.lowerBound) : nil
    let isLine = line != nil
    // `'X-Api-Key: …' https://…`: what begins with its name ends with it.
    let isQuoted = name.range.lowerBound > 0 && text[name.range.lowerBound - 1] == UInt8(ascii: "'")
    let ends = !isLine || sign + 1 >= text.count ? TextEnds.endsWord : isQuoted ? TextEnds.endsQuote : TextEnds.endsLine
    var end = text.end(before: ends, from: start)
    if let line { end = TextEnds.endOfLine(start..<end, from: line, in: text) }
    if line == 0, text[sign] == UInt8(ascii: "=") { end = TextEnds.endInForm(start..<end, in: text) }
    // `PASSWORD=x # of the test`, `password = x ; of the test`
    for mark in isLine ? [UInt8(ascii: "#"), UInt8(ascii: ";")] : [] {
      if let comment = text.first(mark, in: start..<end), comment > start, Self.isBlank(text[comment - 1]) {
        end = comment
      }
    }
    end = text.beginning(of: .blank, before: end, after: start)
    guard end > start else { return sign }
    let title = SecretNames.text(text, name.range).lowercased()
    if title.hasSuffix("authorization"), let whole = TextEnds.endOfParameters(text, behind: start..<end) {
      take(name, start..<whole, text.bytes(start..<whole), in: text, found)
      return whole
    }
    // `password: the willow in a saddle`
    let isPhrase =
      isLine && name.verdict == .secret && title.contains("pass") && Prose.isPhrase(text.bytes(start..<end))
    // `PASSWORD=x program`: what a shell reads ends at a blank.
    if isLine, !isPhrase, start == sign + 1, text[sign] == UInt8(ascii: "="),
      let blank = text.first(0x20, in: start..<end),
      Prose.isSentence(text.bytes(start..<end)) || Self.isRandom(text.bytes(start..<blank))
    {
      end = blank
      if Prose.isWord(text.bytes(start..<end)) { return sign }
    }
    // `Authorization: Bearer x` in the middle of a line.
    if !isLine, title.contains("auth"),
      Placeholder.schemes.contains(String(decoding: text.bytes(start..<end), as: UTF8.self).lowercased()),
      text.at(end) == 0x20
    {
      end = text.end(before: TextEnds.endsWord, from: end + 1)
    }
    // `exports.verifySignature = void 0;` is a statement.
    if start > sign + 1, text[sign] == UInt8(ascii: "="), text[end - 1] == UInt8(ascii: ";") {
      if text.first(0x20, in: start..<end) != nil { return sign }
      end -= 1
    }
    let value = text.bytes(start..<end)
    // `arn:aws:secretsmanager:eu-west-1:1:secret:name`
    if Prose.isReference(value, to: title), start > sign + 1 || text[sign] == UInt8(ascii: ":") { return sign }
    if text[sign] == UInt8(ascii: ":"), title == "secret", start == sign + 1,
      text.at(name.range.lowerBound - 1) == UInt8(ascii: ":")
    {
      return sign
    }
    // `process.env.SECRET || "…"`
    let other = Self.others.contains { text.has($0, at: end - 2) } ? end - 2 : text.skippingBlanks(end)
    let next = text.skippingBlanks(other + 2)
    if ByteSet.quote.contains(text.at(next)), next > end, Self.others.contains(where: { text.has($0, at: other) }) {
      return string(name, next, in: text, found)
    }
    let isCookie = title == "cookie" || title == "set-cookie"
    // `password: str,`, `key_password=None)`
    let word = value.last.map { [0x29, 0x2c, 0x3b].contains($0) } == true ? value.dropLast() : value
    guard
      isCookie || (isLine ? isPhrase || !Prose.isSentence(word) : !Prose.isWord(value) || hidesAll)
        || start == sign + 1 && Self.isOfPairs(name, start..<end, title, in: text)
    else { return sign }
    guard isCookie || !Prose.isExpression(value), text[sign] == UInt8(ascii: "=") || !Prose.isType(value),
      value.count > 2 || value[0] != UInt8(ascii: "!"),
      // `const token = tokens[0]`, `x = require("…")`: what a program reads has a blank behind its sign.
      start == sign + 1 || !Prose.isCall(value, isAssigned: text[sign] == UInt8(ascii: "=")),
      start == sign + 1
        || !Prose.isParameter([0x29, 0x2c].contains(text.at(end)) ? value + [text[end]] : value, of: title),
      // `["password:change"]`: a permission.
      start > sign + 1 || text[sign] != 0x3a || !ReadableText.isReadable(value) || name.range.lowerBound == 0
        || text[name.range.lowerBound - 1] != UInt8(ascii: "\"") || text.at(end) != UInt8(ascii: "\"")
    else { return sign }
    take(name, start..<end, value, in: text, found)
    return end
  }

  /// The indented lines below a name: a block of YAML, or the items of a list.
  private func block(_ name: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    guard Self.isKey(text, name.range.lowerBound) else { return start }
    var at = text.end(of: .lineEnd, from: start)
    let indentation = Self.indentation(text, of: name.range.lowerBound)
    var hasNames = false
    while at < text.count {
      var first = text.end(of: Self.indent, from: at)
      guard first - at > indentation || first < text.count && first - at == indentation && text[first] == 0x2d
      else { break }
      let end = text.end(before: .lineEnd, from: first)
      if text.at(first) == 0x2d, text.at(first + 1) == 0x20 { first += 2 }
      let value = text.bytes(first..<max(first, end))
      // What has names of its own is looked at by them.
      if value.firstIndex(of: [0x3a, 0x20]) == nil, value.last != 0x3a, !Prose.isSentence(value) {
        let quoted = value.count > 2 && (value[0] == 0x22 || value[0] == 0x27) && value[value.count - 1] == value[0]
        let content = quoted ? first + 1..<end - 1 : first..<end
        take(name, content, text.bytes(content), in: text, found)
      } else {
        hasNames = true
        element(of: name, first..<max(first, end), in: text, found)
      }
      at = text.end(of: .lineEnd, from: end)
    }
    return hasNames ? start : max(at, start)
  }

  /// `db: …` below `secrets:`: a name says whose secret it is, unless it says something of one.
  private func element(of name: Name, _ line: Range<Int>, in text: ByteSearch, _ found: (Found) -> Void) {
    guard name.verdict == .secret || name.verdict == .several,
      let colon = text.first(UInt8(ascii: ":"), in: line),
      !SecretNameTable.facts.contains(text, line.lowerBound..<colon),
      let (value, next, _) = word(text.skippingBlanks(colon + 1), in: text),
      text.skippingBlanks(next) >= line.upperBound,
      Self.isNoWord(text.bytes(value))
    else { return }
    take(name, word: value, in: text, found)
  }

  private static func indentation(_ text: ByteSearch, of start: Int) -> Int {
    let line = text.beginning(behind: .lineEnd, before: start)
    return text.end(of: indent, from: line, atMost: start - line) - line
  }

  private static let indent = ByteSet(adding: " ")

  private static let others = ["||", "??"].map { Array($0.utf8) }
}
