internal import CassetteShapes
internal import CassetteSystem

/// Finds what people say of a secret: a noun, some words that lead to its value, and the value.
extension SecretFinder {
  /// The value that a sentence says: it has quotes, or is no word.
  func said(after start: Int, _ noun: String, in text: ByteSearch, _ found: (Found) -> Void) {
    if php(after: start, in: text, found) { return }
    let length = noun.utf8.count
    // `--starting-token abc`
    if TextEnds.nameBytes.contains(text.at(start - length - 1)) {
      let name = text.beginning(of: TextEnds.nameBytes, before: start)..<start
      if SecretNames.verdict(on: text, name) == .harmless { return }
    }
    var at = start
    // `(api_key) abc`
    if text.at(at) == UInt8(ascii: ")"), text.at(start - length - 1) == UInt8(ascii: "(") { at += 1 }
    var words = 0
    var (isTold, isAlone, isWide) = (false, false, false)
    while at < text.count, words < 7 {
      let before = at
      at = text.skippingBlanks(at)
      // The value alone in a line below.
      if words == 0 || isTold, !isAlone, at < text.count, ByteSet.lineEnd.contains(text[at]) {
        at = text.skippingSpace(at)
        isAlone = true
      }
      if let sign = Self.signs.first(where: { text.has($0, at: at) }) {
        at += sign.count
        isTold = true
        isWide = text[at - 1] >= 0x80
        continue
      }
      guard at > before || isWide, at < text.count else { return }
      // `is <b>…</b>`
      if isTold, text[at] == UInt8(ascii: "<"), let tag = Self.tags.first(where: { text.has($0, at: at) }) {
        at += tag.count - 1
        if text.at(at) == UInt8(ascii: ">") { at += 1 }
        words += 1
        if let (range, _, _) = word(at, in: text) { take(noun, start, range, in: text, (isTold, false, false), found) }
        return
      }
      guard let (range, next, isQuoted) = word(at, in: text) else { return }
      let word = text.bytes(range)
      let isLast = word.last == UInt8(ascii: ":")
      let title = String(decoding: word.prefix(24), as: UTF8.self)
      // `Unseal Key 1: …`, `enable secret 5 …`
      let isNumber = word.count < 3 && word.first?.isDigit == true && (isLast || word.count == 1)
      if !isQuoted,
        isNumber || Self.connectors.contains(isLast ? String(title.dropLast()) : title) || isLast && words > 0
      {
        isTold = isTold || isLast || Self.verbs.contains(title)
        (at, words) = (next, words + 1)
        continue
      }
      // `with password '…'`, `identified by '…'`
      let with = text.bytes(max(0, start - length - 5)..<start - length)
      let isStatement = noun == "identified by" || String(decoding: with, as: UTF8.self).lowercased() == "with "
      if isAlone, !ByteSet.lineEnd.contains(text.at(text.skippingBlanks(next))), next < text.count,
        text[next] != UInt8(ascii: "\"")
      {
        return
      }
      let isSQL = isStatement && words == 0 && isQuoted && word.count > 4
      return take(
        noun, start, isQuoted ? range : withoutStop(range, in: text), in: text, (isTold, isAlone, isSQL), found)
    }
  }

  private func withoutStop(_ range: Range<Int>, in text: ByteSearch) -> Range<Int> {
    range.lowerBound..<text.beginning(of: Self.ends, before: range.upperBound, after: range.lowerBound)
  }

  private func take(
    _ noun: String, _ end: Int, _ value: Range<Int>, in text: ByteSearch,
    _ said: (isTold: Bool, isAlone: Bool, isSQL: Bool), _ found: (Found) -> Void
  ) {
    var value = value
    let name = Name(range: end - noun.utf8.count..<end, verdict: .secret)
    // `creds: ada:abc`
    if noun.hasPrefix("cred") {
      guard let colon = text.first(UInt8(ascii: ":"), in: value) else { return }
      value = colon + 1..<value.upperBound
    }
    let bytes = text.bytes(value)
    // `name=api_key value=…`
    guard said.isSQL || bytes.count >= 8, !bytes.contains(0x20), said.isTold || !bytes.dropLast(2).contains(0x3d),
      noun != "bearer" || bytes.count >= 16,
      said.isSQL || RandomText.isLetters(bytes) && (!said.isAlone || bytes.count > 11) || SecretShapes.isToken(bytes)
        || RandomText.isSecret(bytes)
        || Prose.isMixed(bytes.filter { $0 != 0x2e && $0 != 0x2f })
          && (!Prose.isNumbered(bytes) || (said.isTold || said.isAlone) && Prose.hasAllKinds(bytes))
    else { return }
    take(name, value, bytes, in: text, found)
  }

  /// The value of PHP's `s:8:"password";s:3:"abc";` and `["password"]=> string(3) "abc"`.
  private func php(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Bool {
    var at = start
    if text.has(Self.serialized, at: at) {
      at += Self.serialized.count
    } else if text.has(Self.dumped, at: at) {
      at = text.skippingSpace(at + Self.dumped.count)
      guard text.has(Self.string, at: at) else { return false }
      at += Self.string.count
    } else {
      return false
    }
    at = text.skippingBlanks(text.end(of: Self.length, from: at))
    guard text.at(at) == UInt8(ascii: "\""), let (range, next, _) = word(at, in: text) else { return false }
    take(Name(range: start - 1..<start, verdict: .secret), range, text.bytes(range), in: text, found)
    return next > at
  }

  private static let serialized = Array("\";s:".utf8)
  private static let dumped = Array("\"]=>".utf8)
  private static let string = Array("string(".utf8)
  private static let length = ByteSet(0x30...0x39, adding: ":)")
  private static let signs = [":", "：", "<-", "->", "=>", "="].map { Array($0.utf8) }
  private static let tags = ["<b>", "<strong>", "<code>", "<em>", "<tt>", "<span>", "<pre>"].map { Array($0.utf8) }
  /// The words that may stand between a noun and its value.
  private static let connectors: Set = [
    "is", "was", "are", "provided", "given", "value", "of", "for", "with", "used", "received", "invalid", "has", "been",
    "set", "to", "generated", "created", "changed", "reset", "updated", "now", "unlock", "login", "account", "user",
    "sha", "md5", "lautet", "ist", "est", "es", "é", "è", "jest", "är", "er", "on", "este", "это", "は",
  ]
  /// Those behind which the value stands.
  private static let verbs: Set = [
    "is", "was", "are", "to", "lautet", "ist", "est", "es", "é", "è", "jest", "är", "er", "este",
  ]
  private static let ends = ByteSet(adding: ".,!?:")
}
