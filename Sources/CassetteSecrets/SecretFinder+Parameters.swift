internal import CassetteHTTP
internal import CassetteShapes
internal import CassetteSystem

/// The values of parameters: of queries, of forms, of what is between semicolons.
extension SecretFinder {
  func isParameter(_ name: Name, _ text: ByteSearch, _ kind: Parameters) -> Bool {
    let start = name.range.lowerBound
    guard start > 0 else { return kind == .form || kind == .undone }
    // `?q=password%3Dx`
    return Self.marks.contains(text[start - 1]) || kind == .undone && text[start - 1] == UInt8(ascii: "=")
      || kind == .url && text[start - 1] == UInt8(ascii: "/")
  }

  private static let marks = ByteSet(adding: "&?#;")
  private static let sessions = NameSet(["sid", "session", "ticket", "hmac"])
  private static let keys = NameSet(["key", "parola", "clave", "secretid"])
  private static let endsInText = ByteSet(0...0x20, 0x7f...0x7f, adding: "&#\"'<>`\\;")

  func parameter(_ name: Name, _ start: Int, in text: ByteSearch, _ kind: Parameters, _ found: (Found) -> Void) -> Int {
    let isOfPath = kind == .url && text.end(before: Self.endsPath, from: 0) > start
    var end = text.end(before: isOfPath ? Self.endsInPath : Self.endsOfValue(kind), from: start)
    // `url(https://a.example/x?token=…)}`
    let last = text.beginning(of: Self.closers, before: end, after: start)
    if kind == .inText, text.at(last) == UInt8(ascii: ")") { end = last }
    // `Password='…';` of a connection string.
    if end == start, kind == .inText, text.at(end) == UInt8(ascii: "'") || text.at(end) == UInt8(ascii: "\""),
      name.verdict == .secret, text[name.range.lowerBound - 1] == UInt8(ascii: ";")
    {
      return string(name, start, in: text, found)
    }
    guard end > start else { return start }
    let bytes = text.bytes(start..<end)
    let content = PercentEncoding.decode(bytes[...])
    let title = SecretNames.text(text, name.range)
    // A parameter that stays may be a URL with parameters of its own.
    let isSession =
      content.count >= 12 && Prose.isMixed(content)
      && (Self.sessions.contains(text, name.range)
        || !Prose.isNumbered(content) && Self.keys.contains(text, name.range))
    let mayBe = name.verdict != .holder && (SecretShapes.isToken(content) || RandomText.isSecret(content))
    guard name.verdict == .secret || isSession || mayBe else { return start }
    guard var credential = Self.credential(start..<end, content, ofField: title),
      name.isChosen || hidesAll || !Placeholder.isHarmless(content)
    else { return end }
    credential.notation = .parameter
    if bytes.contains(UInt8(ascii: "+")), credential.range.lowerBound == start {
      credential.others.append(PercentEncoding.decode(bytes[...], plusIsSpace: true))
    }
    found(credential)
    return end
  }

  private static let endsPath = ByteSet(adding: "?#")
  private static let closers = ByteSet(adding: ")}")
  /// The parameter of a segment of a path (RFC 3986 §3.3) is over where that is.
  private static let endsInPath = ByteSet(adding: ";/?#")

  private static func endsOfValue(_ kind: Parameters) -> ByteSet {
    switch kind {
    case .form: ByteSet(adding: "&")
    case .url: ByteSet(adding: "&#")
    case .inText, .undone, .field: endsInText
    }
  }

  /// Tells whether a word is the password among other names and values: `user=ada password=x port=1`.
  static func isOfPairs(_ name: Name, _ value: Range<Int>, _ title: String, in text: ByteSearch) -> Bool {
    let before = text.beginning(of: .blank, before: name.range.lowerBound)
    guard title.hasSuffix("password"), value.count > 5, before < name.range.lowerBound,
      !Prose.isSentence(text.bytes(value)), value.allSatisfy({ (0x61...0x7a).contains(text[$0]) })
    else { return false }
    let first = text.beginning(of: TextEnds.nameBytes, before: before)
    let next = text.skippingBlanks(value.upperBound)
    let end = text.end(of: TextEnds.nameBytes, from: next)
    return text.at(first - 1) == UInt8(ascii: "=") && first < before
      || next > value.upperBound && end > next && text.at(end) == UInt8(ascii: "=")
  }
}
