internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Parses lines with `name: value`, `name=value` and `"name": "value"`, and the parameters of URLs and forms.
extension SecretReader {
  /// Parses a part of the input line by line, at each sign between a name and a value, and at each tag.
  mutating func lines(_ range: Range<Int>) {
    var (at, lead) = start(ofLine: range.lowerBound, range)
    // Most strings have none of these signs, and `memchr` is faster than the loop.
    guard Self.signs.contains(where: { text.first($0, in: at..<range.upperBound) != nil }) else {
      return use(range.upperBound - at)
    }
    while steps > 0 {
      let mark = text.end(before: Self.marks, from: at, atMost: range.upperBound - at)
      use(mark - at)
      guard mark < range.upperBound else { return }
      let from = at
      switch text[mark] {
      case 0x0a: at = mark
      case UInt8(ascii: "<"): at = max(tag(mark, limit: range.upperBound), mark + 1)
      default: at = max(named(mark, after: from, lead: lead, range), mark + 1)
      }
      // A value may contain line ends.
      if at < range.upperBound, text[at] == 0x0a {
        (at, lead) = start(ofLine: at + 1, range)
      } else if case let line = text.beginning(behind: .feed, before: at, after: mark), line > mark {
        lead = text.end(of: Self.lead, from: line)
      }
    }
  }

  /// Parses JSON at the start of a line, or in a `data:` field of an event; returns its end, and the start of the line's
  /// text.
  private mutating func start(ofLine line: Int, _ range: Range<Int>) -> (end: Int, lead: Int) {
    guard line < range.upperBound else { return (line, line) }
    let lead = text.end(of: Self.lead, from: line)
    let json = text.skippingBlanks(text.has("data:", at: line) ? line + 5 : line)
    guard json < range.upperBound, Self.opens.contains(text[json]) else { return (line, lead) }
    let end = self.json(json..<range.upperBound)
    jsonParts.append(json..<end)
    return (end, lead)
  }

  /// Parses the name before a sign and the value after it; returns the end of the value.
  private mutating func named(_ sign: Int, after done: Int, lead: Int, _ range: Range<Int>) -> Int {
    let isAssigned = text[sign] == UInt8(ascii: "=")
    // `://` and `::` do not separate a name from a value.
    guard isAssigned || syntax == .text && text.at(sign + 1) != UInt8(ascii: "/") else { return sign }
    var end = text.beginning(of: .space, before: sign, after: done)
    var quote: UInt8 = 0
    if end > done, ByteSet.quote.contains(text[end - 1]) {
      end -= 1
      quote = text[end]
    } else {
      end = text.beginning(of: .blank, before: sign, after: done)
    }
    var name = text.beginning(of: Self.nameBytes, before: end, after: done)..<end
    guard name.count <= 128 else { return sign }
    // `?.a`, `--a`: leading punctuation is not part of a name.
    while let first = name.first, !Self.initials.contains(text[first]) && text[first] < 0x80 { name = name.dropFirst() }
    let before = name.lowerBound > range.lowerBound ? text[name.lowerBound - 1] : 0
    guard !name.isEmpty, quote == 0 || quote == before, !text.has("{{", at: name.lowerBound - 2) else { return sign }
    let isOfURL =
      isAssigned && sign == end
      && (Self.separators.contains(before) || syntax == .form && name.lowerBound == range.lowerBound)
    let verdict = finder.verdict(on: text, name, isQuoted: quote != 0)
    if isOfURL, verdict == .secret || verdict == .parameter || verdict == .several && syntax != .text {
      return parameter(name, sign + 1, isOfURL: true, isLine: false, range)
    }
    // `==`, `:=` and `=>` are operators of programming languages.
    var at = sign + 1
    if at < range.upperBound, text[at] == UInt8(ascii: "=") || text[at] == UInt8(ascii: ">") { at += 1 }
    guard syntax == .text, text.at(at) != UInt8(ascii: ":") else { return sign }
    let isParameter = isAssigned && quote == 0 && sign == end && at == sign + 1
    guard
      verdict == .secret || verdict == .several || verdict == .parameter && isParameter && isFormStart(name, range)
    else { return sign }
    let value = text.end(of: quote == 0 ? .blank : .space, from: at, atMost: range.upperBound - at)
    guard value < range.upperBound else { return sign }
    if ByteSet.quote.contains(text[value]) {
      // The quote before the name is also the one after its value: `'X-Api-Key: '`.
      guard quote != 0 || before != text[value] else { return sign }
      let close = Self.endOfString(text, from: value + 1, text[value], limit: range.upperBound)
      take(value + 1..<close, name, isString: true)
      use(close - value)
      return min(close + 1, range.upperBound)
    }
    if quote != 0 {
      if Self.opens.contains(text[value]) { return json(value..<range.upperBound, below: name) }
      let stop = min(text.end(before: Self.endsScalar, from: value), range.upperBound)
      if stop > value { take(value..<stop, name, isString: false) }
      return stop
    }
    guard verdict != .several else { return sign }
    let isLine =
      lead >= name.lowerBound || ByteSet.quote.contains(before) || before == UInt8(ascii: ">")
      || Self.introductions.contains { text.has($0, at: lead) && lead + $0.count == name.lowerBound }
    if isParameter { return parameter(name, at, isOfURL: false, isLine: isLine, range) }
    // In the middle of a line, a value has no clear end without quotes.
    guard isLine, isAssigned || value > at, !Self.opensBlock.contains(text[value]) else { return sign }
    return rest(name, value, behind: before, range)
  }

  /// Takes the value of `name=value`, and returns its end.
  private mutating func parameter(
    _ name: Range<Int>, _ start: Int, isOfURL: Bool, isLine: Bool, _ range: Range<Int>
  ) -> Int {
    var ends = syntax == .form ? Self.formSeparators : syntax == .url ? Self.separators : Self.endsValue
    // The parameters of a path segment end with the segment (RFC 3986 §3.3).
    if syntax == .url, text[name.lowerBound - 1] == UInt8(ascii: ";") { ends = Self.pathSeparators }
    var end = min(text.end(before: ends, from: start), range.upperBound)
    use(end - start)
    // A value in a line of environment variables may contain `&`, unless it is followed by another parameter.
    if isLine {
      while end < range.upperBound, Self.mayGoOn.contains(text[end]) {
        if text[end] != UInt8(ascii: "\\") || ByteSet.quote.contains(text.at(name.lowerBound - 1)) {
          let next = text.end(of: Self.nameBytes, from: end + 1)
          guard text[end] == UInt8(ascii: "&"), next == end + 1 || text.at(next) != UInt8(ascii: "=") else { break }
        }
        end = min(text.end(before: Self.endsValue, from: end + 1), range.upperBound)
      }
    }
    let value = start..<(isOfURL ? end : text.beginning(of: Self.closers, before: end, after: start))
    guard !value.isEmpty, syntax != .text || isValue(value) else { return max(end, start) }
    let bytes = text.bytes(value)
    let hasEscapes = isOfURL && bytes.contains(UInt8(ascii: "%"))
    let decoded = hasEscapes ? PercentEncoding.decode(bytes) : bytes
    let first = found.count
    take(value, decoded, name, isOfURL ? .parameter : .member)
    if isOfURL, bytes.contains(UInt8(ascii: "+")), first < found.count, found[first].range.lowerBound == start {
      found[first].others.append(PercentEncoding.decode(bytes, plusIsSpace: true))
    }
    return end
  }

  /// Takes the rest of a line as the value of a name, and returns its end.
  private mutating func rest(_ name: Range<Int>, _ start: Int, behind before: UInt8, _ range: Range<Int>) -> Int {
    var end = min(text.end(before: .lineEnd, from: start), range.upperBound)
    use(end - start)
    // The value ends with the quotes or the element that contain the name.
    let mark = before == UInt8(ascii: ">") ? UInt8(ascii: "<") : before
    if mark == UInt8(ascii: "<") || ByteSet.quote.contains(mark), let close = text.first(mark, in: start..<end) {
      end = close
    }
    // A comment after the value.
    for mark in [UInt8(ascii: "#"), UInt8(ascii: ";")] {
      if let comment = text.first(mark, in: start..<end), comment > start, ByteSet.blank.contains(text[comment - 1]) {
        end = comment
      }
    }
    let value = text.trimmed(start..<end, of: .blank)
    if isValue(value) { take(value, text.bytes(value), name) }
    return max(end, start)
  }

  /// True if a value without quotes may be a secret: it is not a call or a subscript of a program, such as
  /// `service.token(user)` and `os.environ["TOKEN"]`, nor a piece of binary data.
  private mutating func isValue(_ range: Range<Int>) -> Bool {
    let name = text.end(of: Self.callBytes, from: range.lowerBound, atMost: range.count)
    if name > range.lowerBound, name < range.upperBound, Self.callSigns.contains(text[name]) { return false }
    // 32 MB of random bytes contain `pw=` about twice, in most cases before fewer than four bytes of text.
    return !isBinary || range.count >= 4 && BodyText.isText(text.bytes(range))
  }

  /// True if a name is at the start of the input and the input may be a form.
  private func isFormStart(_ name: Range<Int>, _ range: Range<Int>) -> Bool {
    name.lowerBound == range.lowerBound && text.first(0x20, in: range.prefix(256)) == nil
      && text.first(0x0a, in: range.prefix(256)) == nil
  }

  /// Prefixes of a name at the start of a line.
  private static let introductions = ["export ", "set ", "ENV ", "data: "].map { Array($0.utf8) }

  // MARK: Parts

  /// Parses `multipart/form-data` (RFC 7578), classifying each part by its name.
  mutating func parts(_ range: Range<Int>, boundary: String) {
    use(range.count)
    let delimiter = Array("--\(boundary)".utf8)
    var from = range.lowerBound
    while let start = delimiter.searching({ text.first($0, from: from) }), start < range.upperBound {
      from = start + delimiter.count
      let end = delimiter.searching { text.first($0, from: from) } ?? range.upperBound
      let part = text.bytes(from..<end)
      guard let blank = part.firstIndex(of: Self.blankLine) else { continue }
      var content = from + blank + 4..<end
      if content.count > 1, text[content.upperBound - 1] == 0x0a { content = content.dropLast() }
      if content.count > 0, text[content.upperBound - 1] == 0x0d { content = content.dropLast() }
      let name = Self.name(ofPart: String(decoding: part[..<blank], as: UTF8.self)) ?? ""
      switch Array(name.utf8).searching({ finder.verdict(on: $0, 0..<$0.count) }) {
      case .secret, .parameter, .several:
        let place = Array(name.utf8).searching { text.first($0, from: from) } ?? from
        finder.take(
          content, text.bytes(content), named: name, at: place..<min(place + name.utf8.count, end), into: &found)
      case .harmless, .holder, .value: read(content)
      }
    }
  }

  /// Returns the boundary in the first line of a multipart body, for a body without a `Content-Type`.
  static func boundary(of text: ByteSearch) -> String? {
    guard text.has("--", at: 0), formData.searching({ text.first($0, from: 0) }) != nil else { return nil }
    let line = text.line(from: 0).range
    guard (3...72).contains(line.count) else { return nil }
    return String(decoding: text.bytes(line.dropFirst(2)), as: UTF8.self)
  }

  /// Returns the name in `Content-Disposition: form-data; name="password"`, with or without quotes.
  private static func name(ofPart head: String) -> String? {
    guard let start = head.firstRange(of: "form-data")?.lowerBound else { return nil }
    // The parameters of a disposition have the syntax of those of a media type (RFC 6266 §4.1).
    let disposition = MediaType("a/" + head[start...].prefix { !$0.isNewline })
    return disposition?.parameter("name")
      ?? disposition?.parameter("name*").flatMap { $0.split(separator: "'").last.map(String.init) }
  }

  private static let formData = Array("form-data".utf8)
  private static let blankLine = Array("\r\n\r\n".utf8)

  // MARK: Bytes

  private static let separators = ByteSet(adding: "?&;#")
  private static let formSeparators = ByteSet(adding: "&")
  private static let pathSeparators = ByteSet(adding: ";/?#&")
  private static let endsValue = ByteSet(0...0x20, 0x7f...0x7f, adding: "&#\"'<>`\\;")
  private static let mayGoOn = ByteSet(adding: "&;\\")
  private static let closers = ByteSet(adding: ",)]}")
  private static let opensBlock = ByteSet(adding: "{[|>(")
  private static let signs = Array("=:<\n".utf8)
  private static let marks = ByteSet(adding: "=:<\n")
  private static let callBytes = ByteSet.letter.adding("_.")
  private static let callSigns = ByteSet(adding: "([")
  private static let lead = ByteSet(adding: " \t-*#")
  private static let nameBytes = ByteSet.word.adding("_-.%[]+$~")
  private static let initials = ByteSet.word.adding("_$%")
}
