/// The bytes of an array, for searches with libc.
///
/// Tests are debug builds, in which indexing an array or a span costs tens of nanoseconds: seconds for each scan of a
/// body of 20 MB. `memchr` and a pointer are as fast there as in a release build. Every index is checked nevertheless;
/// the pointer is valid as long as the closure of `searching` runs.
@usableFromInline
package struct ByteSearch {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline package let count: Int

  @inlinable package init(_ buffer: UnsafeBufferPointer<UInt8>) {
    let nothing: StaticString = ""
    start = buffer.baseAddress ?? nothing.utf8Start
    count = buffer.count
  }

  package init(_ buffer: UnsafeRawBufferPointer) {
    self.init(buffer.assumingMemoryBound(to: UInt8.self))
  }

  @inlinable package subscript(at: Int) -> UInt8 {
    @inline(__always) get {
      precondition(UInt(bitPattern: at) < UInt(bitPattern: count))
      return (start + at).pointee
    }
  }

  /// Passes a pointer to a range to a closure.
  ///
  /// The range is checked once; accesses by the closure are unchecked.
  @inlinable package func uncheckedBytes<Result>(
    in range: Range<Int>, _ use: (UnsafePointer<UInt8>) -> Result
  ) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return use(start + range.lowerBound)
  }

  /// Returns the first offset of a byte, at or after an offset.
  package func first(_ byte: UInt8, from: Int) -> Int? {
    from < count ? first(byte, in: from..<count) : nil
  }

  package func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    guard !range.isEmpty, let found = memchr(start + range.lowerBound, Int32(byte), range.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// Returns the first offset of some bytes, at or after an offset.
  ///
  /// - `needle`: The bytes to find.
  package func first(_ needle: ByteSearch, from: Int) -> Int? {
    guard needle.count > 0, from >= 0, count - from >= needle.count else { return nil }
    let end = count - needle.count + 1
    var at = from
    while at < end, let found = first(needle[0], in: at..<end) {
      if has(needle, at: found) { return found }
      at = found + 1
    }
    return nil
  }

  /// Returns the Unicode scalar at an offset in valid UTF-8, and its length in bytes.
  package func scalar(at offset: Int) -> (scalar: UInt32, length: Int) {
    func next(_ index: Int) -> UInt32 { UInt32(self[offset + index] & 0x3f) }
    let first = UInt32(self[offset])
    // RFC 3629 §3.
    if first < 0x80 { return (first, 1) }
    if first < 0xe0 { return ((first & 0x1f) << 6 | next(1), 2) }
    if first < 0xf0 { return ((first & 0x0f) << 12 | next(1) << 6 | next(2), 3) }
    return ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4)
  }

  /// Returns true if some bytes are at an offset.
  package func has(_ other: ByteSearch, at: Int) -> Bool {
    guard at >= 0, at <= count - other.count else { return false }
    return memcmp(start + at, other.start, other.count) == 0
  }

  /// Returns true if two ranges contain the same bytes.
  package func isSame(_ range: Range<Int>, _ other: Range<Int>) -> Bool {
    precondition(min(range.lowerBound, other.lowerBound) >= 0 && max(range.upperBound, other.upperBound) <= count)
    return range.count == other.count && memcmp(start + range.lowerBound, start + other.lowerBound, range.count) == 0
  }

  /// Returns true if there is a UUID at an offset, in either case (RFC 9562 §4).
  package func holdsUUID(at: Int) -> Bool {
    guard at >= 0, at <= count - 36 else { return false }
    for offset in 0..<36 {
      let byte = self[at + offset]
      let isHyphen = offset == 8 || offset == 13 || offset == 18 || offset == 23
      guard isHyphen ? byte == UInt8(ascii: "-") : byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 else { return false }
    }
    return true
  }

  /// Returns the byte at an index, or 0 if the index is out of bounds.
  package func at(_ index: Int) -> UInt8 { index >= 0 && index < count ? self[index] : 0 }

  /// Returns a copy of a range.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return Array(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Appends a range to an array.
  package func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    bytes.append(contentsOf: UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && one.searching { one in other.searching { one.start == $0.start || one.has($0, at: 0) } }
  }
}

extension [UInt8] {
  /// Passes the bytes to a closure.
  @inlinable package func searching<Result>(_ use: (ByteSearch) -> Result) -> Result {
    withUnsafeBufferPointer { use(ByteSearch($0)) }
  }

  /// Returns the first offset of some bytes, at or after an offset.
  package func firstIndex(of needle: [UInt8], from: Int = 0) -> Int? {
    searching { text in needle.searching { text.first($0, from: from) } }
  }
}

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
    end(of: true, set, from: start, most)
  }

  /// Returns the offset of the next byte of a set, or the end of the search range.
  package func end(before set: ByteSet, from start: Int, atMost most: Int = .max) -> Int {
    end(of: false, set, from: start, most)
  }

  /// Returns the end of the bytes that are in a set, or that are not; checks the range once and not for each byte.
  @inline(__always)
  private func end(of isMember: Bool, _ set: ByteSet, from start: Int, _ most: Int) -> Int {
    let limit = most < count - start ? start + most : count
    guard start < limit else { return start }
    return uncheckedBytes(in: start..<limit) { bytes in
      var at = 0
      while at < limit - start, set.contains((bytes + at).pointee) == isMember { at += 1 }
      return start + at
    }
  }

  /// Returns the start of the run of bytes of a set that ends at an offset.
  package func beginning(of set: ByteSet, before end: Int, after first: Int = 0) -> Int {
    beginning(of: true, set, before: end, first)
  }

  /// Returns the offset after the last byte of a set before an offset.
  package func beginning(behind set: ByteSet, before end: Int, after first: Int = 0) -> Int {
    beginning(of: false, set, before: end, first)
  }

  @inline(__always)
  private func beginning(of isMember: Bool, _ set: ByteSet, before end: Int, _ first: Int) -> Int {
    guard first < end else { return end }
    return uncheckedBytes(in: first..<end) { bytes in
      var at = end - first
      while at > 0, set.contains((bytes + at - 1).pointee) == isMember { at -= 1 }
      return first + at
    }
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
