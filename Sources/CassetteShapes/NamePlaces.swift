package import CassetteSystem

/// The places in a text at which a name may stand that says that a value is a secret, from left to right.
///
/// There is a part of such a name, or an escape, which may stand for one: what is far from all of them need not be read.
package struct NamePlaces {
  /// The ends of parts of names.
  private var ends: [Int]
  /// True if a person named names of all kinds.
  private let isAnywhere: Bool

  /// Takes the ends of parts of names in a part of a text, and adds the escapes there.
  package init(_ ends: [Int], in text: ByteSearch, _ part: Range<Int>, isAnywhere: Bool) {
    self.ends = ends
    self.isAnywhere = isAnywhere
    for mark in [UInt8(ascii: "%"), UInt8(ascii: "\\")] {
      var from = part.lowerBound
      while let at = text.first(mark, in: from..<part.upperBound) {
        from = at + 1
        let next = text.at(from) | 0x20
        guard mark == UInt8(ascii: "%") ? next.hexadecimalValue != nil : next == 0x75 || next == 0x78 else { continue }
        self.ends.append(from)
      }
    }
    self.ends.sort()
  }

  /// True if nothing there is named.
  package var isEmpty: Bool { ends.isEmpty && !isAnywhere }

  /// Tells whether one is in a range, which begins no sooner than the one before.
  package func has(_ range: Range<Int>, _ next: inout Int) -> Bool {
    while next < ends.count, ends[next] <= range.lowerBound { next += 1 }
    return isAnywhere || next < ends.count && ends[next] <= range.upperBound
  }

  /// The first behind an offset, which is none before the last one.
  package func first(behind start: Int, _ next: inout Int) -> Int? {
    if isAnywhere { return start }
    while next < ends.count, ends[next] <= start { next += 1 }
    return next < ends.count ? ends[next] : nil
  }
}
