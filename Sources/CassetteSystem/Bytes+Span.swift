extension [UInt8] {
  /// Creates a copy of a span.
  package init(_ span: Span<UInt8>) { self = span.withUnsafeBytes { Array($0) } }

  /// Appends a span.
  package mutating func append(_ span: Span<UInt8>) { span.withUnsafeBytes { self += $0 } }

  /// The bytes where they are: the platform's own property, on systems that are older than it, too.
  @inlinable package var span: Span<UInt8> {
    @_lifetime(borrow self) borrowing get {
      // An array of numbers is never a bridged one: its bytes stay where they are as long as it does.
      let bytes = withUnsafeBufferPointer { $0 }
      return _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
    }
  }
}

extension String {
  /// Lends the text's bytes: `utf8.span`, on systems that are older than it, too.
  ///
  /// - Parameter body: Reads them.
  /// - Returns: What that returns.
  /// - Throws: What that throws.
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
