internal import CassetteSystem

/// A view of bytes with escapes decoded, which maps each decoded byte to its place in the original.
///
/// Only the decoded places are stored, not a place for each byte: most bodies have few escapes, and some are large.
package struct DecodedView: Sendable {
  /// A place at which an escape was decoded.
  struct Edit: Sendable {
    /// The offset of the decoded bytes in this view, and their number.
    var start: Int32
    var count: Int32
    /// The bounds of the escape in the original.
    var lower: Int32
    var upper: Int32
    /// True if the escape was decoded in this view, and not in an earlier one.
    var isNew = true

    /// Creates an edit of a body shorter than `Int32.max`.
    init(start: Int, count: Int, original: Range<Int>) {
      (self.start, self.count) = (Int32(start), Int32(count))
      (lower, upper) = (Int32(original.lowerBound), Int32(original.upperBound))
    }

    fileprivate var end: Int { Int(start) + Int(count) }
  }

  package let bytes: [UInt8]
  /// The decoded places, from left to right; empty for the original.
  let edits: [Edit]
  /// True if bytes between the pieces of a split string were left out.
  package let isJoined: Bool

  /// Creates a view of the original bytes, or a view of decoded bytes with the places of the escapes.
  init(_ bytes: [UInt8], _ edits: [Edit] = [], isJoined: Bool = false) {
    (self.bytes, self.edits, self.isJoined) = (bytes, edits, isJoined)
  }

  /// Returns the disjoint parts to scan: the whole original, or the parts around newly decoded escapes of a later view.
  ///
  /// The margin is how far a secret, or the context that identifies it, may extend around the bytes of a token.
  package func parts(margin: Int = 256) -> [Range<Int>] {
    if edits.isEmpty || isJoined { return [0..<bytes.count] }
    var parts: [Range<Int>] = []
    bytes.searching { text in
      // The end of the last run of token bytes.
      var done = 0
      for edit in edits where edit.isNew && edit.end >= done {
        let start = text.beginning(of: Self.tokenBytes, before: max(done, Int(edit.start)), after: done)
        let end = text.end(of: Self.tokenBytes, from: max(done, edit.end))
        done = end
        let part = max(0, start - margin)..<min(text.count, end + margin)
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

  /// True if a part contains or touches a newly decoded escape.
  package func isNew(_ range: Range<Int>) -> Bool {
    if edits.isEmpty { return true }
    var index = edit(before: range.upperBound)
    while index >= 0, edits[index].end >= range.lowerBound {
      if edits[index].isNew { return true }
      index -= 1
    }
    return false
  }

  /// Returns the range of the original that decodes to the given bytes.
  package func original(_ range: Range<Int>) -> Range<Int> {
    guard !edits.isEmpty, !range.isEmpty else { return range }
    let lower = place(range.lowerBound, edit(before: range.lowerBound)).lowerBound
    return lower..<place(range.upperBound - 1, edit(before: range.upperBound - 1)).upperBound
  }

  /// Returns the ranges of the original that decode to the given bytes, without the bytes left out between them.
  package func originals(_ range: Range<Int>) -> [Range<Int>] {
    let whole = original(range)
    guard isJoined, !range.isEmpty else { return [whole] }
    var ranges: [Range<Int>] = []
    var start = whole.lowerBound
    var index = edits.partitioningIndex { Int($0.lower) >= whole.lowerBound }
    while index < edits.count, edits[index].upper <= whole.upperBound {
      defer { index += 1 }
      guard edits[index].count == 0, edits[index].lower >= start else { continue }
      if start < Int(edits[index].lower) { ranges.append(start..<Int(edits[index].lower)) }
      start = Int(edits[index].upper)
    }
    if start < whole.upperBound { ranges.append(start..<whole.upperBound) }
    return ranges
  }

  /// Returns the index of the last edit that does not start after an offset.
  private func edit(before offset: Int) -> Int { edits.partitioningIndex { Int($0.start) > offset } - 1 }

  /// Returns the place of one byte in the original, given the last edit that does not start after the byte.
  private func place(_ offset: Int, _ edit: Int) -> Range<Int> {
    guard edit >= 0 else { return offset..<offset + 1 }
    let edit = edits[edit]
    if offset < edit.end { return Int(edit.lower)..<Int(edit.upper) }
    let place = Int(edit.upper) + offset - edit.end
    return place..<place + 1
  }

  // MARK: Escapes

  /// The escapes that a view decodes.
  enum Escapes: Sendable {
    /// The escapes in JSON strings, in HTML, and in URLs.
    case backslashes, characters, percents
    /// All of these escapes at once, for the search for known values.
    case all

    fileprivate var marks: [UInt8] {
      switch self {
      case .backslashes: [UInt8(ascii: "\\")]
      case .characters: [UInt8(ascii: "&")]
      case .percents: [UInt8(ascii: "%")]
      case .all: [UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "%")]
      }
    }
  }

  /// Calls a closure with the original bytes, and with their escapes decoded up to four times.
  package static func each(of bytes: [UInt8], _ use: (DecodedView) -> Void) { DecodedView(bytes).eachDeeper(use) }

  func eachDeeper(_ use: (DecodedView) -> Void) {
    var view = self
    use(view)
    for _ in 1...4 {
      guard let next = view.undoing(.all) else { return }
      view = next
      use(view)
    }
  }

  /// Returns the view with one more level of escapes decoded, or nil if there are no escapes.
  func undoing(_ escapes: Escapes) -> DecodedView? {
    guard bytes.count < Int(Int32.max) else { return nil }
    return bytes.searching { text in
      var marks = escapes.marks.compactMap { mark in text.first(mark, from: 0).map { (mark: mark, at: $0) } }
      guard !marks.isEmpty else { return nil }
      var (output, result): ([UInt8], [Edit]) = ([], [])
      // The index of the next existing edit, and the end of the bytes that were copied or decoded.
      var (next, done) = (0, 0)
      func copy(upTo end: Int) {
        // Bytes left out before an escape stay left out.
        while next < edits.count, edits[next].start < end || edits[next].start == end && edits[next].count == 0 {
          var edit = edits[next]
          edit.start += Int32(output.count - done)
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
        if at >= done, let step = Self.step(text, at) {
          end = at + step.length
          copy(upTo: at)
          if next < edits.count, edits[next].start == at { next += 1 }
          let lower = place(at, next - 1).lowerBound
          while next < edits.count, Int(edits[next].start) < end { next += 1 }
          let upper = place(end - 1, next - 1).upperBound
          result.append(Edit(start: output.count, count: step.count, original: lower..<upper))
          for index in 0..<step.count { output.append(UInt8(truncatingIfNeeded: step.bytes &>> UInt64(8 * index))) }
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

  typealias Step = (length: Int, count: Int, bytes: UInt64)

  /// Decodes the escape that starts at an offset.
  static func step(_ text: ByteSearch, _ at: Int) -> Step? {
    switch text[at] {
    case UInt8(ascii: "%"): hexadecimal(text, at + 1, behind: 1)
    case UInt8(ascii: "&"): character(text, at)
    default: backslash(text, at)
    }
  }

  /// Decodes two hexadecimal digits after a prefix of `length` bytes: `%41`.
  private static func hexadecimal(_ text: ByteSearch, _ at: Int, behind length: Int) -> Step? {
    guard let high = text.at(at).hexadecimalValue, let low = text.at(at + 1).hexadecimalValue else { return nil }
    return (length + 2, 1, UInt64(high << 4 | low))
  }

  /// Decodes `&quot;`, `&#65;` and `&#x41;`.
  private static func character(_ text: ByteSearch, _ at: Int) -> Step? {
    guard text.at(at + 1) == UInt8(ascii: "#") else {
      guard namesBegin.contains(text.at(at + 1)) else { return nil }
      for (name, byte) in names where text.has(name, at: at) { return (name.count, 1, UInt64(byte)) }
      return nil
    }
    let isHexadecimal = text.at(at + 2) | 0x20 == UInt8(ascii: "x")
    var end = at + (isHexadecimal ? 3 : 2)
    var value: UInt32 = 0
    while end < text.count, end - at < 10, let digit = text[end].hexadecimalValue, isHexadecimal || digit < 10 {
      value = value &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
      end += 1
    }
    guard text.at(end) == UInt8(ascii: ";"), value > 0, let scalar = Unicode.Scalar(value) else { return nil }
    let (count, bytes) = utf8(scalar)
    return (end + 1 - at, count, bytes)
  }

  private static let namesBegin = ByteSet(adding: "algq")
  private static let names: [(name: [UInt8], byte: UInt8)] = [
    (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3c), (Array("&gt;".utf8), 0x3e), (Array("&quot;".utf8), 0x22),
    (Array("&apos;".utf8), 0x27),
  ]

  /// Decodes `\n`, `\x41` and `\u0041`.
  static func backslash(_ text: ByteSearch, _ at: Int) -> Step? {
    switch text.at(at + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (2, 1, UInt64(text[at + 1]))
    case UInt8(ascii: "b"): return (2, 1, 0x08)
    case UInt8(ascii: "f"): return (2, 1, 0x0c)
    case UInt8(ascii: "n"): return (2, 1, 0x0a)
    case UInt8(ascii: "r"): return (2, 1, 0x0d)
    case UInt8(ascii: "t"): return (2, 1, 0x09)
    case UInt8(ascii: "x"): return hexadecimal(text, at + 2, behind: 2)
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let first = unit(text, at) else { return nil }
    // A surrogate pair is decoded as a whole; a lone surrogate becomes the replacement character.
    if first & 0xfc00 == 0xd800, let second = unit(text, at + 6), second & 0xfc00 == 0xdc00,
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3ff) << 10 + second & 0x3ff)
    {
      let (count, bytes) = utf8(scalar)
      return (12, count, bytes)
    }
    let (count, bytes) = utf8(Unicode.Scalar(first) ?? "\u{fffd}")
    return (6, count, bytes)
  }

  /// Returns the code unit of an escape such as `\u0041`.
  private static func unit(_ text: ByteSearch, _ at: Int) -> UInt32? {
    guard text.at(at) == UInt8(ascii: "\\"), text.at(at + 1) == UInt8(ascii: "u") else { return nil }
    var value: UInt32 = 0
    for digit in at + 2..<at + 6 {
      guard let digit = text.at(digit).hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func utf8(_ scalar: Unicode.Scalar) -> (count: Int, bytes: UInt64) {
    let bytes = Array(String(scalar).utf8)
    return (bytes.count, bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}
