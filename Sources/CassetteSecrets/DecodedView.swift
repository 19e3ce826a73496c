internal import CassetteSystem

/// A view of bytes with escapes decoded, which maps each decoded byte to its place in the original.
///
/// Only the decoded places are stored, not a place for each byte: most bodies have few escapes, and some are large.
struct DecodedView: Sendable {
  /// A place at which an escape was decoded.
  struct Edit: Sendable {
    /// The offset of the decoded bytes in this view, and their number.
    var start: Int
    var count: Int
    /// The escape in the original.
    var original: Range<Int>
    /// True if the escape was decoded in this view, and not in an earlier one.
    var isNew = true

    fileprivate var end: Int { start + count }
  }

  let bytes: [UInt8]
  /// The decoded places, from left to right; empty for the original.
  let edits: [Edit]
  /// True if bytes between the pieces of a split string were left out.
  let isJoined: Bool

  /// Creates a view of the original bytes, or a view of decoded bytes with the places of the escapes.
  init(_ bytes: [UInt8], _ edits: [Edit] = [], isJoined: Bool = false) {
    (self.bytes, self.edits, self.isJoined) = (bytes, edits, isJoined)
  }

  /// Returns the disjoint parts to scan: the whole original, or the parts around newly decoded escapes of a later view.
  ///
  /// The margin is how far a secret, or the context that identifies it, may extend around the bytes of a token.
  func parts(margin: Int = 256) -> [Range<Int>] {
    if edits.isEmpty || isJoined { return [0..<bytes.count] }
    var parts: [Range<Int>] = []
    bytes.searching { text in
      // The end of the last run of token bytes.
      var done = 0
      for edit in edits where edit.isNew && edit.end >= done {
        let start = text.beginning(of: Self.tokenBytes, before: max(done, edit.start), after: done)
        done = text.end(of: Self.tokenBytes, from: max(done, edit.end))
        let part = max(0, start - margin)..<min(text.count, done + margin)
        if let last = parts.last, last.upperBound >= part.lowerBound {
          parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
          parts.append(part)
        }
      }
    }
    return parts
  }

  private static let tokenBytes = ByteSet.word.adding("-_./+")

  /// True if a part contains or touches an escape that was decoded in this view.
  func isNew(_ range: Range<Int>) -> Bool {
    edits.isEmpty
      || edits[..<(edit(before: range.upperBound) + 1)].reversed().prefix { $0.end >= range.lowerBound }
        .contains(where: \.isNew)
  }

  // MARK: Places in the original

  /// Returns the range of the original that decodes to the given bytes.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard !edits.isEmpty, !range.isEmpty else { return range }
    return place(range.lowerBound).lowerBound..<place(range.upperBound - 1).upperBound
  }

  /// Returns the ranges of the original that decode to the given bytes, without the bytes left out between them.
  func originals(_ range: Range<Int>) -> [Range<Int>] {
    let whole = original(range)
    guard isJoined, !range.isEmpty else { return [whole] }
    var ranges: [Range<Int>] = []
    var start = whole.lowerBound
    for edit in edits[edits.partitioningIndex { $0.original.lowerBound >= start }...] where edit.count == 0 {
      if edit.original.upperBound > whole.upperBound { break }
      if start < edit.original.lowerBound { ranges.append(start..<edit.original.lowerBound) }
      start = max(start, edit.original.upperBound)
    }
    return start < whole.upperBound ? ranges + [start..<whole.upperBound] : ranges
  }

  /// Returns the index of the last edit that does not start after an offset; -1 if there is none.
  private func edit(before offset: Int) -> Int { edits.partitioningIndex { $0.start > offset } - 1 }

  /// Returns the place of one byte in the original.
  private func place(_ offset: Int) -> Range<Int> {
    let edit = edit(before: offset)
    guard edit >= 0 else { return offset..<offset + 1 }
    if offset < edits[edit].end { return edits[edit].original }
    let place = edits[edit].original.upperBound + offset - edits[edit].end
    return place..<place + 1
  }

  // MARK: Escapes

  /// The bytes that start escapes: in JSON strings, in HTML, and in URLs.
  static let marks = [UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "%")]

  /// Calls a closure with this view, and with its escapes decoded up to four times.
  func eachDeeper(_ use: (DecodedView) -> Void) {
    var view = self
    use(view)
    for _ in 1...4 {
      guard let next = view.undoing() else { return }
      view = next
      use(view)
    }
  }

  /// Returns the view with one more level of escapes decoded, or nil if there are no escapes with the given marks.
  func undoing(_ marks: [UInt8] = marks) -> DecodedView? {
    bytes.searching { text in
      var marks = marks.compactMap { mark in text.first(mark, from: 0).map { (mark: mark, at: $0) } }
      var (output, result): ([UInt8], [Edit]) = ([], [])
      // The index of the next existing edit, and the end of the bytes that were copied or decoded.
      var (next, done) = (0, 0)
      func copy(upTo end: Int) {
        // Bytes left out before an escape stay left out.
        while next < edits.count, edits[next].start < end || edits[next].start == end && edits[next].count == 0 {
          var edit = edits[next]
          edit.start += output.count - done
          edit.isNew = false
          result.append(edit)
          next += 1
        }
        text.append(done..<end, to: &output)
        done = end
      }
      while let first = marks.indices.min(by: { marks[$0].at < marks[$1].at }) {
        let (mark, at) = marks[first]
        var end = at + 1
        if at >= done, let (length, scalar) = Self.escape(text, at) {
          end = at + length
          copy(upTo: at)
          let original = place(at).lowerBound..<place(end - 1).upperBound
          while next < edits.count, edits[next].start < end { next += 1 }
          let start = output.count
          // `%41` and `\x41` encode bytes.
          if scalar < 0x80 || mark == UInt8(ascii: "%") || text[at + 1] == UInt8(ascii: "x") {
            output.append(UInt8(truncatingIfNeeded: scalar))
          } else {
            output.append(scalar: scalar)
          }
          result.append(Edit(start: start, count: output.count - start, original: original))
          done = end
        }
        if let following = text.first(mark, from: max(end, done)) {
          marks[first].at = following
        } else {
          marks.remove(at: first)
        }
      }
      if done == 0 { return nil }
      copy(upTo: text.count)
      return DecodedView(output, result, isJoined: isJoined)
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
