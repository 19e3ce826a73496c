internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteShapes
package import CassetteSystem
package import Cassettes

/// Puts what a client can read in the place of aliases: stand-ins, or the secrets themselves where they are given.
package final class StandIns: Sendable {
  private let secrets: [Int: String]
  /// Recordings in whose answers there are none: they are looked through once, 15,000 instructions for 1 KB.
  package let free = Locked<Set<Int>>([])
  /// The long body files without aliases.
  package let freeFiles = SearchedFiles()

  /// Creates the values for aliases, by their numbers.
  package init(_ secrets: [Int: String] = [:]) { self.secrets = secrets }

  /// Masks secrets in a text, in whatever spelling, for those who read on a screen; not what is hardly a text.
  package static func hiding(_ text: String, _ secrets: [Int: String]) -> String {
    // The longest first: one may stand in another.
    let known = secrets.filter { $0.value.utf8.count >= 4 }.sorted { $0.value.utf8.count > $1.value.utf8.count }
    return known.reduce(text) { text, secret in
      SecretSpelling.allCases.reduce(text) { text, spelling in
        let spelt = String(decoding: spelling.spelled(Array(secret.value.utf8)), as: UTF8.self)
        return text.replacing(spelt, with: "{{secret:\(secret.key)}}")
      }
    }
  }

  /// Replaces the aliases in a text by their values; nil when there is nothing to replace.
  package func rendered(_ text: String) -> String? {
    guard text.utf8.count > 11 else { return nil }
    return rendered(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces the aliases in bytes by their values, also within base64.
  package func rendered(_ bytes: [UInt8], depth: Int = 0) -> [UInt8]? {
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    SecretAlias.each(in: bytes) { alias in
      guard let text = text(of: alias, in: bytes) else { return }
      found.append((alias.place, text))
    }
    if depth < 3, PlaceholderPattern.mayHoldEncoded(bytes) {
      PlaceholderPattern.eachBase64(in: bytes) { run, decoded in
        guard let inner = rendered(decoded, depth: depth + 1) else { return }
        let manner = bytes.searching { RedactionBase64.Manner(of: $0, run) }
        found.append((run, RedactionBase64.encode(inner, manner)))
      }
      found.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    return found.isEmpty ? nil : bytes.replacing(found)
  }

  private func text(of alias: SecretAlias, in bytes: [UInt8]) -> [UInt8]? {
    guard let secret = secrets[alias.number] else {
      return alias.shape.map { Array(StandIn.text(alias.number, $0).utf8) }
    }
    let quoted = JSONString.encode(secret)
    if alias.isQuotedNumber { return JSONNumber(Array(secret.utf8)[...]) == nil ? quoted : Array(secret.utf8) }
    let first = bytes.first { $0 > 0x20 }
    let isJSON = first == UInt8(ascii: "{") && !bytes.starts(with: "{{".utf8) || first == UInt8(ascii: "[")
    return isJSON ? Array(quoted.dropFirst().dropLast()) : Array(secret.utf8)
  }
}
