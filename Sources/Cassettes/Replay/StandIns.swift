internal import CassetteSecrets
internal import CassetteSystem
internal import HTTP
internal import JSONText
internal import Synchronization

/// Puts what a client can read in the place of aliases: stand-ins, or the secrets themselves where they are given.
package final class StandIns: Sendable {
  private let secrets: [Int: String]
  /// Recordings in whose answers there are none: they are looked through once.
  private let free = Mutex<Set<Int>>([])

  /// - Parameter secrets: Real values, by the number of their alias.
  package init(_ secrets: [Int: String] = [:]) { self.secrets = secrets }

  /// A text without some secrets, in whatever spelling: for those who read on a screen.
  ///
  /// - Parameters:
  ///   - text: What is to be shown; a client, or an origin, may have said a secret again.
  ///   - secrets: The secrets, by the number of their alias; what is hardly a text would be found everywhere.
  /// - Returns: The text with plain aliases.
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

  /// Puts them into an answer.
  ///
  /// - Parameters:
  ///   - played: The answer as it is recorded.
  ///   - entry: The recording it is of, by which it is known whether there is anything to do.
  /// - Throws: When the body is in a file that cannot be read.
  func render(_ played: inout PlayedResponse, of entry: Int? = nil) throws(CassetteError) {
    if let entry, free.withLock({ $0.contains(entry) }) { return }
    var isFree = true
    func render(_ headers: inout HTTPHeaders) {
      guard headers.contains(where: { rendered($0.value) != nil }) else { return }
      isFree = false
      headers = HTTPHeaders(
        fields: headers.map { .init(name: $0.name, value: rendered($0.value) ?? $0.value, isLatin1: $0.isLatin1) })
    }
    render(&played.headers)
    render(&played.trailers)
    for index in played.interim.indices { render(&played.interim[index].headers) }
    let type = played.headers["Content-Type"].flatMap { MediaType($0) }
    if let body = try rendered(played.body, isText: type?.isText ?? true) {
      played.body = body
      isFree = false
    }
    if isFree, let entry { _ = free.withLock { $0.insert(entry) } }
  }

  private func rendered(_ body: PlayedBody, isText: Bool) throws(CassetteError) -> PlayedBody? {
    func rendered(_ pieces: [BodyChunk]) -> [BodyChunk]? {
      let changed = pieces.map { BodyChunk(after: $0.after, bytes: self.rendered($0.bytes) ?? $0.bytes) }
      return changed == pieces ? nil : changed
    }
    switch body {
    case .length: return nil
    case .bytes(let bytes): return self.rendered(bytes).map { .bytes($0) }
    case .pieces(let pieces, let breaksOff): return rendered(pieces).map { .pieces($0, breaksOff: breaksOff) }
    case .measured(let pieces, _, let breaksOff):
      return rendered(pieces).map { pieces in
        .measured(pieces, length: pieces.reduce(0) { $0 + $1.bytes.count }, breaksOff: breaksOff)
      }
    case .file(let file, let range):
      guard isText else { return nil }
      var isFound = false
      try file.eachPart(overlap: SecretAlias.longest * 2) { part in
        isFound = self.rendered(part) != nil
        return !isFound
      }
      return isFound ? self.rendered(PlayedBody.bytes(of: file, range)).map { .bytes($0) } : nil
    }
  }

  /// A text with what stands for its aliases; nil when there is nothing to put in.
  func rendered(_ text: String) -> String? {
    guard text.utf8.count > 11 else { return nil }
    return rendered(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same of bytes; aliases within base64 are aliases, too.
  func rendered(_ bytes: [UInt8], depth: Int = 0) -> [UInt8]? {
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    SecretAlias.each(in: bytes) { alias in
      guard let text = text(of: alias, in: bytes) else { return }
      let quotes = alias.isQuotedNumber ? 1 : 0
      found.append((alias.range.lowerBound - quotes..<alias.range.upperBound + quotes, text))
    }
    if depth < 3, PlaceholderPattern.mayHoldEncoded(bytes) {
      PlaceholderPattern.eachBase64(in: bytes) { run, decoded in
        guard let inner = rendered(decoded, depth: depth + 1) else { return }
        let manner = bytes.searching { RedactionBase64.Manner(of: $0, run) }
        found.append((run, RedactionBase64.encode(inner, manner)))
      }
      found.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    guard !found.isEmpty else { return nil }
    var output: [UInt8] = []
    var at = 0
    for (range, text) in found where range.lowerBound >= at {
      output += bytes[at..<range.lowerBound]
      output += text
      at = range.upperBound
    }
    return output + bytes[at...]
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
