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
    if syntax == .text { table(range) }
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
    if text.has("machine ", at: lead) || text.has("default login ", at: lead) {
      return (netrc(lead..<range.upperBound), lead)
    }
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
    if isOfURL, verdict == .secret || verdict == .parameter || verdict == .several && syntax != .text,
      syntax != .text || mayBeOfURL(name, sign + 1)
    {
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
    var value = text.end(of: quote == 0 ? .blank : .space, from: at, atMost: range.upperBound - at)
    guard value < range.upperBound else { return sign }
    // `a.token || "…"`: the literal that is used if there is no other value.
    let other = text.end(of: Self.expression, from: value, atMost: min(128, range.upperBound - value))
    if other < range.upperBound, ByteSet.quote.contains(text[other]) {
      let operators = text.beginning(of: .blank, before: other, after: value)
      if text.has("||", at: operators - 2) || text.has("??", at: operators - 2) { value = other }
    }
    if ByteSet.quote.contains(text[value])
      || text[value] == UInt8(ascii: "`") && !isBinary && (value == sign + 1 || isProgram(at: sign))
    {
      // The quote before the name is also the one after its value: `'X-Api-Key: '`.
      guard
        quote != 0 || before != text[value] && !(Self.endsLiteral.contains(text.at(value + 1)) && isProgram(at: sign))
      else { return sign }
      // A block string of GraphQL and other languages: `"""…"""`.
      let mark = [UInt8](repeating: text[value], count: 3)
      let isBlock = mark.searching { text.has($0, at: value) }
      let start = value + (isBlock ? 3 : 1)
      var close = Self.endOfString(text, from: start, text[value], limit: range.upperBound)
      while isBlock, close < range.upperBound, !mark.searching({ text.has($0, at: close) }) {
        close = Self.endOfString(text, from: close + 1, text[value], limit: range.upperBound)
      }
      let content = isBlock ? text.trimmed(start..<max(start, close), of: .space) : start..<close
      let isTemplate = text[value] == UInt8(ascii: "`") && text.bytes(content).firstIndex(of: Array("${".utf8)) != nil
      if !isTemplate { take(content, name, isString: true) }
      use(close - value)
      return min(close + start - value, range.upperBound)
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
    // Brackets around the name and the value are not part of the value.
    let hasBrackets = text.end(before: Self.openers, from: start, atMost: end - start) < end
    let isWhole = syntax != .text || hasBrackets
    let value = start..<(isWhole ? end : text.beginning(of: Self.closers, before: end, after: start))
    guard !value.isEmpty, syntax != .text || isValue(value, isOfURL ? nil : name, isLine: isLine) else {
      return max(end, start)
    }
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
    if isValue(value, name, isLine: true) { take(value, text.bytes(value), name) }
    return max(end, start)
  }

  /// True if a value without quotes may be a secret: it is not a call or a subscript of a program, such as
  /// `service.token(user)` and `os.environ["TOKEN"]`, nor a piece of binary data.
  /// - `name`: The name of a value in a line; nil for a parameter of a URL.
  private mutating func isValue(_ range: Range<Int>, _ name: Range<Int>?, isLine: Bool) -> Bool {
    let call = text.end(of: Self.callBytes, from: range.lowerBound, atMost: range.count)
    // A list starts with a bracket: `otp-credentials=()`.
    if call < range.upperBound, Self.callSigns.contains(text[call]) { return false }
    if let name, isProgram(at: name.lowerBound) {
      // In a program, a line of settings has a digit or a name in capitals: `API_TOKEN=abc`.
      let isEnd = range.upperBound == scope.range.upperBound || ByteSet.lineEnd.contains(text[range.upperBound])
      let isSetting = range.contains { text[$0].isDigit } || !name.contains { (0x61...0x7a).contains(text[$0]) }
      guard isLine, isEnd, isSetting else { return false }
    }
    // 32 MB of random bytes contain `pw=` about twice, in most cases before fewer than four bytes of text.
    return !isBinary || range.count >= 4 && BodyText.isText(text.bytes(range))
  }

  /// True if an assigned value without quotes may be a parameter of a URL; in a program, it looks like a secret.
  private mutating func mayBeOfURL(_ name: Range<Int>, _ start: Int) -> Bool {
    if ByteSet.quote.contains(text.at(start)) { return false }
    guard isProgram(at: start) else { return true }
    let end = text.end(of: Self.token, from: start, atMost: 1024)
    use(end - start)
    return text[name.lowerBound - 1] != UInt8(ascii: ";") && Self.nameBytes.contains(text.at(name.lowerBound - 2))
      && end - start >= 8 && (start..<end).contains { text[$0].isDigit } && Self.endsValue.contains(text.at(end))
  }

  /// True if a name is at the start of the input and the input may be a form.
  private func isFormStart(_ name: Range<Int>, _ range: Range<Int>) -> Bool {
    name.lowerBound == range.lowerBound && text.first(0x20, in: range.prefix(256)) == nil
      && text.first(0x0a, in: range.prefix(256)) == nil
  }

  /// Takes the passwords in entries of a netrc file, `machine a.example login ada password …`; returns their end.
  private mutating func netrc(_ range: Range<Int>) -> Int {
    var (at, end) = (range.lowerBound, range.lowerBound)
    func word() -> Range<Int> {
      let start = min(text.skippingSpace(at), range.upperBound)
      at = min(text.end(before: .space, from: start), range.upperBound)
      return start..<at
    }
    while true {
      let name = word()
      guard let hasValue = Self.netrcWords[text.bytes(name)] else { break }
      let value = hasValue ? word() : name
      if finder.verdict(on: text, name) == .secret { take(value, text.bytes(value), name) }
      end = value.upperBound
    }
    use(at - range.lowerBound)
    return end
  }

  /// The words of a netrc file, and whether a value follows.
  private static let netrcWords = ["machine": true, "default": false, "login": true, "password": true, "account": true]
    .reduce(into: [[UInt8]: Bool]()) { $0[Array($1.key.utf8)] = $1.value }

  /// Takes the values below the names of secrets in a table whose first line names the columns (RFC 4180).
  private mutating func table(_ range: Range<Int>) {
    guard let line = text.first(0x0a, in: range.prefix(4096)),
      let separator = ",;\t".utf8.first(where: { text.first($0, in: range.lowerBound..<line) != nil })
    else { return }
    let quote = UInt8(ascii: "\"")
    let ends = ByteSet.lineEnd.adding(String(UnicodeScalar(separator)))
    var at = range.lowerBound
    var names: [Range<Int>] = []
    var row: [Range<Int>] = []
    while at < range.upperBound {
      var cell = at..<min(text.end(before: ends, from: at), range.upperBound)
      if text[at] == quote {
        var end = at + 1
        while let next = text.first(quote, in: end..<range.upperBound), text.at(next + 1) == quote { end = next + 2 }
        end = text.first(quote, in: min(end, range.upperBound)..<range.upperBound) ?? range.upperBound
        (cell, at) = (at + 1..<end, end)
      }
      at = min(text.end(before: ends, from: at), range.upperBound)
      row.append(cell)
      let isLast = at == range.upperBound || text[at] != separator
      use(at - cell.lowerBound)
      at = isLast ? text.end(of: .lineEnd, from: at) : at + 1
      guard isLast else { continue }
      if names.isEmpty {
        names = row
        guard
          names.allSatisfy({
            text.end(of: Self.columnBytes, from: $0.lowerBound) >= $0.upperBound && text.at($0.lowerBound) != 0x20
          }), names.contains(where: isSecret)
        else { return }
      } else {
        guard row.count == names.count else { return }
        for (name, cell) in zip(names, row) where finder.verdict(on: text, name) == .secret {
          take(cell, text.bytes(cell).replacing([quote, quote], with: [quote]), name)
        }
      }
      row = []
    }
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
  private static let openers = ByteSet(adding: "([{")
  private static let expression = ByteSet.word.adding("_$.?| ")
  private static let endsLiteral = ByteSet(adding: " \n),;+")
  private static let token = ByteSet.word.adding("-_~%+/")
  private static let columnBytes = ByteSet.word.adding("_-. ")
  private static let lead = ByteSet(adding: " \t-*#")
  private static let nameBytes = ByteSet.word.adding("_-.%[]+$~")
  private static let initials = ByteSet.word.adding("_$%")
}
