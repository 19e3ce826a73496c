extension [UInt8] {
  /// Creates a copy of a span.
  package init(_ span: Span<UInt8>) { self = span.withUnsafeBytes { Array($0) } }

  /// Appends a span.
  package mutating func append(_ span: Span<UInt8>) { span.withUnsafeBytes { self += $0 } }
}
