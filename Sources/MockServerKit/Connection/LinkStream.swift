internal import CassetteSystem
internal import Cassettes

/// Rewrites links in text that arrives in pieces; holds back only bytes that may be the beginning of a link.
struct LinkStream: Sendable {
  /// The number of bytes after an authority that are needed to find its end: `:443` and two more.
  private static let lookahead = 6

  private let origins: OriginRewriter
  private let base: String
  private var held: [UInt8] = []
  /// True if a link was rewritten.
  private(set) var hasRewritten = false
  /// The last byte before the held ones.
  private var previous: UInt8?

  /// Creates a stream of rewritten text.
  init(_ origins: OriginRewriter, to base: String) {
    self.origins = origins
    self.base = base
  }

  /// Accepts a piece, and returns the rewritten text that can be sent.
  mutating func next(_ piece: [UInt8]) -> [UInt8] {
    var text = held.isEmpty ? piece : held + piece
    held = Array(text.suffix(pending(text)))
    if !held.isEmpty { text.removeLast(held.count) }
    return rewritten(text)
  }

  /// Returns the remaining text at the end of the stream.
  mutating func end() -> [UInt8] {
    defer { held = [] }
    return rewritten(held)
  }

  private mutating func rewritten(_ text: [UInt8]) -> [UInt8] {
    defer { previous = text.last ?? previous }
    guard let rewritten = origins.rewrite(text.span, to: base, after: previous) else { return text }
    hasRewritten = true
    return rewritten
  }

  /// Returns the number of bytes at the end that may belong to an incomplete link.
  private func pending(_ text: [UInt8]) -> Int {
    let patterns = origins.patterns
    let longest = patterns.reduce(0) { max($0, $1.count) } + Self.lookahead - 1
    for count in stride(from: min(longest, text.count), to: 0, by: -1) {
      // Comparing the first letter is faster than comparing the whole pattern.
      let first = Self.lowercased(text[text.count - count])
      guard patterns.contains(where: { $0.first == first }) else { continue }
      let tail = text.suffix(count)
      if patterns.contains(where: { Self.mayBegin(tail, $0) }) { return count }
    }
    return 0
  }

  private static func mayBegin(_ tail: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
    guard zip(tail, pattern).allSatisfy({ lowercased($0) == $1 }) else { return false }
    if tail.count <= pattern.count { return true }
    let following = tail.dropFirst(pattern.count)
    guard following.count < lookahead else { return false }
    return following.first == UInt8(ascii: ":") || following.first == UInt8(ascii: ".")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}
