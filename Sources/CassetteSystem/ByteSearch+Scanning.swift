extension ByteSet {
  /// White space, including line breaks.
  package static let space = ByteSet(adding: " \t\r\n")
  package static let blank = ByteSet(adding: " \t")
  package static let feed = ByteSet(adding: "\n")
  package static let lineEnd = ByteSet(adding: "\r\n")
  package static let digit = ByteSet(0x30...0x39)
  package static let letter = ByteSet(0x41...0x5a, 0x61...0x7a)
  package static let quote = ByteSet(adding: "\"'")
}

/// Functions that scan forward or backward by byte sets; an offset after the end is returned unchanged.
extension ByteSearch {
  /// Returns the end of the run of bytes of a set that starts at an offset.
  package func end(of set: ByteSet, from start: Int, atMost most: Int = .max) -> Int {
    let limit = most < count - start ? start + most : count
    var at = start
    while at < limit, set.contains(self[at]) { at += 1 }
    return at
  }

  /// Returns the offset of the next byte of a set, or the end of the search range.
  package func end(before set: ByteSet, from start: Int, atMost most: Int = .max) -> Int {
    let limit = most < count - start ? start + most : count
    var at = start
    while at < limit, !set.contains(self[at]) { at += 1 }
    return at
  }

  /// Returns the start of the run of bytes of a set that ends at an offset.
  package func beginning(of set: ByteSet, before end: Int, after first: Int = 0) -> Int {
    var at = end
    while at > first, set.contains(self[at - 1]) { at -= 1 }
    return at
  }

  /// Returns the offset after the last byte of a set before an offset.
  package func beginning(behind set: ByteSet, before end: Int, after first: Int = 0) -> Int {
    var at = end
    while at > first, !set.contains(self[at - 1]) { at -= 1 }
    return at
  }

  /// Returns a range without leading and trailing bytes of a set.
  package func trimmed(_ range: Range<Int>, of set: ByteSet) -> Range<Int> {
    let first = end(of: set, from: range.lowerBound, atMost: range.count)
    return first..<beginning(of: set, before: range.upperBound, after: first)
  }

  /// Returns true if the bytes at an offset are equal to a word.
  package func has(_ word: [UInt8], at: Int) -> Bool { word.searching { has($0, at: at) } }

  /// Returns true if the bytes at an offset are equal to a word.
  package func has(_ word: StaticString, at: Int) -> Bool {
    word.withUTF8Buffer { has(ByteSearch($0), at: at) }
  }

  package func skippingSpace(_ start: Int) -> Int { end(of: .space, from: start) }

  package func skippingBlanks(_ start: Int) -> Int { end(of: .blank, from: start) }

  /// Returns the line that starts at an offset, without its line break, and the start of the next line.
  package func line(from start: Int) -> (range: Range<Int>, next: Int) {
    let end = first(0x0a, from: start) ?? count
    return (start..<(end > start && self[end - 1] == 0x0d ? end - 1 : end), end + 1)
  }
}
