extension [UInt8] {
  /// Creates a copy of a span.
  package init(_ span: Span<UInt8>) { self = span.withUnsafeBytes { Array($0) } }

  /// The bytes without the byte order mark of UTF-8, which Windows tools write and a parser may ignore (RFC 8259 §8.1).
  package var withoutByteOrderMark: [UInt8] { starts(with: [0xef, 0xbb, 0xbf]) ? Array(dropFirst(3)) : self }

  /// Appends a span.
  package mutating func append(_ span: Span<UInt8>) { span.withUnsafeBytes { self += $0 } }

  /// Appends a scalar in UTF-8 (RFC 3629 §3); an unpaired surrogate becomes three bytes.
  package mutating func append(scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3f) }
    switch scalar {
    case ..<0x80: append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800: self += [UInt8(truncatingIfNeeded: 0xc0 | scalar >> 6), tail(0)]
    case ..<0x10000: self += [UInt8(truncatingIfNeeded: 0xe0 | scalar >> 12), tail(6), tail(0)]
    default: self += [UInt8(truncatingIfNeeded: 0xf0 | scalar >> 18), tail(12), tail(6), tail(0)]
    }
  }

  /// Returns the bytes with some ranges replaced.
  ///
  /// The ranges must be sorted; a range that overlaps the previous one is ignored.
  package func replacing(_ parts: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count + 16)
    var at = 0
    for (range, bytes) in parts where range.lowerBound >= at {
      output += self[at..<range.lowerBound]
      output += bytes
      at = range.upperBound
    }
    return output + self[at...]
  }

  /// The bytes as a span: a replacement for the standard property, for older systems.
  @inlinable package var span: Span<UInt8> {
    @_lifetime(borrow self) borrowing get {
      // The storage of an array of bytes is contiguous and never bridged, so the pointer is valid as long as the array.
      let bytes = withUnsafeBufferPointer { $0 }
      return _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
    }
  }
}

extension Span<UInt8> {
  /// Returns true if both spans contain the same bytes.
  @inlinable @inline(__always)
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        var offset = 0
        while offset + 8 <= mine.count {
          let (here, there) = (
            mine.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            theirs.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          )
          if here != there { return false }
          offset += 8
        }
        while offset < mine.count {
          if mine[offset] != theirs[offset] { return false }
          offset += 1
        }
        return true
      }
    }
  }
}

extension String {
  /// Passes the bytes of the string to a closure: a replacement for `utf8.span`, for older systems.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @inlinable package func withUTF8Span<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var text = self
    let result = text.withUTF8 { bytes in
      Swift.Result<Result, Failure> { () throws(Failure) in try body(Span(_unsafeElements: bytes)) }
    }
    return try result.get()
  }
}
