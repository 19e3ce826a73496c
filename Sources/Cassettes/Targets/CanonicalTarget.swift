internal import CassetteHTTP
internal import CassetteSystem

/// A request target in a canonical spelling, in which equivalent targets are equal.
///
/// Unnecessary percent-encodings are decoded (RFC 3986 §6.2.2.2), and parameters are sorted by name. Parameters with
/// the same name keep their order, because it may have a meaning.
package enum CanonicalTarget {
  /// Returns true if a target is already in canonical spelling, so that it need not be copied.
  ///
  /// True for most requests: an unescaped path, and plain parameters sorted by name.
  package static func isPlain(_ target: Span<UInt8>) -> Bool {
    var index = 0
    while index < target.count, target[index] != UInt8(ascii: "?") {
      if target[index] == UInt8(ascii: "%") || target[index] >= 128 { return false }
      index += 1
    }
    var last = 0..<0
    while index < target.count {
      // The parameter begins after the question mark or an ampersand.
      let start = index + 1
      var equals: Int?
      index = start
      while index < target.count, target[index] != UInt8(ascii: "&") {
        if target[index] == UInt8(ascii: "="), equals == nil {
          equals = index
        } else if !isUnreserved(target[index]) {
          return false
        }
        index += 1
      }
      guard let equals, !isBefore(start..<equals, last, in: target) else { return false }
      last = start..<equals
    }
    return true
  }

  /// Returns true if the bytes of one range sort before the bytes of another.
  private static func isBefore(_ one: Range<Int>, _ other: Range<Int>, in target: Span<UInt8>) -> Bool {
    for offset in 0..<min(one.count, other.count) {
      let (byte, otherByte) = (target[one.lowerBound + offset], target[other.lowerBound + offset])
      if byte != otherByte { return byte < otherByte }
    }
    return one.count < other.count
  }

  /// Appends the canonical spelling of an origin-form target.
  static func append(_ target: Span<UInt8>, to bytes: inout [UInt8]) {
    if isPlain(target) {
      bytes.append(target)
      return
    }
    let question = target.indices.first { target[$0] == UInt8(ascii: "?") } ?? target.count
    appendPath(target.extracting(0..<question), to: &bytes)
    guard question + 1 < target.count else { return }
    let query = [UInt8](target.extracting((question + 1)..<target.count))
    // The sort is stable, so parameters with the same name keep their order.
    let parameters = QueryItem.pairs(of: query).sorted { $0.name.lexicographicallyPrecedes($1.name) }
    for (position, parameter) in parameters.enumerated() {
      bytes.append(UInt8(ascii: position == 0 ? "?" : "&"))
      bytes += PercentEncoding.encode(parameter.name)
      bytes.append(UInt8(ascii: "="))
      bytes += PercentEncoding.encode(parameter.value)
    }
  }

  /// Returns the canonical spelling of an origin-form target.
  package static func spelling(of target: String) -> String {
    var bytes: [UInt8] = []
    target.withUTF8Span { append($0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func appendPath(_ path: Span<UInt8>, to bytes: inout [UInt8]) {
    var index = 0
    while index < path.count {
      let escaped = path[index] == UInt8(ascii: "%") ? decodedEscape(in: path, at: index) : nil
      let byte = escaped ?? path[index]
      // A handwritten recording may have other characters in its path, but requests are ASCII only. Clients differ in
      // whether they escape characters that have no place in a path (RFC 3986 §3.3).
      let isKept = escaped == nil ? byte < 128 : isUnreserved(byte) || misplaced.contains(byte)
      if isKept { bytes.append(byte) } else { bytes += PercentEncoding.encode([byte]) }
      index += escaped == nil ? 1 : 3
    }
  }

  /// The characters that a path contains only in escapes, except braces, which begin a parameter of a template.
  private static let misplaced = ByteSet(adding: "\"<>[\\]^`|")

  private static func decodedEscape(in text: Span<UInt8>, at index: Int) -> UInt8? {
    guard text.count - index > 2, let high = text[index + 1].hexadecimalValue,
      let low = text[index + 2].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }

  /// Returns true for unreserved characters (RFC 3986 §2.3), with two words of bits: one test per byte.
  @inline(__always)
  static func isUnreserved(_ byte: UInt8) -> Bool {
    // The first word contains "-" "." 0-9, the second A-Z "_" a-z "~".
    let low: UInt64 = 0x03FF_6000_0000_0000
    let high: UInt64 = 0x47FF_FFFE_87FF_FFFE
    if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
    return byte < 128 && high >> UInt64(byte - 64) & 1 == 1
  }
}
