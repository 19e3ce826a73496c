/// Random numbers that are a function of what they are made from: the same on every machine, in every run.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Numbers for a seed and for what else decides, such as a session or a request.
  package init(seed: UInt64, _ parts: [UInt8]...) {
    // FNV-1a: Swift's own hashes differ in each process.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for part in parts {
      for byte in part { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      // Where one part ends counts, too.
      hash = (hash ^ UInt64(truncatingIfNeeded: part.count) ^ 0xff) &* 0x0000_0100_0000_01b3
    }
    state = hash
    _ = next()
  }

  /// Returns the next 64 bits (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// Returns a number from 0 to below 1.
  package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// Returns a whole number below a bound, which is above zero.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// Returns a number whose logarithm is normally distributed, by the middle of all such numbers and how far they
  /// spread.
  package mutating func logNormal(median: Double, sigma: Double) -> Double {
    // Box and Muller; 1 - x is never zero.
    let radius = (-2 * log(1 - fraction())).squareRoot()
    return median * exp(sigma * radius * cos(2 * .pi * fraction()))
  }
}
