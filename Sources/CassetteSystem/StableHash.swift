extension Sequence<UInt8> {
  /// Makes a number of bytes, the same on every machine and in every run: FNV-1a of 64 bits, which guards nothing.
  @inlinable package var stableHash: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
