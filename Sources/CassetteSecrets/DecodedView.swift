internal import CassetteSystem

/// A view of bytes with escapes decoded, which maps each decoded byte to its place in the original.
///
/// Only the decoded places are stored, not a place for each byte: most bodies have few escapes, and some are large.
struct DecodedView: Sendable {
  /// A place at which an escape was decoded, or bytes were left out.
  struct Edit: Sendable {
    /// The offset of the decoded bytes, and their number: zero for bytes that were left out.
    var start: Int
    var count: Int
    /// The place of the escape, in the bytes that were decoded.
    var original: Range<Int>

    fileprivate var end: Int { start + count }
  }

  let bytes: [UInt8]
  /// The edits of each level of decoding, from left to right; no levels for the original.
  private let levels: [[Edit]]
  /// True if the first level left out bytes between the pieces of a split string.
  let isJoined: Bool

  /// Creates a view of the original bytes.
  init(_ bytes: [UInt8]) { self.init(bytes, [], isJoined: false) }

  /// Creates a view of the joined pieces of a split string.
  init(joined bytes: [UInt8], leavingOut gaps: [Edit]) { self.init(bytes, [gaps], isJoined: true) }

  private init(_ bytes: [UInt8], _ levels: [[Edit]], isJoined: Bool) {
    (self.bytes, self.levels, self.isJoined) = (bytes, levels, isJoined)
  }

  // MARK: Places in the original

  /// Returns the range of the original that decodes to the given bytes.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard !levels.isEmpty, !range.isEmpty else { return range }
    return levels.reversed().reduce(range) { range, edits in
      Self.place(range.lowerBound, edits).lowerBound..<Self.place(range.upperBound - 1, edits).upperBound
    }
  }

  /// Returns the ranges of the original that decode to the given bytes, without the bytes left out between them.
  func originals(_ range: Range<Int>) -> [Range<Int>] {
    let whole = original(range)
    guard isJoined, !range.isEmpty, let gaps = levels.first else { return [whole] }
    var ranges: [Range<Int>] = []
    var start = whole.lowerBound
    for gap in gaps[gaps.partitioningIndex { $0.original.lowerBound >= start }...] {
      if gap.original.upperBound > whole.upperBound { break }
      if start < gap.original.lowerBound { ranges.append(start..<gap.original.lowerBound) }
      start = max(start, gap.original.upperBound)
    }
    return start < whole.upperBound ? ranges + [start..<whole.upperBound] : ranges
  }

  /// Returns the places of a part in the original, or nil for a part of a joined view that is within one piece.
  func places(of range: Range<Int>) -> [Range<Int>]? {
    let places = originals(range)
    return isJoined && places.count < 2 ? nil : places
  }

  /// Returns the place of one byte in the bytes that were decoded with some edits.
  private static func place(_ offset: Int, _ edits: [Edit]) -> Range<Int> {
    let index = edits.partitioningIndex { $0.start > offset } - 1
    guard index >= 0 else { return offset..<offset + 1 }
    if offset < edits[index].end { return edits[index].original }
    let place = edits[index].original.upperBound + offset - edits[index].end
    return place..<place + 1
  }

  // MARK: Escapes

  /// The bytes that start escapes: in JSON strings, in HTML, and in URLs.
  static let marks = [UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "%")]

  /// The view with up to four levels of escapes decoded; nil if the bytes contain no escapes.
  var deepest: DecodedView? {
    var view = undoing()
    for _ in 1..<4 {
      guard let next = view?.undoing() else { break }
      view = next
    }
    return view
  }

  /// Returns the view with one more level of escapes decoded, or nil if there are no escapes with the given marks.
  func undoing(_ marks: [UInt8] = marks) -> DecodedView? {
    bytes.searching { text in
      var marks = marks.compactMap { mark in text.first(mark, from: 0).map { (mark: mark, at: $0) } }
      if marks.isEmpty { return nil }
      var (output, edits): ([UInt8], [Edit]) = ([], [])
      output.reserveCapacity(text.count)
      edits.reserveCapacity(8)
      // The end of the bytes that were copied or decoded.
      var done = 0
      while let first = marks.indices.min(by: { marks[$0].at < marks[$1].at }) {
        let (mark, at) = marks[first]
        if at >= done, let (length, scalar) = Self.escape(text, at) {
          text.append(done..<at, to: &output)
          let start = output.count
          // `%41` and `\x41` encode bytes.
          if scalar < 0x80 || mark == UInt8(ascii: "%") || text[at + 1] == UInt8(ascii: "x") {
            output.append(UInt8(truncatingIfNeeded: scalar))
          } else {
            output.append(scalar: scalar)
          }
          done = at + length
          edits.append(Edit(start: start, count: output.count - start, original: at..<done))
        }
        if let following = text.first(mark, from: max(at + 1, done)) {
          marks[first].at = following
        } else {
          marks.remove(at: first)
        }
      }
      if done == 0 { return nil }
      text.append(done..<text.count, to: &output)
      return DecodedView(output, levels + [edits], isJoined: isJoined)
    }
  }

  /// Returns the length of the escape at an offset, and the character or, for a percent sign, the byte that it encodes.
  private static func escape(_ text: ByteSearch, _ at: Int) -> (length: Int, scalar: UInt32)? {
    switch text[at] {
    case UInt8(ascii: "%"): number(text, at + 1, digits: 2).map { (3, $0) }
    case UInt8(ascii: "&"): reference(text, at)
    default: backslash(text, at)
    }
  }

  /// Parses hexadecimal digits.
  private static func number(_ text: ByteSearch, _ at: Int, digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for place in at..<at + digits {
      guard let digit = text.at(place).hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Parses a character reference: `&quot;`, `&#65;` and `&#x41;`.
  private static func reference(_ text: ByteSearch, _ at: Int) -> (length: Int, scalar: UInt32)? {
    guard text.at(at + 1) == UInt8(ascii: "#") else {
      return !namesBegin.contains(text.at(at + 1))
        ? nil : names.first { text.has($0.name, at: at) }.map { ($0.name.count, $0.scalar) }
    }
    let isHexadecimal = text.at(at + 2) | 0x20 == UInt8(ascii: "x")
    let start = at + (isHexadecimal ? 3 : 2)
    let end = text.end(of: isHexadecimal ? SecretText.hex : .digit, from: start, atMost: 8)
    guard text.at(end) == UInt8(ascii: ";"),
      let value = UInt32(String(decoding: text.bytes(start..<end), as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      value > 0, Unicode.Scalar(value) != nil
    else { return nil }
    return (end + 1 - at, value)
  }

  private static let namesBegin = ByteSet(adding: "algq")
  private static let names: [(name: [UInt8], scalar: UInt32)] = [
    (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3c), (Array("&gt;".utf8), 0x3e), (Array("&quot;".utf8), 0x22),
    (Array("&apos;".utf8), 0x27),
  ]

  /// Parses an escape of JSON or of a programming language: `\n`, `\x41` and `\u0041`.
  private static func backslash(_ text: ByteSearch, _ at: Int) -> (length: Int, scalar: UInt32)? {
    switch text.at(at + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (2, UInt32(text[at + 1]))
    case UInt8(ascii: "b"): return (2, 0x08)
    case UInt8(ascii: "f"): return (2, 0x0c)
    case UInt8(ascii: "n"): return (2, 0x0a)
    case UInt8(ascii: "r"): return (2, 0x0d)
    case UInt8(ascii: "t"): return (2, 0x09)
    case UInt8(ascii: "x"): return number(text, at + 2, digits: 2).map { (4, $0) }
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let first = number(text, at + 2, digits: 4) else { return nil }
    // A surrogate pair is decoded as a whole; a lone surrogate becomes the replacement character.
    if first & 0xfc00 == 0xd800, text.has("\\u", at: at + 6), let second = number(text, at + 8, digits: 4),
      second & 0xfc00 == 0xdc00
    {
      return (12, 0x10000 + (first & 0x3ff) << 10 + second & 0x3ff)
    }
    return (6, first & 0xf800 == 0xd800 ? 0xfffd : first)
  }
}
