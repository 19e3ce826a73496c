internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Names that stand elsewhere than right before their value: in tags, in pairs, in a table's head, in a part's head.
extension SecretFinder {
  // MARK: Elements

  /// The text of XML and HTML elements with a secret's name, of all elements within them as well.
  func elements(in text: ByteSearch, _ part: Range<Int>, _ names: NamePlaces, _ found: (Found) -> Void) {
    var from = part.lowerBound
    var next = 0
    // Tags that nothing opens are looked for in vain: not for ever.
    var budget = 256 << 10 + 4 * part.count
    while let less = text.first(UInt8(ascii: "<"), in: from..<part.upperBound) {
      from = less + 1
      guard text.at(from) == UInt8(ascii: "/") else { continue }
      var start = from + 1
      var end = start
      while end < text.count, TextEnds.nameBytes.contains(text[end]) || text[end] == UInt8(ascii: ":") {
        if text[end] == UInt8(ascii: ":") { start = end + 1 }
        end += 1
      }
      guard start < end, text.at(end) == UInt8(ascii: ">"), names.has(less - 48..<end, &next) else { continue }
      labelled(before: less, end, in: text, &budget, found)
      let range = start..<end
      // A key pair (XML Signature §4.5.2.2) with its private part.
      if Self.keyPair.contains(text, range), text.bytes(max(0, less - 8192)..<less).firstIndex(of: Self.exponent) != nil
      {
        content(of: Name(range: range, verdict: .secret), before: less, in: text, &budget, found)
        continue
      }
      var verdict = SecretNames.verdict(on: text, range)
      guard verdict != .harmless, verdict != .holder else { continue }
      // HTML's `<code>` holds programs far more often than OAuth's code, and stands in sentences.
      if SecretNames.text(text, range).lowercased() == "code" {
        guard [0, UInt8(ascii: "<"), UInt8(ascii: "\\")].contains(text.at(text.skippingSpace(end + 1))) else {
          continue
        }
        verdict = .secretIfToken
      }
      content(of: Name(range: range, verdict: verdict), before: less, in: text, &budget, found)
    }
  }

  /// The text before a closing tag, back to the tag that opens.
  private func content(
    of name: Name, before end: Int, in text: ByteSearch, _ budget: inout Int, _ found: (Found) -> Void
  ) {
    let first = max(0, end - min(64 << 10, budget))
    var at = end
    var stop = end
    defer { budget -= end - at }
    while at > first {
      at -= 1
      if text[at] == UInt8(ascii: "<") {
        if opens(name, at + 1, in: text) { return }
        stop = at
      } else if text[at] == UInt8(ascii: ">") {
        var content = at + 1..<stop
        if let data = Self.data(content, in: text, &budget) {
          content = data
          // It holds no tags.
          at = data.lowerBound - Self.beginsData.count
          stop = at
        }
        element(name, content, in: text, found)
      }
    }
  }

  /// Tells whether a tag begins with a name, after its prefix.
  private func opens(_ name: Name, _ start: Int, in text: ByteSearch) -> Bool {
    let prefix = text.end(of: TextEnds.nameBytes, from: start)
    let at = text.at(prefix) == UInt8(ascii: ":") ? prefix + 1 : start
    return at + name.range.count < text.count && text.isSame(at..<at + name.range.count, name.range)
      && !TextEnds.nameBytes.contains(text[at + name.range.count])
  }

  /// Returns the content of `<![CDATA[…]]>`, whose end was taken for a tag's; nil for none.
  private static func data(_ content: Range<Int>, in text: ByteSearch, _ budget: inout Int) -> Range<Int>? {
    guard budget > 0, content.isEmpty, content.lowerBound >= 12, text[content.lowerBound - 2] == UInt8(ascii: "]")
    else { return nil }
    var at = content.lowerBound - 12
    let start = at
    let first = max(0, at - min(64 << 10, budget))
    defer { budget -= start - at }
    while at >= first {
      if text.has(beginsData, at: at) { return at + beginsData.count..<content.lowerBound - 3 }
      at -= 1
    }
    return nil
  }

  private static let beginsData = Array("<![CDATA[".utf8)

  func element(_ name: Name, _ content: Range<Int>, in text: ByteSearch, _ found: (Found) -> Void) {
    let range = text.trimmed(content, of: .space)
    guard !range.isEmpty else { return }
    let value = text.bytes(range)
    // Lines whose ends are escaped: another reading has them as lines.
    if [range.lowerBound, range.upperBound - 2].contains(where: {
      text.at($0) == UInt8(ascii: "\\") && TextEnds.letters.contains(text.at($0 + 1))
    }) {
      return
    }
    if value.count(where: ByteSet.word.contains) > 2,
      !Prose.isSentence(value) || name.verdict == .secret && !name.isPair && Prose.isPhrase(value)
    {
      take(name, range, value, in: text, found)
    }
  }

  // MARK: Pairs

  /// `"name": "password"` or `name="password"`: the value stands beside it, in the same object or tag.
  func pair(_ holder: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    let quote = text[start]
    let place = holder.range.lowerBound
    // `"loc": ["body", "password"]`: the last says where.
    if quote == UInt8(ascii: "["), holder.quote != 0 {
      guard let end = text.first(UInt8(ascii: "]"), in: start..<min(text.count, start + 256)), end > start + 2,
        text[end - 1] == UInt8(ascii: "\""),
        let last = Self.quoted(text, before: end - 1, after: start, UInt8(ascii: "\"")),
        SecretNames.mayName(text, last), SecretNames.verdict(on: text, last) == .secret
      else { return start }
      object(Name(range: last, verdict: .secret, isPair: true), around: place, in: text, found)
      return start
    }
    let isQuoted = ByteSet.quote.contains(quote)
    // `$env:PASSWORD`
    if holder.quote == 0, !isQuoted, text[start - 1] == UInt8(ascii: ":") { return start }
    let first = isQuoted ? start + 1 : start
    let last =
      isQuoted
      ? TextEnds.endOfString(text, from: first, quote, limit: 128) : text.end(of: TextEnds.nameBytes, from: first)
    guard let end = last, end > first else { return start }
    let content = first..<end
    if holder.quote != 0, Self.keyType.contains(text, holder.range) {
      // The private members of a key (RFC 7518 §6).
      members(Self.keyMembers, around: place, in: text, found)
    }
    if Self.marks(holder, text.bytes(content), in: text) || Self.sensitive.contains(text, content) {
      marked(holder, in: text, found)
    }
    // Azure's `"id": "https://…/secrets/db"`, Google's `"name": "projects/1/secrets/db/versions/1"`: the value beside
    // the address of a secret is the secret.
    if holder.quote != 0, Self.addresses.contains(text, holder.range), Self.isVault(text.bytes(content)) {
      marked(holder, in: text, found)
      return content.upperBound
    }
    if takesKey(holder, content, in: text, found) { return content.upperBound }
    // `"header": "Authorization: …"`: the value has a name of its own.
    if text.first(UInt8(ascii: ":"), in: content) != nil || text.first(UInt8(ascii: "="), in: content) != nil {
      return start
    }
    guard SecretNames.mayName(text, content) else { return content.upperBound }
    let verdict = SecretNames.verdict(on: text, content, isField: true)
    guard verdict != .harmless, verdict != .holder, !isKept(SecretNames.text(text, content))
    else { return content.upperBound }
    let name = Name(range: content, verdict: verdict, isPair: true)
    switch SecretNames.letters(SecretNames.text(text, holder.range)) {
    case "kind" where SecretNames.letters(SecretNames.text(text, content)) != "secret": return content.upperBound
    // Of a JSON Patch (RFC 6902 §4), of an input that was refused, and of no file.
    case "path" where text[content.lowerBound] != UInt8(ascii: "/"):
      if verdict == .secret { marked(holder, in: text, found) }
      return content.upperBound
    default: break
    }
    if holder.quote == 0, Self.isKey(text, place) { siblings(of: name, around: place, in: text, found) }
    // Not past it: the value has a name of its own, which is looked at as every other.
    if holder.quote != 0 || !Self.isInTag(text, place) {
      object(name, around: place, in: text, found)
      if verdict == .secret { rows(under: content, in: text, found) }
    } else {
      tag(name, around: place, in: text, found)
    }
    return content.upperBound
  }

  /// Tells whether nothing stands before a name in its line, as before a key of YAML: `if credentials:` is a program.
  static func isKey(_ text: ByteSearch, _ start: Int) -> Bool {
    let at = text.beginning(of: beforeKey, before: start)
    return at == 0 || text[at - 1] == 0x0a || text[at - 1] == 0x0d
  }

  private static let beforeKey = ByteSet(adding: " \t\"'-")

  private static func isInTag(_ text: ByteSearch, _ start: Int) -> Bool {
    let first = max(0, start - 512)
    let at = text.beginning(behind: tagEnds, before: start, after: first)
    return at > first && text[at - 1] == UInt8(ascii: "<")
  }

  private static let tagEnds = ByteSet(adding: "<>")

  static let values: Set = [
    "value", "values", "val", "v", "content", "text", "data", "default", "defaultvalue", "initialvalue", "currentvalue",
    "stringvalue", "stringdata", "secret", "equalto", "equals", "input", "old", "new", "before", "after", "previous",
    "oldvalue", "newvalue", "from", "to", "parametervalue", "outputvalue", "rejectedvalue", "invalidvalue",
    "attributevalue",
  ]

  /// Tells whether an object says of itself that its value is a secret, or a cookie: `"sensitive": true`.
  static func marks(_ name: Name, _ value: [UInt8], in text: ByteSearch) -> Bool {
    value == Array("true".utf8) && confessions.contains(text, name.range)
  }

  /// Takes the value of such an object.
  func marked(_ name: Name, in text: ByteSearch, _ found: (Found) -> Void) {
    members(Self.contents, around: name.range.lowerBound, in: text, found)
  }

  /// Takes members of the object that a byte stands in.
  private func members(_ titles: NameSet, around start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let open = opening(before: start, within: 8192, in: text) else { return }
    eachMember(of: open, in: text, within: 8192) { title, value in
      guard titles.contains(text, title) else { return nil }
      return beside(Name(range: title, verdict: .secret, isPair: true), value, in: text, found)
    }
  }

  private static let keyType = NameSet(["kty"])
  private static let confessions = NameSet(["sensitive", "issensitive", "issecret", "httponly", "masked"])
  private static let sensitive = NameSet(["sensitive"])
  private static let keyMembers = NameSet(["d", "p", "q", "dp", "dq", "qi", "k"])
  private static func isVault(_ address: [UInt8]) -> Bool {
    address.firstIndex(of: vault) != nil
      && (address.starts(with: "projects/".utf8) || address.firstIndex(of: Array(".vault.".utf8)) != nil)
  }

  private static let vault = Array("/secrets/".utf8)
  private static let addresses = NameSet(["id", "name"])
  private static let contents = NameSet(["value", "payload"])

  /// The values of an object that a byte stands in.
  private func object(_ name: Name, around start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let open = opening(before: start, within: 32 << 10, in: text) else { return }
    eachMember(of: open, in: text, within: 64 << 10) { title, value in
      guard Self.values.contains(SecretNames.letters(SecretNames.text(text, title))) else { return nil }
      // A text that the name stands in is not beside it, nor are the lines of a cassette's text.
      if value < start, (endOfValue(text, from: value) ?? 0) > start { return nil }
      // To judge a value costs as much as many steps: an object may have thousands of names and of values.
      guard brackets?.reach(Self.valueCost) ?? Self.valueCost == Self.valueCost else { return nil }
      var name = name
      // Netlify's `"values": [{"value": "…"}]`.
      if text[value] == UInt8(ascii: "["), name.verdict == .secret { name.verdict = .several }
      return beside(name, value, in: text, found)
    }
  }

  func beside(_ name: Name, _ start: Int, in text: ByteSearch, _ found: (Found) -> Void) -> Int {
    switch text[start] {
    case UInt8(ascii: "\""): string(name, start, in: text, found)
    case UInt8(ascii: "{"), UInt8(ascii: "["): container(name, start, in: text, found)
    default: max(start, scalar(name, start, in: text, isWithin: false, found))
    }
  }

  private static let valueCost = 256
  private static let keyPair = NameSet(["rsakeyvalue", "rsaparameters"])
  private static let exponent = Array("<D>".utf8)
}
