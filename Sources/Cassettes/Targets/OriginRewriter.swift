internal import CassetteSystem

/// Replaces recorded origins in answers with the address of the mock server, so that clients follow links to the mock.
package struct OriginRewriter: Sendable {
  struct Origin: Sendable {
    let scheme: [UInt8]
    let authority: [UInt8]
    let defaultPort: [UInt8]
  }

  let origins: [Origin]
  /// The long files without links: each file is searched once (10 ms for 30 MB), not for every request.
  package let filesWithoutLinks = SearchedFiles()
  /// The beginnings of links, for text that arrives in chunks.
  package let patterns: [[UInt8]]

  /// Creates a rewriter of origins in lower case, each with scheme and authority: `https://api.github.com`.
  package init(origins: [String]) {
    self.origins = origins.compactMap { origin in
      guard let separator = origin.firstRange(of: "://") else { return nil }
      let scheme = origin[..<separator.lowerBound]
      return Origin(
        scheme: Array(scheme.utf8), authority: Array(origin[separator.upperBound...].utf8),
        defaultPort: Array((scheme == "https" ? ":443" : scheme == "http" ? ":80" : "").utf8))
    }
    patterns = self.origins.flatMap { origin in
      ["://", ":\\/\\/"].map { origin.scheme + Array($0.utf8) + origin.authority }
    }
  }

  /// True if the recorded origins contain an origin, which must be in normalized form.
  package func contains(_ origin: String) -> Bool {
    origins.contains { origin.utf8.elementsEqual($0.scheme + "://".utf8 + $0.authority) }
  }

  /// Returns true if there are no recorded origins other than the given one.
  package func hasNoneBut(_ origin: String) -> Bool {
    origins.allSatisfy { $0.scheme + Array("://".utf8) + $0.authority == Array(origin.utf8) }
  }

  /// Replaces every recorded origin in a text, also with escaped slashes; returns nil if the text contains none.
  package func rewrite(_ text: Span<UInt8>, to base: String) -> [UInt8]? {
    guard !origins.isEmpty else { return nil }
    var place: (scheme: [UInt8], authority: [UInt8])?
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while let colon = Self.firstColon(in: text, from: index) {
      index = colon
      guard let slashes = Self.slashes(in: text, after: index),
        let found = origin(in: text, colon: index, authorityAt: index + 1 + slashes), found.start >= copied
      else {
        index += 1
        continue
      }
      guard let (scheme, authority) = place ?? Self.parts(of: base) else { return nil }
      place = (scheme, authority)
      if result.isEmpty { result.reserveCapacity(text.count + 64) }
      for position in copied..<found.start { result.append(text[position]) }
      result += scheme
      for position in index...(index + slashes) { result.append(text[position]) }
      result += authority
      copied = found.end
      index = found.end
    }
    guard copied > 0 else { return nil }
    for position in copied..<text.count { result.append(text[position]) }
    return result
  }

  /// Replaces every recorded origin in a field's value; returns nil if the value contains none.
  package func rewrite(_ value: String, to base: String) -> String? {
    value.withUTF8Span { rewrite($0, to: base) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func parts(of base: String) -> (scheme: [UInt8], authority: [UInt8])? {
    guard let separator = base.firstRange(of: "://") else { return nil }
    return (Array(base[..<separator.lowerBound].utf8), Array(base[separator.upperBound...].utf8))
  }

  private static func firstColon(in text: Span<UInt8>, from index: Int) -> Int? {
    text.withUnsafeBytes { ByteSearch($0).first(UInt8(ascii: ":"), from: index) }
  }

  /// Returns the length of `//` or `\/\/` after a colon; nil if neither follows.
  private static func slashes(in text: Span<UInt8>, after colon: Int) -> Int? {
    let left = text.count - colon - 1
    if left >= 2, text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/") { return 2 }
    let escaped: [UInt8] = [92, 47, 92, 47]
    guard left >= 4, escaped.indices.allSatisfy({ text[colon + 1 + $0] == escaped[$0] }) else { return nil }
    return 4
  }

  private func origin(in text: Span<UInt8>, colon: Int, authorityAt start: Int) -> (start: Int, end: Int)? {
    for origin in origins {
      let schemeStart = colon - origin.scheme.count
      guard schemeStart >= 0, Self.matches(text, at: schemeStart, origin.scheme),
        schemeStart == 0 || !Self.isNamePart(text[schemeStart - 1]),
        Self.matches(text, at: start, origin.authority)
      else { continue }
      var end = start + origin.authority.count
      if !origin.defaultPort.isEmpty, Self.matches(text, at: end, origin.defaultPort) {
        end += origin.defaultPort.count
      }
      // "api.github.com.example", "api.github.com:8443" and "api.github.com@example" are different hosts.
      if end < text.count, Self.isNamePart(text[end]) || text[end] == UInt8(ascii: "@") { continue }
      if end + 1 < text.count, text[end] == UInt8(ascii: ":"), (48...57).contains(text[end + 1]) { continue }
      if end + 1 < text.count, text[end] == UInt8(ascii: "."), Self.isNamePart(text[end + 1]) { continue }
      return (schemeStart, end)
    }
    return nil
  }

  /// Compares a text with `expected`, which must be in lower case, ignoring case.
  private static func matches(_ text: Span<UInt8>, at start: Int, _ expected: [UInt8]) -> Bool {
    guard start >= 0, text.count - start >= expected.count else { return false }
    for offset in expected.indices {
      let byte = text[start + offset]
      let lower = (65...90).contains(byte) ? byte + 32 : byte
      if lower != expected[offset] { return false }
    }
    return true
  }

  private static func isNamePart(_ byte: UInt8) -> Bool { byte >= 128 || nameBytes.contains(byte) }

  private static let nameBytes = ByteSet.word.adding("-_")
}
