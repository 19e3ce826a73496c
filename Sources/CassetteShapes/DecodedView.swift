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
        var at = 0
        var index = 0
        while index < edits.count {
          let edit = edits[index]
          let lower = Int(edit.lower)
          text.copy(at..<lower, to: target)
          target += lower - at
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

  /// Tells whether a part is not as it was before, nor what stands beside it.
  package func isNew(_ range: Range<Int>) -> Bool {
    if edits.isEmpty { return true }
    var index = edit(before: range.upperBound)
    while index >= 0, edits[index].end >= range.lowerBound {
      if edits[index].isNew { return true }
      index -= 1
    }
    return false
  }

  /// The bytes of the original that these were made of.
  package func original(_ range: Range<Int>) -> Range<Int> {
    guard !edits.isEmpty, !range.isEmpty else { return range }
    let lower = place(range.lowerBound, edit(before: range.lowerBound)).lowerBound
    return lower..<place(range.upperBound - 1, edit(before: range.upperBound - 1)).upperBound
  }

  /// The same, without what was left out of the middle of these.
  package func originals(_ range: Range<Int>) -> [Range<Int>] {
    let whole = original(range)
    guard isJoined, !range.isEmpty else { return [whole] }
    var ranges: [Range<Int>] = []
    var start = whole.lowerBound
    for edit in edits where edit.count == 0 && edit.lower >= start && edit.upper <= whole.upperBound {
      if start < Int(edit.lower) { ranges.append(start..<Int(edit.lower)) }
      start = Int(edit.upper)
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

  /// Every way to read bytes, themselves first: escapes of URLs and of JSON undone, one inside the other up to five deep.
  ///
  /// One at a time, so that a large body is in memory twice, not seven times.
  package static func each(of bytes: [UInt8], _ use: (DecodedView) -> Void) {
    DecodedView(bytes).eachDeeper(of: bytes, use)
  }

  /// Every way to read what is left of bytes where something was undone, or left out.
  func eachDeeper(of bytes: [UInt8], _ use: (DecodedView) -> Void) {
    use(self)
    guard bytes.count < Int(Int32.max) else { return }
    func useCharacters(of view: DecodedView) {
      let edits = view.bytes.searching { view.undoing($0, UInt8(ascii: "&"), Self.character) }
      if let edits { use(DecodedView(bytes, edits, isJoined: isJoined)) }
    }
    // What HTML escapes is undone last: nothing else is written in what it stands for.
    useCharacters(of: self)
    if self.bytes.searching({ text in Self.printable.searching { text.first($0, rarest: 0, from: 0) } }) != nil,
      let edits = self.bytes.searching({ undoing($0, UInt8(ascii: "="), Self.printed) })
    {
      use(DecodedView(bytes, edits, isJoined: isJoined))
    }
    var all: [[Edit]] = []
    var level = undone
    // A long text that is all escapes is not to be read twice as often.
    let deepest = bytes.count < 1 << 20 ? 5 : 3
    for depth in 1...deepest {
      var next: [[Edit]] = []
      // Undone in either order, most texts read the same.
      for edits in level where !all.contains(where: { Self.isSame($0, edits) }) {
        all.append(edits)
        let view = DecodedView(bytes, edits, isJoined: isJoined)
        use(view)
        useCharacters(of: view)
        if depth < deepest { next += view.undone }
      }
      level = next
    }
  }

  private static func isSame(_ one: [Edit], _ other: [Edit]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy {
        ($0.bytes, $0.start, $0.lower, $0.upper) == ($1.bytes, $1.start, $1.lower, $1.upper)
      }
  }

  /// The views that are one step further.
  package var undone: [[Edit]] {
    bytes.searching { text in
      [
        undoing(text, UInt8(ascii: "%"), Self.percent),
        undoing(text, UInt8(ascii: "\\")) { [bytes] in Self.backslash($0, $1, bytes) },
      ].compactMap(\.self)
    }
  }

  /// Decodes what follows each such mark; nil when there is nothing.
  private func undoing(_ text: ByteSearch, _ mark: UInt8, _ step: (ByteSearch, Int) -> Step?) -> [Edit]? {
    var result: [Edit] = []
    // The edits there were: those before `next` begin at or before the place that is looked at.
    var next = 0
    var shrunk = 0
    var from = 0
    func keep() {
      var edit = edits[next]
      edit.start -= Int32(shrunk)
      edit.isNew = false
      result.append(edit)
      next += 1
    }
    while let at = text.first(mark, from: from) {
      guard let (length, count, bytes) = step(text, at) else {
        from = at + 1
        continue
      }
      // What was left out before it stays so.
      while next < edits.count, edits[next].start < at || edits[next].start == at && edits[next].count == 0 { keep() }
      if next < edits.count, edits[next].start == at { next += 1 }
      let lower = place(at, next - 1).lowerBound
      while next < edits.count, Int(edits[next].start) < at + length { next += 1 }
      let upper = place(at + length - 1, next - 1).upperBound
      result.append(Edit(bytes: bytes, start: at - shrunk, count: count, original: lower..<upper))
      shrunk += length - count
      from = at + length
    }
    guard !result.isEmpty else { return nil }
    while next < edits.count { keep() }
    return result
  }
}
