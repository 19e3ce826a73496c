internal import CassetteSystem

/// Redacts the fields, URLs and bodies of one recording: a first pass collects secrets, a second one replaces them.
package struct RedactionPass: Sendable {
  let redaction: CassetteRedaction
  var rules: RedactionRules
  /// The scan results of bodies, by length.
  ///
  /// These are either large bodies, each of which is scanned three times, or the last bodies of a recorder, because the
  /// same response is often repeated. With this cache it reaches 0.35 to 0.43 of nginx (1 KB, 64 connections), and 0.32
  /// without.
  private var known: [Int: [ScannedText.Kept]] = [:]
  /// The scan results of fields: most fields are the same in every exchange.
  private var fields: [ScannedText.Field: ScannedText.Kept] = [:]
  /// True if the scan results of all large bodies are cached; false for a recorder, which never has all exchanges in
  /// memory.
  private let keepsReadings: Bool
  /// The scan results of the exchange collected last, in order: it is redacted next.
  private var latest: (readings: [ScannedText.Kept], next: Int, isOpen: Bool) = ([], 0, false)
  /// The scan results of the exchange collected next, prepared by another pass.
  private var prepared: [ScannedText.Kept] = []
  /// The secrets found so far.
  package var table = SecretTable()
  /// The alias numbers found in the input before anything was replaced; they refer to other secrets.
  package private(set) var foreignNumbers: Set<Int> = []
  private var looksForNew = true
  private var findsAny = true
  /// True if the input collected last may contain a secret, new or known.
  package var holdsAny: Bool { findsAny || table.hasPatterns }
  /// The user-defined places to redact; `matched` contains those at which a secret was found.
  package var named: Set<CassetteRedaction.Place> { redaction.redacted }
  package private(set) var matched: Set<CassetteRedaction.Place> = []
  /// The values that look like tokens and have no secret's name, in the order they were found.
  package private(set) var tokens: [(kind: String, value: [UInt8])] = []
  /// True while secrets are collected and not replaced yet.
  package private(set) var isCollecting = false
  /// The findings in the last exchange: whether a token may remain unredacted (initially true), the redacted bytes, and
  /// whether a body is dropped because its scan took too many steps.
  package private(set) var seen: (token: Bool, replaced: [[UInt8]], isGivenUp: Bool) = (true, [], false)

  package init(_ redaction: CassetteRedaction, keepsReadings: Bool = true) {
    self.redaction = redaction
    self.keepsReadings = keepsReadings
    rules = RedactionRules(redaction)
    // Sorted, because the order of a set differs between runs.
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

  /// The scan results of one exchange; they do not depend on secrets of other exchanges.
  package struct Readings: Sendable { fileprivate let texts: [ScannedText.Kept] }

  /// The scan results of the last collected exchange.
  package var readings: Readings { Readings(texts: latest.readings) }

  /// Sets the scan results of the exchange collected next, so that it is not scanned again.
  package mutating func prepare(_ readings: Readings) { prepared = readings.texts }

  /// Collects the secrets of everything passed to ``replacing(in:_:)-(String,_)``, so that all their occurrences are
  /// found.
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

  /// True if there may be anything to replace; `onlyKnown` limits this to known secrets, for exchanges that a person
  /// may have edited or that were redacted before.
  package mutating func beginReplacing(onlyKnown: Bool) -> Bool {
    guard redaction.isOn, !onlyKnown || table.hasPatterns else { return false }
    looksForNew = !onlyKnown
    latest.next = 0
    seen = (false, [], seen.isGivenUp)
    return true
  }

  /// True if JSON paths select the values to redact or keep in the current exchange.
  package var followsPaths: Bool { looksForNew && redaction.isOn && redaction.hasPaths }

  /// Ends the replacement started by `beginReplacing(onlyKnown:)`.
  package mutating func endReplacing() { looksForNew = true }

  /// Returns the text with every secret replaced by the same mask.
  package mutating func masking(_ text: String) -> String {
    let redacted = redaction.isOn ? replacing(in: text, .text) ?? text : text
    return SecretAlias.neutral(redacted).text.replacing("{{secret:}}", with: SecretNames.mask)
  }

  /// Adds the secrets of a field that appears in no exchange, and returns the values that are searched for everywhere.
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

  /// Returns the text with secrets replaced by aliases, or nil if it is unchanged.
  package mutating func replacing(in text: String, _ context: ScannedText.Context) -> String? {
    replacing(in: reading(of: text, context)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes with secrets replaced by aliases, or nil if they are unchanged.
  package mutating func replacing(in bytes: [UInt8], _ context: ScannedText.Context) -> [UInt8]? {
    replacing(in: reading(of: bytes, context))
  }

  private mutating func replacing(in reading: ScannedText.Kept) -> [UInt8]? {
    let wasLeft = seen.token
    let replacements = replacements(in: reading.text)
    guard !isCollecting, !replacements.isEmpty else { return nil }
    // The redacted bytes are scanned for tokens again.
    seen.token = wasLeft
    seen.replaced.append(replacements.applied(to: reading.text.bytes, &table))
    return seen.replaced.last
  }

  /// Replaces secrets in the pieces of a body, which is scanned as a whole; the alias goes into a secret's first piece.
  package mutating func replacing(inPieces pieces: [[UInt8]], _ context: ScannedText.Context) -> [[UInt8]]? {
    let replacements = replacements(in: reading(of: Array(pieces.joined()), context).text)
    guard !isCollecting, !replacements.isEmpty else { return nil }
    return replacements.applied(to: pieces, &table)
  }

  // MARK: Scans

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
    // Joined views are replaced first and nested content before known secrets, so that an alias replaces the whole
    // secret.
    for view in reading.views.reversed() { for inner in view.inner { replace(inner, &replacements) } }
    if !isCollecting {
      for (ranges, secret) in reading.matches.find(table, in: reading) { replacements.insert(ranges, .alias(secret)) }
    }
    if isCollecting, !replacements.isEmpty { findsAny = true }
    replacements.settle()
    return replacements
  }

  /// Adds a secret to the table and replaces it, unless it is kept.
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

  /// Adds the values that look like tokens; all their occurrences are replaced like those of any secret.
  private mutating func learn(_ reading: ScannedText) {
    guard looksForNew else { return }
    for (kind, value, _) in reading.tokens where table.known(value) == nil {
      guard !isKept(value, in: reading) else { continue }
      _ = table.secret(value)
      tokens.append((kind, value))
    }
  }

  /// True if all occurrences of a token are in places that the user keeps.
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

  /// Replaces secrets in nested content, and encodes it again.
  private mutating func replace(_ inner: ScannedText.Inner, _ replacements: inout Replacements) {
    let decoded = inner.reading.bytes
    let within = self.replacements(in: inner.reading)
    guard !within.isEmpty else { return }
    var whole: Replacements.Replacement?
    if case .base64(let manner) = inner.wrapping, manner.lines == nil { whole = within.whole(of: decoded.count) }
    replacements.insert(inner.ranges, whole ?? .wrapped(decoded, within, inner.wrapping))
  }

  /// True if a known secret occurs in a part that was redacted before the secret was known.
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

  /// Redacts a part of a body that is never in memory as a whole; the part may be extended or shortened to end between
  /// secrets.
  ///
  /// - Returns: The redacted part, and the offset where it ended.
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
      // A match at the end of the available bytes may continue, so it is deferred unless the part is the last.
      let around = replacements.around(end)
      end =
        around.upperBound < bytes.count || around.lowerBound <= range.lowerBound
        ? around.upperBound : around.lowerBound
    }
    return (replacements.applied(to: bytes, in: range.lowerBound..<end, &table), end)
  }
}
