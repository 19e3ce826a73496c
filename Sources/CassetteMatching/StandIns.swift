internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSecrets
package import CassetteSystem
package import Cassettes

/// Replaces the aliases of secrets in answers by stand-ins, or by the given secrets.
package final class StandIns: Sendable {
  private let secrets: [Int: String]
  /// The recordings whose answers contain no aliases; searching 1 KB once takes 15,000 instructions.
  package let free = Locked<Set<Int>>([])
  /// The long body files without aliases.
  package let freeFiles = SearchedFiles()

  /// Creates a replacement of aliases, with the given secrets by number.
  package init(_ secrets: [Int: String] = [:]) { self.secrets = secrets }

  /// Masks secrets in text for display, in any spelling; secrets shorter than four bytes are not masked.
  package static func hiding(_ text: String, _ secrets: [Int: String]) -> String {
    // The longest secret first, because it may contain another.
    let known = secrets.filter { $0.value.utf8.count >= 4 }.sorted { $0.value.utf8.count > $1.value.utf8.count }
    return known.reduce(text) { text, secret in
      SecretSpelling.allCases.reduce(text) { text, spelling in
        let spelt = String(decoding: spelling.spelled(Array(secret.value.utf8)), as: UTF8.self)
        return text.replacing(spelt, with: "{{secret:\(secret.key)}}")
      }
    }
  }

  /// Replaces the aliases in a string by their values; returns nil if it contains none.
  package func rendered(_ text: String) -> String? {
    guard text.utf8.count > 11 else { return nil }
    return rendered(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces the aliases in bytes by their values, also within base64; returns nil if there are none.
  package func rendered(_ bytes: [UInt8], depth: Int = 0) -> [UInt8]? {
    if depth == 0, let stream = AmazonEventStream(bytes) {
      return stream.replacingPayloads(in: bytes) { rendered($0, depth: 1) }
    }
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
      if alias.isUnknown { return nil }
      let text = Array(StandIn.text(alias.number, alias.shape).utf8)
      return alias.isQuotedNumber || !Self.isInURL(alias, bytes) ? text : PercentEncoding.encode(text)
    }
    let quoted = JSONString.encode(secret)
    if alias.isQuotedNumber { return JSONNumber(Array(secret.utf8)[...]) == nil ? quoted : Array(secret.utf8) }
    let first = bytes.first { $0 > 0x20 }
    let isJSON = first == UInt8(ascii: "{") && !bytes.starts(with: "{{".utf8) || first == UInt8(ascii: "[")
    return isJSON ? Array(quoted.dropFirst().dropLast()) : Array(secret.utf8)
  }

  /// True if an alias is a segment of a path, or the value of a parameter: `/{{secret:1}}`, `?a={{secret:1}}`.
  private static func isInURL(_ alias: SecretAlias, _ bytes: [UInt8]) -> Bool {
    bytes.searching { text in
      let sign = alias.range.lowerBound - 1
      guard text.at(sign) == UInt8(ascii: "=") else { return text.at(sign) == UInt8(ascii: "/") }
      let name = text.beginning(of: parameterName, before: sign, after: max(0, sign - 128))
      return parameterSigns.contains(text.at(name - 1))
    }
  }

  private static let parameterName = ByteSet.word.adding("-._~%[]")
  private static let parameterSigns = ByteSet(adding: "?&")
}
