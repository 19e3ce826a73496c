internal import CassetteJSON
internal import CassetteSystem

/// Redacts the fields, URLs and bodies of one recording: secrets are collected first, and then replaced.
package struct RedactionPass: Sendable {
  let redaction: CassetteRedaction
  var finder: SecretFinder
  /// The scan results of earlier content, by a hash of its beginning and end: most fields and many bodies are repeated.
  private var known: [Int: Reading] = [:]
  /// True if the scan results of long bodies are cached; false for a recorder, which never has all exchanges in memory.
  private let keepsReadings: Bool
  /// The scan results of the exchange collected last, which is redacted next, and the index of the next text.
  private var latest = Readings()
  private var next = 0
  /// The secrets found so far.
  package var table = SecretTable()
  /// The alias numbers found in the input before anything was replaced; they refer to other secrets.
  package private(set) var foreignNumbers: Set<Int> = []
  private var findsAny = true
  /// True if the input collected last may contain a secret, new or known.
  package var holdsAny: Bool { findsAny || table.hasPatterns }
  /// The user-defined places to redact; `matched` contains those at which a secret was found.
  package var named: Set<CassetteRedaction.Place> { redaction.redacted }
  package private(set) var matched: Set<CassetteRedaction.Place> = []
  /// The values that look like tokens and have no secret's name, in the order they were found.
  package private(set) var tokens: [(kind: String, value: [UInt8])] = []
  /// The content of the last exchange that may still contain a token: redacted content, and content with kept tokens.
  package private(set) var unchecked: [[UInt8]] = []
  /// The names of the secrets, each when its value was found first, and the kinds of tokens without a secret's name.
  package private(set) var removed: [(what: String, isGuess: Bool)] = []
  /// The secrets that only a shape identifies.
  private var guesses: Set<Int> = []
  /// The guesses that the last exchange keeps, because its content is not usable without them.
  package private(set) var keptGuesses: Set<[UInt8]> = []
  /// The parts of the last exchange that are not usable without their secrets.
  package private(set) var unusable: [String] = []
  /// True if the scan of a body of the last exchange took too many steps, so that the body is dropped.
  package private(set) var isGivenUp = false
  /// The number of bodies that are not kept because their scans took too many steps.
  package private(set) var abandoned = 0
  /// The message about a body whose scan took too many steps.
  package static let givenUp = "looking for secrets in this body took too many steps; it is not kept"

  /// True if secrets are redacted.
  package var isOn: Bool { redaction.isOn }
  /// True if JSON paths select values to redact or keep.
  package var followsPaths: Bool { redaction.isOn && redaction.hasPaths }

  /// Creates a redaction without known secrets.
  ///
  /// - `keepsReadings`: True if all exchanges are collected before the first is redacted.
  /// - `hidesAll`: True if all secrets get the same mask, for display.
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

  // MARK: Collecting

  /// The scan results of one exchange, which do not depend on secrets of other exchanges.
  package struct Readings: Sendable {
    /// The scan results of the exchange's texts, in order.
    fileprivate var texts: [Reading] = []
    /// The alias numbers in long bodies, which were redacted earlier.
    fileprivate var numbers: Set<Int> = []

    package init() {}

    /// Adds the alias numbers in a part of a long body.
    package mutating func addNumbers(in part: [UInt8]) { numbers.formUnion(SecretAlias.numbers(in: part)) }
  }

  /// The scan results of a text, which are shared because copies of all their arrays take longer than most scans.
  fileprivate final class Reading: Sendable {
    let text: ScannedText
    let holdsAny: Bool

    init(_ text: ScannedText) { (self.text, holdsAny) = (text, text.holdsAny) }
  }

  /// Adds the scan results of a text, which may be those of the same text in an earlier exchange.
  package mutating func scan(_ bytes: [UInt8], _ context: ScannedText.Context, into readings: inout Readings) {
    readings.texts.append(reading(of: bytes, context))
  }

  /// Adds the secrets of an exchange, so that all their occurrences are found.
  package mutating func collect(_ readings: Readings) {
    (latest, next, findsAny, isGivenUp, unchecked) = (readings, 0, false, false, [])
    foreignNumbers.formUnion(readings.numbers)
    for reading in readings.texts {
      if redaction.hasNames, case .header(let name) = reading.text.context {
        matched.formUnion(redaction.redacted.intersection([.header(name)]))
      }
      if reading.holdsAny { learn(reading.text) }
    }
  }

  /// Adds the secrets in some content.
  package mutating func collect(_ bytes: [UInt8], _ context: ScannedText.Context) {
    var readings = Readings()
    scan(bytes, context, into: &readings)
    collect(readings)
  }

  /// Adds the secrets of a field that appears in no exchange, and returns the values that are searched for everywhere.
  package mutating func learn(_ name: String, _ value: String) -> [String] {
    let bytes = Array(value.utf8)
    guard redaction.isOn, redaction.takesOut(header: name),
      let found = SecretFinder.credential(bytes.indices, bytes, ofField: name)
    else { return [] }
    let secrets = ([found.value] + found.others + found.parts).filter { !SecretTable.isTrivial($0, isNamed: true) }
    let texts = secrets.compactMap { String(validUTF8: $0) }.filter { !redaction.kept.contains(.value($0)) }
    for text in texts { _ = table.secret(Array(text.utf8)) }
    return texts
  }

  private mutating func learn(_ reading: ScannedText) {
    foreignNumbers.formUnion(reading.aliases)
    if reading.isGivenUp {
      (isGivenUp, findsAny) = (true, true)
      abandoned += 1
      return
    }
    for layer in reading.layers {
      for found in layer.secrets {
        let count = table.count
        guard secret(of: found, in: layer, reading) != nil else { continue }
        findsAny = true
        if table.count > count { removed.append((reading.name(of: found, in: layer), false)) }
      }
    }
    for (kind, value, range) in reading.tokens where table.known(value) == nil {
      // A token is kept if all its occurrences are in places that the user keeps.
      guard !reading.kept.contains(where: { $0.contains(range.lowerBound) }) else { continue }
      guesses.insert(table.secret(value))
      tokens.append((kind, value))
      removed.append((kind, true))
    }
    for inner in reading.inners { learn(inner.reading) }
  }

  /// Adds a secret to the table and returns its index, or nil if the user keeps it.
  private mutating func secret(
    of found: SecretFinder.Found, in layer: ScannedText.Layer, _ reading: ScannedText
  ) -> Int? {
    let rule = redaction.hasNames ? rule(of: found, in: layer, reading) : nil
    if let rule { matched.insert(rule) }
    guard !redaction.keeps(value: found.value), !SecretNames.isPlaceholder(found.value),
      !reading.isKept(found, in: layer)
    else { return nil }
    let secret = table.secret(found.value, or: found.others, isNamed: found.isNamed)
    if found.isNamed { guesses.remove(secret) }
    for part in found.parts { _ = table.secret(part) }
    substitute(secret, found.value, at: rule)
    return secret
  }

  /// Returns the user-defined rule that may apply to a secret.
  private func rule(
    of found: SecretFinder.Found, in layer: ScannedText.Layer, _ reading: ScannedText
  ) -> CassetteRedaction.Place? {
    switch (reading.context, found.notation) {
    case (_, .path(let path)): .json(finder.redactedPaths[path].description)
    case (.header(let name), _): .header(name)
    case (.form, _), (.multipart, _): .form(reading.name(of: found, in: layer).lowercased())
    case (_, .parameter): .query(reading.name(of: found, in: layer).lowercased())
    default: nil
    }
  }

  // MARK: Replacing

  /// Starts the replacement of an exchange's secrets, in the order in which its content was collected.
  package mutating func beginReplacing() { (next, unchecked, keptGuesses, unusable) = (0, [], [], []) }

  /// The ways to replace secrets, in the order in which they are tried.
  private enum Spelling: CaseIterable {
    /// Secrets are replaced within base64, which is encoded again.
    case nested
    /// Base64 that contains a secret is replaced as a whole, and of a secret in a path only the last segment.
    case whole
    /// As `whole`, but secrets that only a shape identifies are kept.
    case named
  }

  /// Returns content with secrets replaced by aliases, or nil if it is unchanged.
  ///
  /// - `part`: The name of the content for messages.
  /// - `pieces`: The lengths of the pieces that are returned; the alias goes into a secret's first piece. Empty for one.
  /// - `onlyKnown`: True if only known secrets are replaced, for exchanges that a person may have written or that were
  ///   redacted before.
  /// - `isUsable`: Returns true if the content can be replaced by the given pieces; otherwise, another spelling is tried.
  package mutating func replacing(
    in bytes: [UInt8], _ context: ScannedText.Context, part: String = "", pieces: [Int] = [], onlyKnown: Bool = false,
    isUsable: ([[UInt8]]) -> Bool = { _ in true }
  ) -> [[UInt8]]? {
    let isNext = next < latest.texts.count && latest.texts[next].text.isOf(bytes, context)
    let reading = (isNext ? latest.texts[next] : reading(of: bytes, context)).text
    if isNext { next += 1 }
    let (before, start) = (keptGuesses, table.assigned.count)
    func apply(_ replacements: Replacements) -> [[UInt8]] { replacements.applied(to: bytes, pieces, &table) }
    // A guess is kept only in a response body: in a request, a token is likely, and the loss is a miss that is reported.
    for spelling in part == "response body" ? Spelling.allCases : [.nested, .whole] {
      let replacements = self.replacements(in: reading, onlyKnown: onlyKnown, spelling)
      guard !replacements.isEmpty else {
        if spelling == .nested, !reading.tokens.isEmpty { unchecked.append(bytes) }
        return nil
      }
      let replaced = apply(replacements)
      if reading.isGivenUp || isUsable(replaced) {
        unchecked += replaced
        return replaced
      }
      keptGuesses = before
      table.withdrawNumbers(after: start)
    }
    unusable.append(part)
    let replaced = apply(self.replacements(in: reading, onlyKnown: onlyKnown))
    unchecked += replaced
    return replaced
  }

  /// Returns a string with secrets replaced by aliases.
  package mutating func redacting(_ text: String, as context: ScannedText.Context) -> String {
    guard redaction.isOn else { return text }
    beginReplacing()
    return replacing(in: Array(text.utf8), context).map { String(decoding: $0.joined(), as: UTF8.self) } ?? text
  }

  /// Returns the text with every secret replaced by the same mask.
  package mutating func masking(_ text: String) -> String {
    SecretAlias.neutral(redacting(text, as: .text)).text.replacing("{{secret:}}", with: SecretNames.mask)
  }

  /// Returns the scan results of content: those of the same content in an earlier exchange, or new ones.
  private mutating func reading(of bytes: [UInt8], _ context: ScannedText.Context) -> Reading {
    guard keepsReadings || bytes.count < 16 << 10 else { return Reading(ScannedText(bytes, context, finder)) }
    var hasher = Hasher()
    hasher.combine(context)
    bytes.withUnsafeBytes { all in
      hasher.combine(all.count)
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all.prefix(64)))
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all.dropFirst(64).suffix(64)))
    }
    let key = hasher.finalize()
    if let reading = known[key], reading.text.isOf(bytes, context) { return reading }
    if !keepsReadings, known.count == 256 { known.removeAll(keepingCapacity: true) }
    let reading = Reading(ScannedText(bytes, context, finder))
    known[key] = reading
    return reading
  }

  private mutating func replacements(
    in reading: ScannedText, onlyKnown: Bool = false, _ spelling: Spelling = .nested
  ) -> Replacements {
    var replacements = Replacements()
    replacements.kept = reading.kept
    replacements.spelling = reading.spelling
    if reading.isGivenUp {
      isGivenUp = true
      replacements.insert(reading.bytes.indices, .givenUp)
      return replacements
    }
    for layer in onlyKnown ? [] : reading.layers {
      for found in layer.secrets {
        guard let secret = secret(of: found, in: layer, reading) else { continue }
        let ranges = layer.view.originals(found.range)
        let isQuoted = found.isNumber && reading.numbers.contains(ranges.first?.lowerBound ?? -1)
        replacements.insert(ranges, found.isNumber ? .number(secret, isQuoted: isQuoted) : .alias(secret))
      }
    }
    if case .body = reading.context { table.replaceNumbers(in: reading.bytes, &replacements) }
    // Joined views are replaced first and nested content before known secrets, so that an alias replaces the whole
    // secret.
    for inner in reading.inners {
      let decoded = inner.reading.bytes
      let within = self.replacements(in: inner.reading, onlyKnown: onlyKnown, spelling)
      guard !within.isEmpty else { continue }
      if case .messages(let stream) = inner.wrapping {
        replacements.insert(within, of: decoded, in: stream, reading.bytes)
        continue
      }
      var whole: Replacements.Replacement?
      if case .base64(let manner) = inner.wrapping {
        if spelling != .nested {
          whole = .alias(table.secret(inner.ranges.flatMap { reading.bytes[$0] }))
        } else if manner.lines == nil {
          whole = within.whole(of: decoded.count)
        }
      }
      replacements.insert(inner.ranges, whole ?? .wrapped(decoded, decoded.indices, within, inner.wrapping))
    }
    for (ranges, secret) in reading.matches(of: table) {
      if spelling == .named, guesses.contains(secret) {
        keptGuesses.insert(ranges.flatMap { reading.bytes[$0] })
      } else if spelling != .nested, reading.context == .url, let segment = Self.lastSegment(of: ranges, reading.bytes)
      {
        replacements.insert(segment, .alias(table.secret(Array(reading.bytes[segment]))))
      } else {
        replacements.insert(ranges, .alias(secret))
      }
    }
    replacements.settle()
    return replacements
  }

  /// Returns the last path segment of a secret that contains several, such as the address of a webhook.
  private static func lastSegment(of ranges: [Range<Int>], _ bytes: [UInt8]) -> Range<Int>? {
    guard ranges.count == 1, let slash = bytes[ranges[0]].lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash + 1 < ranges[0].upperBound ? slash + 1..<ranges[0].upperBound : nil
  }

  // MARK: Long bodies

  /// True if a known secret occurs in a part that was redacted before the secret was known.
  package func holdsKnown(_ part: [UInt8]) -> Bool {
    table.hasPatterns && !ScannedText(part, .text, finder).matches(of: table).isEmpty
  }

  /// Scans a part of a body that is never in memory as a whole.
  package func scanning(part bytes: [UInt8], isForm: Bool) -> ScannedText {
    ScannedText(bytes, isForm ? .form : .text, finder)
  }

  /// Redacts a range of a scanned part, and returns its end: the range is extended or shortened to end between secrets.
  package mutating func redacting(
    _ reading: ScannedText, _ range: Range<Int>, isLast: Bool
  ) -> (bytes: [UInt8], end: Int) {
    let bytes = reading.bytes
    guard redaction.isOn else { return (Array(bytes[range]), range.upperBound) }
    learn(reading)
    let replacements = replacements(in: reading)
    var end = range.upperBound
    if !isLast {
      // A match at the end of the available bytes may continue, so it is deferred unless the part is the last.
      let around = replacements.around(end)
      let isWhole = around.upperBound < bytes.count || around.lowerBound <= range.lowerBound
      end = isWhole ? around.upperBound : around.lowerBound
    }
    return (replacements.applied(to: bytes, in: range.lowerBound..<end, &table), end)
  }
}
