internal import CassetteSystem

/// Redacts the fields, URLs and bodies of one recording: a first pass collects secrets, a second one replaces them.
package struct RedactionPass: Sendable {
  let redaction: CassetteRedaction
  var finder: SecretFinder
  /// The scan results of earlier content, by a hash of its beginning and end: most fields and many bodies are repeated.
  ///
  /// With this cache a recorder reaches 0.35 to 0.43 of nginx (1 KB, 64 connections), and 0.32 without.
  private var known: [Int: ScannedText.Kept] = [:]
  /// True if the scan results of long bodies are cached; false for a recorder, which never has all exchanges in memory.
  private let keepsReadings: Bool
  /// The scan results of the exchange collected last, in order, which is redacted next, and the index of the next one.
  private var latest: [ScannedText.Kept] = []
  private var next = 0
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

  /// The number of bodies that are not kept because their scans took too many steps.
  package private(set) var abandoned = 0
  /// The message about a body whose scan took too many steps.
  package static let givenUp = "looking for secrets in this body took too many steps; it is not kept"

  /// Creates a redaction without known secrets.
  ///
  /// - Parameters:
  ///   - redaction: The rules.
  ///   - keepsReadings: True if all exchanges are collected before the first is redacted.
  ///   - hidesAll: True if all secrets get the same mask, for display.
  package init(_ redaction: CassetteRedaction, keepsReadings: Bool = false, hidesAll: Bool = false) {
    self.redaction = redaction
    self.keepsReadings = keepsReadings
    finder = SecretFinder(redaction, hidesAll: hidesAll)
    table.masks = hidesAll
    // Sorted, because the order of a set differs between runs.
    for case .value(let value) in redaction.redacted.sorted(by: { "\($0)" < "\($1)" }) where !value.isEmpty {
      substitute(table.secret(Array(value.utf8)), Array(value.utf8), at: .value(value))
    }
  }

  private mutating func substitute(_ secret: Int, _ value: [UInt8], at place: CassetteRedaction.Place?) {
    guard let place, table.substitute(for: secret) == nil,
      let made = redaction.substitutes[place]?(String(decoding: value, as: UTF8.self))
    else { return }
    table.substitute(made, for: secret)
  }

  // MARK: Copies

  /// A value that changes with each new secret and alias.
  package var stamp: [Int] { [table.count, table.numbers.count, tokens.count, abandoned] }

  /// Takes over the secrets of a changed copy; the stamp must be the one at the time of copying.
  package mutating func takeOver(_ copy: inout RedactionPass) {
    swap(&table, &copy.table)
    (tokens, abandoned) = (copy.tokens, copy.abandoned)
    foreignNumbers.formUnion(copy.foreignNumbers)
    matched.formUnion(copy.matched)
  }

  // MARK: Rounds

  /// The scan results of one exchange; they do not depend on secrets of other exchanges.
  package struct Readings: Sendable { fileprivate let texts: [ScannedText.Kept] }

  /// The scan results of the last collected exchange.
  package var readings: Readings { Readings(texts: latest) }

  /// Sets the scan results of the exchange collected next, so that it is not scanned again.
  package mutating func prepare(_ readings: Readings) { prepared = readings.texts }

  /// Collects the secrets of everything passed to ``replacing(in:_:)-(String,_)``, so that all their occurrences are
  /// found.
  package mutating func collecting<E: Error>(_ look: (inout RedactionPass) throws(E) -> Void) throws(E) {
    guard redaction.isOn else { return }
    (seen, latest, next, prepared) = ((false, [], false), prepared, 0, [])
    isCollecting = true
    looksForNew = true
    findsAny = false
    defer {
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
    next = 0
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
    replacing(in: Array(text.utf8), context).map { String(decoding: $0, as: UTF8.self) }
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

  private mutating func reading(of bytes: [UInt8], _ context: ScannedText.Context) -> ScannedText.Kept {
    if next < latest.count, latest[next].isOf(bytes, context) {
      next += 1
      return latest[next - 1]
    }
    var reading: ScannedText.Kept?
    if keepsReadings || bytes.count < 16 << 10 {
      var hasher = Hasher()
      hasher.combine(context)
      bytes.withUnsafeBytes { all in
        hasher.combine(all.count)
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all.prefix(256)))
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all.suffix(256)))
      }
      let key = hasher.finalize()
      reading = known[key].flatMap { $0.isOf(bytes, context) ? $0 : nil }
      if reading == nil {
        if !keepsReadings, known.count == 256 { known.removeAll(keepingCapacity: true) }
        reading = ScannedText.Kept(bytes, context, finder)
        known[key] = reading
      }
    }
    let result = reading ?? ScannedText.Kept(bytes, context, finder)
    if isCollecting {
      latest.append(result)
      next = latest.count
    }
    return result
  }

  mutating func replacements(in reading: ScannedText) -> Replacements {
    var replacements = Replacements()
    if isCollecting { foreignNumbers.formUnion(reading.aliases) }
    if !reading.tokens.isEmpty { seen.token = true }
    if reading.isGivenUp {
      seen.isGivenUp = true
      if isCollecting { abandoned += 1 }
      replacements.insert(reading.bytes.indices, .givenUp)
      return replacements
    }
    replacements.kept = reading.kept
    replacements.spelling = reading.spelling
    if looksForNew, redaction.hasNames, case .header(let name) = reading.context {
      matched.formUnion(redaction.redacted.intersection([.header(name)]))
    }
    for found in reading.atPaths { take(found, &replacements, in: reading) }
    if !isCollecting, case .body = reading.context { table.replaceNumbers(in: reading.bytes, &replacements) }
    for found in reading.named { take(found, &replacements, in: reading) }
    if isCollecting { learn(reading) }
    // Joined views are replaced first and nested content before known secrets, so that an alias replaces the whole
    // secret.
    for view in reading.views.reversed() { for inner in view.inner { replace(inner, &replacements) } }
    if !isCollecting {
      for (ranges, secret) in reading.matches(of: table) { replacements.insert(ranges, .alias(secret)) }
    }
    if isCollecting, !replacements.isEmpty { findsAny = true }
    replacements.settle()
    return replacements
  }

  /// Adds a secret to the table and replaces it, unless it is kept.
  private mutating func take(
    _ found: SecretFinder.Found, _ replacements: inout Replacements, in reading: ScannedText
  ) {
    guard looksForNew else { return }
    let rule = redaction.hasNames ? reading.rule(of: found) : nil
    if let rule { matched.insert(rule) }
    guard !redaction.keeps(value: found.value), !SecretNames.isPlaceholder(found.value) else { return }
    guard !replacements.kept.contains(where: { $0.overlaps(found.range) }) else { return }
    let secret = table.secret(found.value, or: found.others, isNamed: found.isNamed)
    for part in found.parts { _ = table.secret(part) }
    substitute(secret, found.value, at: rule)
    let isQuoted = found.isNumber && reading.numbers.contains(found.range.lowerBound)
    replacements.insert(
      [found.range] + found.rest, found.isNumber ? .number(secret, isQuoted: isQuoted) : .alias(secret))
  }

  /// Adds the values that look like tokens; all their occurrences are replaced like those of any secret.
  private mutating func learn(_ reading: ScannedText) {
    guard looksForNew else { return }
    for (kind, value, range) in reading.tokens where table.known(value) == nil {
      // A token is kept if all its occurrences are in places that the user keeps.
      guard !reading.kept.contains(where: { $0.contains(range.lowerBound) }) else { continue }
      _ = table.secret(value)
      tokens.append((kind, value))
    }
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
      foreignNumbers.formUnion(SecretAlias.numbers(in: part))
      return false
    }
    return !ScannedText(part, .text, finder).matches(of: table).isEmpty
  }

  /// Scans a part of a body that is never in memory as a whole.
  package func scanning(part bytes: [UInt8], isForm: Bool) -> ScannedText {
    ScannedText(bytes, isForm ? .form : .text, finder)
  }

  /// Redacts a range of a scanned part; the range may be extended or shortened to end between secrets.
  ///
  /// - Returns: The redacted part, and the offset where it ended.
  package mutating func redacting(
    _ reading: ScannedText, _ range: Range<Int>, isLast: Bool
  ) -> (bytes: [UInt8], end: Int) {
    let bytes = reading.bytes
    guard redaction.isOn else { return (Array(bytes[range]), range.upperBound) }
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
