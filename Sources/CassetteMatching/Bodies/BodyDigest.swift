/// A 128-bit digest of a body's content, which is safe against chance collisions but not against attackers.
package struct BodyDigest: Hashable, Sendable {
  private(set) var first: UInt64
  private(set) var second: UInt64

  /// Creates the initial digest for a kind of value.
  init(_ kind: UInt64) {
    first = 0x243f_6a88_85a3_08d3 ^ kind
    second = 0x1319_8a2e_0370_7344 &+ kind
  }

  /// Creates the digest of bytes.
  init(_ kind: UInt64, _ bytes: [UInt8]) {
    self.init(kind)
    add(bytes)
  }

  /// Adds a word to the digest.
  @inline(__always)
  mutating func add(_ word: UInt64) {
    let one = (first ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    let other = (second &+ word).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
    first = (one.high ^ one.low) &+ second
    second = other.high &+ (other.low ^ 0x8ebc_6af0_9c88_c6e3)
  }

  /// Adds another digest to this one.
  @inline(__always)
  mutating func add(_ other: BodyDigest) {
    add(other.first)
    add(other.second)
  }

  /// Adds bytes and their count to the digest.
  mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  /// Adds bytes and their count to the digest.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    var at = 0
    while at &+ 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      at &+= 8
    }
    guard at < bytes.count else { return }
    var tail: UInt64 = 0
    while at < bytes.count {
      tail = tail &<< 8 | UInt64(bytes[at])
      at &+= 1
    }
    add(tail)
  }

  /// Adds one of several digests whose order is irrelevant.
  @inline(__always)
  mutating func addInAnyOrder(_ other: BodyDigest) {
    let (sum, overflow) = first.addingReportingOverflow(other.first)
    first = sum
    second = second &+ other.second &+ (overflow ? 1 : 0)
  }
}
