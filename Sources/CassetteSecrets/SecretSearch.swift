internal import CassetteSystem

/// Looks through texts for secrets, to say where they are; what a body says is not looked for again where it stands coded.
package struct SecretSearch: Sendable {
  /// A secret in a text.
  package struct Finding: Sendable {
    /// The name of the secret, or the kind that it looks like.
    package var what: String
    /// The notation of the name and the value.
    package var notation = SecretFinder.Notation.member
    /// True if its shape gives it away, and not its name.
    package var isToken: Bool
    /// The place in the text as it is written, or of what it is coded in.
    package var range: Range<Int>
    /// The value, its coding undone.
    package var value: [UInt8]
    /// True if the value says it, too, and not its name alone: what a generator made, and passwords with digits.
    package var isLikely = true
  }

  private let rules: RedactionRules

  /// Creates a search that lets pass what a redaction keeps.
  package init(_ redaction: CassetteRedaction) { rules = RedactionRules(redaction, bodies: SeenBodies()) }

  /// Finds all places in a text that may hold a secret by a name or a shape, each value once a place.
  package func findings(in bytes: [UInt8], _ context: ScannedText.Context) -> [Finding] {
    let reading = ScannedText(bytes, context, rules)
    let kept = rules.finder.redaction.kept
    var findings: [Finding] = []
    var seen: [Range<Int>: Int] = [:]
    reading.each { found, range in
      // A cookie that is short or a plain word is taken out where it stands, and is no reason to stop anybody.
      // Another reading of it may tell more.
      if let first = seen[range], Self.isLikely(found) { findings[first].isLikely = true }
      guard seen[range] == nil, !SecretAlias.isMost(of: found.value),
        found.isNamed || !SecretTable.isTrivial(found.value, isNamed: false),
        !kept.contains(.value(String(decoding: found.value, as: UTF8.self)))
      else { return }
      seen[range] = findings.count
      findings.append(
        Finding(
          what: found.name, notation: found.notation, isToken: false, range: range, value: found.value,
          isLikely: Self.isLikely(found)))
    }
    var places: [[UInt8]: Set<Range<Int>>] = [:]
    for (kind, value, range) in reading.allTokens where places[value, default: []].insert(range).inserted {
      findings.append(Finding(what: kind, isToken: true, range: range, value: value))
    }
    if findings.isEmpty, context == .body { rules.bodies?.insert(bytes) }
    return findings
  }

  /// Returns true if a value looks like a secret, and not only its name: what a tag or a pair gives as a value, a token, or eight characters of which one is a
  /// digit and one a letter, and none a blank or a bracket.
  private static func isLikely(_ found: SecretFinder.Found) -> Bool {
    if found.notation == .pair { return true }
    let settings = found.value.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }.map(Array.init)
    return ([found.value] + found.parts + (settings.count > 2 ? settings : [])).contains { value in
      SecretShapes.isToken(value)
        || value.count >= 8 && value.contains(where: \.isDigit) && value.contains(where: ByteSet.letter.contains)
          && !value.contains(where: ofPrograms.contains)
    }
  }

  private static let ofPrograms = ByteSet(0...0x20, adding: "(){}[]<>`\"\\,;")
}

/// Bodies that hold no secrets.
final class SeenBodies: Sendable {
  /// The bodies by their length.
  private let bodies = Locked<[Int: [[UInt8]]]>([:])

  func insert(_ body: [UInt8]) { bodies.withLock { $0[body.count, default: []].append(body) } }

  func contains(_ text: [UInt8]) -> Bool {
    bodies.withLock { $0[text.count]?.contains { ByteSearch.isSame($0, text) } ?? false }
  }
}
