import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Keeps the alias numbers of a cassette when it is recorded again.
extension RecordingMerge {
  /// The alias numbers of the secrets that are searched for everywhere.
  var pins: [[UInt8]: Int] { pass.table.pins }

  /// Assigns to each secret its number in the existing cassette, found by the text around the aliases.
  mutating func adoptNumbers(
    _ drafts: [Interaction], _ partners: [Int?], _ pins: [Int: Int], isSure: Bool
  ) throws(CassetteError) {
    var reserved = pass.foreignNumbers
    let replaced = Set(zip(drafts, partners).compactMap { $0.failure == nil ? $1 : nil })
    for (index, interaction) in old.interactions.enumerated() {
      for part in try Self.parts(of: interaction) {
        SecretAlias.each(in: part.text) { pass.table.spellings[$0.number] = $0.shape }
        if !replaced.contains(index) { reserved.formUnion(SecretAlias.numbers(in: part.text)) }
      }
    }
    var secrets: [Int: Int] = [:]
    for (secret, number) in pass.table.numbers { secrets[number] = secret }
    var given = pins
    // In a full recording, the secrets of a repeated request keep their old numbers even if recordings that are kept use
    // these numbers, because they contain the same secrets.
    var used = (isSure ? pass.foreignNumbers : reserved).union(pins.values)
    func give(_ numbers: [Int], of old: [Int]) {
      for (number, oldNumber) in zip(numbers, old) {
        guard let secret = secrets[number], given[secret] == nil, used.insert(oldNumber).inserted else { continue }
        given[secret] = oldNumber
      }
    }
    // Strings that also changed outside of their aliases.
    var changed: [ChangedText] = []
    for (index, partner) in partners.enumerated() {
      if let partner { changed += try Self.agree(drafts[index], old.interactions[partner], give) }
    }
    Self.agree(changed, give)
    pass.table.renumber(given, reserved: reserved)
  }

  /// Reserves all numbers of the cassette for their current secrets.
  mutating func reserveNumbers() throws(CassetteError) {
    for interaction in old.interactions {
      for part in try Self.parts(of: interaction) { pass.table.reserve(SecretAlias.numbers(in: part.text)) }
    }
  }

  /// A string that changed outside of its aliases.
  package typealias ChangedText = (new: [UInt8], old: [UInt8])

  /// Matches the alias numbers in an exchange with those in its old recording, and returns the strings in which this is
  /// not possible because other content changed.
  package static func agree(
    _ new: Interaction, _ old: Interaction, _ give: (_ new: [Int], _ old: [Int]) -> Void
  ) throws(CassetteError) -> [ChangedText] {
    var changed: [ChangedText] = []
    for part in try parts(of: new) {
      let neutral = SecretAlias.neutral(part.text)
      guard !neutral.numbers.isEmpty else { continue }
      let candidates = try parts(of: old, named: part.name).map(\.text)
      let same = candidates.lazy.map(SecretAlias.neutral).first { old in
        old.numbers.count == neutral.numbers.count && ByteSearch.isSame(old.bytes, neutral.bytes)
      }
      if let same { give(neutral.numbers, same.numbers) } else { changed += candidates.map { (part.text, $0) } }
    }
    return changed
  }

  /// Matches the alias numbers in changed strings, by the text around each alias.
  package static func agree(_ changed: [ChangedText], _ give: (_ new: [Int], _ old: [Int]) -> Void) {
    for (new, old) in changed {
      let pieces = pieces(of: old)
      for piece in self.pieces(of: new).sorted(by: { ($0.value[0], $0.key) < ($1.value[0], $1.key) }) {
        if let old = pieces[piece.key], old.count == piece.value.count { give(piece.value, old) }
      }
    }
  }

  /// Returns the alias numbers by the surrounding text, up to commas, line ends, `&` and `;`.
  private static func pieces(of text: [UInt8]) -> [String: [Int]] {
    text.split { pieceEnds.contains($0) }.reduce(into: [:]) { pieces, piece in
      let piece = SecretAlias.neutral(Array(piece))
      if !piece.numbers.isEmpty { pieces[String(decoding: piece.bytes, as: UTF8.self), default: []] += piece.numbers }
    }
  }

  private static let pieceEnds = ByteSet(adding: ",\r\n&;")

  /// Returns the parts that may contain aliases, with a name for each; a body is read only if requested.
  package static func parts(
    of interaction: Interaction, named name: String? = nil
  ) throws(CassetteError) -> [(name: String, text: [UInt8])] {
    var parts = [("url", Array(interaction.url.utf8))]
    for field in interaction.requestHeaders {
      parts.append(header(">", field))
    }
    if let body = interaction.requestBody, name == nil || name == ">", try body.openLongFile() == nil {
      parts.append((">", try body.bytes()))
    }
    for field in interaction.response?.trailers ?? [] {
      parts.append(header("<<", field))
    }
    for field in interaction.response?.headers ?? [] {
      parts.append(header("<", field))
    }
    if let body = interaction.response?.body, name == nil || name == "<", try body.openLongFile() == nil {
      parts.append(("<", try body.bytes()))
    }
    if let name { parts.removeAll { $0.0 != name } }
    return parts
  }

  /// Returns a field without volatile parts, such as the expiration date of a cookie.
  private static func header(_ side: String, _ field: HTTPHeaders.Field) -> (name: String, text: [UInt8]) {
    let name = field.name.lowercased()
    return ("\(side) \(name)", Array(RecordingComparison.value(of: name, field.value).utf8))
  }
}
