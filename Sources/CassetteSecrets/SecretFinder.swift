internal import CassetteShapes
internal import CassetteSystem

/// Finds what a name, a scheme or a URL's syntax says is a secret, in whatever notation it stands.
///
/// One rule for all of them: before `:` or `=` stands a name, quoted or not, and behind it a value. That is JSON, also
/// broken, in scripts and in streams; YAML, header lines, environment files; arguments of GraphQL; attributes of XML
/// and HTML; queries and forms. What has a shape of its own (elements, tables, parts) is in `SecretFinder+Markup`.
package struct SecretFinder {
  /// A secret where it stands.
  struct Found {
    var range: Range<Int>
    /// The bytes without the encoding of their place.
    var value: [UInt8]
    /// The other values that it may have meant.
    var others: [[UInt8]] = []
    /// True if something says that it is a secret, and not only that it might be.
    var isNamed = true
    /// True if it is a number of JSON, which stays one.
    var isNumber = false
    /// Secrets within it: the password of `user:password`.
    var parts: [[UInt8]] = []
    /// The path of JSON that says it is one.
    var path: String?
    /// The name of the secret, for messages.
    var name = ""
    var notation = Notation.member

    /// Returns it as it stands in a text of which that one is a part.
    func moved(by offset: Int) -> Found {
      var found = self
      found.range = range.lowerBound + offset..<range.upperBound + offset
      return found
    }
  }

  /// The notation of a name and its value.
  package enum Notation: Sendable {
    /// `"name": "value"`, and whatever else has a sign between the two.
    case member
    /// `?name=value`.
    case parameter
    /// `"name": "password", "value": "…"`.
    case pair
  }

  /// The part of a text that is parameters.
  enum Parameters {
    /// Those of a URL that stands in the text.
    case inText
    /// Those of the URL that the text is.
    case url
    /// All of it.
    case form
    /// Those of a URL in a field's value, which is one line.
    case field
    /// A URL or form with its escapes decoded: parameters, and no other notation.
    case undone
  }

  /// A name that a value belongs to, and where it stands.
  struct Name {
    var range: Range<Int>
    /// The byte around it; 0 for none.
    var quote: UInt8 = 0
    var verdict: SecretNames.Verdict
    /// True if the name is itself a value, and the value beside it belongs to it.
    var isPair = false
    /// True if a person said that it is a secret's: then no value under it is harmless.
    var isChosen = false
  }

  let redaction: CassetteRedaction
  /// True if secrets are only hidden from view: words and marks of other secrets are hidden as well.
  var hidesAll = false
  /// The reading of the text, escapes undone; nil for the text as it is.
  var view: DecodedView?
  /// The index of the text's brackets; nil for texts without names.
  var brackets: TextBrackets?
  /// The description of an API that the text is; nil for other texts.
  var description: APIDescription?

  // MARK: Names

  /// Every value with a name before it, whose sign stands in a part of a text.
  func assignments(
    in text: ByteSearch, _ part: Range<Int>, _ names: NamePlaces, _ kind: Parameters, _ found: (Found) -> Void
  ) {
    for mark in [UInt8(ascii: ":"), UInt8(ascii: "=")] {
      // What stands before it is used up.
      var first = 0
      var from = part.lowerBound
      var next = 0
      while let sign = text.first(mark, in: from..<part.upperBound) {
        from = sign + 1
        guard sign >= first, let name = name(in: text, before: sign, after: first, kind, names, &next),
          name.verdict != .harmless
        else { continue }
        first = max(value(of: name, at: sign, in: text, kind, found), first)
      }
    }
  }

  /// The name that ends before a sign; nil where nothing there can be one.
  private func name(
    in text: ByteSearch, before sign: Int, after first: Int, _ kind: Parameters, _ names: NamePlaces, _ next: inout Int
  ) -> Name? {
    var end = text.beginning(of: .space, before: sign, after: first)
    // Without a part of a secret's name here, only the value can hold one.
    let value = text.skippingSpace(sign + 1)
    guard end > first, names.has(end - 300..<value + 300, &next) else { return nil }
    // Make's `TOKEN ?= …`
    if text[end - 1] == UInt8(ascii: "?"), end == sign, end - 1 > first {
      end = text.beginning(of: .blank, before: end - 1, after: first)
    }
    guard end > first else { return nil }
    var last = text[end - 1]
    // `config["password"] = "…"`: only a string is a value there.
    if last == UInt8(ascii: "]"), end - 1 > first, ByteSet.quote.contains(text[end - 2]) {
      guard ByteSet.quote.contains(text.at(text.skippingBlanks(sign + 1))) else { return nil }
      end -= 1
      last = text[end - 1]
    }
    var range: Range<Int>
    var quote: UInt8 = 0
    if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") {
      guard let quoted = Self.quoted(text, before: end - 1, after: first, last) else { return nil }
      (range, quote) = (quoted, last)
    } else {
      // Between a bare name and its sign at most a few blanks stand.
      guard sign - end < 4, TextEnds.nameBytes.contains(last) else { return nil }
      var start = text.beginning(of: TextEnds.nameBytes, before: end, after: max(first, end - 128))
      // `?.a`, `...`: what is no word is no name.
      while start < end, !Self.isInitial(text[start]) { start += 1 }
      guard start < end else { return nil }
      range = start..<end
      // `"Password:": "…"`: the sign is part of the name.
      if text.at(start - 1) == UInt8(ascii: "\""), text.at(sign + 1) == UInt8(ascii: "\""),
        text.at(text.skippingSpace(sign + 2)) == UInt8(ascii: ":")
      {
        return nil
      }
      if text[sign] == UInt8(ascii: "="), let typed = Self.typed(before: start, in: text) {
        // `CODE: Final = 3` counts.
        guard (value...value + 1).contains(where: { ByteSet.quote.contains(text.at($0)) }) else { return nil }
        range = typed
      }
    }
    // `{{secret:10}}` is no name and its value.
    if text.has("{{", at: range.lowerBound - 2) { return nil }
    if let description, !description.isExample((view?.original(range) ?? range).lowerBound) { return nil }
    var place = next
    guard names.has(range.lowerBound - 1..<range.upperBound + 1, &place) || names.has(sign..<value + 300, &place) else {
      return nil
    }
    var name = Name(range: range, quote: quote, verdict: SecretNames.verdict(on: text, range))
    if redaction.hasNames, quote == 0 { adjust(&name, text, sign, kind) }
    return name
  }

  /// The name before the type of a constant: `let token: String = "…"`.
  private static func typed(before start: Int, in text: ByteSearch) -> Range<Int>? {
    // Rust's `&str`, `&'static str`.
    let isStatic = text.has(lifetime, at: start - lifetime.count)
    let type = isStatic ? start - lifetime.count : text.beginning(of: references, before: start)
    var end = text.beginning(of: .blank, before: type)
    // GraphQL's `$token:String = "…"` has none.
    guard end > 1, end < type || text[end - 1] == UInt8(ascii: ":") else { return nil }
    // Go's `const token string = "…"`, Basic's `Dim token As String = "…"`.
    if text.has("tring", at: start + 1), text[start] | 0x20 == UInt8(ascii: "s") {
      if text.has(" As", at: end - 3) { end = text.beginning(of: .blank, before: end - 3) }
      let first = text.beginning(of: initials, before: end)
      if first > 2, first < end, isBlank(text[first - 1]) { return first..<end }
    }
    guard text[end - 1] == UInt8(ascii: ":"), initials.contains(text[end - 2]) else { return nil }
    let first = text.beginning(of: initials, before: end - 1)
    // Python's `TOKEN: Final[str] = "…"` begins its line.
    let isType = (0x41...0x5a).contains(text[start]) || text.has("str ", at: start)
    let isConstant = (first == 0 || text[first - 1] == 0x0a) && isType
    // `query Q($token: String = "…")`
    guard isConstant || text[first] == UInt8(ascii: "$") || first > 3 && isBlank(text[first - 1]) else { return nil }
    return first..<end - 1
  }

  /// Puts what people said of a name before the general rules.
  private func adjust(_ name: inout Name, _ text: ByteSearch, _ sign: Int, _ kind: Parameters) {
    let title = SecretNames.text(text, name.range).lowercased()
    guard text[sign] == UInt8(ascii: "=") else {
      if redaction.kept.contains(.header(title)) { name.verdict = .harmless }
      return
    }
    let place: CassetteRedaction.Place = kind == .form ? .form(title) : .query(title)
    if redaction.kept.contains(place) { name.verdict = .harmless }
    guard redaction.redacted.contains(place) else { return }
    name.verdict = .secret
    name.isChosen = true
  }

  /// Tells whether a person said that what has this name is no secret, wherever the name stands as a value.
  func isKept(_ name: String) -> Bool {
    let name = name.lowercased()
    return redaction.kept.contains(.header(name)) || redaction.kept.contains(.query(name))
      || redaction.kept.contains(.form(name))
  }

  /// The text between quotes that ends before one.
  static func quoted(_ text: ByteSearch, before end: Int, after last: Int, _ mark: UInt8) -> Range<Int>? {
    let first = max(last, end - 128)
    var quote = end - 1
    var isPlain = true
    while quote >= first, text[quote] != mark {
      if text[quote] == UInt8(ascii: "\\") { isPlain = false }
      quote -= 1
    }
    guard quote >= first else { return nil }
    // Unless a backslash makes this quote part of the name, the name begins with it.
    if quote == first || text[quote - 1] != UInt8(ascii: "\\") {
      if isPlain { return end > quote + 1 ? quote + 1..<end : nil }
      return TextEnds.endOfString(text, from: quote + 1, mark, limit: 128) == end && end > quote + 1
        ? quote + 1..<end : nil
    }
    for quote in first..<end - 1 where text[quote] == mark {
      if TextEnds.endOfString(text, from: quote + 1, mark, limit: 128) == end { return quote + 1..<end }
    }
    return nil
  }

  static func isSpace(_ byte: UInt8) -> Bool { ByteSet.space.contains(byte) }

  static func isBlank(_ byte: UInt8) -> Bool { ByteSet.blank.contains(byte) }

  static func isInitial(_ byte: UInt8) -> Bool { initials.contains(byte) || byte >= 0x80 }

  private static let references = ByteSet(adding: "&*")
  private static let lifetime = Array("&'static ".utf8)
  private static let initials = ByteSet.word.adding("_$%")
}
