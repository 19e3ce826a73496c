extension Sequence<UInt8> {
  /// A 64-bit FNV-1a hash, the same on every machine and in every run.
  ///
  /// It is not cryptographic.
  @inlinable package var stableHash: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
