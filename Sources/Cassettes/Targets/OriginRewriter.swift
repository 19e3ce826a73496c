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
      Self.slashes.map { origin.scheme + [UInt8(ascii: ":")] + $0 + origin.authority }
        + Self.slashes.prefix(2).map { $0 + origin.authority }
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
  ///
  /// - `previous`: The byte before the text, if the text is a part of a longer one.
  package func rewrite(_ text: Span<UInt8>, to base: String, after previous: UInt8? = nil) -> [UInt8]? {
    guard !origins.isEmpty else { return nil }
    var place: (scheme: [UInt8], authority: [UInt8])?
    var result: [UInt8] = []
    var copied = 0
    var colon = Self.first(UInt8(ascii: ":"), in: text, from: 0)
    var slash = Self.first(UInt8(ascii: "/"), in: text, from: 0)
    while let mark = colon.map({ min($0, slash ?? $0) }) ?? slash {
      let found = link(in: text, at: mark, after: previous)
      if let found, found.start >= copied {
        guard let (scheme, authority) = place ?? Self.parts(of: base) else { return nil }
        place = (scheme, authority)
        if result.isEmpty { result.reserveCapacity(text.count + 64) }
        for position in copied..<found.start { result.append(text[position]) }
        if text[mark] == UInt8(ascii: ":") { result += scheme }
        for position in found.slashes { result.append(text[position]) }
        result += authority
        copied = found.end
      }
      let next = max(mark + 1, copied)
      if let at = colon, at < next { colon = Self.first(UInt8(ascii: ":"), in: text, from: next) }
      if let at = slash, at < next { slash = Self.first(UInt8(ascii: "/"), in: text, from: next) }
    }
    guard copied > 0 else { return nil }
    for position in copied..<text.count { result.append(text[position]) }
    return result
  }

  /// Replaces every recorded origin in a field's value; returns nil if the value contains none.
  package func rewrite(_ value: String, to base: String, after previous: UInt8? = nil) -> String? {
    value.withUTF8Span { rewrite($0, to: base, after: previous) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func parts(of base: String) -> (scheme: [UInt8], authority: [UInt8])? {
    guard let separator = base.firstRange(of: "://") else { return nil }
    return (Array(base[..<separator.lowerBound].utf8), Array(base[separator.upperBound...].utf8))
  }

  private static func first(_ byte: UInt8, in text: Span<UInt8>, from index: Int) -> Int? {
    text.withUnsafeBytes { ByteSearch($0).first(byte, from: index) }
  }

  /// The spellings of two slashes: plain, and as escaped in JSON, in JSON inside a string, in scripts and in HTML.
  private static let slashes = ["/", "\\/", "\\\\/", "\\u002f", "&#x2f;", "&#47;"].map { Array(($0 + $0).utf8) }
  /// The bytes before a link without a scheme; elsewhere, two slashes may begin a comment.
  private static let beforeLinks = ByteSet(adding: "\"'(<=")

  /// Returns the link whose colon, or whose first slash if it has no scheme, is at an offset; nil if there is none.
  ///
  /// The slashes include a colon.
  private func link(
    in text: Span<UInt8>, at mark: Int, after previous: UInt8?
  ) -> (start: Int, slashes: Range<Int>, end: Int)? {
    let hasScheme = text[mark] == UInt8(ascii: ":")
    var first = mark
    if !hasScheme {
      if mark > 0, text[mark - 1] == UInt8(ascii: "\\") { first -= 1 }
      guard let before = first > 0 ? text[first - 1] : previous, Self.beforeLinks.contains(before) else { return nil }
    }
    let start = hasScheme ? mark + 1 : first
    guard let slashes = Self.slashes.first(where: { Self.matches(text, at: start, $0) }) else { return nil }
    let authority = start + slashes.count
    for origin in origins {
      let schemeStart = hasScheme ? mark - origin.scheme.count : first
      if hasScheme {
        guard schemeStart >= 0, Self.matches(text, at: schemeStart, origin.scheme),
          (schemeStart > 0 ? text[schemeStart - 1] : previous).map(Self.isNamePart) != true
        else { continue }
      }
      guard let end = Self.end(of: origin, in: text, at: authority) else { continue }
      return (schemeStart, first..<authority, end)
    }
    return nil
  }

  /// Returns the end of an origin's authority at an offset; nil if another authority is there.
  private static func end(of origin: Origin, in text: Span<UInt8>, at start: Int) -> Int? {
    guard matches(text, at: start, origin.authority) else { return nil }
    var end = start + origin.authority.count
    if !origin.defaultPort.isEmpty, matches(text, at: end, origin.defaultPort) { end += origin.defaultPort.count }
    // "api.github.com.example", "api.github.com:8443" and "api.github.com@example" are different hosts.
    if end < text.count, isNamePart(text[end]) || text[end] == UInt8(ascii: "@") { return nil }
    if end + 1 < text.count, text[end] == UInt8(ascii: ":"), (48...57).contains(text[end + 1]) { return nil }
    if end + 1 < text.count, text[end] == UInt8(ascii: "."), isNamePart(text[end + 1]) { return nil }
    return end
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
