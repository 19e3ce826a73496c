internal import CassetteSystem

/// A redaction of the texts of one recording: first all are looked through, then secrets are replaced.
package struct RedactionPass: Sendable {
  let redaction: CassetteRedaction
  var rules: RedactionRules
  /// The scanned texts of bodies, by their length.
  ///
  /// Of large ones, each of which is looked at three times; or the last that a recorder had, as the same answer often
  /// comes again: with them it reaches 0.35 to 0.43 of nginx (1 KB, 64 connections), and 0.32 without.
  private var known: [Int: [ScannedText.Kept]] = [:]
  /// The scanned texts of fields: most come with every exchange.
  private var fields: [ScannedText.Field: ScannedText.Kept] = [:]
  /// True if those of all large bodies are kept; not where exchanges pass by that are never in memory together.
  private let keepsReadings: Bool
  /// The scanned texts of the exchange that was looked through last, in their order: it is redacted next.
  private var latest: (readings: [ScannedText.Kept], next: Int, isOpen: Bool) = ([], 0, false)
  /// The scanned texts of the exchange that is looked through next, read by another pass.
  private var prepared: [ScannedText.Kept] = []
  /// The secrets found so far.
  package var table = SecretTable()
  /// Aliases that were there before anything was replaced; their numbers mean something else.
  package private(set) var foreignNumbers: Set<Int> = []
  private var looksForNew = true
  private var findsAny = true
  /// True if a secret, new or known, may be in the texts that were looked through last.
  package var holdsAny: Bool { findsAny || table.hasPatterns }
  /// The places that people named, and those of them that something was found at.
  package var named: Set<CassetteRedaction.Place> { redaction.redacted }
  package private(set) var matched: Set<CassetteRedaction.Place> = []
  /// The texts that look like tokens and are under no secret's name, in the order they were met.
  package private(set) var tokens: [(kind: String, value: [UInt8])] = []
  /// True if secrets are only looked for, and nothing is replaced yet.
  package private(set) var isCollecting = false
  /// The findings in the last exchange: if a text may hold a token as it is, as before any look, and the texts that were
  /// replaced; and if a text is not kept because looking for secrets in it took too many steps.
  package private(set) var seen: (token: Bool, replaced: [[UInt8]], isGivenUp: Bool) = (true, [], false)

  package init(_ redaction: CassetteRedaction, keepsReadings: Bool = true) {
    self.redaction = redaction
    self.keepsReadings = keepsReadings
    rules = RedactionRules(redaction)
    // In an order of their own: a set has another one each time.
    for case .value(let value) in redaction.redacted.sorted(by: { "\($0)" < "\($1)" }) where !value.isEmpty {
      substitute(table.secret(Array(value.utf8)), value, at: .value(value))
    }
  }

  private mutating func substitute(_ secret: Int, _ text: String, at place: CassetteRedaction.Place?) {
    guard let place, table.substitute(for: secret) == nil, let made = redaction.substitutes[place]?(text)
    else { return }
    table.substitute(made, for: secret)
  }

  // MARK: Rounds

  /// The scanned texts of one exchange; they do not depend on secrets of other exchanges.
  package struct Readings: Sendable { fileprivate let texts: [ScannedText.Kept] }

  /// The scanned texts of the last collected exchange.
  package var readings: Readings { Readings(texts: latest.readings) }

  /// Takes the scanned texts of the exchange that is looked through next, so that none of them is scanned again.
  package mutating func prepare(_ readings: Readings) { prepared = readings.texts }

  /// Looks through the texts that are given to ``replacing(in:_:)-(String,_)`` for secrets, to find them everywhere.
  package mutating func collecting<E: Error>(_ look: (inout RedactionPass) throws(E) -> Void) throws(E) {
    guard redaction.isOn else { return }
    (seen, latest) = ((false, [], false), (prepared, 0, true))
    prepared = []
    isCollecting = true
    looksForNew = true
    findsAny = false
    defer {
      latest.isOpen = false
      isCollecting = false
      endReplacing()
    }
    try look(&self)
  }

  /// Returns true if there is anything to replace: known secrets alone where a person may have written the texts, or where
  /// they were redacted before.
  package mutating func beginReplacing(onlyKnown: Bool) -> Bool {
    guard redaction.isOn, !onlyKnown || table.hasPatterns else { return false }
    looksForNew = !onlyKnown
    latest.next = 0
    seen = (false, [], seen.isGivenUp)
    return true
  }

  /// True if paths of JSON lead to secrets, or to what is kept, in the texts that are looked at.
  package var followsPaths: Bool { looksForNew && redaction.isOn && redaction.hasPaths }

  /// Ends what `beginReplacing` began.
  package mutating func endReplacing() { looksForNew = true }

  /// Returns a text with the same mask in the place of every secret.
  package mutating func masking(_ text: String) -> String {
    let redacted = redaction.isOn ? replacing(in: text, .text) ?? text : text
    return SecretAlias.neutral(redacted).text.replacing("{{secret:}}", with: SecretNames.mask)
  }

  /// Takes in the secrets of a field that no exchange will show, and returns the texts that are looked for everywhere.
  package mutating func learn(_ name: String, _ value: String) -> [String] {
    let bytes = Array(value.utf8)
    guard redaction.isOn, redaction.takesOut(header: name),
      let found = SecretFinder.credential(bytes.indices, bytes, ofField: name)
    else { return [] }
    let secrets = ([found.value] + found.others + found.parts).filter { !SecretTable.isTrivial($0, isNamed: true) }
    let texts = secrets.compactMap { String(validUTF8: $0) }
    for text in texts where !redaction.kept.contains(.value(text)) { _ = table.secret(Array(text.utf8)) }
    return texts.filter { !redaction.kept.contains(.value($0)) }
  }

  /// Returns a text with aliases in the place of secrets; nil where it stays as it is.
  package mutating func replacing(in text: String, _ context: ScannedText.Context) -> String? {
    replacing(in: reading(of: text, context)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns bytes with aliases in the place of secrets; nil where they stay as they are.
  package mutating func replacing(in bytes: [UInt8], _ context: ScannedText.Context) -> [UInt8]? {
    replacing(in: reading(of: bytes, context))
  }

  private mutating func replacing(in reading: ScannedText.Kept) -> [UInt8]? {
    let wasLeft = seen.token
    let replacements = replacements(in: reading.text)
    guard !isCollecting, !replacements.isEmpty else { return nil }
    // A token in it is looked for again in what became of it.
    seen.token = wasLeft
    seen.replaced.append(replacements.applied(to: reading.text.bytes, &table))
    return seen.replaced.last
  }

  /// Replaces secrets in the pieces of one text, which is read as a whole; one across a seam goes to its first piece.
  package mutating func replacing(inPieces pieces: [[UInt8]], _ context: ScannedText.Context) -> [[UInt8]]? {
    let replacements = replacements(in: reading(of: Array(pieces.joined()), context).text)
    guard !isCollecting, !replacements.isEmpty else { return nil }
    return replacements.applied(to: pieces, &table)
  }

  // MARK: Texts

  private mutating func reading(of text: String, _ context: ScannedText.Context) -> ScannedText.Kept {
    guard case .header(let name) = context, text.utf8.count <= 256
    else { return reading(of: Array(text.utf8), context) }
    let field = ScannedText.Field(name: name, value: text)
    if let reading = fields[field] { return reading }
    let reading = ScannedText.Kept(Array(text.utf8), context, rules)
    if fields.count == 256 { fields.removeAll(keepingCapacity: true) }
    fields[field] = reading
    return reading
  }

  private mutating func reading(of bytes: [UInt8], _ context: ScannedText.Context) -> ScannedText.Kept {
    func isOf(_ text: ScannedText) -> Bool { text.context == context && ByteSearch.isSame(text.bytes, bytes) }
    if latest.next < latest.readings.count {
      let reading = latest.readings[latest.next]
      latest.next += 1
      if isOf(reading.text) { return reading }
    }
    let isKept = keepsReadings == (bytes.count >= 16 << 10)
    let known = isKept ? self.known[bytes.count]?.first { isOf($0.text) } : nil
    let reading = known ?? ScannedText.Kept(bytes, context, rules)
    if isKept, known == nil {
      if !keepsReadings {
        if self.known.count == 64 { self.known.removeAll(keepingCapacity: true) }
        self.known[bytes.count] = []
      }
      self.known[bytes.count, default: []].append(reading)
    }
    if !keepsReadings, latest.isOpen {
      latest.readings.append(reading)
      latest.next += 1
    }
    return reading
  }

  mutating func replacements(in reading: ScannedText) -> Replacements {
    var replacements = Replacements()
    if isCollecting { noteForeign(reading.aliases) }
    if !reading.tokens.isEmpty { seen.token = true }
    if reading.isGivenUp {
      seen.isGivenUp = true
      replacements.insert(reading.bytes.indices, .givenUp)
      return replacements
    }
    replacements.kept = reading.kept
    replacements.spelling = reading.spelling
    if looksForNew, redaction.hasNames, case .header(let name) = reading.context {
      matched.formUnion(redaction.redacted.intersection([.header(name)]))
    }
    for place in reading.atPaths { take(place, &replacements, in: reading) }
    if !isCollecting, case .body = reading.context { table.replaceNumbers(in: reading.bytes, &replacements) }
    for place in reading.named { take(place, &replacements, in: reading) }
    if isCollecting { learn(reading) }
    // Of what comes in pieces the whole is first, and what is within before what is known: a piece goes to its whole.
    for view in reading.views.reversed() { for inner in view.inner { replace(inner, &replacements) } }
    if !isCollecting {
      for (ranges, secret) in reading.matches.find(table, in: reading) { replacements.insert(ranges, .alias(secret)) }
    }
    if isCollecting, !replacements.isEmpty { findsAny = true }
    replacements.settle()
    return replacements
  }

  /// Takes a secret in, unless it was allowed, and replaces it.
  private mutating func take(_ place: ScannedText.Place, _ replacements: inout Replacements, in reading: ScannedText) {
    guard looksForNew else { return }
    let found = place.found
    let text = String(decoding: found.value, as: UTF8.self)
    if redaction.hasNames, let rule = reading.rule(of: found) { matched.insert(rule) }
    guard !redaction.kept.contains(.value(text)), !SecretNames.isPlaceholder(text) else { return }
    guard !replacements.kept.contains(where: { $0.overlaps(place.range) }) else { return }
    let secret = table.secret(found.value, or: found.others, isNamed: found.isNamed)
    for part in found.parts { _ = table.secret(part) }
    substitute(secret, text, at: reading.rule(of: found))
    let isQuoted = found.isNumber && reading.numbers.contains(place.range.lowerBound)
    replacements.insert(
      [place.range] + place.rest, found.isNumber ? .number(secret, isQuoted: isQuoted) : .alias(secret))
  }

  /// Takes in what looks like a token; where it stands is looked for as for every secret.
  private mutating func learn(_ reading: ScannedText) {
    guard looksForNew else { return }
    for (kind, value, _) in reading.tokens where table.known(value) == nil {
      guard !isKept(value, in: reading) else { continue }
      _ = table.secret(value)
      tokens.append((kind, value))
    }
  }

  /// Tells whether a token stands only where a person said that nothing is a secret.
  private func isKept(_ value: [UInt8], in reading: ScannedText) -> Bool {
    guard !reading.kept.isEmpty else { return false }
    var from = 0
    while let at = reading.bytes.firstIndex(of: value, from: from) {
      guard reading.kept.contains(where: { $0.contains(at) }) else { return false }
      from = at + 1
    }
    return from > 0
  }

  mutating func noteForeign(_ numbers: [Int]) {
    foreignNumbers.formUnion(numbers)
  }

  /// Replaces text in base64, and gives it back as base64.
  private mutating func replace(_ inner: ScannedText.Inner, _ replacements: inout Replacements) {
    let decoded = inner.reading.bytes
    let within = self.replacements(in: inner.reading)
    guard !within.isEmpty else { return }
    var whole: Replacements.Replacement?
    if case .base64(let manner) = inner.wrapping, manner.lines == nil { whole = within.whole(of: decoded.count) }
    replacements.insert(inner.ranges, whole ?? .wrapped(decoded, within, inner.wrapping))
  }

  /// Returns true if a known secret stands in a part of what was redacted before, with what was known then.
  package mutating func holdsKnown(_ part: [UInt8]) -> Bool {
    guard !isCollecting else {
      noteForeign(SecretAlias.numbers(in: part))
      return false
    }
    var isFound = false
    func look(_ view: DecodedView) {
      table.patterns.search(view) { range, _, _ in
        isFound = isFound || !view.isJoined || view.originals(range).count > 1
      }
    }
    DecodedView.each(of: part, look)
    JoinedText.each(of: part, hasPieces: true) { $0.eachDeeper(of: part, look) }
    return isFound
  }

  /// Redacts a part of a body that is never seen as a whole; it may end sooner or later, so as to end between secrets.
  ///
  /// - Returns: The part as it may be kept, and where it ended.
  package mutating func redacting(
    part bytes: [UInt8], _ range: Range<Int>, isLast: Bool, isForm: Bool
  ) -> (bytes: [UInt8], end: Int) {
    guard redaction.isOn else { return (Array(bytes[range]), range.upperBound) }
    let reading = ScannedText(bytes, isForm ? .form : .text, rules)
    isCollecting = true
    _ = replacements(in: reading)
    isCollecting = false
    let replacements = replacements(in: reading)
    var end = range.upperBound
    if !isLast {
      // A match at the end of the part that is seen may go on behind it: it waits, unless the part is the last.
      let around = replacements.around(end)
      end =
        around.upperBound < bytes.count || around.lowerBound <= range.lowerBound
        ? around.upperBound : around.lowerBound
    }
    return (replacements.applied(to: bytes, in: range.lowerBound..<end, &table), end)
  }
}
