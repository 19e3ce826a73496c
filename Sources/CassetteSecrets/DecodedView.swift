internal import CassetteSystem

/// A view of bytes with encodings undone, which knows the place of each byte before.
///
/// Only what was undone is kept, not a place for each byte: most bodies have few escapes, and some are large.
package struct DecodedView: Sendable {
  /// A place where an encoding was undone.
  package struct Edit: Sendable {
    /// The bytes that stand there now, the first one lowest: six at most, of two halves of surrogate pairs.
    package var bytes: UInt64
    /// The offset at which they begin now.
    package var start: Int32
    /// The number of the bytes now.
    package var count: Int32
    /// The bounds in the original.
    package var lower: Int32
    package var upper: Int32
    /// True if it was decoded last: the other parts were read before.
    package var isNew = true

    /// Creates an edit of a text that is shorter than `Int32.max`.
    init(bytes: UInt64, start: Int, count: Int, original: Range<Int>) {
      (self.bytes, self.start, self.count) = (bytes, Int32(start), Int32(count))
      (lower, upper) = (Int32(original.lowerBound), Int32(original.upperBound))
    }

    fileprivate var end: Int { Int(start) + Int(count) }
  }

  package let bytes: [UInt8]
  /// The decoded places, from left to right; empty for the original.
  package let edits: [Edit]
  /// True if something was left out: these are pieces of a text that came one by one.
  package let isJoined: Bool

  /// The original with some places undone.
  package init(_ original: [UInt8], _ edits: [Edit] = [], isJoined: Bool = false) {
    self.edits = edits
    self.isJoined = isJoined
    bytes = edits.isEmpty ? original : Self.bytes(original, edits)
  }

  private static func bytes(_ original: [UInt8], _ edits: [Edit]) -> [UInt8] {
    guard let last = edits.last else { return original }
    let count = last.end + original.count - Int(last.upper)
    return original.searching { text in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        guard var target = buffer.baseAddress else { return }
        // Within `count` by construction: each edit says where it starts, after all that stands before it.
        var (at, index) = (0, 0)
        while index < edits.count {
          let edit = edits[index]
          text.copy(at..<Int(edit.lower), to: target)
          target += Int(edit.lower) - at
          var bytes = edit.bytes
          let end = target + Int(edit.count)
          while target < end {
            target.pointee = UInt8(truncatingIfNeeded: bytes)
            target += 1
            bytes = bytes &>> 8
          }
          at = Int(edit.upper)
          index += 1
        }
        text.copy(at..<text.count, to: target)
        filled = count
      }
    }
  }

  /// Returns the parts to read, none touching another: all of the original, of others what was decoded last.
  ///
  /// The margin is as far around the bytes of a token as a secret reaches, or what tells that it is one.
  package func parts(margin: Int = 256) -> [Range<Int>] {
    if edits.isEmpty || isJoined { return [0..<bytes.count] }
    var parts: [Range<Int>] = []
    bytes.searching { text in
      // The bytes that tokens are made of end here.
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

  /// Returns true if a part is not as it was before, or what stands beside it is not.
  package func isNew(_ range: Range<Int>) -> Bool {
    if edits.isEmpty { return true }
    var index = edit(before: range.upperBound)
    while index >= 0, edits[index].end >= range.lowerBound {
      if edits[index].isNew { return true }
      index -= 1
    }
    return false
  }

  /// Returns the place in the original of which these bytes were made.
  package func original(_ range: Range<Int>) -> Range<Int> {
    guard !edits.isEmpty, !range.isEmpty else { return range }
    let lower = place(range.lowerBound, edit(before: range.lowerBound)).lowerBound
    return lower..<place(range.upperBound - 1, edit(before: range.upperBound - 1)).upperBound
  }

  /// Returns the same, without what was left out of the middle of these.
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

  /// The last edit that does not begin after an offset.
  private func edit(before offset: Int) -> Int { edits.partitioningIndex { Int($0.start) > offset } - 1 }

  /// Finds the place of one byte in the original, by the last edit that does not begin after it.
  private func place(_ offset: Int, _ edit: Int) -> Range<Int> {
    guard edit >= 0 else { return offset..<offset + 1 }
    let edit = edits[edit]
    if offset < edit.end { return Int(edit.lower)..<Int(edit.upper) }
    let place = Int(edit.upper) + offset - edit.end
    return place..<place + 1
  }

  // MARK: Escapes

  /// The escapes that a view undoes.
  package enum Escapes: Sendable {
    /// Those of strings of JSON, of HTML, of URLs.
    case backslashes, characters, percents
    /// All of them at once, as known values are looked for.
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

  /// Calls back with the bytes as they are, and with the escapes in them undone up to four times.
  ///
  /// One view at a time, so that a large body is in memory twice, not five times.
  package static func each(of bytes: [UInt8], _ use: (DecodedView) -> Void) {
    DecodedView(bytes).eachDeeper(of: bytes, use)
  }

  func eachDeeper(of bytes: [UInt8], _ use: (DecodedView) -> Void) {
    use(self)
    guard bytes.count < Int(Int32.max), var edits = undoing(.all) else { return }
    for depth in 1...4 {
      let view = DecodedView(bytes, edits, isJoined: isJoined)
      use(view)
      guard depth < 4, let next = view.undoing(.all) else { return }
      edits = next
    }
  }

  /// Returns the edits with one more level of escapes undone; nil if there is none.
  package func undoing(_ escapes: Escapes) -> [Edit]? {
    bytes.searching { text in
      var result: [Edit] = []
      // The edits there were: those before `next` begin at or before the place that is looked at.
      var (next, shrunk, from) = (0, 0, 0)
      func keep() {
        var edit = edits[next]
        edit.start -= Int32(shrunk)
        edit.isNew = false
        result.append(edit)
        next += 1
      }
      var marks = escapes.marks.compactMap { mark in text.first(mark, from: 0).map { (mark: mark, at: $0) } }
      while let first = marks.indices.min(by: { marks[$0].at < marks[$1].at }) {
        let (mark, at) = marks[first]
        var end = at + 1
        if at >= from, let (length, count, bytes) = Self.step(text, at) {
          // What was left out before it stays so.
          while next < edits.count, edits[next].start < at || edits[next].start == at && edits[next].count == 0 {
            keep()
          }
          if next < edits.count, edits[next].start == at { next += 1 }
          let lower = place(at, next - 1).lowerBound
          while next < edits.count, Int(edits[next].start) < at + length { next += 1 }
          let upper = place(at + length - 1, next - 1).upperBound
          result.append(Edit(bytes: bytes, start: at - shrunk, count: count, original: lower..<upper))
          shrunk += length - count
          end = at + length
          from = end
        }
        if let following = text.first(mark, from: max(end, from)) {
          marks[first].at = following
        } else {
          marks.remove(at: first)
        }
      }
      guard !result.isEmpty else { return nil }
      while next < edits.count { keep() }
      return result
    }
  }

  package typealias Step = (length: Int, count: Int, bytes: UInt64)

  /// Undoes the escape that begins at an offset.
  static func step(_ text: ByteSearch, _ at: Int) -> Step? {
    switch text[at] {
    case UInt8(ascii: "%"): hexadecimal(text, at + 1, behind: 1)
    case UInt8(ascii: "&"): character(text, at)
    default: backslash(text, at)
    }
  }

  /// Undoes two digits behind a mark of some bytes: `%41`.
  private static func hexadecimal(_ text: ByteSearch, _ at: Int, behind length: Int) -> Step? {
    guard let high = text.at(at).hexadecimalValue, let low = text.at(at + 1).hexadecimalValue else { return nil }
    return (length + 2, 1, UInt64(high << 4 | low))
  }

  /// Undoes `&quot;`, `&#65;` and `&#x41;`.
  private static func character(_ text: ByteSearch, _ at: Int) -> Step? {
    guard text.at(at + 1) == UInt8(ascii: "#") else {
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

  private static let names: [(name: [UInt8], byte: UInt8)] = [
    (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3c), (Array("&gt;".utf8), 0x3e), (Array("&quot;".utf8), 0x22),
    (Array("&apos;".utf8), 0x27),
  ]

  /// Undoes `\n`, `\x41` and `\u0041`.
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
    // Half a surrogate pair takes the other half with it; alone it stands for the replacement character.
    if first & 0xfc00 == 0xd800, let second = unit(text, at + 6), second & 0xfc00 == 0xdc00,
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3ff) << 10 + second & 0x3ff)
    {
      let (count, bytes) = utf8(scalar)
      return (12, count, bytes)
    }
    let (count, bytes) = utf8(Unicode.Scalar(first) ?? "\u{fffd}")
    return (6, count, bytes)
  }

  /// Returns the code unit of `\u0041`.
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
