internal import CassetteShapes

/// The questions of a journal: long bodies part by part, and aliases that get other numbers when it is folded.
extension RedactionPass {
  /// Tells whether a known secret stands in a part of what was redacted before, with what was known then.
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
    JoinedText.each(of: part, hasPieces: true, look)
    return isFound
  }

  /// Redacts a part of a body that is never seen as a whole; it may end sooner or later, so as to end between secrets.
  ///
  /// - Returns: The part as it may be kept, if it has aliases in it, and where it ended.
  package mutating func redacting(
    part bytes: [UInt8], _ range: Range<Int>, isLast: Bool, isForm: Bool
  ) -> (bytes: [UInt8], isRedacted: Bool, end: Int) {
    guard redaction.isOn else { return (Array(bytes[range]), false, range.upperBound) }
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
    let part = range.lowerBound..<end
    return (replacements.applied(to: bytes, in: part, &table), !replacements.entries(in: part).isEmpty, end)
  }

  /// Returns a part of a journal's long body with the aliases of a cassette; nil where it stays as it is.
  package mutating func folding(_ part: [UInt8]) -> [UInt8]? {
    guard beginReplacing(onlyKnown: true, isJournaled: true) else { return nil }
    defer { endReplacing() }
    return replacing(in: part, .text)
  }

  /// Replaces what a journal has in the place of secrets, or what would be taken for it.
  mutating func takeJournaled(_ reading: ScannedText, _ replacements: inout Replacements) {
    let first = SecretAlias.firstOfJournal
    guard let journal = table.journal, reading.aliases.contains(where: { $0 >= first }) else { return }
    if journal == .written {
      SecretAlias.eachNumber(in: reading.bytes) { place, number in
        guard number >= first else { return }
        replacements.insert(place, .wrapped(Array(reading.bytes[place]), Replacements(), .none))
      }
    } else if isJournaled {
      let journaled = reading.journaled(rules)
      for alias in journaled.aliases {
        let secret = table.secret(alias)
        let isNumber = alias.shape?.kind.isBare ?? false
        replacements.insert(
          alias.place, isNumber ? .number(secret, isQuoted: alias.isQuotedNumber) : .alias(secret))
      }
      for inner in journaled.inner { replace(inner, &replacements, isJournaled: true) }
    }
  }
}
